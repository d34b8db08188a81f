package attribute

import (
	"encoding/json"
	"math/big"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"
)

// StringOf converts a field of a response to an attribute: null if the field is null or
// absent.
func StringOf[T ~string](field nullable.Nullable[T]) types.String {
	value, err := field.Get()
	if err != nil {
		return types.StringNull()
	}
	return types.StringValue(string(value))
}

// BoolOf is like [StringOf] for a boolean.
func BoolOf(field nullable.Nullable[bool]) types.Bool {
	value, err := field.Get()
	if err != nil {
		return types.BoolNull()
	}
	return types.BoolValue(value)
}

// Int64Of is like [StringOf] for an integer.
func Int64Of(field nullable.Nullable[int64]) types.Int64 {
	value, err := field.Get()
	if err != nil {
		return types.Int64Null()
	}
	return types.Int64Value(value)
}

// NumberOf is like [StringOf] for a number. It returns false for one that Terraform's numbers cannot hold exactly.
func NumberOf(field nullable.Nullable[json.Number]) (types.Number, bool) {
	const terraformPrecision = 512
	value, err := field.Get()
	if err != nil {
		return types.NumberNull(), !field.IsSpecified()
	}
	parsed, _, err := big.ParseFloat(value.String(), 10, terraformPrecision, big.ToNearestEven)
	if err != nil || parsed.IsInf() || strings.TrimLeft(value.String(), "0123456789.-") != "" || len(value) > 100 {
		return types.NumberNull(), false
	}
	return types.NumberValue(parsed), true
}

// StringListOf is like [StringOf] for a list of strings.
func StringListOf(field nullable.Nullable[[]string]) types.List {
	values, err := field.Get()
	if err != nil {
		return types.ListNull(types.StringType)
	}
	elements := make([]attr.Value, len(values))
	for i, value := range values {
		elements[i] = types.StringValue(value)
	}
	return types.ListValueMust(types.StringType, elements)
}
