package wire_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire/wiretest"
)

func TestObjectReadsWhatIsRight(t *testing.T) {
	t.Parallel()

	raw := wiretest.Decode(t, `{"id":"7","name":"a","on":true,"tags":["b"],"ids":[1,"2"]}`)
	o := wire.ReadEntry("items[0]", raw, []string{"id", "name", "on", "tags", "ids", "n"})
	o.Require("id", "name")

	assert.Equal(t, int64(7), o.ID("id"))
	assert.Equal(t, "a", o.Text("name", ""))
	assert.True(t, o.Boolean("on", false))
	assert.Equal(t, []string{"b"}, o.Texts("tags"))
	assert.Equal(t, []int64{1, 2}, o.IDs("ids"))
	assert.Equal(t, int64(5), o.Integer("n", 5), "the fallback")
	require.NoError(t, o.Err)
}

func TestObjectNamesThePathOfTheFirstError(t *testing.T) {
	t.Parallel()

	for raw, want := range map[string]string{
		`[]`:                         `items[0]: must be an object, not an array`,
		`{"nam":"a"}`:                `items[0].nam: unknown key, did you mean "name"?`,
		`{"else":1}`:                 `items[0].else: unknown key. Use one of name, tags`,
		`{"tags":["a"]}`:             `items[0]: the key "name" is missing`,
		`{"name":1}`:                 `items[0].name: must be a string, not a number`,
		`{"name":"a","tags":[null]}`: `items[0].tags[0]: must be a string, not null`,
	} {
		o := wire.ReadEntry("items[0]", wiretest.Decode(t, raw), []string{"name", "tags"})
		o.Require("name")
		o.Text("name", "")
		o.Texts("tags")
		require.EqualError(t, o.Err, want, raw)
	}
}

func TestEntryRefusesValues(t *testing.T) {
	t.Parallel()

	read := map[string]func(*wire.Entry) any{
		"text":  func(o *wire.Entry) any { return o.Text("x", "fallback") },
		"int":   func(o *wire.Entry) any { return o.Integer("x", 7) },
		"id":    func(o *wire.Entry) any { return o.ID("x") },
		"bool":  func(o *wire.Entry) any { return o.Boolean("x", true) },
		"uuid":  func(o *wire.Entry) any { return o.UUID("x").String() },
		"texts": func(o *wire.Entry) any { return len(o.Texts("x")) },
		"ids":   func(o *wire.Entry) any { return len(o.IDs("x")) },
		"uuids": func(o *wire.Entry) any { return len(o.UUIDs("x")) },
	}
	for _, row := range []struct {
		kind, value string
		want        any
		err         string
	}{
		{"text", ``, "fallback", ""}, {"text", `"a"`, "a", ""}, {"text", `null`, "fallback", "x: must be a string, not null"},
		{"int", ``, int64(7), ""}, {"int", `-5`, int64(-5), ""}, {"int", `"5"`, int64(0), "x: must be an integer, not \"5\""}, {"int", `1.5`, int64(0), "x: must be an integer, not 1.5"},
		{"id", ``, int64(0), ""}, {"id", `1`, int64(1), ""}, {"id", `"5"`, int64(5), ""}, {"id", `0`, int64(0), "x: must be a positive integer, not 0"},
		{"id", `-1`, int64(-1), "x: must be a positive integer, not -1"}, {"id", `"a"`, int64(0), `x: must be a positive integer, not "a"`},
		{"bool", ``, true, ""}, {"bool", `false`, false, ""}, {"bool", `true`, true, ""}, {"bool", `"true"`, false, "x: must be a boolean, not a string"},
		{"uuid", ``, "00000000-0000-0000-0000-000000000000", ""}, {"uuid", `"019b0000-0000-7000-8000-000000000001"`, "019b0000-0000-7000-8000-000000000001", ""},
		{"uuid", `"y"`, "00000000-0000-0000-0000-000000000000", `x: must be a UUID, not "y"`},
		{"texts", ``, 0, ""}, {"texts", `["a","b"]`, 2, ""}, {"texts", `"a"`, 0, "x: must be an array, not a string"}, {"texts", `["a",1]`, 1, "x[1]: must be a string, not a number"},
		{"ids", `[1,"2"]`, 2, ""}, {"ids", `[true]`, 0, "x[0]: must be an integer, not a boolean"},
		{"uuids", `["019b0000-0000-7000-8000-000000000001"]`, 1, ""}, {"uuids", `["a"]`, 0, `x[0]: must be a UUID, not "a"`},
	} {
		o := &wire.Entry{Fields: wire.Fields{}}
		if row.value != "" {
			o.Fields["x"] = wiretest.Decode(t, row.value)
		}
		assert.Equal(t, row.want, read[row.kind](o), "%s %s", row.kind, row.value)
		if row.err == "" {
			require.NoError(t, o.Err, "%s %s", row.kind, row.value)
			continue
		}
		require.EqualError(t, o.Err, row.err, row.kind)
		o.Fail("", "a later error")
		require.EqualError(t, o.Err, row.err, "the first error is kept")
	}
}

