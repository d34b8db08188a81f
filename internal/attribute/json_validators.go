package attribute

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// JSONObject is the validator of a string that must hold a JSON object.
type JSONObject struct{}

// Description implements validator.Describer.
func (JSONObject) Description(context.Context) string { return "a JSON object" }

// MarkdownDescription implements validator.Describer.
func (v JSONObject) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString implements validator.String. Text that is no JSON at all is left
// to the attribute's type, which reports it.
func (JSONObject) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}

	value, err := jsonvalue.Decode(req.ConfigValue.ValueString())
	if err != nil || value == nil {
		return
	}

	if _, ok := value.(map[string]any); !ok {
		resp.Diagnostics.AddAttributeError(req.Path, "Not a JSON object",
			fmt.Sprintf("%s must hold a JSON object, as jsonencode({ ... }) writes one, not %.60s", req.Path, req.ConfigValue.ValueString()))
	}
}

// JSONStructure is the validator of a string that must hold a JSON object or list.
// The JSON text null is refused too: omitting the attribute means the same.
type JSONStructure struct{}

// Description implements validator.Describer.
func (JSONStructure) Description(context.Context) string { return "a JSON object or list" }

// MarkdownDescription implements validator.Describer.
func (v JSONStructure) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString implements validator.String. Text that is no JSON at all is left
// to the attribute's type, which reports it.
func (JSONStructure) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}

	value, err := jsonvalue.Decode(req.ConfigValue.ValueString())
	if err != nil {
		return
	}

	switch value.(type) {
	case map[string]any, []any:
	case nil:
		resp.Diagnostics.AddAttributeError(req.Path, "JSON null",
			fmt.Sprintf("%s holds the JSON text null. Leave the attribute out, or set it to Terraform's null, instead.", req.Path))
	default:
		resp.Diagnostics.AddAttributeError(req.Path, "Not a JSON object or list",
			fmt.Sprintf("%s must hold a JSON object or list, as jsonencode({ ... }) or jsonencode([ ... ]) writes one, not %.60s",
				req.Path, req.ConfigValue.ValueString()))
	}
}
