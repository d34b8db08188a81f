package attribute

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// The framework's conversion between objects and structs compiles a regular expression for every field in each call.
// With twenty attributes per question, this took up most of a plan's time. This file reads the tags once per type.

// Field is a struct field whose type is defined by the model instead of the framework. It is also a framework value,
// so that [FromStruct] can return it unchanged.
type Field interface {
	attr.Value
	// SetFrom sets the field from the attribute's framework value. It returns false if the value has a different
	// type.
	SetFrom(value attr.Value) bool
}

// ToStruct sets a struct's fields from an object's attributes with the same tfsdk tags. target is a pointer to the
// struct. ToStruct panics if an attribute is missing or has a different type, because that is a bug in the code.
func ToStruct(target any, attributes map[string]attr.Value) {
	record := reflect.ValueOf(target).Elem()

	for _, f := range structFields(record.Type()) {
		value := reflect.ValueOf(attributes[f.name])
		field := record.FieldByIndex(f.index)

		switch {
		case value.IsValid() && value.Type().AssignableTo(field.Type()):
			field.Set(value)
		case value.IsValid() && f.isOfModel && setField(field, attributes[f.name]):
		default:
			panic(fmt.Sprintf("attribute %q of %s is a %T, not a %s", f.name, record.Type(), attributes[f.name], field.Type()))
		}
	}
}

func setField(field reflect.Value, value attr.Value) bool {
	target, ok := reflect.TypeAssert[Field](field.Addr())
	return ok && target.SetFrom(value)
}

// FromStruct returns a struct's fields as attributes, by tfsdk tag. It panics if a tagged field is not an attribute.
func FromStruct(source any) map[string]attr.Value {
	record := reflect.Indirect(reflect.ValueOf(source))
	fields := structFields(record.Type())

	attributes := make(map[string]attr.Value, len(fields))
	for _, f := range fields {
		value, ok := reflect.TypeAssert[attr.Value](record.FieldByIndex(f.index))
		if !ok {
			panic(fmt.Sprintf("field %q of %s is not an attribute", f.name, record.Type()))
		}
		attributes[f.name] = value
	}

	return attributes
}

// StructObjectType returns the object type with a struct's attributes. overrides contains the types of attributes whose
// values do not determine their type.
func StructObjectType(source any, overrides map[string]attr.Type) types.ObjectType {
	attributes := map[string]attr.Type{}
	for name, value := range FromStruct(source) {
		if attributes[name] = overrides[name]; attributes[name] == nil {
			attributes[name] = value.Type(context.Background())
		}
	}
	return types.ObjectType{AttrTypes: attributes}
}

// EqualStructs reports whether all attributes of two structs of the same type are equal.
func EqualStructs(a, b any) bool {
	leftValue, rightValue := reflect.Indirect(reflect.ValueOf(a)), reflect.Indirect(reflect.ValueOf(b))

	for _, f := range structFields(leftValue.Type()) {
		value, ok := reflect.TypeAssert[attr.Value](leftValue.FieldByIndex(f.index))
		otherValue, okOther := reflect.TypeAssert[attr.Value](rightValue.FieldByIndex(f.index))
		if !ok || !okOther || !value.Equal(otherValue) {
			return false
		}
	}
	return true
}

// Decode sets a struct's fields from a complete configuration, plan, or state. Its errors contain attributes and types,
// but never a value, because a value may be sensitive.
func Decode(ctx context.Context, raw tftypes.Value, typ attr.Type, target any, diags *diag.Diagnostics) {
	value, err := typ.ValueFromTerraform(ctx, raw)
	object, ok := value.(types.Object)
	if err == nil && ok && !object.IsNull() && !object.IsUnknown() {
		ToStruct(target, object.Attributes())
		return
	}

	for _, misfit := range TypeMismatches(ctx, raw, typ) {
		diags.Append(misfit.Diagnostic())
	}
	if err == nil {
		diags.AddError("Could not decode value from Terraform",
			fmt.Sprintf("Terraform sent a null or unknown object, but %T requires a known one. This is a bug in the provider; please report it.", target))
	}
}

// Encode converts a struct's fields to the value of a complete plan or state.
func Encode(ctx context.Context, source any, typ attr.Type, raw *tftypes.Value, diags *diag.Diagnostics) {
	attributes := map[string]tftypes.Value{}
	for name, value := range FromStruct(source) {
		converted, err := value.ToTerraformValue(ctx)
		if err != nil {
			diags.AddError("Could not encode value for Terraform",
				fmt.Sprintf("Attribute %s of %T cannot be encoded as a %T. This is a bug in the provider; please report it.", name, source, value))
			return
		}
		attributes[name] = converted
	}

	*raw = tftypes.NewValue(typ.TerraformType(ctx), attributes)
}

// Edit returns a complete configuration or state after edit has changed its model M.
func Edit[M any](ctx context.Context, raw tftypes.Value, typ attr.Type, edit func(m *M), diags *diag.Diagnostics) tftypes.Value {
	var m M
	if Decode(ctx, raw, typ, &m, diags); diags.HasError() {
		return raw
	}
	edit(&m)
	Encode(ctx, m, typ, &raw, diags)
	return raw
}

// field describes the struct field of an attribute.
type field struct {
	name  string
	index []int
	// isOfModel is set if the field is a [Field].
	isOfModel bool
}

var knownFields sync.Map // maps a reflect.Type to its []field