func TestUnknownKeySuggestsTheNearest(t *testing.T) {
	t.Parallel()

	known := []string{"name", "names", "description"}
	assert.Equal(t, `unknown key, did you mean "name"?`, wire.UnknownKey("name", known), "two letters differ")
	assert.Equal(t, `unknown key, did you mean "names"?`, wire.UnknownKey("namess", known))
	assert.Equal(t, "unknown key. Use one of name, names, description", wire.UnknownKey("nothing", known))
}

func TestTableChecksEntries(t *testing.T) {
	t.Parallel()

	columns := wire.NewTable(
		wire.Column{Name: "text", Kind: wire.Text, NotNull: true, Initial: wire.NewText("d")}, wire.Column{Name: "choice", Kind: wire.Choice},
		wire.Column{Name: "integer", Kind: wire.Integer}, wire.Column{Name: "boolean", Kind: wire.Boolean},
		wire.Column{Name: "at", Kind: wire.Timestamp}, wire.Column{Name: "times", Kind: wire.Timestamps},
		wire.Column{Name: "object", Kind: wire.Object}, wire.Column{Name: "objects", Kind: wire.Objects},
		wire.Column{Name: "texts", Kind: wire.Texts}, wire.Column{Name: "any"},
	)
	for field, want := range map[string]string{
		`"text":"a"`: "", `"text":1`: "text: must be a string, not a number", `"text":null`: "text: cannot be null",
		`"choice":"new"`: "", `"choice":[]`: "choice: must be a string, not an array", `"choice":null`: "",
		`"integer":5`: "", `"integer":"5"`: "integer: must be an integer, not \"5\"",
		`"boolean":false`: "", `"boolean":0`: "boolean: must be a boolean, not a number",
		`"at":"2026-01-01"`: "", `"at":"soon"`: `at: must be a date-time, not "soon"`, `"at":5`: "at: must be a date-time, not 5",
		`"times":["2026-01-01"]`: "", `"times":["x"]`: "times: must contain only date-times", `"times":"2026-01-01"`: "times: must be an array of date-times, not a string",
		`"object":{}`: "", `"object":[]`: "object: must be an object, not an array",
		`"objects":[{}]`: "", `"objects":[{},1]`: "objects: must contain only objects", `"objects":{}`: "objects: must be an array of objects, not an object",
		`"texts":["a"]`: "", `"texts":[1]`: "texts: must contain only strings", `"texts":"a"`: "texts: must be an array of strings, not a string",
		`"any":[{}]`: "",
	} {
		o := wire.ReadEntry("", wiretest.Decode(t, "{"+field+"}"), nil)
		columns.CheckEntry(o)
		if want == "" {
			require.NoError(t, o.Err, field)
			continue
		}
		require.EqualError(t, o.Err, want, field)
	}
	assert.Equal(t, []wire.Value{wire.NewText("d"), wire.Null}, columns.Initial[:2])
	assert.True(t, columns.Has("any"))
	assert.False(t, columns.Has("none"))
	assert.Equal(t, "at", columns.Names()[4])
	assert.Equal(t, wire.Boolean, columns.Column("boolean").Kind)
}
