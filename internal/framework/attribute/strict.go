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

// Terraform silently drops keys that a nested object does not define, such as a misspelled question key. But Terraform
// passes a function's argument of type dynamic in full, so a function can reject such keys.

// ConvertStrictly converts a value to a type like Terraform does, but returns an error for a key that the object does
// not define. Missing keys become null. Unknown values stay unknown. location is the value's path for the error.
//
//nolint:contextcheck // a type that is built into the provider needs no context
func ConvertStrictly(value attr.Value, target attr.Type, location string) (attr.Value, error) {
	value = underlying(value)
	switch {
	case value.IsUnknown():
		return emptyValue(target, tftypes.UnknownValue)
	case value.IsNull():
		return emptyValue(target, nil)
	}

	switch target := target.(type) {
	case types.ObjectType:
		return strictObject(value, target, location)
	case types.ListType:
		return strictList(value, target, location)
	case types.MapType:
		return strictMap(value, target, location)
	}
	return primitive(value, target, location)
}

// underlying returns the value inside a dynamic value. It returns nil for some null and unknown values.
func underlying(value attr.Value) attr.Value {
	if dynamic, ok := value.(types.Dynamic); ok && dynamic.UnderlyingValue() != nil {
		return underlying(dynamic.UnderlyingValue())
	}
	return value
}

// emptyValue returns the null or unknown value of a type.
func emptyValue(typ attr.Type, value any) (attr.Value, error) {
	ctx := context.Background()
	return typ.ValueFromTerraform(ctx, tftypes.NewValue(typ.TerraformType(ctx), value))
}

func strictObject(value attr.Value, target types.ObjectType, location string) (attr.Value, error) {
	keys, ok := attributeValues(value)
	if !ok {
		return nil, fmt.Errorf("%s is %s. It must be an object", pathOrArgument(location), typeName(value))
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if _, isKnown := target.AttrTypes[key]; !isKnown {
			return nil, UnsupportedKey(key, target, location)
		}
	}

	attributes := make(map[string]attr.Value, len(target.AttrTypes))
	for _, name := range slices.Sorted(maps.Keys(target.AttrTypes)) {
		var err error
		if key, isSet := keys[name]; isSet {
			attributes[name], err = ConvertStrictly(key, target.AttrTypes[name], joinPath(location, name))
		} else {
			attributes[name], err = emptyValue(target.AttrTypes[name], nil)
		}
		if err != nil {
			return nil, err
		}
	}
	return types.ObjectValueMust(target.AttrTypes, attributes), nil
}

// UnsupportedKey returns the error for a key that the object at a path does not define.
func UnsupportedKey(key string, typ types.ObjectType, location string) error {
	names := slices.Sorted(maps.Keys(typ.AttrTypes))
	if near := Suggestion(key, names); near != "" {
		return fmt.Errorf("%s is not supported. The nearest key is %s", joinPath(location, key), near)
	}
	return fmt.Errorf("%s is not supported. Use one of %s", joinPath(location, key), strings.Join(names, ", "))
}

func strictList(value attr.Value, target types.ListType, location string) (attr.Value, error) {
	elements, ok := elementValues(value)
	if !ok {
		return nil, fmt.Errorf("%s is %s. It must be a list", pathOrArgument(location), typeName(value))
	}
	converted := make([]attr.Value, len(elements))
	for i, element := range elements {
		var err error
		if converted[i], err = ConvertStrictly(element, target.ElemType, fmt.Sprintf("%s[%d]", location, i)); err != nil {
			return nil, err
		}
	}
	return types.ListValueMust(target.ElemType, converted), nil
}

