package attribute

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"
)

// Most fields of the wire have the name and the type of their attribute: these need no code of
// their own. The contract and the schema say what they are.

// Receive converts the fields of a response that have an attribute of their name and type, but for
// those that are read by hand. values are the prior ones, which it replaces. An attribute whose
// name ends in _date is a date.
func (a *Response) Receive(wire any, values map[string]attr.Value, byHand ...string) {
	record := reflect.ValueOf(wire)
	for _, f := range wireFieldsOf(record.Type()) {
		if slices.Contains(byHand, f.name) {
			continue
		}
		field := record.Field(f.index)
		switch prior := values[f.name].(type) {
		case types.String:
			if text := fieldOf[string](field); strings.HasSuffix(f.name, "_date") {
				values[f.name] = a.Timestamp(f.name, text, prior)
			} else {
				values[f.name] = String(a, f.name, text, prior)
			}
		case types.Bool:
			values[f.name] = a.Bool(f.name, fieldOf[bool](field), prior)
		case types.Int64:
			values[f.name] = a.Int64(f.name, fieldOf[int64](field), prior)
		case jsontypes.Normalized:
			values[f.name] = a.JSON(f.name, fieldOf[json.RawMessage](field), prior)
		}
	}
}

// Send puts what a plan changes into the fields of a request that have an attribute of their name
// and type, but for those that are sent by hand. null is sent as null.
func Send(request any, planned, prior map[string]attr.Value, byHand ...string) {
	record := reflect.ValueOf(request).Elem()
	for _, f := range wireFieldsOf(record.Type()) {
		value := planned[f.name]
		if value == nil || slices.Contains(byHand, f.name) || value.IsUnknown() || value.Equal(prior[f.name]) {
			continue
		}

		var plain any
		switch value := value.(type) {
		case types.String:
			plain = value.ValueString()
		case types.Bool:
			plain = value.ValueBool()
		case types.Int64:
			plain = value.ValueInt64()
		case jsontypes.Normalized:
			plain = json.RawMessage(value.ValueString())
		default:
			continue
		}
		field := record.Field(f.index)
		of := field.Type()
		field.Set(reflect.MakeMap(of))
		if value.IsNull() {
			field.SetMapIndex(reflect.ValueOf(false), reflect.Zero(of.Elem()))
		} else {
			field.SetMapIndex(reflect.ValueOf(true), reflect.ValueOf(plain).Convert(of.Elem()))
		}
	}
}

// fieldOf is a field whose values convert to a type.
func fieldOf[T any](field reflect.Value) nullable.Nullable[T] {
	var converted nullable.Nullable[T]
	for key, value := range field.Seq2() {
		if value, ok := reflect.TypeAssert[T](value.Convert(reflect.TypeFor[T]())); ok {
			converted = nullable.Nullable[T]{key.Bool(): value}
		}
	}
	return converted
}

// wireField is a nullable field of a generated type.
type wireField struct {
	name  string
	index int
}

var knownWireFields sync.Map // of []wireField by reflect.Type

// wireFieldsOf are the fields of a generated type that distinguish absent, null and a value.
func wireFieldsOf(record reflect.Type) []wireField {
	if known, ok := knownWireFields.Load(record); ok {
		return known.([]wireField) //nolint:forcetypeassert // nothing else is stored
	}

	var fields []wireField
	for i := range record.NumField() {
		f := record.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Type.Kind() == reflect.Map && f.Type.Key().Kind() == reflect.Bool {
			fields = append(fields, wireField{name, i})
		}
	}
	knownWireFields.Store(record, fields)
	return fields
}
