package survey

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/fastpath"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/providerdata"
)

// FastPath describes the resource to the fast path.
func FastPath() fastpath.Resource {
	return fastpath.Resource{
		Schema:  resourceSchema(),
		Parent:  "project_id",
		Default: func(d *providerdata.Data) string { return d.ProjectID },
		IsComplete: func(o fastpath.Object, private fastpath.PrivateState) bool {
			date := func(name string) types.String {
				if o.String(name) == "" {
					return types.StringNull()
				}
				return types.StringValue(o.String(name))
			}
			return o.String("status") == statusOf(date("start_date"), date("end_date")).ValueString() &&
				haveAppliedIDs(o, private[appliedKey])
		},
		Costly: "questions",
		Exists: rememberObject,
		Read: func(ctx context.Context, c *client.Client, o fastpath.Object) (json.RawMessage, error) {
			return c.Surveys(o.String("project_id")).ReadRaw(ctx, o.String("id"))
		},
	}
}

// haveAppliedIDs reports whether all questions of a state have the ids with which the same
// list was last applied. A plan would restore others.
func haveAppliedIDs(state fastpath.Object, remembered []byte) bool {
	if len(remembered) == 0 {
		return true
	}
	var applied []appliedQuestion
	list, ok := state.Objects("questions")
	if !ok || json.Unmarshal(remembered, &applied) != nil {
		return false
	}
	if len(list) != len(applied) {
		return true
	}

	same := true
	for i, q := range list {
		if q.String("type") != applied[i].Type || q.String("question") != applied[i].Text {
			return true
		}
		same = same && (q.String("id") == "" || q.String("id") == applied[i].ID)
	}
	return same
}

// unchangedQuestions returns the questions that the fast path removed from a call; false
// when the call has them.
func unchangedQuestions(ctx context.Context, diags *diag.Diagnostics) (types.List, bool) {
	left := fastpath.Unchanged(ctx, "questions")
	if left == nil {
		return types.List{}, false
	}

	listType := types.ListType{ElemType: questionType}
	raw, err := left.Unmarshal(listType.TerraformType(ctx))
	if err == nil {
		var value attr.Value
		if value, err = listType.ValueFromTerraform(ctx, raw); err == nil {
			if list, ok := value.(types.List); ok {
				return list, true
			}
		}
	}
	diags.AddError("Cannot decode value from Terraform",
		"The prior questions are not a list of questions. This is a fault of the provider: please report it.")
	return types.List{}, false
}
