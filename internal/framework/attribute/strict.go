package attribute

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Terraform silently drops keys that a nested object does not have, such as a misspelt key
// of a question. An argument of type dynamic is passed to a function completely, so a
// function can refuse such keys.

// ConvertStrictly converts a value to a type as Terraform does, except that a key which an
// object does not have is an error. Missing keys become null; unknown values stay
// unknown where they are. at is the place of the value, for the error.
//
//nolint:contextcheck // a type that is built into the provider needs no context
func ConvertStrictly(value attr.Value, to attr.Type, at string) (attr.Value, error) {
	value = underlying(value)
	switch {
	case value.IsUnknown():
		return emptyValue(to, tftypes.UnknownValue)
	case value.IsNull():
		return emptyValue(to, nil)
	}

	switch to := to.(type) {
	case types.ObjectType:
		return strictObject(value, to, at)
	case types.ListType:
		return strictList(value, to, at)
	case types.MapType:
		return strictMap(value, to, at)
	}
	return primitive(value, to, at)
}

// underlying is the value in a dynamic one; nil for some null and unknown values.
func underlying(value attr.Value) attr.Value {
	if dynamic, ok := value.(types.Dynamic); ok && dynamic.UnderlyingValue() != nil {
		return underlying(dynamic.UnderlyingValue())
	}
	return value
}

// emptyValue is the null or unknown value of a type.
func emptyValue(of attr.Type, value any) (attr.Value, error) {
	ctx := context.Background()
	return of.ValueFromTerraform(ctx, tftypes.NewValue(of.TerraformType(ctx), value))
}

func strictObject(value attr.Value, to types.ObjectType, at string) (attr.Value, error) {
	keys, ok := attributesIn(value)
	if !ok {
		return nil, fmt.Errorf("%s is %s. It must be an object", pathOrArgument(at), typeName(value))
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if _, known := to.AttrTypes[key]; !known {
			return nil, UnsupportedKey(key, to, at)
		}
	}

	attributes := make(map[string]attr.Value, len(to.AttrTypes))
	for _, name := range slices.Sorted(maps.Keys(to.AttrTypes)) {
		var err error
		if key, given := keys[name]; given {
			attributes[name], err = ConvertStrictly(key, to.AttrTypes[name], joinPath(at, name))
		} else {
			attributes[name], err = emptyValue(to.AttrTypes[name], nil)
		}
		if err != nil {
			return nil, err
		}
	}
	return types.ObjectValueMust(to.AttrTypes, attributes), nil
}

// UnsupportedKey is the error for a key that an object at a path does not have.
func UnsupportedKey(key string, of types.ObjectType, at string) error {
	names := slices.Sorted(maps.Keys(of.AttrTypes))
	if near := Suggestion(key, names); near != "" {
		return fmt.Errorf("%s is not supported. The nearest key is %s", joinPath(at, key), near)
	}
	return fmt.Errorf("%s is not supported. Use one of %s", joinPath(at, key), strings.Join(names, ", "))
}

func strictList(value attr.Value, to types.ListType, at string) (attr.Value, error) {
	elements, ok := elementsIn(value)
	if !ok {
		return nil, fmt.Errorf("%s is %s. It must be a list", pathOrArgument(at), typeName(value))
	}
	converted := make([]attr.Value, len(elements))
	for i, element := range elements {
		var err error
		if converted[i], err = ConvertStrictly(element, to.ElemType, fmt.Sprintf("%s[%d]", at, i)); err != nil {
			return nil, err
		}
	}
	return types.ListValueMust(to.ElemType, converted), nil
}

func strictMap(value attr.Value, to types.MapType, at string) (attr.Value, error) {
	keys, ok := attributesIn(value)
	if !ok {
		return nil, fmt.Errorf("%s is %s. It must be a map", pathOrArgument(at), typeName(value))
	}
	converted := make(map[string]attr.Value, len(keys))
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		element := underlying(keys[key])
		if _, isBool := element.(types.Bool); isBool {
			return nil, fmt.Errorf("%s[%q] must be the name of a question, a position such as 0, or \"end\"", at, key)
		}
		if place, isNumber := element.(types.Number); isNumber {
			element = types.StringValue(place.ValueBigFloat().Text('f', -1)) // where branching leads is a name or a place
		}
		var err error
		if converted[key], err = ConvertStrictly(element, to.ElemType, fmt.Sprintf("%s[%q]", at, key)); err != nil {
			return nil, err
		}
	}
	return types.MapValueMust(to.ElemType, converted), nil
}

