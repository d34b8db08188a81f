package terraform

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
)

// plan is a call that plans a survey, with what its steps need.
type plan struct {
	*surveyCall
	memory survey.Memory
	// pairs match the questions in the planned and the prior survey, once for all steps.
	pairs survey.QuestionPairs
	// isElided is set when the fast path removed the questions from the call.
	isElided bool
}

// plan plans attributes that depend on each other, and runs the checks that need the prior state.
func (r *Resource) plan(ctx context.Context, c *surveyCall) {
	if c.IsDestroy {
		r.planDestroy(ctx, c)
		return
	}
	p, ok := newPlan(ctx, c)
	if !ok {
		return
	}
	planned, prior := &c.Planned.Fields, c.Prior.Fields

	// The order of the steps matters, because each step reads the results of earlier ones. The
	// first steps plan what follows from the configuration.
	if !p.isElided {
		planQuestions(c.Config.Questions, &planned.Questions, p.pairs)
		warnOfCopies(p.pairs, prior, c.Diags)
	}
	if c.Config.ProjectID.IsNull() {
		planned.ProjectID = framework.Project.Plan(r.Data, prior.ProjectID, prior.Name.String(), c.Diags)
	}
	framework.Project.Check(r.Data, planned.ProjectID, c.Diags)
	life := newLifecycle(c.Config.Fields, prior, p.memory, c.Diags)
	life.planDates(planned, c.Diags)

	// The next steps plan the values that PostHog computes. They stay unchanged unless one of their
	// inputs changes. Last, planFlags overrides the flags that the apply switches on.
	if c.IsNew {
		planned.URL, planned.PublicURL = survey.Change{Planned: *planned}.Links()
	} else {
		survey.PlanSchedule(life.config, planned, prior)
		survey.PlanComputedValues(life.config, planned, prior)
		life.planFlags(planned, c.Diags)
	}

	// The plan is complete. Warn of its consequences, and reject what PostHog would reject.
	r.warnOfLosses(ctx, c.Planned, c.Prior, c.Diags)
	isHidden := r.warnOfSwitchedOff(ctx, c.Planned, c.Prior, c.Diags)
	options := check.Options{Now: r.now(), IsHidden: isHidden, Responses: r.responses(ctx, prior)}
	check.Plan(c.Config.Fields, *planned, prior, p.pairs, options, c.Diags)
	if !c.IsNew && !p.isElided {
		r.warnOfDetachedAnswers(findDetachedAnswers(p.memory.Questions, p.pairs), prior, c.Diags)
	}
	if c.IsNew {
		r.foresee(ctx, *planned, c.Diags)
	}

	if p.isElided {
		planned.Questions = survey.Questions{}
	}
}

// planDestroy records a planned destroy, and warns of its consequences.
func (r *Resource) planDestroy(ctx context.Context, c *surveyCall) {
	existing := newExistingSurvey(c.Prior)
	framework.Project.Check(r.Data, c.Prior.ProjectID, c.Diags)
	existing.warnOfDeletion("Deleting", c.Diags)
	r.recordDestroy(existing, c.Diags)
	r.protectResponses(ctx, existing, c.Diags)
}

// newPlan matches the questions of a plan. It returns false after an error.
func newPlan(ctx context.Context, c *surveyCall) (p plan, ok bool) {
	p.surveyCall = c
	if !c.IsNew {
		p.memory = survey.LoadMemory(ctx, c.Private, c.Prior.Name, c.Diags)
	}

	questions, isElided := elidedQuestions(ctx, c.Diags)
	if isElided {
		p.isElided = true
		c.Config.Questions, c.Planned.Questions, c.Prior.Questions = questions, questions, questions
	}
	c.Config.Questions.RefuseNull(c.Diags)
	if c.Diags.HasError() {
		return p, false
	}

	p.pairs = survey.PairQuestions(c.Config.Questions, c.Planned.Questions, c.Prior.Questions, p.memory.Questions)
	return p, true
}

// warnOfLosses warns of what a plan deletes, or leaves behind, in addition to the survey.
func (r *Resource) warnOfLosses(ctx context.Context, planned, prior survey.Model, diags *diag.Diagnostics) {
	if prior.ID.IsNull() {
		if replaced, ok := r.planCreate(planned, diags); ok {
			r.protectResponses(ctx, replaced, diags)
		}
		return
	}

	if planned.Name.IsUnknown() || planned.Name.Equal(prior.Name) {
		remember(r.Data, newExistingSurvey(prior), fateKept)
	} else {
		forget(r.Data, prior.Fields) // a create after the rename may use the name
		refuseSwap(r.Data, planned.Fields, prior.Fields, diags)
	}
	if !planned.ProjectID.IsUnknown() && !planned.ProjectID.Equal(prior.ProjectID) {
		newExistingSurvey(prior).warnOfDeletion("Replacing", diags)
		r.protectResponses(ctx, newExistingSurvey(prior), diags)
		return
	}
	warnOfTargetingChange(planned.Fields, prior.Fields, diags)
}

