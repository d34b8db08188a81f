package attribute

import (
	"encoding/json"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"
)

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

// SentIn returns a function that reports whether a request carries an attribute, for
// attributes whose key on the wire is their name in the schema. A path inside of an
// attribute, attribute/..., counts as the attribute does.
func SentIn(request any) func(name string) bool {
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
