package terraform

import (
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
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
func unseenEdits(matters func(name string) bool, planned, prior, stored survey.Fields, diags *diag.Diagnostics) editList {
	var found editList
	before, now, wanted := attribute.FromStruct(&prior), attribute.FromStruct(&stored), attribute.FromStruct(&planned)
	for _, name := range sortedNames(now) {
		if !matters(name) || isSameValue(name, now[name], before[name]) || isSameValue(name, now[name], wanted[name]) {
			continue
		}

		switch is := now[name].(type) {
		case jsontypes.Normalized:
			was, _ := before[name].(jsontypes.Normalized)
			found = found.with(name, attribute.JSONEdits(name, was.ValueString(), is.ValueString())...)
		default:
			if name != "questions" {
				found = found.with(name, attribute.ValueEdit(name, before[name], is))
				continue
			}
			was, _ := survey.DecodeQuestions(prior.Questions, diags)
			list, _ := survey.DecodeQuestions(stored.Questions, diags)
			found = found.with(name, questionEdits(was, list)...)
		}
	}
	return found
}

// isSameValue reports whether two values of an attribute mean the same.
func isSameValue(name string, one, other attr.Value) bool {
	if one.Equal(other) {
		return true
	}

	switch now := one.(type) {
	case jsontypes.Normalized:
		before, ok := other.(jsontypes.Normalized)
		same := sameByMeaning[name]
		return ok && (attribute.EquivalentJSON(now.ValueString(), before.ValueString()) || same != nil && same(now.ValueString(), before.ValueString()))
	case types.String:
		before, ok := other.(types.String)
		if ok && !before.IsUnknown() && now.ValueString() == before.ValueString() {
			return true // "" is null
		}
		isDate := strings.HasSuffix(name, "_date") && !now.IsNull() && !before.IsNull()
		return ok && isDate && attribute.SameInstant(now.ValueString(), before.ValueString())
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
	before, now := survey.StatusByDates(prior.StartDate, prior.EndDate), survey.StatusByDates(stored.StartDate, stored.EndDate)
	if before.Equal(now) {
		return attribute.ValueEdit("start_date", prior.StartDate, stored.StartDate)
	}
	return attribute.ValueEdit("status", before, now)
}

// isEditable reports whether people edit an attribute, in a configuration or in the web
// interface.
func isEditable(name string) bool { return !slices.Contains(serviceOnly, name) }