// now returns the provider's time, or zero if the provider is not configured.
func (r *Resource) now() time.Time {
	if r.Data == nil || r.Now == nil {
		return time.Time{}
	}
	return r.Now()
}

// responses returns a function that counts a survey's responses, or nil if the provider makes no requests.
func (r *Resource) responses(ctx context.Context, prior survey.Fields) func() responses.Number {
	if r.Data == nil || r.Client == nil {
		return nil
	}
	return func() responses.Number {
		return responseCounter(r.Data, prior.ProjectID.ValueString()).Of(ctx, prior.ID.ValueString())
	}
}

// planQuestions plans the list of questions. Each planned question takes omitted values from the
// matching prior question. Without this step, Terraform would take them from the same position in
// the list.
func planQuestions(config survey.Questions, planned *survey.Questions, pairs survey.QuestionPairs) {
	if list, isKnown := planned.Known(); config.IsNull() || !isKnown || len(list) != len(pairs.Pairs) {
		return
	}

	questions := slices.Clone(planned.List())
	for i, pair := range pairs.Pairs {
		question := &questions[i]
		if pair.Index < 0 {
			question.Extra = pairs.After[i].Extra
		} else {
			survey.PlanQuestion(question, pairs.After[i], pairs.Before[pair.Index], i == pair.Index)
		}

		var inState types.String
		if i < len(pairs.Before) {
			inState = pairs.Before[i].ID
		}
		question.ID = plannedID(pairs.After[i].ID, inState, pair)
		switch isLeftOut := question.ID.IsNull() && pair.Index >= 0; {
		case isCopy(pairs, i):
			question.ID = types.StringUnknown()
		case isLeftOut:
			question.ID = pairs.Before[pair.Index].ID // "" if the state contains an empty ID
		}
	}
	*planned = survey.NewQuestions(questions)
}

// isCopy reports whether a planned question has the ID of another one in PostHog, as after a script copied that one with
// its ID.
func isCopy(pairs survey.QuestionPairs, i int) bool {
	pair := pairs.Pairs[i]
	return pair.Index >= 0 && pair.ID == "" && !survey.IsOmittedID(pairs.Before[pair.Index].ID) && pairs.After[i].ID.IsNull()
}

// warnOfCopies warns that the plan gives new IDs to copied questions.
func warnOfCopies(pairs survey.QuestionPairs, prior survey.Fields, diags *diag.Diagnostics) {
	for i, pair := range pairs.Pairs {
		if !isCopy(pairs, i) {
			continue
		}
		diags.AddAttributeWarning(path.Root("questions").AtListIndex(i), "This plan replaces the ID of a copied question",
			fmt.Sprintf("questions[%d] of survey %q has the ID %s of another question, which had it before. The apply gives a new ID to questions[%d]. "+
				"Its answers so far stay under the ID of the other question.", i, prior.Name.ValueString(), pairs.Before[pair.Index].ID.ValueString(), i))
	}
}

// plannedID returns a question's planned ID. If the configured ID is "", Terraform accepts only "" or the ID in the
// state at the same position. The request always contains the question's ID.
func plannedID(config, inState types.String, pair identity.Pair) types.String {
	switch {
	case config.IsNull() && pair.Rule == identity.New:
		return types.StringUnknown()
	case config.IsNull() && pair.ID == "":
		return types.StringNull()
	case config.IsNull():
		return types.StringValue(pair.ID)
	case survey.IsOmittedID(config) && !survey.IsOmittedID(inState) && inState.ValueString() == pair.ID:
		return inState
	}
	return config
}

// warnOfTargetingChange warns if PostHog deletes a flag because an update removes it from a survey.
func warnOfTargetingChange(planned, prior survey.Fields, diags *diag.Diagnostics) {
	if prior.TargetingFlagID.IsNull() || !planned.TargetingFlagID.IsNull() || (survey.Change{Planned: planned, Prior: prior}).NamesOwnFlag() {
		return
	}
	flag := targetingFlagFromFields(prior)
	diags.AddAttributeWarning(path.Root("targeting_flag_id"), fmt.Sprintf("PostHog will delete feature flag %s", flag),
		fmt.Sprintf("This plan removes targeting_flag_id from survey %q, which is %d now. PostHog cannot unlink a targeting flag. It deletes the flag, even if something else uses it. "+
			"To keep the flag, keep targeting_flag_id, or set it to another flag.", prior.Name.ValueString(), flag.id))
}