func strictMap(value attr.Value, target types.MapType, location string) (attr.Value, error) {
	keys, ok := attributeValues(value)
	if !ok {
		return nil, fmt.Errorf("%s is %s. It must be a map", pathOrArgument(location), typeName(value))
	}
	converted := make(map[string]attr.Value, len(keys))
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		element := underlying(keys[key])
		if _, isBool := element.(types.Bool); isBool {
			return nil, fmt.Errorf("%s[%q] must be the name of a question, a position such as 0, or \"end\"", location, key)
		}
		if position, isNumber := element.(types.Number); isNumber {
			element = types.StringValue(position.ValueBigFloat().Text('f', -1)) // a branching target is a name or a position
		}
		var err error
		if converted[key], err = ConvertStrictly(element, target.ElemType, fmt.Sprintf("%s[%q]", location, key)); err != nil {
			return nil, err
		}
	}
	return types.MapValueMust(target.ElemType, converted), nil
}

// primitive converts strings to numbers and booleans like Terraform does. It does not convert numbers and booleans to
// strings: YAML parses No and 1.10 as false and 1.1, and respondents would see these values.
func primitive(value attr.Value, target attr.Type, location string) (attr.Value, error) {
	text, ok := toText(value)
	if !ok {
		return nil, fmt.Errorf("%s is %s. It must be %s", pathOrArgument(location), typeName(value), describeType(target))
	}

	var converted any
	switch ctx := context.Background(); {
	case target.TerraformType(ctx).Is(tftypes.String):
		if _, isText := value.(types.String); !isText {
			meant := cmp.Or(map[string]string{"true": "Yes", "false": "No"}[text], text)
			return nil, fmt.Errorf("%s is %s, not a text. Write %q in quotes", pathOrArgument(location), text, meant)
		}
		converted = text
	case target.TerraformType(ctx).Is(tftypes.Bool) && (text == "true" || text == "false") && !isNumber(value):
		converted = text == "true"
	case target.TerraformType(ctx).Is(tftypes.Number):
		if number, ok := toNumber(value, text); ok && (isInt64(number) || !target.Equal(types.Int64Type)) {
			converted = number
		}
	}
	if converted == nil {
		return nil, fmt.Errorf("%s is %q. It must be %s", pathOrArgument(location), text, describeType(target))
	}
	return emptyValue(target, converted)
}

func isInt64(number *big.Float) bool {
	_, accuracy := number.Int64()
	return accuracy == big.Exact
}

// describeType describes what to write instead of a value that is not primitive.
func describeType(target attr.Type) string {
	if target.Equal(jsontypes.NormalizedType{}) {
		return "JSON: write it as jsonencode(...)"
	}
	if target.Equal(types.BoolType) {
		return "true or false"
	}
	return "a " + primitiveName(target)
}

func primitiveName(typ attr.Type) string {
	ctx := context.Background()
	switch {
	case typ.Equal(types.Int64Type):
		return "whole number of at most 64 bits"
	case typ.TerraformType(ctx).Is(tftypes.Number):
		return "number"
	}
	return "string"
}

// toText converts a string, number, or boolean to a string like Terraform does.
func toText(value attr.Value) (string, bool) {
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

func toNumber(value attr.Value, text string) (*big.Float, bool) {
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

// attributeValues returns an object's or a map's values by key.
func attributeValues(value attr.Value) (map[string]attr.Value, bool) {
	switch value := value.(type) {
	case types.Object:
		return value.Attributes(), true
	case types.Map:
		return value.Elements(), true
	}
	return nil, false
}

// elementValues returns the elements of a list or a tuple. It does not accept sets, because they have no order, and
// the order of questions matters.
func elementValues(value attr.Value) ([]attr.Value, bool) {
	switch value := value.(type) {
	case types.List:
		return value.Elements(), true
	case types.Tuple:
		return value.Elements(), true
	}
	return nil, false
}

// typeName returns the name of a value's type in the Terraform language.
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

// joinPath returns the path of a key.
func joinPath(parent, key string) string {
	if parent == "" {
		return key
	}
	return parent + "." + key
}

func pathOrArgument(location string) string {
	if location == "" {
		return "The argument"
	}
	return location
}
