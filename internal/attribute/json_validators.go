package attribute

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// JSONStructure is the validator of a string that must hold a JSON object or list.
// Null is refused too: an attribute that is left out says it better.
type JSONStructure struct{}

// Description implements validator.Describer.
func (JSONStructure) Description(context.Context) string { return "a JSON object or list" }

// MarkdownDescription implements validator.Describer.
func (v JSONStructure) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString implements validator.String. Text that is no JSON at all is left
// to the attribute's type, which says so.
func (JSONStructure) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	value, err := decodeJSON(req.ConfigValue.ValueString())
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

// ResetJSONTo returns the Silence of an attribute that holds JSON and that the
// service fills in with reset, JSON text, when nobody sets it. Null and an empty
// object or list amount to nothing and stay.
func ResetJSONTo(reset string) OmittedValue {
	return OmittedValue{reset: types.StringValue(reset), isEmpty: func(v attr.Value) bool {
		text, ok := v.(interface{ ValueString() string })
		return isEmptyJSON(v) || ok && SameJSON(text.ValueString(), reset)
	}}
}
