package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// headers are those of the configuration, else of the environment.
func (p *Provider) headers(configured types.Map, diags *diag.Diagnostics) map[string]string {
	if configured.IsNull() {
		headers, err := client.ParseHeaders(p.Getenv(client.HeadersVariable))
		if err != nil {
			refuseHeaders(path.Root("headers"), err, diags)
		}
		return headers
	}

	headers := headerValues(configured)
	if err := client.CheckHeaders(headers); err != nil {
		refuseHeaders(path.Root("headers"), err, diags)
	}
	return headers
}

// headerValues omits null, by which a condition can remove a header.
func headerValues(configured types.Map) map[string]string {
	headers := map[string]string{}
	for name, value := range configured.Elements() {
		if text, ok := value.(types.String); ok && !text.IsNull() && !text.IsUnknown() {
			headers[name] = text.ValueString()
		}
	}
	return headers
}

// refuseHeaders ends the path at the map: not every CLI takes a path into one.
func refuseHeaders(at path.Path, err error, diags *diag.Diagnostics) {
	diags.AddAttributeError(at, "Invalid header", "headers ("+client.HeadersVariable+"): "+err.Error()+".")
}

// sendableHeaders is the validator of headers.
type sendableHeaders struct{}

// Description implements validator.Describer.
func (sendableHeaders) Description(context.Context) string {
	return "headers that can be sent with every request"
}

// MarkdownDescription implements validator.Describer.
func (v sendableHeaders) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateMap implements validator.Map.
func (sendableHeaders) ValidateMap(_ context.Context, req validator.MapRequest, resp *validator.MapResponse) {
	if err := client.CheckHeaders(headerValues(req.ConfigValue)); err != nil {
		refuseHeaders(req.Path, err, &resp.Diagnostics)
	}
}
