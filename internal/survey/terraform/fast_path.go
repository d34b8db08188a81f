package terraform

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/fastpath"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// FastPath describes the resource to the fast path.
func FastPath() fastpath.Resource {
	return fastpath.Resource{
		Schema:     surveyschema.Resource(),
		Parent:     "project_id",
		Default:    func(d *providerdata.Data) string { return d.ProjectID },
		IsComplete: isComplete,
		Costly:     "questions",
		// The next read accepts what the one before has found.
		IsSettled: func(private fastpath.PrivateState) bool {
			return !bytes.HasPrefix(private[survey.HistoryKey], survey.OpenHistory)
		},
		Exists: rememberObject,
		Read: func(ctx context.Context, c *client.Client, o fastpath.Object) (json.RawMessage, error) {
			return c.Surveys(o.String("project_id")).ReadRaw(ctx, o.String("id"))
		},
	}
}

// isComplete reports whether a plan of what a state holds would change nothing: no status that
// its dates contradict, no question that would get another id, no flag that stands switched off.
func isComplete(o fastpath.Object, private fastpath.PrivateState) bool {
	date := func(name string) types.String {
		if o.String(name) == "" {
			return types.StringNull()
		}
		return types.StringValue(o.String(name))
	}

	return o.String("status") == survey.StatusByDates(date("start_date"), date("end_date")).ValueString() &&
		keepsIDs(o, private[survey.HistoryKey]) && (!hasFlagsOff(o) || string(private[pausedKey]) == "true")
}

// keepsIDs reports whether a configuration that says what a state holds leaves all
// questions the ids that they have there. A plan would restore others.
func keepsIDs(state fastpath.Object, remembered []byte) bool {
	past, err := survey.DecodeHistory(remembered)
	if err != nil || len(past.Lists) == 0 {
		return err == nil
	}

	list, ok := state.Objects("questions")
	if !ok || past.Restores || len(list) != len(past.Lists[0]) {
		return false
	}
	for i, q := range list {
		if id := q.String("id"); id != "" && id != past.Questions[past.Lists[0][i]].ID {
			return false
		}
	}
	return true
}

// elidedQuestions returns the questions that the fast path removed from a call, since they do
// not change; false when the call has them.
func elidedQuestions(ctx context.Context, diags *diag.Diagnostics) (questions survey.Questions, isElided bool) {
	elided := fastpath.Unchanged(ctx, "questions")
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
	diags.AddError("Cannot decode value from Terraform",
		"The prior questions are not a list of questions. This is a fault of the provider: please report it.")
	return questions, false
}