// primitive converts strings to numbers and booleans, as Terraform does. It converts neither of
// them to a string: YAML reads No and 1.10 as false and 1.1, which people would be shown.
func primitive(value attr.Value, to attr.Type, at string) (attr.Value, error) {
	text, ok := textOf(value)
	if !ok {
		return nil, fmt.Errorf("%s is %s. It must be %s", pathOrArgument(at), typeName(value), wanted(to))
	}

	var converted any
	switch ctx := context.Background(); {
	case to.TerraformType(ctx).Is(tftypes.String):
		if _, isText := value.(types.String); !isText {
			meant := cmp.Or(map[string]string{"true": "Yes", "false": "No"}[text], text)
			return nil, fmt.Errorf("%s is %s, not a text. Write %q in quotes", pathOrArgument(at), text, meant)
		}
		converted = text
	case to.TerraformType(ctx).Is(tftypes.Bool) && (text == "true" || text == "false") && !isNumber(value):
		converted = text == "true"
	case to.TerraformType(ctx).Is(tftypes.Number):
		if number, ok := numberOf(value, text); ok && (isInt64(number) || !to.Equal(types.Int64Type)) {
			converted = number
		}
	}
	if converted == nil {
		return nil, fmt.Errorf("%s is %q. It must be %s", pathOrArgument(at), text, wanted(to))
	}
	return emptyValue(to, converted)
}

func isInt64(number *big.Float) bool {
	_, accuracy := number.Int64()
	return accuracy == big.Exact
}

// wanted is what to write for a value that is no primitive.
func wanted(to attr.Type) string {
	if to.Equal(jsontypes.NormalizedType{}) {
		return "JSON: write it as jsonencode(...)"
	}
	if to.Equal(types.BoolType) {
		return "true or false"
	}
	return "a " + primitiveName(to)
}

func primitiveName(of attr.Type) string {
	ctx := context.Background()
	switch {
	case of.Equal(types.Int64Type):
		return "whole number of at most 64 bits"
	case of.TerraformType(ctx).Is(tftypes.Number):
		return "number"
	}
	return "string"
}

// textOf converts a string, number or bool to a string as Terraform does.
func textOf(value attr.Value) (string, bool) {
	switch value := value.(type) {
	case types.String:
		return value.ValueString(), true
	case types.Bool:
		return fmt.Sprint(value.ValueBool()), true
	case types.Number:
		return value.ValueBigFloat().Text('f', -1), true
	}
	return "", false
}

func isNumber(value attr.Value) bool {
	_, ok := value.(types.Number)
	return ok
}

func numberOf(value attr.Value, text string) (*big.Float, bool) {
	const terraformPrecision = 512
	switch value := value.(type) {
	case types.Number:
		return value.ValueBigFloat(), true
	case types.Bool:
		return nil, false
	}
	parsed, _, err := big.ParseFloat(text, 10, terraformPrecision, big.ToNearestEven)
	return parsed, err == nil && !parsed.IsInf()
}

// attributesIn are the keys of an object or a map.
func attributesIn(value attr.Value) (map[string]attr.Value, bool) {
	switch value := value.(type) {
	case types.Object:
		return value.Attributes(), true
	case types.Map:
		return value.Elements(), true
	}
	return nil, false
}

// elementsIn are the elements of a list or a tuple. A set has no order, which the
// questions of a survey need.
func elementsIn(value attr.Value) ([]attr.Value, bool) {
	switch value := value.(type) {
	case types.List:
		return value.Elements(), true
	case types.Tuple:
		return value.Elements(), true
	}
	return nil, false
}

// typeName is the name of a value's type in the Terraform language.
func typeName(value attr.Value) string {
	switch value.(type) {
	case types.Object:
		return "an object"
	case types.Map:
		return "a map"
	case types.List:
		return "a list"
	case types.Tuple:
		return "a tuple"
	case types.Set:
		return "a set"
	case types.Number:
		return "a number"
	case types.Bool:
		return "a bool"
	case types.String:
		return "a string"
	}
	return "of type " + value.Type(context.Background()).String()
}

// joinPath is the path of a key.
func joinPath(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
}

func pathOrArgument(at string) string {
	if at == "" {
		return "The argument"
	}
	return at
}
