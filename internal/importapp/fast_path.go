package importapp

import (
	"context"
	"encoding/json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/fastpath"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
)

// FastPath describes the resource to the fast path.
func FastPath() fastpath.Resource {
	return fastpath.Resource{
		Schema:     ResourceSchema(),
		Parent:     "organization_id",
		Default:    func(d *providerdata.Data) string { return d.OrganizationID },
		IsComplete: func(fastpath.Object, fastpath.PrivateState) bool { return true },
		Read: func(ctx context.Context, c *client.Client, o fastpath.Object) (json.RawMessage, error) {
			return c.PipelineImportApps(o.String("organization_id")).ReadRaw(ctx, o.Int64("id"))
		},
	}
}