func structFields(record reflect.Type) []field {
	if cached, ok := knownFields.Load(record); ok {
		return cached.([]field) //nolint:forcetypeassert // nothing else is stored
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

// Names returns a struct's tfsdk tags in field order.
func Names(source any) []string {
	fields := structFields(reflect.Indirect(reflect.ValueOf(source)).Type())

	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	return names
}

// AllNull returns an object of a type, with null attributes. An import starts with this object.
func AllNull(ctx context.Context, typ attr.Type) tftypes.Value {
	object, ok := typ.TerraformType(ctx).(tftypes.Object)
	if !ok {
		panic(fmt.Sprintf("%T is not an object type", typ))
	}

	attributes := map[string]tftypes.Value{}
	for name, typ := range object.AttributeTypes {
		attributes[name] = tftypes.NewValue(typ, nil)
	}
	return tftypes.NewValue(object, attributes)
}

// Named is an attribute of a struct with its tfsdk tag.
type Named struct {
	Name  string
	Value attr.Value
}

// OrderedFields is like [FromStruct], but returns the attributes in field order.
func OrderedFields(source any) []Named {
	values := FromStruct(source)
	ordered := make([]Named, 0, len(values))
	for _, name := range Names(source) {
		ordered = append(ordered, Named{Name: name, Value: values[name]})
	}

	return ordered
}

// EqualExcept reports whether a resource's plan and state are equal except for the named attributes and blocks. An
// unknown value in the plan is a difference.
func EqualExcept(plan, state tftypes.Value, names ...string) bool {
	planned, prior := map[string]tftypes.Value{}, map[string]tftypes.Value{}
	if plan.As(&planned) != nil || state.As(&prior) != nil || len(planned) != len(prior) {
		return false
	}

	for name, value := range planned {
		if !slices.Contains(names, name) && !value.Equal(prior[name]) {
			return false
		}
	}
	return true
}

// TypeMismatch describes a value that does not fit its attribute's type, such as 1.5 for an integer. Terraform itself
// does not report such values, because it has only one number type. TypeMismatch does not contain the value, which may
// be sensitive.
type TypeMismatch struct {
	// Path is the path of the value.
	Path path.Path
	// Type is the type that the value does not fit.
	Type attr.Type
}

// TypeMismatches returns the values that do not fit a type. For each value, it returns the most specific path that it
// can determine.
func TypeMismatches(ctx context.Context, raw tftypes.Value, typ attr.Type) []TypeMismatch {
	return typeMismatches(ctx, raw, typ, path.Empty())
}

func typeMismatches(ctx context.Context, raw tftypes.Value, typ attr.Type, p path.Path) []TypeMismatch {
	if _, err := typ.ValueFromTerraform(ctx, raw); err == nil {
		return nil
	}

	var inside []TypeMismatch
	switch typ := typ.(type) {
	case attr.TypeWithAttributeTypes:
		inside = attributeMismatches(ctx, raw, typ.AttributeTypes(), p)
	case attr.TypeWithElementType:
		inside = elementMismatches(ctx, raw, typ.ElementType(), p)
	}
	if inside == nil {
		return []TypeMismatch{{Path: p, Type: typ}}
	}
	return inside
}

func attributeMismatches(ctx context.Context, raw tftypes.Value, types map[string]attr.Type, p path.Path) []TypeMismatch {
	var values map[string]tftypes.Value
	if raw.As(&values) != nil {
		return nil
	}

	var found []TypeMismatch
	for name, typ := range types {
		if value, ok := values[name]; ok {
			found = append(found, typeMismatches(ctx, value, typ, p.AtName(name))...)
		}
	}

	slices.SortFunc(found, func(a, b TypeMismatch) int { return strings.Compare(a.Path.String(), b.Path.String()) })
	return found
}

// elementMismatches checks the elements of a list. It reports a set or a map as a whole. The path of a set element
// would contain the element's value.
func elementMismatches(ctx context.Context, raw tftypes.Value, typ attr.Type, p path.Path) []TypeMismatch {
	var values []tftypes.Value
	if !raw.Type().Is(tftypes.List{}) || raw.As(&values) != nil {
		return nil
	}

	var found []TypeMismatch
	for i, value := range values {
		found = append(found, typeMismatches(ctx, value, typ, p.AtListIndex(i))...)
	}
	return found
}

// Diagnostic returns the error for the user. It contains the attribute, but never the value.
func (m TypeMismatch) Diagnostic() diag.Diagnostic {
	name := m.Path.String()
	if name == "" {
		name = "The value"
	}

	if m.Type.Equal(basetypes.Int64Type{}) {
		return diag.NewAttributeErrorDiagnostic(m.Path, "Not a whole number",
			name+" must be a whole number of at most 64 bits, but it is a fraction or too large. "+
				"To round the result of a division, use floor() or ceil().")
	}

	return diag.NewAttributeErrorDiagnostic(m.Path, "Wrong value type",
		name+" must be of type "+m.Type.String()+".")
}

// TerraformPath converts a path to the protocol's path type.
func TerraformPath(p path.Path) *tftypes.AttributePath {
	out := tftypes.NewAttributePath()

	for _, step := range p.Steps() {
		switch step := step.(type) {
		case path.PathStepAttributeName:
			out = out.WithAttributeName(string(step))
		case path.PathStepElementKeyInt:
			out = out.WithElementKeyInt(int(step))
		case path.PathStepElementKeyString:
			out = out.WithElementKeyString(string(step))
		}
	}

	return out
}
