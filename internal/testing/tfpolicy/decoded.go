package tfpolicy

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// decoded is the value of a type in decoded JSON. What unknown marks with true is known only
// after the apply, as in after_unknown of a plan.
func decoded(typ cty.Type, known, unknown any) (cty.Value, error) {
	if unknown == true {
		return cty.UnknownVal(typ), nil
	}
	if known == nil {
		return cty.NullVal(typ), nil
	}

	switch known := known.(type) {
	case map[string]any:
		return decodedObject(typ, known, unknown)
	case []any:
		return decodedList(typ, known, unknown)
	case string:
		return convert.Convert(cty.StringVal(known), typ)
	case bool:
		return convert.Convert(cty.BoolVal(known), typ)
	case float64:
		return convert.Convert(cty.NumberFloatVal(known), typ)
	}
	return cty.NilVal, fmt.Errorf("%T is no value of JSON", known)
}

// decodedObject is an object or a map.
func decodedObject(typ cty.Type, known map[string]any, unknown any) (cty.Value, error) {
	later, _ := unknown.(map[string]any)
	values := map[string]cty.Value{}

	var err error
	switch {
	case typ.IsObjectType():
		for name := range known {
			if !typ.HasAttribute(name) {
				return cty.NilVal, fmt.Errorf("the schema has no attribute %s", name)
			}
		}
		for name, one := range typ.AttributeTypes() {
			if values[name], err = decoded(one, known[name], later[name]); err != nil {
				return cty.NilVal, fmt.Errorf("%s: %w", name, err)
			}
		}
		return cty.ObjectVal(values), nil

	case typ.IsMapType() && len(known) == 0:
		return cty.MapValEmpty(typ.ElementType()), nil

	case typ.IsMapType():
		for name := range known {
			if values[name], err = decoded(typ.ElementType(), known[name], later[name]); err != nil {
				return cty.NilVal, fmt.Errorf("%s: %w", name, err)
			}
		}
		return cty.MapVal(values), nil
	}
	return cty.NilVal, fmt.Errorf("an object is no %s", typ.FriendlyName())
}

// decodedList is a list.
func decodedList(typ cty.Type, known []any, unknown any) (cty.Value, error) {
	if !typ.IsListType() {
		return cty.NilVal, fmt.Errorf("a list is no %s", typ.FriendlyName())
	}
	if len(known) == 0 {
		return cty.ListValEmpty(typ.ElementType()), nil
	}

	later, _ := unknown.([]any)
	values := make([]cty.Value, len(known))
	for i := range known {
		var elementLater any
		if i < len(later) {
			elementLater = later[i]
		}
		var err error
		if values[i], err = decoded(typ.ElementType(), known[i], elementLater); err != nil {
			return cty.NilVal, fmt.Errorf("[%d]: %w", i, err)
		}
	}
	return cty.ListVal(values), nil
}
