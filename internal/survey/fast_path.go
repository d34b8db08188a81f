package survey

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/fastpath"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/providerdata"
)

// FastPath is what the fast path has to know of the resource.
func FastPath() fastpath.Noun {
	return fastpath.Noun{
		Schema:  resourceSchema(),
		Parent:  "project_id",
		Default: func(d *providerdata.Data) string { return d.ProjectID },
		Settled: func(o fastpath.Object) bool {
			date := func(name string) types.String {
				if o.String(name) == "" {
					return types.StringNull()
				}
				return types.StringValue(o.String(name))
			}
			return o.String("status") == statusOf(date("start_date"), date("end_date")).ValueString()
		},
		Exists: rememberObject,
		Read: func(ctx context.Context, c *client.Client, o fastpath.Object) (json.RawMessage, error) {
			return c.Surveys(o.String("project_id")).ReadRaw(ctx, o.String("id"))
		},
	}
}
