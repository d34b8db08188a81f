package terraform

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/fastpath"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// FastPath describes the resource to package fastpath.
func FastPath() fastpath.Resource {
	return fastpath.Resource{
		Schema:     surveyschema.Resource(),
		Parent:     framework.Project,
		IsComplete: isComplete,
		Costly:     "questions",
		IsSettled:  func(private fastpath.PrivateState) bool { return survey.Remembered(private).IsSettled() },
		Exists:     rememberObject,
		Read: func(ctx context.Context, c *client.Client, o fastpath.Object) (json.RawMessage, error) {
			return c.Surveys(o.String("project_id")).ReadRaw(ctx, o.String("id"))
		},
	}
}

// isComplete reports whether a plan with the state's values would change nothing: the status matches the dates, all
// questions keep their IDs, and no flag has to be switched on.
func isComplete(o fastpath.Object, private fastpath.PrivateState) bool {
	date := func(name string) types.String {
		if o.String(name) == "" {
			return types.StringNull()
		}
		return types.StringValue(o.String(name))
	}

	return o.String("status") == survey.StatusByDates(date("start_date"), date("end_date")).ValueString() &&
		keepsIDs(o, survey.Remembered(private)) && (!hasFlagsOff(o) || survey.Remembered(private).IsPaused())
}

// keepsIDs reports whether a plan with the state's values keeps all question IDs.
func keepsIDs(state fastpath.Object, memory survey.Remembered) bool {
	list, ok := state.Objects("questions")
	if !ok {
		return false
	}
	ids := make([]string, len(list))
	for i, q := range list {
		ids[i] = q.String("id")
	}
	return memory.KeepsIDs(ids)
}

// elidedQuestions returns the questions if the fast path removed them from a call because they did
// not change. It returns false if the call contains them.
func elidedQuestions(ctx context.Context, diags *diag.Diagnostics) (questions survey.Questions, isElided bool) {
	elided := fastpath.UnchangedValue(ctx, "questions")
	if elided == nil {
		return questions, false
	}

	listType := questions.Type(ctx)
	raw, err := elided.Unmarshal(listType.TerraformType(ctx))
	if err == nil {
		var list attr.Value
		if list, err = listType.ValueFromTerraform(ctx, raw); err == nil && questions.SetFrom(list) {
			return questions, true
		}
	}
	diags.AddError("Could not decode value from Terraform",
		"The prior questions are not a list of questions. This is a bug in the provider. Please report it.")
	return questions, false
}
