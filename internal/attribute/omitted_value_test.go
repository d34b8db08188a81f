package attribute_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

func TestOmittedValue(t *testing.T) {
	t.Parallel()
	once := attribute.ResetTo(types.StringValue("once"))
	noText := attribute.ResetTo(types.StringValue(""))
	noNumber := attribute.ResetTo(types.Int64Null())
	off := attribute.ResetTo(types.BoolValue(false))
	noJSON := attribute.ResetJSON()
	for name, c := range map[string]struct {
		omitted        attribute.OmittedValue
		planned, prior attr.Value
		isNew          bool
		want           attr.Value
	}{
		"new, left to the service": {once, types.StringUnknown(), types.StringNull(), true, types.StringUnknown()},
		"new, null is shown as it": {noNumber, types.Int64Unknown(), types.Int64Null(), true, types.Int64Null()},
		"never told":               {once, types.StringUnknown(), types.StringNull(), false, types.StringNull()},
		"the default":              {once, types.StringUnknown(), types.StringValue("once"), false, types.StringValue("once")},
		"another value":            {once, types.StringUnknown(), types.StringValue("always"), false, types.StringValue("once")},
		"no text":                  {noText, types.StringUnknown(), types.StringValue(""), false, types.StringValue("")},
		"some text":                {noText, types.StringUnknown(), types.StringValue("x"), false, types.StringValue("")},
		"zero is a number":         {noNumber, types.Int64Unknown(), types.Int64Value(0), false, types.Int64Null()},
		"on":                       {off, types.BoolUnknown(), types.BoolValue(true), false, types.BoolValue(false)},
		"off":                      {off, types.BoolUnknown(), types.BoolValue(false), false, types.BoolValue(false)},
		"empty object":             {noJSON, types.StringUnknown(), types.StringValue("{}"), false, types.StringValue("{}")},
		"an object":                {noJSON, types.StringUnknown(), types.StringValue(`{"a":1}`), false, types.StringNull()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.True(t, c.want.Equal(c.omitted.Plan(c.planned, c.prior, c.isNew)))
		})
	}
}

func TestSameJSON(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`{"a":1,"b":[true,null]}`, "{ \"b\" : [true , null],\n\"a\":1.0 }", true},
		{`{"a":1}`, `{"a":1,"b":null}`, false},
		{`[1,2]`, `[2,1]`, false},
		{`9007199254740993`, `9007199254740992`, false},
		{`1e2`, `100`, true},
		{`"1"`, `1`, false},
		{`"\u00e9"`, `"é"`, true},
		{`{}`, `null`, false},
		{`not json`, `not json`, true},
		{`not json`, `{}`, false},
		{`{} x`, `{}`, false},
		{`1e999999999999`, `2e999999999999`, false},
	} {
		assert.Equal(t, c.same, attribute.SameJSON(c.a, c.b), "%s ~ %s", c.a, c.b)
		assert.Equal(t, c.same, attribute.SameJSON(c.b, c.a), "%s ~ %s", c.b, c.a)
	}
}

func TestSameInstant(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"2026-01-01T10:00:00Z", "2026-01-01T12:00:00+02:00", true},
		{"2026-01-01T10:00:00Z", "2026-01-01T10:00:00.000Z", true},
		{"2026-01-01T10:00:00Z", "2026-01-01T10:00Z", true},
		{"2026-01-01T10:00:00Z", "2026-01-01T10:00:00", true},
		{"2026-01-01T10:00:00Z", "2026-01-01T10:00", true},
		{"2026-01-01T10:00:00.1234567Z", "2026-01-01T10:00:00.123456Z", true},
		{"2026-01-01T10:00:00Z", "2026-01-01T10:00:01Z", false},
		{"tomorrow", "tomorrow", true},
		{"2026-01-01", "2026-01-01T00:00:00Z", false},
	} {
		assert.Equal(t, c.same, attribute.SameInstant(c.a, c.b), "%s ~ %s", c.a, c.b)
	}
}
