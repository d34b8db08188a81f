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

// Response converts a response's fields to attributes. An attribute keeps its prior value if the response lacks the
// field, because other profiles and older PostHog versions do not support all fields.
//
// The zero Response belongs to a read with an empty memory. IsWrite, Configured, and Memory are inputs. The methods
// fill in Remembered, Missing, and Changed.
type Response struct {
	// IsWrite is set for the response to a create or an update. Prior values are then planned values.
	IsWrite bool
	// Configured reports whether the configuration sets an attribute. If it is nil, all attributes are configured.
	Configured func(name string) bool
	// Memory is the normalization memory before the response.
	Memory Memory

	// Remembered is the normalization memory after the response.
	Remembered Memory
	// Missing contains the names of attributes that had a value but are not in the response.
	Missing []string
	// Changed contains the names of attributes whose values PostHog changed in a write.
	Changed []string
}

// Reconcile chooses between the value in a response and the prior value.
//
// In the response to a write, it keeps the planned value, as Terraform requires. If PostHog stored a different value
// for a configured attribute, Reconcile remembers the stored value. In the response to a read, it keeps the prior
// value as long as PostHog returns the remembered value. isSame is set if both values have the same meaning. The
// difference then needs no warning.
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

// DropUnsent removes a write's results for attributes that the request did not contain. If the response has a different
// value than the plan for such an attribute, PostHog did not normalize the value. Someone edited it since the plan, and
// the next plan must show the edit. Values remembered from before the write are kept if they still apply.
func (a *Response) DropUnsent(isSent func(name string) bool) {
	for name, hash := range a.Remembered {
		if !isSent(name) && a.Memory[name] != hash {
			delete(a.Remembered, name)
		}
	}

	a.Changed = slices.DeleteFunc(a.Changed, func(name string) bool { return !isSent(name) })
}

// receive converts a field that the response may lack.
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

// String converts a nullable field that the response may lack.
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

// Timestamp is like String for a date and time. It keeps the prior notation of the same time.
func (a *Response) Timestamp(name string, field nullable.Nullable[string], prior types.String) types.String {
	value, err := field.Get()
	if err == nil && !prior.IsNull() && !prior.IsUnknown() && SameTimestamp(value, prior.ValueString()) {
		return prior
	}

	return String(a, name, field, prior)
}

// JSON is like String for an untyped field. The functions in same extend the comparison of EquivalentJSON.
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

// equalText reports whether two JSON texts have the same meaning.
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

// convertField converts a response field. It returns null if the field is null or missing.
func convertField[T, V any](field nullable.Nullable[T], null V, convert func(T) V) V {
	value, err := field.Get()
	if err != nil {
		return null
	}
	return convert(value)
}

// StringField converts a response field to an attribute. It returns null if the field is null or missing.
func StringField[T ~string](field nullable.Nullable[T]) types.String {
	return convertField(field, types.StringNull(), stringValue[T])
}

// BoolField is like [StringField] for a boolean.
func BoolField(field nullable.Nullable[bool]) types.Bool {
	return convertField(field, types.BoolNull(), types.BoolValue)
}

// NumberField is like [StringField] for a number. It returns false if a Terraform number cannot represent the value
// exactly.
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

// ConfiguredAttributes returns a function for [Response] that reports whether a configuration sets an attribute. For
// a path inside an attribute (attribute/...), it checks the attribute.
func ConfiguredAttributes(config tftypes.Value) func(name string) bool {
	attributes := map[string]tftypes.Value{}
	err := config.As(&attributes)

	return func(name string) bool {
		root, _, _ := strings.Cut(name, "/")
		value, ok := attributes[root]
		return err == nil && ok && !value.IsNull()
	}
}

// send sets a request field to the planned value if it differs from the prior value. It sends null as null.
func send[T any](field *nullable.Nullable[T], planned, prior attr.Value, value T) {
	switch {
	case planned.IsUnknown() || planned.Equal(prior):
	case planned.IsNull():
		field.SetNull()
	default:
		field.Set(value)
	}
}

// SendString sets a request field to the planned value if it differs from the prior value. It sends null as null.
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

// SentAttributes returns a function that reports whether a request contains an attribute whose wire key is its schema
// name. For a path inside an attribute (attribute/...), it checks the attribute.
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
