package wire_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire/wiretest"
)

var table = wire.NewTable(
	wire.Column{Name: "name", Kind: wire.Text, Required: true, NotNull: true, NotBlank: true, Max: 3},
	wire.Column{Name: "count", Kind: wire.Integer, Max: 9},
	wire.Column{Name: "on", Kind: wire.Boolean, Initial: wire.NewBool(false)},
	wire.Column{Name: "at", Kind: wire.Timestamp},
	wire.Column{Name: "kind", Kind: wire.Choice, Known: func(s string) bool { return s == "a" }, CreateOnly: true},
	wire.Column{Name: "made", Kind: wire.Timestamp, ReadOnly: true},
	wire.Column{Name: "rest", Kind: wire.Objects, Refusal: "Must be objects"},
)

// TestRead reads the same requests verbatim and in stored form.
func TestRead(t *testing.T) {
	t.Parallel()

	for _, test := range []struct{ body, verbatim, hosted string }{
		{`{}`, "required name", "required name"},
		{`{"name":null}`, "null name", "null name"},
		{`{"name":" "}`, "blank name", "blank name"},
		{`{"name":"abcd","count":"x"}`, "max_length name", "max_length name"},
		{`{"count":-1,"name":"a"}`, "min_value count", "min_value count"},
		{`{"name":"a","count":10}`, "max_value count", "max_value count"},
		{`{"name":"a","rest":[1]}`, "invalid_input rest", "invalid_input rest"},
		{`{"name":"a","kind":"b"}`, "invalid_choice kind", "invalid_choice kind"},
		{`{"name":true}`, "invalid_input name", "invalid_input name"},
		{`{"name":"a\u0000"}`, "null_characters_not_allowed name", "null_characters_not_allowed name"},
		{`{"name":"a","at":"soon"}`, "invalid_input at", "invalid_input at"},
		{`{"name":" a ","count":"7.0","made":"x","other":1}`, `{"name":" a ","count":7}`, `{"name":"a","count":7}`},
		{`{"name":"a","on":"yes"}`, `{"name":"a","on":true}`, `{"name":"a","on":true}`},
		{`{"name":"a","at":"2026-01-01"}`, `{"name":"a","at":"2026-01-01"}`, `{"name":"a","at":"2026-01-01T00:00:00Z"}`},
		{`{"name":"a","count":null,"rest":null}`, `{"name":"a","count":null,"rest":null}`, `{"name":"a","count":null,"rest":null}`},
	} {
		for verbatim, want := range map[bool]string{true: test.verbatim, false: test.hosted} {
			sent, f := table.Read(wiretest.Decode(t, test.body), wire.Reading{Creating: true, Verbatim: verbatim})
			if f != nil {
				assert.Equal(t, want, f.Code+" "+f.Attr, test.body)
				assert.Nil(t, sent, test.body)
				continue
			}
			assert.JSONEq(t, want, sent.Object().Spelling(), test.body)
		}
	}
}

func TestReadUpdate(t *testing.T) {
	t.Parallel()

	var refined []string
	sent, f := table.Read(wiretest.Decode(t, `{"kind":"b","count":null,"on":true}`), wire.Reading{
		Refine: func(c wire.Column, _ wire.Value) (wire.Value, *wire.Failure) {
			refined = append(refined, c.Name)
			return wire.Of(1), nil
		},
	})
	assert.Nil(t, f, "an update does not require a name, and ignores create-only fields")
	assert.Equal(t, []string{"count", "on"}, refined, "in the table's order, including null")
	assert.Equal(t, wire.Fields{"count": wire.Of(1), "on": wire.Of(1)}, sent)
}

func TestTimestampText(t *testing.T) {
	t.Parallel()

	for text, want := range map[string]string{
		"2026-01-02T03:04:05.678901234+01:00": `"2026-01-02T02:04:05.678901Z"`, "2026-01-02": `"2026-01-02T00:00:00Z"`,
	} {
		at, ok := wire.ParseTimestamp(text)
		assert.True(t, ok, text)
		assert.Equal(t, want, wire.TimestampText(at).Spelling(), text)
	}
	_, ok := wire.ParseTimestamp("20260102")
	assert.False(t, ok, "the basic form")
	assert.Equal(t, `"1970-01-01T00:00:00Z"`, wire.TimestampText(time.Unix(0, 0)).Spelling())
}

