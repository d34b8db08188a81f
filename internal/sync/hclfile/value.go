package hclfile

import (
	"maps"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/zclconf/go-cty/cty"

	model "github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// expression writes the value of an attribute. Attributes of an object that are null
// are left out.
func expression(value attr.Value, depth int) hclwrite.Tokens {
	if text, ok := value.(jsontypes.Normalized); ok && !value.IsNull() {
		return JSON(text.ValueString(), depth)
	}
	return Literal(ctyOf(value), depth)
}

// ctyOf converts a value to one of HCL.
func ctyOf(value attr.Value) cty.Value {
	if value.IsNull() {
		return cty.NullVal(cty.DynamicPseudoType)
	}

	switch value := value.(type) {
	case interface{ ValueString() string }:
		return cty.StringVal(value.ValueString())
	case types.Bool:
		return cty.BoolVal(value.ValueBool())
	case types.Int64:
		return cty.NumberIntVal(value.ValueInt64())
	case types.Number:
		return cty.NumberVal(value.ValueBigFloat())
	case types.List:
		elements := make([]cty.Value, 0, len(value.Elements()))
		for _, element := range value.Elements() {
			elements = append(elements, ctyOf(element))
		}
		return cty.TupleVal(elements)
	case types.Map:
		return ctyObject(value.Elements())
	case types.Object:
		return ctyObject(stated(value.Attributes()))
	}

	panic("no literal for a " + value.String())
}

func ctyObject(attributes map[string]attr.Value) cty.Value {
	converted := make(map[string]cty.Value, len(attributes))
	for name, value := range attributes {
		converted[name] = ctyOf(value)
	}
	return cty.ObjectVal(converted)
}

// stated are the attributes that are not null.
func stated(attributes map[string]attr.Value) map[string]attr.Value {
	attributes = maps.Clone(attributes)
	maps.DeleteFunc(attributes, func(_ string, value attr.Value) bool { return value.IsNull() })
	return attributes
}

// topLevel is the depth of an argument of a resource block.
const topLevel = 1

// arguments are the attributes of a model that are not null, in its order. Those in
// written have an expression of their own.
func arguments(source any, written map[string]hclwrite.Tokens) []argument {
	var out []argument
	for _, one := range model.Ordered(source) {
		tokens, special := written[one.Name]
		switch {
		case one.Value.IsNull():
		case special:
			out = append(out, argument{one.Name, tokens})
		default:
			out = append(out, argument{one.Name, expression(one.Value, topLevel)})
		}
	}
	return out
}
