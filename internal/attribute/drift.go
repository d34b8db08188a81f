package attribute

import (
	"encoding/json"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"
)

// Response converts the fields of one response of the service to attributes. A field that
// the response lacks altogether keeps its prior value: another profile or an older
// server does not know it, which is no reason to drop what was configured.
//
// The zero Response is that to a read, with an empty memory. IsWrite, Configured and Memory
// are inputs; Remembered, Missing and Changed are filled in on the way.
type Response struct {
	// IsWrite reports that it is that to a create or an update: prior values are planned ones.
	IsWrite bool
	// Configured reports whether the configuration sets an attribute; nil: all of them.
	Configured func(name string) bool
	// Memory is the normalization memory so far.
	Memory Memory

	// Remembered is the normalization memory from now on.
	Remembered Memory
	// Missing are the names of attributes that had a value and that the response lacks.
	Missing []string
	// Changed are the names of attributes whose value the service changed in a write.
	Changed []string
}

// Reconcile decides between the value of an attribute in the response and the prior one.
//
// In the response to a write the planned value is kept, as Terraform demands; that the
// service stored another one is remembered, if the attribute is configured. In the
// response to a read the prior value is kept while the service returns what is
// remembered. isSame reports that the two values mean the same, so that the difference is
// not worth a warning.
func Reconcile[T attr.Value](a *Response, name string, received, prior T, isSame bool) T {
	if prior.IsUnknown() || received.Equal(prior) {
		return received
	}

	if a.IsWrite {
		if hash := fingerprint(received); a.configured(name) {
			a.remember(name, hash)
			if !isSame && a.Memory[name] != hash {
				a.Changed = append(a.Changed, name)
			}
		}
		return prior
	}

	if isSame {
		return prior
	}
	if hash, ok := a.Memory[name]; ok && hash == fingerprint(received) {
		a.remember(name, hash)
		return prior
	}
	return received
}

func (a *Response) remember(name, hash string) {
	if a.Remembered == nil {
		a.Remembered = Memory{}
	}
	a.Remembered[name] = hash
}

func (a *Response) configured(name string) bool { return a.Configured == nil || a.Configured(name) }

func (a *Response) addMissing(name string, prior attr.Value) {
	if !prior.IsNull() && !prior.IsUnknown() && !slices.Contains(a.Missing, name) {
		a.Missing = append(a.Missing, name)
	}
}

// DropUnsent takes back what the response to a write implies about attributes that the
// request did not carry: a value other than the planned one is no normalization there,
// but an edit made since the plan, which the next plan must show. What was remembered
// before and still holds is kept.
func (a *Response) DropUnsent(sent func(name string) bool) {
	for name, hash := range a.Remembered {
		if !sent(name) && a.Memory[name] != hash {
			delete(a.Remembered, name)
		}
	}

	a.Changed = slices.DeleteFunc(a.Changed, func(name string) bool { return !sent(name) })
}

// String converts a nullable field, which the response may lack.
func String[T ~string](a *Response, name string, field nullable.Nullable[T], prior types.String) types.String {
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
func (a *Response) Bool(name string, field nullable.Nullable[bool], prior types.Bool) types.Bool {
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
func (a *Response) Int64(name string, field nullable.Nullable[int64], prior types.Int64) types.Int64 {
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

// Timestamp is like String for a date and time: the prior form of the same time is kept.
func (a *Response) Timestamp(name string, field nullable.Nullable[string], prior types.String) types.String {
	value, err := field.Get()
	if err == nil && !prior.IsNull() && !prior.IsUnknown() && SameTimestamp(value, prior.ValueString()) {
		return prior
	}

	return String(a, name, field, prior)
}

// JSON is like String for an untyped field; same adds comparisons by meaning to that of
// EquivalentJSON.
func (a *Response) JSON(name string, field nullable.Nullable[json.RawMessage], prior jsontypes.Normalized, same ...Equivalent) jsontypes.Normalized {
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

// equalText reports whether two texts of JSON mean the same.
func equalText(received, prior string, same []Equivalent) bool {
	if EquivalentJSON(received, prior) {
		return true
	}
	for _, isSame := range same {
		if isSame(received, prior) {
			return true
		}
	}
	return false
}