// TestReadValues reads one value of each kind of column, in stored form.
func TestReadValues(t *testing.T) {
	t.Parallel()

	columns := map[string]wire.Column{
		"integer": {Name: "f", Kind: wire.Integer, Max: 9}, "wide": {Name: "f", Kind: wire.Integer, Wide: true}, "plain": {Name: "f", Kind: wire.Integer},
		"boolean": {Name: "f", Kind: wire.Boolean}, "switch": {Name: "f", Kind: wire.Boolean, NotNull: true},
		"text": {Name: "f", Kind: wire.Text, Max: 3}, "texts": {Name: "f", Kind: wire.Texts, Max: 3}, "at": {Name: "f", Kind: wire.Timestamp}, "times": {Name: "f", Kind: wire.Timestamps},
		"object": {Name: "f", Kind: wire.Object, Refusal: "no"}, "any": {Name: "f"},
	}
	for _, row := range []struct{ kind, sent, want string }{
		{"integer", `9`, `9`}, {"integer", `0`, `0`}, {"integer", `10`, "max_value f"}, {"integer", `-1`, "min_value f"}, {"integer", `" 7 "`, `7`}, {"integer", `"+7."`, `7`},
		{"integer", `7.5`, "invalid_input f"}, {"integer", `true`, "invalid_input f"}, {"integer", `[]`, "invalid_input f"}, {"integer", `"` + strings.Repeat("1", 1001) + `"`, "max_string_length f"},
		{"integer", `"` + strings.Repeat("0", 1000) + `"`, `0`}, {"plain", `2147483647`, `2147483647`}, {"plain", `2147483648`, "max_value f"},
		{"wide", `-5`, `-5`}, {"wide", `9223372036854775807`, `9223372036854775807`}, {"wide", `99999999999999999999`, `9223372036854775807`},
		{"boolean", `"Yes"`, `true`}, {"boolean", `"off"`, `false`}, {"boolean", `1.0`, `true`}, {"boolean", `0.0`, `false`}, {"boolean", `2`, "invalid_input f"},
		{"boolean", `""`, `null`}, {"boolean", `"NULL"`, `null`}, {"boolean", `[]`, "invalid_input f"}, {"switch", `""`, "invalid_input f"}, {"switch", `null`, "null f"},
		{"text", `" abc "`, `"abc"`}, {"text", `"äöü"`, `"äöü"`}, {"text", `"abcd"`, "max_length f"}, {"text", `""`, `""`},
		{"texts", `[" a ","b"]`, `["a","b"]`}, {"texts", `"a"`, "not_a_list f"}, {"texts", `["a",1]`, "invalid_input f__1"}, {"texts", `["abcd"]`, "max_length f__0"},
		{"at", `"2026-01-01 10:00"`, `"2026-01-01T10:00:00Z"`}, {"at", `"0001-01-01T00:00:00+01:00"`, "overflow f"}, {"at", `"9999-12-31T23:59:59-01:00"`, "overflow f"},
		{"at", `"9999-12-31T23:59:59Z"`, `"9999-12-31T23:59:59Z"`}, {"at", `5`, "invalid_input f"},
		{"times", `["2026-01-01",null]`, `["2026-01-01T00:00:00Z",null]`}, {"times", `{}`, "not_a_list f"}, {"times", `["x"]`, "invalid_input f__0"},
		{"object", `{"a":1}`, `{"a":1}`}, {"object", `[]`, "invalid_input f"}, {"any", `[1,{"b":2}]`, `[1,{"b":2}]`}, {"any", `null`, `null`},
	} {
		sent, f := wire.NewTable(columns[row.kind]).Read(wiretest.Decode(t, `{"f":`+row.sent+`}`), wire.Reading{})
		if f != nil {
			assert.Equal(t, row.want, f.Code+" "+f.Attr, "%s %s", row.kind, row.sent)
			continue
		}
		assert.Equal(t, row.want, sent["f"].Spelling(), "%s %s", row.kind, row.sent)
	}
}
