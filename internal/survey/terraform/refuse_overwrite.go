package terraform

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// An update replaces what it sends, and would overwrite edits that were made in the web
// interface between plan and apply. So before each update, and again before an attempt that
// follows a wait, the survey is read, and compared with the prior state as in a refresh.

// errRefused is the error of a write that is not made: the diagnostics say why.
var errRefused = errors.New("refused")

// refuseOverwrite adds an error, and returns errRefused, if a value that the request replaces
// has changed since the plan.
func (r *Resource) refuseOverwrite(
	ctx context.Context, live api.Survey, request api.SurveyRequest, planned, prior survey.Fields, private attribute.PrivateState, diags *diag.Diagnostics,
) error {
	prior, stored, err := asRefreshed(ctx, live, prior, private, diags)
	if err != nil {
		diags.Append(attempt("read", prior).Diagnostic(err, attributePaths))
		return errRefused
	}
	if request.Questions.IsSpecified() && refuseUnknownIDs(prior, stored, diags) {
		return errRefused
	}

	edits := comparing.Unseen(attributesSentIn(request), &planned, &prior, &stored)
	if request.Questions.IsSpecified() && isLaunchedSince(prior, stored) && dropsQuestions(planned, prior) {
		edits = append(edits, statusEdit(prior, stored)+": the update removes questions that people answer now")
	}
	if len(edits) > 0 {
		diags.Append(attempt("update", prior).Overwrite(edits))
	}
	if diags.HasError() {
		return errRefused
	}
	return nil
}

// asRefreshed returns what a refresh would make of the prior state, and the prior state
// with the ids that its questions have on the service.
func asRefreshed(ctx context.Context, live api.Survey, prior survey.Fields, private attribute.PrivateState, diags *diag.Diagnostics) (before, stored survey.Fields, err error) {
	memory := survey.LoadMemory(ctx, private, prior.Name, diags)
	prior.Questions = survey.WithIDs(memory.Questions, prior.Questions)
	stored, err = survey.FromAPI(ctx, live, prior, &attribute.Response{Memory: memory.Echo})
	if err == nil {
		detectStop(&stored, prior, memory.Stopped)
	}
	return prior, stored, err
}

// refuseUnknownIDs adds an error, and returns true, if the state lacks ids of questions
// that the service has: the update would give those questions new ids.
func refuseUnknownIDs(prior, stored survey.Fields, diags *diag.Diagnostics) bool {
	held := stored.Questions.List()
	if !survey.LackIDs(prior.Questions.List()) || len(held) == 0 || survey.LackIDs(held) {
		return false
	}

	diags.AddAttributeError(path.Root("questions"), attempt("update", prior).Title(),
		"The state comes from provider "+officialSource+" and does not contain question IDs, because it has not been refreshed since. "+
			"Updating the questions would give them new IDs and detach the existing answers. Nothing was written. "+
			"Plan again without -refresh=false to read the IDs.")
	return true
}

// dropsQuestions reports whether a plan has fewer of the prior ids than the prior state.
func dropsQuestions(planned, prior survey.Fields) bool {
	return slices.ContainsFunc(prior.Questions.List(), func(q survey.Question) bool {
		return !slices.ContainsFunc(planned.Questions.List(), func(kept survey.Question) bool { return kept.ID.Equal(q.ID) && kept.Type.Equal(q.Type) })
	})
}

// questionEdits lists the edits of a list of questions, one a line.
func questionEdits(before, after []survey.Question) []string {
	var edits []string
	kept := make([]int, 0, len(after)) // the earlier places of those that are still there

	for i, q := range after {
		j := survey.SameID(before, after, i)
		if j < 0 {
			edits = append(edits, fmt.Sprintf("questions[%d] was inserted: %s", i, survey.Excerpt(q.Question)))
			continue
		}
		kept = append(kept, j)
		edits = append(edits, editsOf(fmt.Sprintf("questions[%d]", i), before[j], q)...)
	}

	for j, q := range before {
		if !slices.Contains(kept, j) {
			edits = append(edits, fmt.Sprintf("questions[%d] was removed: %s", j, survey.Excerpt(q.Question)))
		}
	}

	if !slices.IsSorted(kept) {
		edits = append(edits, "questions were reordered")
	}
	return edits
}

// editsOf lists the edits of a question, one a line.
func editsOf(path string, before, after survey.Question) []string {
	var edits []string
	valuesBefore, valuesAfter := attribute.FromStruct(&before), attribute.FromStruct(&after)
	for _, name := range slices.Sorted(maps.Keys(valuesAfter)) {
		switch {
		case valuesAfter[name].Equal(valuesBefore[name]):
		case name == "question":
			edits = append(edits, fmt.Sprintf("%s was reworded: %s -> %s", path, survey.Excerpt(before.Question), survey.Excerpt(after.Question)))
		default:
			edits = append(edits, attribute.ValueEdit(path+"."+name, valuesBefore[name], valuesAfter[name]))
		}
	}
	return edits
}

// serviceOnly are the attributes that the service changes by itself: a survey goes on,
// and its flags with it.
var serviceOnly = []string{
	"id", "project_id", "status", "iteration_start_dates", "current_iteration", "current_iteration_start_date", "response_sampling_daily_limits",
	"linked_flag", "targeting_flag", "internal_targeting_flag", "feature_flag_keys", "created_at", "created_by", "user_access_level",
	"url", "public_url",
}

// sameByMeaning says of the attributes with JSON when two texts mean the same.
var sameByMeaning = map[string]attribute.Equivalent{
	"appearance": survey.SameJSONMarkup, "conditions": survey.SameConditions, "translations": survey.SameTranslations,
	"targeting_flag_filters": survey.SameFilters,
}

// comparing is what the attributes mean.
var comparing = attribute.Comparison{
	Same: isSameValue,
	Lines: func(_ string, before, after attr.Value) []string {
		questions, ok := after.(survey.Questions)
		was, _ := before.(survey.Questions)
		if !ok {
			return nil
		}
		return append([]string{}, questionEdits(was.List(), questions.List())...)
	},
}

// isSameValue reports whether two values of an attribute mean the same.
func isSameValue(name string, after, before attr.Value) bool {
	if attribute.SameValue(after, before) {
		return true
	}

	switch after := after.(type) {
	case jsontypes.Normalized:
		before, ok := before.(jsontypes.Normalized)
		same := sameByMeaning[name]
		return ok && same != nil && same(after.ValueString(), before.ValueString())
	case types.String:
		before, ok := before.(types.String)
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
