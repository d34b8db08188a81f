package attribute

import (
	"context"
	"fmt"
	"reflect"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// The framework's own conversion between objects and structs compiles a regular
// expression for every field of every struct, each time; with twenty attributes a
// question that was most of the cost of a plan. Here the tags are read once per type.

// Field is a field of a struct whose type is of the model and not of the framework. It is a
// value of the framework too, so that [FromStruct] takes it as it is.
type Field interface {
	attr.Value
	// SetFrom sets the field from the framework's value of the attribute, and reports
	// whether that is of the attribute's type.
	SetFrom(value attr.Value) bool
}

// ToStruct sets the fields of a struct from the attributes of an object, by their tfsdk
// tags; target is a pointer to the struct. It panics if an attribute is missing or of
// another type: that is a fault of the build.
func ToStruct(target any, attributes map[string]attr.Value) {
	record := reflect.ValueOf(target).Elem()

	for _, f := range fieldsOf(record.Type()) {
		value := reflect.ValueOf(attributes[f.name])
		field := record.FieldByIndex(f.index)

		switch {
		case value.IsValid() && value.Type().AssignableTo(field.Type()):
			field.Set(value)
		case value.IsValid() && f.isOfModel && setFrom(field, attributes[f.name]):
		default:
			panic(fmt.Sprintf("attribute %q of %s is a %T, not a %s", f.name, record.Type(), attributes[f.name], field.Type()))
		}
	}
}

func setFrom(field reflect.Value, value attr.Value) bool {
	target, ok := reflect.TypeAssert[Field](field.Addr())
	return ok && target.SetFrom(value)
}

// FromStruct returns the fields of a struct as the attributes of an object, by their
// tfsdk tags. It panics if a field with a tag is no attribute.
func FromStruct(source any) map[string]attr.Value {
	record := reflect.Indirect(reflect.ValueOf(source))
	fields := fieldsOf(record.Type())

	attributes := make(map[string]attr.Value, len(fields))
	for _, f := range fields {
		value, ok := reflect.TypeAssert[attr.Value](record.FieldByIndex(f.index))
		if !ok {
			panic(fmt.Sprintf("field %q of %s is no attribute", f.name, record.Type()))
		}
		attributes[f.name] = value
	}

	return attributes
}

// EqualStructs reports whether all attributes of two structs of one type are equal.
func EqualStructs(a, b any) bool {
	left, right := reflect.Indirect(reflect.ValueOf(a)), reflect.Indirect(reflect.ValueOf(b))

	for _, f := range fieldsOf(left.Type()) {
		value, ok := reflect.TypeAssert[attr.Value](left.FieldByIndex(f.index))
		other, okOther := reflect.TypeAssert[attr.Value](right.FieldByIndex(f.index))
		if !ok || !okOther || !value.Equal(other) {
			return false
		}
	}
	return true
}

// Decode sets the fields of a struct from a whole configuration, plan or state of a type.
// Its errors name attributes and types, and never a value: any may be sensitive.
func Decode(ctx context.Context, raw tftypes.Value, of attr.Type, target any, diags *diag.Diagnostics) {
	value, err := of.ValueFromTerraform(ctx, raw)
	object, ok := value.(types.Object)
	if err == nil && ok && !object.IsNull() && !object.IsUnknown() {
		ToStruct(target, object.Attributes())
		return
	}

	for _, misfit := range TypeMismatches(ctx, raw, of) {
		diags.Append(misfit.Diagnostic())
	}
	if err == nil {
		diags.AddError("Cannot decode value from Terraform",
			fmt.Sprintf("Terraform sent a null or unknown object where %T needs a known one. This is a fault of the provider: please report it.", target))
	}
}

// Encode sets the value of a whole plan or state from the fields of a struct.
func Encode(ctx context.Context, source any, of attr.Type, raw *tftypes.Value, diags *diag.Diagnostics) {
	attributes := map[string]tftypes.Value{}
	for name, value := range FromStruct(source) {
		converted, err := value.ToTerraformValue(ctx)
		if err != nil {
			diags.AddError("Cannot encode value for Terraform",
				fmt.Sprintf("Attribute %s of %T cannot be encoded as a %T. This is a fault of the provider: please report it.", name, source, value))
			return
		}
		attributes[name] = converted
	}

	*raw = tftypes.NewValue(of.TerraformType(ctx), attributes)
}

// field is the place of one attribute in a struct.
type field struct {
	name  string
	index []int
	// isOfModel is set when the field is a [Field].
	isOfModel bool
}

var knownFields sync.Map // of []field by reflect.Type

func fieldsOf(record reflect.Type) []field {
	if known, ok := knownFields.Load(record); ok {
		return known.([]field) //nolint:forcetypeassert // nothing else is stored
	}

	var fields []field
	for _, f := range reflect.VisibleFields(record) {
		if name, ok := f.Tag.Lookup("tfsdk"); ok {
			fields = append(fields, field{name: name, index: f.Index, isOfModel: reflect.PointerTo(f.Type).Implements(reflect.TypeFor[Field]())})
		}
	}

	knownFields.Store(record, fields)
	return fields
}

// Names returns the tfsdk tags of a struct, in the order of its fields.
func Names(source any) []string {
	fields := fieldsOf(reflect.Indirect(reflect.ValueOf(source)).Type())

	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	return names
}

// AllNull returns an object of a type with all attributes null, from which an import
// starts.
func AllNull(ctx context.Context, of attr.Type) tftypes.Value {
	object, ok := of.TerraformType(ctx).(tftypes.Object)
	if !ok {
		panic(fmt.Sprintf("%T is no object type", of))
	}

	attributes := map[string]tftypes.Value{}
	for name, typ := range object.AttributeTypes {
		attributes[name] = tftypes.NewValue(typ, nil)
	}
	return tftypes.NewValue(object, attributes)
}

// Named is an attribute of a struct, by its tfsdk tag.
type Named struct {
	Name  string
	Value attr.Value
}

// Ordered returns the fields of a struct as attributes, as [FromStruct] does, in the
// order of the struct.
func Ordered(source any) []Named {
	values := FromStruct(source)
	ordered := make([]Named, 0, len(values))
	for _, name := range Names(source) {
		ordered = append(ordered, Named{Name: name, Value: values[name]})
	}

	return ordered
}
