package attribute

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/zclconf/go-cty/cty"
)

// composer is a value from another package that contains other values.
type composer interface {
	// NFC returns the value with all texts in Unicode NFC.
	NFC() attr.Value
}

// NFC returns a value with all its texts in Unicode NFC, because Terraform stores texts in this form. A decomposed
// text in PostHog is therefore not a difference.
//
//nolint:contextcheck // the types of elements depend on nothing in a context
func NFC(value attr.Value) attr.Value {
	if value.IsNull() || value.IsUnknown() {
		return value
	}

	switch value := value.(type) {
	case composer:
		return value.NFC()
	case jsontypes.Normalized:
		return jsontypes.NewNormalizedValue(cty.NormalizeString(value.ValueString()))
	case types.String:
		return types.StringValue(cty.NormalizeString(value.ValueString()))
	case types.List:
		return types.ListValueMust(value.ElementType(context.Background()), nfcAll(value.Elements()))
	case types.Map:
		return types.MapValueMust(value.ElementType(context.Background()), nfcEach(value.Elements()))
	case types.Object:
		return types.ObjectValueMust(value.AttributeTypes(context.Background()), nfcEach(value.Attributes()))
	}
	return value
}

func nfcAll(values []attr.Value) []attr.Value {
	composed := make([]attr.Value, len(values))
	for i, value := range values {
		composed[i] = NFC(value)
	}
	return composed
}

func nfcEach(values map[string]attr.Value) map[string]attr.Value {
	composed := make(map[string]attr.Value, len(values))
	for name, value := range values {
		composed[name] = NFC(value)
	}
	return composed
}
