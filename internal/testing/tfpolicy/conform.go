package tfpolicy

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"
)

// conforms checks that a value has only what the type has. Attributes may be missing.
func conforms(value cty.Value, typ cty.Type) error {
	if value.IsNull() {
		return nil
	}

	switch {
	case typ.IsObjectType() && value.Type().IsObjectType():
		for name, one := range value.AsValueMap() {
			if !typ.HasAttribute(name) {
				return fmt.Errorf("there is no attribute %s", name)
			}
			if err := conforms(one, typ.AttributeType(name)); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil

	case typ.IsListType() && value.Type().IsTupleType():
		for i, one := range value.AsValueSlice() {
			if err := conforms(one, typ.ElementType()); err != nil {
				return fmt.Errorf("[%d]: %w", i, err)
			}
		}
		return nil

	case typ.IsPrimitiveType() && value.Type().Equals(typ):
		return nil
	}
	return fmt.Errorf("a %s is no %s", value.Type().FriendlyName(), typ.FriendlyName())
}

// completed is a value that conforms to the type, with null for attributes that are missing.
func completed(value cty.Value, typ cty.Type) cty.Value {
	switch {
	case value.IsNull():
		return cty.NullVal(typ)

	case typ.IsObjectType():
		values := map[string]cty.Value{}
		for name, one := range typ.AttributeTypes() {
			values[name] = cty.NullVal(one)
			if value.Type().HasAttribute(name) {
				values[name] = completed(value.GetAttr(name), one)
			}
		}
		return cty.ObjectVal(values)

	case typ.IsListType() && value.LengthInt() == 0:
		return cty.ListValEmpty(typ.ElementType())

	case typ.IsListType():
		var values []cty.Value
		for _, one := range value.AsValueSlice() {
			values = append(values, completed(one, typ.ElementType()))
		}
		return cty.ListVal(values)
	}
	return value
}
