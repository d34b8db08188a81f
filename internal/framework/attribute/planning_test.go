package attribute_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

func TestOmittedValue(t *testing.T) {
	t.Parallel()

	once := attribute.ResetValue(types.StringValue("once"))
	noText := attribute.ResetValue(types.StringValue(""))
	noNumber := attribute.ResetValue(types.Int64Null())
	off := attribute.ResetValue(types.BoolValue(false))
	noJSON := attribute.ResetJSON()

	for name, c := range map[string]struct {
		omitted        attribute.OmittedValue
		planned, prior attr.Value
		isNew          bool
		want           attr.Value
	}{
		"new, left to the service": {once, types.StringUnknown(), types.StringNull(), true, types.StringUnknown()},
		"new, null stays null":     {noNumber, types.Int64Unknown(), types.Int64Null(), true, types.Int64Null()},
		"always null":              {once, types.StringUnknown(), types.StringNull(), false, types.StringNull()},
		"the default":              {once, types.StringUnknown(), types.StringValue("once"), false, types.StringValue("once")},
		"another value":            {once, types.StringUnknown(), types.StringValue("always"), false, types.StringValue("once")},
		"no text":                  {noText, types.StringUnknown(), types.StringValue(""), false, types.StringValue("")},
		"some text":                {noText, types.StringUnknown(), types.StringValue("x"), false, types.StringValue("")},
		"zero is a number":         {noNumber, types.Int64Unknown(), types.Int64Value(0), false, types.Int64Null()},
		"on":                       {off, types.BoolUnknown(), types.BoolValue(true), false, types.BoolValue(false)},
		"off":                      {off, types.BoolUnknown(), types.BoolValue(false), false, types.BoolValue(false)},
		"empty object":             {noJSON, types.StringUnknown(), types.StringValue("{}"), false, types.StringValue("{}")},
		"an object of nulls":       {noJSON, types.StringUnknown(), types.StringValue(`{"a": null}`), false, types.StringValue(`{"a": null}`)},
		"spaced":                   {noJSON, types.StringUnknown(), types.StringValue(`[ ]`), false, types.StringValue(`[ ]`)},
		"an object":                {noJSON, types.StringUnknown(), types.StringValue(`{"a":1}`), false, types.StringNull()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			assert.True(t, c.want.Equal(c.omitted.Plan(c.planned, c.prior, c.isNew)))
		})
	}
}

func TestResetJSONTo(t *testing.T) {
	t.Parallel()

	omitted := attribute.ResetJSONValue("{}")
	for name, c := range map[string]struct {
		prior attr.Value
		isNew bool
		want  attr.Value
	}{
		"new, left to the service": {types.StringNull(), true, types.StringUnknown()},
		"null":                     {types.StringNull(), false, types.StringNull()},
		"the default":              {types.StringValue("{}"), false, types.StringValue("{}")},
		"with white space":         {types.StringValue(" { } "), false, types.StringValue(" { } ")},
		"empty list":               {types.StringValue("[]"), false, types.StringValue("[]")},
		"an object":                {types.StringValue(`{"a":1}`), false, types.StringValue("{}")},
		"a list":                   {types.StringValue(`[1]`), false, types.StringValue("{}")},
		"of the JSON type":         {jsontypes.NewNormalizedValue(`[1]`), false, types.StringValue("{}")},
	} {
		assert.True(t, c.want.Equal(omitted.Plan(types.StringUnknown(), c.prior, c.isNew)), name)
	}
}
