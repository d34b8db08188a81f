package attribute

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
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
		if hash := fingerprint(received); a.isConfigured(name) {
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

func (a *Response) isConfigured(name string) bool { return a.Configured == nil || a.Configured(name) }

func (a *Response) addMissing(name string, prior attr.Value) {
	if !prior.IsNull() && !prior.IsUnknown() && !slices.Contains(a.Missing, name) {
		a.Missing = append(a.Missing, name)
	}
}

// DropUnsent takes back what the response to a write implies about attributes that the
// request did not carry: a value other than the planned one is no normalization there,
// but an edit made since the plan, which the next plan must show. What was remembered
// before and still holds is kept.
func (a *Response) DropUnsent(isSent func(name string) bool) {
	for name, hash := range a.Remembered {
		if !isSent(name) && a.Memory[name] != hash {
			delete(a.Remembered, name)
		}
	}

	a.Changed = slices.DeleteFunc(a.Changed, func(name string) bool { return !isSent(name) })
}

// receive converts a field, which the response may lack.
func receive[T any, V attr.Value](a *Response, name string, field nullable.Nullable[T], prior, null V, convert func(T) V) V {
	switch value, err := field.Get(); {
	case !field.IsSpecified() && prior.IsUnknown():
		return null
	case !field.IsSpecified():
		a.addMissing(name, prior)
		return prior
	case err != nil:
		return Reconcile(a, name, null, prior, false)
	default:
		return Reconcile(a, name, convert(value), prior, false)
	}
}

// String converts a nullable field, which the response may lack.
func String[T ~string](a *Response, name string, field nullable.Nullable[T], prior types.String) types.String {
	return receive(a, name, field, prior, types.StringNull(), stringValue[T])
}

// Bool is like String for a boolean.
func (a *Response) Bool(name string, field nullable.Nullable[bool], prior types.Bool) types.Bool {
	return receive(a, name, field, prior, types.BoolNull(), types.BoolValue)
}

// Int64 is like String for an integer.
func (a *Response) Int64(name string, field nullable.Nullable[int64], prior types.Int64) types.Int64 {
	return receive(a, name, field, prior, types.Int64Null(), types.Int64Value)
}

func stringValue[T ~string](value T) types.String { return types.StringValue(string(value)) }

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

// convertField converts a field of a response: null if it is null or absent.
func convertField[T, V any](field nullable.Nullable[T], null V, convert func(T) V) V {
	value, err := field.Get()
	if err != nil {
		return null
	}
	return convert(value)
}

// StringField converts a field of a response to an attribute: null if the field is null or
// absent.
func StringField[T ~string](field nullable.Nullable[T]) types.String {
	return convertField(field, types.StringNull(), stringValue[T])
}

// BoolField is like [StringField] for a boolean.
func BoolField(field nullable.Nullable[bool]) types.Bool {
	return convertField(field, types.BoolNull(), types.BoolValue)
}

// NumberField is like [StringField] for a number. It returns false for one that Terraform's numbers cannot hold exactly.
func NumberField(field nullable.Nullable[json.Number]) (types.Number, bool) {
	const terraformPrecision = 512
	value, err := field.Get()
	if err != nil {
		return types.NumberNull(), !field.IsSpecified()
	}
	parsed, _, err := big.ParseFloat(value.String(), 10, terraformPrecision, big.ToNearestEven)
	if err != nil || parsed.IsInf() || strings.TrimLeft(value.String(), "0123456789.-") != "" || len(value) > 100 {
		return types.NumberNull(), false
	}
	return types.NumberValue(parsed), true
}

// ConfiguredAttributes returns a function that reports whether a configuration sets an
// attribute, for [Response]. A path inside of an attribute, attribute/..., counts as the
// attribute does.
func ConfiguredAttributes(config tftypes.Value) func(name string) bool {
	attributes := map[string]tftypes.Value{}
	err := config.As(&attributes)

	return func(name string) bool {
		root, _, _ := strings.Cut(name, "/")
		value, ok := attributes[root]
		return err == nil && ok && !value.IsNull()
	}
}

// send puts a planned value into a request when it differs from the prior one; null is sent as
// null.
func send[T any](field *nullable.Nullable[T], planned, prior attr.Value, value T) {
	switch {
	case planned.IsUnknown() || planned.Equal(prior):
	case planned.IsNull():
		field.SetNull()
	default:
		field.Set(value)
	}
}

// SendString puts a planned value into a request when it differs from the prior
// one; null is sent as null.
func SendString[T ~string](field *nullable.Nullable[T], planned, prior types.String) {
	send(field, planned, prior, T(planned.ValueString()))
}

// SendBool is like SendString for a boolean.
func SendBool(field *nullable.Nullable[bool], planned, prior types.Bool) {
	send(field, planned, prior, planned.ValueBool())
}

// SendInt64 is like SendString for an integer.
func SendInt64(field *nullable.Nullable[int64], planned, prior types.Int64) {
	send(field, planned, prior, planned.ValueInt64())
}

// SendJSON is like SendString for an untyped field.
func SendJSON(field *nullable.Nullable[json.RawMessage], planned, prior jsontypes.Normalized) {
	send(field, planned, prior, json.RawMessage(planned.ValueString()))
}

// SentAttributes returns a function that reports whether a request carries an attribute, for
// attributes whose key on the wire is their name in the schema. A path inside of an
// attribute, attribute/..., counts as the attribute does.
func SentAttributes(request any) func(name string) bool {
	raw, err := json.Marshal(request)
	var keys map[string]json.RawMessage
	if err == nil {
		err = json.Unmarshal(raw, &keys)
	}

	return func(name string) bool {
		root, _, _ := strings.Cut(name, "/")
		_, ok := keys[root]
		return err == nil && ok
	}
}
