package importapp

import (
	"context"
	"encoding/json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/fastpath"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/providerdata"
)

// FastPath is what the fast path has to know of the resource.
func FastPath() fastpath.Resource {
	return fastpath.Resource{
		Schema:     resourceSchema(),
		Parent:     "organization_id",
		Default:    func(d *providerdata.Data) string { return d.OrganizationID },
		IsComplete: func(fastpath.Object, fastpath.PrivateState) bool { return true },
		Read: func(ctx context.Context, c *client.Client, o fastpath.Object) (json.RawMessage, error) {
			return c.PipelineImportApps(o.String("organization_id")).ReadRaw(ctx, o.Int64("id"))
		},
	}
}
