package attribute_test

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// kind is a string type in the contract.
type kind string

type wire struct {
	Name   nullable.Nullable[string]          `json:"name,omitempty"`
	Kind   nullable.Nullable[kind]            `json:"kind,omitempty"`
	At     nullable.Nullable[string]          `json:"at,omitempty"`
	IsOn   nullable.Nullable[bool]            `json:"is_on,omitempty"`
	Count  nullable.Nullable[int64]           `json:"count,omitempty"`
	Look   nullable.Nullable[json.RawMessage] `json:"look,omitempty"`
	Hidden nullable.Nullable[string]          `json:"hidden,omitempty"`
	ID     *string                            `json:"id,omitempty"`
}

type model struct {
	ID    types.String         `tfsdk:"id"`
	Name  types.String         `tfsdk:"name"`
	Kind  types.String         `tfsdk:"kind"`
	At    types.String         `tfsdk:"at" wire:"date"`
	IsOn  types.Bool           `tfsdk:"is_on"`
	Count types.Int64          `tfsdk:"count"`
	Look  jsontypes.Normalized `tfsdk:"look"`
	URL   types.String         `tfsdk:"url"`
}

func TestMappingConvertsBothWays(t *testing.T) {
	t.Parallel()
	mapping, err := attribute.MapFields[wire, model]()
	require.NoError(t, err)

	planned := model{
		ID: types.StringValue("1"), Name: types.StringValue("NPS"), Kind: types.StringValue("open"), At: types.StringValue("2026-01-01T10:00:00Z"),
		IsOn: types.BoolValue(true), Count: types.Int64Value(7), Look: attribute.JSON([]byte(`{"a":1}`)), URL: types.StringValue("u"),
	}
	var sent wire
	mapping.Send(&sent, attribute.FromStruct(&planned), nil)
	raw, err := json.Marshal(sent)
	require.NoError(t, err)
	assert.JSONEq(t, `{"name":"NPS","kind":"open","at":"2026-01-01T10:00:00Z","is_on":true,"count":7,"look":{"a":1}}`, string(raw))

	prior := model{At: types.StringValue("2026-01-01T12:00:00+02:00"), ID: types.StringValue("2")}
	values := attribute.FromStruct(&prior)
	mapping.Receive(&attribute.Response{}, sent, values)
	var read model
	attribute.ToStruct(&read, values)
	planned.At, planned.ID, planned.URL = prior.At, prior.ID, types.StringNull()
	assert.Equal(t, planned, read, "a read must keep the prior format of a date, and values that the response omits")
}

func TestMappingSendsWhatChanges(t *testing.T) {
	t.Parallel()
	mapping := attribute.MustMap[wire, model]("count")
	prior := model{Name: types.StringValue("a"), At: types.StringValue("b"), Count: types.Int64Value(1)}
	planned := model{Name: types.StringNull(), At: prior.At, Kind: types.StringUnknown(), Count: types.Int64Value(2)}

	var sent wire
	mapping.Send(&sent, attribute.FromStruct(&planned), attribute.FromStruct(&prior))
	raw, err := json.Marshal(sent)
	require.NoError(t, err)
	assert.JSONEq(t, `{"name":null}`, string(raw), "an attribute that became null must be sent as null, and custom attributes must be omitted")
}

// A field that would be skipped silently stops the program.
func TestMappingRefusesOtherTypes(t *testing.T) {
	t.Parallel()
	type listed struct {
		Name types.List `tfsdk:"name"`
	}
	_, err := attribute.MapFields[wire, listed]()
	require.ErrorContains(t, err, "name of attribute_test.wire, a nullable.Nullable[string], cannot be converted to an attribute of type basetypes.ListValue")
	assert.Panics(t, func() { attribute.MustMap[wire, listed]() })
	_, err = attribute.MapFields[wire, listed]("name")
	require.NoError(t, err)

	type other struct {
		Count types.String `tfsdk:"count"`
	}
	_, err = attribute.MapFields[wire, other]()
	require.Error(t, err, "a number must not be read as a string")

	type unmapped struct {
		Count attr.Value `tfsdk:"is_on"`
	}
	_, err = attribute.MapFields[wire, unmapped]()
	require.Error(t, err)
}
