package attribute

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"
)

// Mapping converts the fields of W, a generated API type, that have an attribute with the same name and a matching
// type. Most fields have one, and need no code.
type Mapping[W any] struct{ fields []mappedField }

// mappedField is a nullable field of a generated type that is mapped to an attribute.
type mappedField struct {
	name  string
	index int
	converter
}

// converter converts between a field and an attribute.
type converter struct {
	// wire is the type of the field's values.
	wire    reflect.Type
	receive func(a *Response, name string, field reflect.Value, prior attr.Value) attr.Value
	plain   func(attr.Value) any
}

// dateTag is the value of the wire tag for a model attribute that contains a date and time: `wire:"date"`.
const dateTag = "date"

// MapFields maps W's fields to the attributes of M with the same tfsdk tag, except for byHand. It returns an error if
// no converter exists for an attribute's type.
func MapFields[W, M any](byHand ...string) (Mapping[W], error) {
	attributes := map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[M]()) {
		if name, ok := f.Tag.Lookup("tfsdk"); ok {
			attributes[name] = f
		}
	}

	var m Mapping[W]
	for i, f := range slices.Collect(reflect.TypeFor[W]().Fields()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		attribute, ok := attributes[name]
		if isNullable := f.Type.Kind() == reflect.Map && f.Type.Key().Kind() == reflect.Bool; !isNullable || !ok || slices.Contains(byHand, name) {
			continue
		}

		c, ok := newConverter(attribute)
		if !ok || f.Type.Elem().Kind() != c.wire.Kind() {
			return m, fmt.Errorf("%s of %s, a %s, cannot be converted to an attribute of type %s", name, reflect.TypeFor[W](), f.Type, attribute.Type)
		}
		m.fields = append(m.fields, mappedField{name, i, c})
	}
	return m, nil
}

// MustMap is [MapFields] for a package variable. It panics on errors, which are bugs in the code.
func MustMap[W, M any](byHand ...string) Mapping[W] {
	m, err := MapFields[W, M](byHand...)
	if err != nil {
		panic(err)
	}
	return m
}

// newConverter returns the converter for the type and tag of an attribute.
func newConverter(attribute reflect.StructField) (converter, bool) {
	switch attribute.Type {
	case reflect.TypeFor[types.String]():
		receive := String[string]
		if attribute.Tag.Get("wire") == dateTag {
			receive = (*Response).Timestamp
		}
		return convert(receive, types.String.ValueString), true
	case reflect.TypeFor[types.Bool]():
		return convert((*Response).Bool, types.Bool.ValueBool), true
	case reflect.TypeFor[types.Int64]():
		return convert((*Response).Int64, types.Int64.ValueInt64), true
	case reflect.TypeFor[jsontypes.Normalized]():
		return convert(
			func(a *Response, name string, field nullable.Nullable[json.RawMessage], prior jsontypes.Normalized) jsontypes.Normalized {
				return a.JSON(name, field, prior)
			},
			func(value jsontypes.Normalized) json.RawMessage { return json.RawMessage(value.ValueString()) }), true
	}
	return converter{}, false
}

// convert returns a converter that uses the given functions for one attribute type.
func convert[T any, V attr.Value](receive func(*Response, string, nullable.Nullable[T], V) V, plain func(V) T) converter {
	typed := func(value attr.Value) V {
		v, ok := value.(V)
		if !ok {
			panic(fmt.Sprintf("attribute is a %T, not a %s", value, reflect.TypeFor[V]()))
		}
		return v
	}
	return converter{
		wire: reflect.TypeFor[T](),
		receive: func(a *Response, name string, field reflect.Value, prior attr.Value) attr.Value {
			return receive(a, name, readField[T](field), typed(prior))
		},
		plain: func(value attr.Value) any { return plain(typed(value)) },
	}
}

// Receive converts the fields of a response. values contains the prior values, which Receive replaces.
func (m Mapping[W]) Receive(a *Response, wire W, values map[string]attr.Value) {
	record := reflect.ValueOf(wire)
	for _, f := range m.fields {
		values[f.name] = f.receive(a, f.name, record.Field(f.index), values[f.name])
	}
}

// Send sets the request fields that the plan changes. It sends null as null.
func (m Mapping[W]) Send(request *W, planned, prior map[string]attr.Value) {
	record := reflect.ValueOf(request).Elem()
	for _, f := range m.fields {
		value := planned[f.name]
		if value.IsUnknown() || value.Equal(prior[f.name]) {
			continue
		}

		field := record.Field(f.index)
		fieldType := field.Type()
		field.Set(reflect.MakeMap(fieldType))
		if value.IsNull() {
			field.SetMapIndex(reflect.ValueOf(false), reflect.Zero(fieldType.Elem()))
		} else {
			field.SetMapIndex(reflect.ValueOf(true), reflect.ValueOf(f.plain(value)).Convert(fieldType.Elem()))
		}
	}
}

// readField returns a field with its values converted to T.
func readField[T any](field reflect.Value) nullable.Nullable[T] {
	var converted nullable.Nullable[T]
	for key, value := range field.Seq2() {
		if value, ok := reflect.TypeAssert[T](value.Convert(reflect.TypeFor[T]())); ok {
			converted = nullable.Nullable[T]{key.Bool(): value}
		}
	}
	return converted
}
