package attribute

import (
	"encoding/json"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"
)

// Answer turns the fields of an answer into attributes. A field that the answer
// lacks altogether keeps its prior value: another profile or an older server does
// not know it, which is no reason to drop what was configured.
//
// The zero Answer is one to a read, with nothing remembered.
type Answer struct {
	// Writing says that it answers a create or an update: prior values are planned ones.
	IsWrite bool
	// Configured tells whether the configuration sets an attribute; nil: all of them.
	Configured func(name string) bool
	// Memory is what was remembered before, Remembered what is to be from now on.
	Memory, Remembered Memory
	// Untold are the names of attributes that had a value and that the answer lacks.
	Missing []string
	// Changed are the names of attributes whose value the service changed in a write.
	Changed []string
}

func (a *Answer) addMissing(name string, prior attr.Value) {
	if !prior.IsNull() && !prior.IsUnknown() && !slices.Contains(a.Missing, name) {
		a.Missing = append(a.Missing, name)
	}
}

// String returns the field as an attribute; field is nullable and may be absent.
func String[T ~string](a *Answer, name string, field nullable.Nullable[T], prior types.String) types.String {
	switch value, err := field.Get(); {
	case !field.IsSpecified() && prior.IsUnknown():
		return types.StringNull()
	case !field.IsSpecified():
		a.addMissing(name, prior)
		return prior
	case err != nil:
		return Reconcile(a, name, types.StringNull(), prior, false)
	default:
		return Reconcile(a, name, types.StringValue(string(value)), prior, false)
	}
}

// Bool is like String for a boolean.
func (a *Answer) Bool(name string, field nullable.Nullable[bool], prior types.Bool) types.Bool {
	switch value, err := field.Get(); {
	case !field.IsSpecified() && prior.IsUnknown():
		return types.BoolNull()
	case !field.IsSpecified():
		a.addMissing(name, prior)
		return prior
	case err != nil:
		return Reconcile(a, name, types.BoolNull(), prior, false)
	default:
		return Reconcile(a, name, types.BoolValue(value), prior, false)
	}
}

// Int64 is like String for an integer.
func (a *Answer) Int64(name string, field nullable.Nullable[int64], prior types.Int64) types.Int64 {
	switch value, err := field.Get(); {
	case !field.IsSpecified() && prior.IsUnknown():
		return types.Int64Null()
	case !field.IsSpecified():
		a.addMissing(name, prior)
		return prior
	case err != nil:
		return Reconcile(a, name, types.Int64Null(), prior, false)
	default:
		return Reconcile(a, name, types.Int64Value(value), prior, false)
	}
}

// Instant is like String for a date and time: the prior spelling of the same
// moment stays.
func (a *Answer) Instant(name string, field nullable.Nullable[string], prior types.String) types.String {
	value, err := field.Get()
	if err == nil && !prior.IsNull() && !prior.IsUnknown() && SameInstant(value, prior.ValueString()) {
		return prior
	}
	return String(a, name, field, prior)
}

// JSON is like String for an untyped field; same compares two texts by meaning,
// EquivalentJSON where nothing else is said.
func (a *Answer) JSON(name string, field nullable.Nullable[json.RawMessage], prior jsontypes.Normalized, same ...Equivalent) jsontypes.Normalized {
	value, err := field.Get()
	switch {
	case !field.IsSpecified() && prior.IsUnknown():
		return NullJSON
	case !field.IsSpecified():
		a.addMissing(name, prior)
		return prior
	case err != nil || IsJSONNull(value):
		return Reconcile(a, name, NullJSON, prior, prior.ValueString() == "null")
	}
	if !prior.IsNull() && !prior.IsUnknown() && equalText(string(value), prior.ValueString(), same) {
		return prior
	}
	return Reconcile(a, name, JSON(value), prior, false)
}

func equalText(answered, prior string, same []Equivalent) bool {
	if EquivalentJSON(answered, prior) {
		return true
	}
	for _, one := range same {
		if one(answered, prior) {
			return true
		}
	}
	return false
}

// SendString puts a planned value into a request when it differs from the prior
// one; null is sent as null.
func SendString[T ~string](field *nullable.Nullable[T], planned, prior types.String) {
	switch {
	case planned.IsUnknown() || planned.Equal(prior):
	case planned.IsNull():
		field.SetNull()
	default:
		field.Set(T(planned.ValueString()))
	}
}

// SendBool is like SendString for a boolean.
func SendBool(field *nullable.Nullable[bool], planned, prior types.Bool) {
	switch {
	case planned.IsUnknown() || planned.Equal(prior):
	case planned.IsNull():
		field.SetNull()
	default:
		field.Set(planned.ValueBool())
	}
}

// SendInt64 is like SendString for an integer.
func SendInt64(field *nullable.Nullable[int64], planned, prior types.Int64) {
	switch {
	case planned.IsUnknown() || planned.Equal(prior):
	case planned.IsNull():
		field.SetNull()
	default:
		field.Set(planned.ValueInt64())
	}
}

// SendJSON is like SendString for an untyped field.
func SendJSON(field *nullable.Nullable[json.RawMessage], planned, prior jsontypes.Normalized) {
	switch {
	case planned.IsUnknown() || planned.Equal(prior):
	case planned.IsNull():
		field.SetNull()
	default:
		field.Set(json.RawMessage(planned.ValueString()))
	}
}
