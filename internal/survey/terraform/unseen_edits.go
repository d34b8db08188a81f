package terraform

import (
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// unseenEdit is an edit that was made on the service since the plan, in a line.
type unseenEdit struct{ attribute, line string }

// editList are the edits of a survey.
type editList []unseenEdit

func (e editList) with(attribute string, lines ...string) editList {
	for _, line := range lines {
		e = append(e, unseenEdit{attribute, line})
	}
	return e
}

func (e editList) lines() []string {
	lines := make([]string, len(e))
	for i, one := range e {
		lines[i] = one.line
	}
	return lines
}

func (e editList) attributes() []string {
	names := make([]string, len(e))
	for i, one := range e {
		names[i] = one.attribute
	}
	return names
}

// serviceOnly are the attributes that the service changes by itself: a survey goes on,
// and its flags with it.
var serviceOnly = []string{
	"id", "project_id", "status", "iteration_start_dates", "current_iteration", "current_iteration_start_date", "response_sampling_daily_limits",
	"linked_flag", "targeting_flag", "internal_targeting_flag", "feature_flag_keys", "created_at", "created_by", "user_access_level",
}

// sameByMeaning says of the attributes with JSON when two texts mean the same.
var sameByMeaning = map[string]attribute.Equivalent{
	"appearance": survey.SameJSONMarkup, "conditions": survey.SameConditions, "translations": survey.SameJSONMarkup,
	"form_content": attribute.EquivalentJSON, "targeting_flag_filters": attribute.EquivalentJSON, "response_sampling_daily_limits": attribute.EquivalentJSON,
}

// unseenEdits lists the edits of the attributes that matter. An edit to the planned value
// is none.
func unseenEdits(matters func(name string) bool, planned, prior, stored survey.Fields) editList {
	var found editList
	before, after, wanted := attribute.FromStruct(&prior), attribute.FromStruct(&stored), attribute.FromStruct(&planned)
	for _, name := range sortedNames(after) {
		if !matters(name) || isSameValue(name, after[name], before[name]) || isSameValue(name, after[name], wanted[name]) {
			continue
		}

		switch value := after[name].(type) {
		case jsontypes.Normalized:
			text, _ := before[name].(jsontypes.Normalized)
			found = found.with(name, attribute.JSONEdits(name, text.ValueString(), value.ValueString())...)
		case survey.Questions:
			found = found.with(name, questionEdits(prior.Questions.List(), value.List())...)
		default:
			found = found.with(name, attribute.ValueEdit(name, before[name], value))
		}
	}
	return found
}

// isSameValue reports whether two values of an attribute mean the same.
func isSameValue(name string, after, before attr.Value) bool {
	if after.Equal(before) {
		return true
	}

	switch after := after.(type) {
	case jsontypes.Normalized:
		before, ok := before.(jsontypes.Normalized)
		same := sameByMeaning[name]
		return ok && (attribute.EquivalentJSON(after.ValueString(), before.ValueString()) || same != nil && same(after.ValueString(), before.ValueString()))
	case types.String:
		before, ok := before.(types.String)
		if ok && !before.IsUnknown() && after.ValueString() == before.ValueString() {
			return true // "" is null
		}
		isDate := strings.HasSuffix(name, "_date") && !after.IsNull() && !before.IsNull()
		return ok && isDate && attribute.SameTimestamp(after.ValueString(), before.ValueString())
	}
	return false
}

// isLaunchedSince reports whether a survey was launched or resumed since the plan, even if
// it is over again.
func isLaunchedSince(prior, stored survey.Fields) bool {
	started := !stored.StartDate.IsNull() && !isSameValue("start_date", stored.StartDate, prior.StartDate)
	resumed := !prior.EndDate.IsNull() && stored.EndDate.IsNull() && !stored.StartDate.IsNull()
	return started || resumed
}

// statusEdit is the line for a survey whose status changed.
func statusEdit(prior, stored survey.Fields) string {
	before, after := survey.StatusByDates(prior.StartDate, prior.EndDate), survey.StatusByDates(stored.StartDate, stored.EndDate)
	if before.Equal(after) {
		return attribute.ValueEdit("start_date", prior.StartDate, stored.StartDate)
	}
	return attribute.ValueEdit("status", before, after)
}

// isEditable reports whether people edit an attribute, in a configuration or in the web
// interface.
func isEditable(name string) bool { return !slices.Contains(serviceOnly, name) }
