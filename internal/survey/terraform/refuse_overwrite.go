package terraform

import (
	"context"
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
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// An update replaces the fields that it sends, and would overwrite edits that were made in PostHog
// between plan and apply. Therefore the provider reads the survey before each update, and again
// before an attempt that follows a wait, and compares it with the prior state as a refresh would.

// refuseOverwrite adds an error and returns ErrRefused if a value that the request replaces has
// changed since the plan.
func (r *Resource) refuseOverwrite(ctx context.Context, live api.Survey, request api.SurveyRequest, u *update) error {
	prior, stored, err := refreshPrior(ctx, live, u.surveyCall)
	if err != nil {
		u.Diags.Append(attempt("read", prior).Diagnostic(err, attributePaths))
		return framework.ErrRefused
	}
	if request.Questions.IsSpecified() && refuseUnknownIDs(prior, stored, u.Diags) {
		return framework.ErrRefused
	}

	edits := comparing.Unseen(sentAttributes(request), &u.desired, &prior, &stored)
	if request.Questions.IsSpecified() && isLaunchedSince(prior, stored) && dropsQuestions(u.desired, prior) {
		edits = append(edits, statusEdit(prior, stored)+": the update removes questions that respondents can now answer")
	}
	if len(edits) > 0 {
		u.Diags.Append(attempt("update", prior).Overwrite(edits))
	}
	if u.Diags.HasError() {
		return framework.ErrRefused
	}
	return nil
}

// refreshPrior returns the prior state with the current question IDs, and the state that a refresh
// would produce from it.
func refreshPrior(ctx context.Context, live api.Survey, c *surveyCall) (before, stored survey.Fields, err error) {
	prior := c.Prior.Fields
	memory := survey.LoadMemory(ctx, c.Private, prior.Name, c.Diags)
	prior.Questions = survey.WithIDs(memory.Questions, prior.Questions)
	stored, err = survey.FromAPI(ctx, live, prior, &attribute.Response{Memory: memory.Echo})
	if err == nil {
		detectStop(&stored, prior, memory.Stopped)
	}
	return prior, stored, err
}

// refuseUnknownIDs adds an error and returns true if the state lacks question IDs that PostHog has,
// because the update would assign new ones.
func refuseUnknownIDs(prior, stored survey.Fields, diags *diag.Diagnostics) bool {
	storedQuestions := stored.Questions.List()
	if !survey.LackIDs(prior.Questions.List()) || len(storedQuestions) == 0 || survey.LackIDs(storedQuestions) {
		return false
	}

	diags.AddAttributeError(path.Root("questions"), attempt("update", prior).Title(),
		"The state comes from provider "+officialSource+" and does not contain question IDs, because it has not been refreshed since. "+
			"Updating the questions would assign new IDs and detach the existing answers. Nothing was written. "+
			"Plan again without -refresh=false to read the IDs.")
	return true
}

// dropsQuestions reports whether a plan removes a question in the prior state, or changes its type.
func dropsQuestions(planned, prior survey.Fields) bool {
	return slices.ContainsFunc(prior.Questions.List(), func(q survey.Question) bool {
		return !slices.ContainsFunc(planned.Questions.List(), func(candidate survey.Question) bool { return candidate.ID.Equal(q.ID) && candidate.Type.Equal(q.Type) })
	})
}

// questionEdits lists the edits in a list of questions, one per line.
func questionEdits(base, live []survey.Question) []string {
	var edits []string
	remaining := make([]int, 0, len(live)) // earlier positions of the remaining questions

	for i, q := range live {
		j := survey.SameID(base, live, i)
		if j < 0 {
			edits = append(edits, fmt.Sprintf("questions[%d] was inserted: %s", i, survey.Excerpt(q.Question)))
			continue
		}
		remaining = append(remaining, j)
		edits = append(edits, fieldEdits(fmt.Sprintf("questions[%d]", i), base[j], q)...)
	}

	for j, q := range base {
		if !slices.Contains(remaining, j) {
			edits = append(edits, fmt.Sprintf("questions[%d] was removed: %s", j, survey.Excerpt(q.Question)))
		}
	}

	if !slices.IsSorted(remaining) {
		edits = append(edits, "questions were reordered")
	}
	return edits
}

// fieldEdits lists the edits to a question, one per line.
func fieldEdits(path string, base, live survey.Question) []string {
	var edits []string
	baseValues, liveValues := attribute.FromStruct(&base), attribute.FromStruct(&live)
	for _, name := range slices.Sorted(maps.Keys(liveValues)) {
		switch {
		case liveValues[name].Equal(baseValues[name]):
		case name == "question":
			edits = append(edits, fmt.Sprintf("%s was reworded: %s -> %s", path, survey.Excerpt(base.Question), survey.Excerpt(live.Question)))
		default:
			edits = append(edits, attribute.ValueEdit(path+"."+name, baseValues[name], liveValues[name]))
		}
	}
	return edits
}

// serviceOnly are the attributes that PostHog changes without an edit, while a survey runs.
var serviceOnly = []string{
	"id", "project_id", "status", "iteration_start_dates", "current_iteration", "current_iteration_start_date", "response_sampling_daily_limits",
	"linked_flag", "targeting_flag", "internal_targeting_flag", "feature_flag_keys", "created_at", "created_by", "user_access_level",
	"url", "public_url",
}

// sameByMeaning maps attributes to functions that compare two of the attribute's JSON texts by meaning.
var sameByMeaning = map[string]attribute.Equivalent{
	"appearance": survey.SameJSONMarkup, "conditions": survey.SameConditions, "translations": survey.SameTranslations,
	"targeting_flag_filters": survey.SameFilters,
}

// comparing compares the values of survey attributes.
var comparing = attribute.Comparison{
	Same: isSameValue,
	Lines: func(_ string, base, live attr.Value) []string {
		questions, ok := live.(survey.Questions)
		baseQuestions, _ := base.(survey.Questions)
		if !ok {
			return nil
		}
		return append([]string{}, questionEdits(baseQuestions.List(), questions.List())...)
	},
}

// isSameValue reports whether two values of an attribute have the same meaning.
func isSameValue(name string, live, base attr.Value) bool {
	if attribute.SameValue(live, base) {
		return true
	}

	switch live := live.(type) {
	case jsontypes.Normalized:
		base, ok := base.(jsontypes.Normalized)
		same := sameByMeaning[name]
		return ok && same != nil && same(live.ValueString(), base.ValueString())
	case types.String:
		base, ok := base.(types.String)
		isDate := strings.HasSuffix(name, "_date") && !live.IsNull() && !base.IsNull()
		return ok && isDate && attribute.SameTimestamp(live.ValueString(), base.ValueString())
	}
	return false
}

// isLaunchedSince reports whether a survey was launched or resumed since the plan, even if it has
// ended again.
func isLaunchedSince(prior, stored survey.Fields) bool {
	started := !stored.StartDate.IsNull() && !isSameValue("start_date", stored.StartDate, prior.StartDate)
	resumed := !prior.EndDate.IsNull() && stored.EndDate.IsNull() && !stored.StartDate.IsNull()
	return started || resumed
}

// statusEdit returns the line for a survey whose status changed.
func statusEdit(prior, stored survey.Fields) string {
	oldStatus, newStatus := survey.StatusByDates(prior.StartDate, prior.EndDate), survey.StatusByDates(stored.StartDate, stored.EndDate)
	if oldStatus.Equal(newStatus) {
		return attribute.ValueEdit("start_date", prior.StartDate, stored.StartDate)
	}
	return attribute.ValueEdit("status", oldStatus, newStatus)
}

// isEditable reports whether users edit an attribute, in a configuration or in PostHog.
func isEditable(name string) bool { return !slices.Contains(serviceOnly, name) }
