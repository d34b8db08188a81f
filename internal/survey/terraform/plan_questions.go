package terraform

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// planQuestions plans the list of questions: each planned question takes omitted values
// from the matching prior question. Terraform itself would take them from the same position
// in the list.
type planQuestions struct{}

// servedSchema is the schema of the resource with the matching of questions.
func servedSchema() schema.Schema {
	served := surveyschema.Resource()
	if questions, ok := served.Attributes["questions"].(schema.ListNestedAttribute); ok {
		questions.PlanModifiers = append(questions.PlanModifiers, planQuestions{})
		served.Attributes["questions"] = questions
	}
	return served
}

// Description implements planmodifier.Describer.
func (planQuestions) Description(context.Context) string {
	return "Questions keep their ids through reordering, insertion and edits."
}

// MarkdownDescription implements planmodifier.Describer.
func (p planQuestions) MarkdownDescription(ctx context.Context) string { return p.Description(ctx) }

// PlanModifyList implements planmodifier.List.
func (planQuestions) PlanModifyList(ctx context.Context, req planmodifier.ListRequest, resp *planmodifier.ListResponse) {
	if req.ConfigValue.IsNull() {
		return
	}
	var past survey.QuestionHistory
	if !req.State.Raw.IsNull() { // a survey that is replaced has no questions yet
		var unreadable diag.Diagnostics // ModifyPlan, which knows the name of the survey, warns of it
		past = survey.LoadHistory(ctx, req.Private, types.StringNull(), &unreadable)
	}
	config, ok := survey.DecodeQuestions(req.ConfigValue, &resp.Diagnostics)
	planned, okPlan := survey.DecodeQuestions(req.PlanValue, &resp.Diagnostics)
	stated, okState := survey.DecodeQuestions(req.StateValue, &resp.Diagnostics)
	prior, okPrior := survey.DecodeQuestions(survey.WithAppliedIDs(req.StateValue, past.Newest(), &resp.Diagnostics), &resp.Diagnostics)
	if !ok || !okPlan || !okState || !okPrior {
		return
	}

	for i, from := range survey.Match(prior, past, config) {
		if from.Prior < 0 {
			planned[i].Extra = config[i].Extra
		} else {
			survey.PlanQuestion(&planned[i], config[i], prior[from.Prior], i == from.Prior)
		}
		var inState types.String
		if i < len(stated) {
			inState = stated[i].ID
		}
		planned[i].ID = plannedID(config[i].ID, inState, from)
	}
	resp.PlanValue = survey.EncodeQuestions(planned)
}

// plannedID is the planned id of a question. For a configured "" Terraform accepts only ""
// or the id in the state at the same position; the request always has the id of the
// question.
func plannedID(config, inState types.String, from survey.Origin) types.String {
	switch {
	case config.IsNull() && from.Prior < 0 && from.ID.IsNull():
		return types.StringUnknown()
	case config.IsNull():
		return from.ID
	case survey.IsOmittedID(config) && !survey.IsOmittedID(inState) && inState.Equal(from.ID):
		return inState
	}
	return config
}
