package field_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

var table = field.NewTable(
	field.Column{Name: "name", Kind: field.Text, Required: true, NotNull: true, NotBlank: true, Max: 3},
	field.Column{Name: "count", Kind: field.Integer, Max: 9},
	field.Column{Name: "on", Kind: field.Boolean, Initial: "false"},
	field.Column{Name: "at", Kind: field.Timestamp},
	field.Column{Name: "kind", Kind: field.Choice, Known: func(s string) bool { return s == "a" }, CreateOnly: true},
	field.Column{Name: "made", Kind: field.Timestamp, ReadOnly: true},
	field.Column{Name: "rest", Kind: field.Objects, Refusal: "Must be objects"},
)

// TestRead reads the same requests in the way of the document and of the hosted service.
func TestRead(t *testing.T) {
	t.Parallel()

	for _, test := range []struct{ body, documented, hosted string }{
		{`{}`, "required name", "required name"},
		{`{"name":null}`, "null name", "null name"},
		{`{"name":" "}`, "blank name", "blank name"},
		{`{"name":"abcd","count":"x"}`, "max_length name", "max_length name"},
		{`{"count":-1,"name":"a"}`, "min_value count", "min_value count"},
		{`{"name":"a","count":10}`, "max_value count", "max_value count"},
		{`{"name":"a","rest":[1]}`, "invalid_input rest", "invalid_input rest"},
		{`{"name":"a","kind":"b"}`, "invalid_choice kind", "invalid_choice kind"},
		{`{"name":" a ","count":"7","made":"x","other":1}`, `{"name":" a ","count":7}`, `{"name":"a","count":7}`},
		{`{"name":7}`, "invalid_input name", `{"name":"7"}`},
		{`{"name":"a","on":"yes"}`, "invalid_input on", `{"name":"a","on":true}`},
		{`{"name":"a","at":"2026-W01-1"}`, "invalid_input at", `{"name":"a","at":"2025-12-29T00:00:00Z"}`},
		{`{"name":"a","count":null,"rest":null}`, `{"name":"a","count":null,"rest":null}`, `{"name":"a","count":null,"rest":null}`},
	} {
		body := rawjson.Members(json.RawMessage(test.body))
		for want, value := range map[*string]func(field.Column, json.RawMessage) (json.RawMessage, *field.Failure){
			&test.documented: field.Column.Check, &test.hosted: field.Column.Accept,
		} {
			sent, f := table.Read(body, field.Reading{Value: value, Creating: true})
			if f != nil {
				assert.Equal(t, *want, f.Code+" "+f.Attr, test.body)
				assert.Nil(t, sent, test.body)
				continue
			}
			got, err := json.Marshal(sent)
			assert.NoError(t, err)
			assert.JSONEq(t, *want, string(got), test.body)
		}
	}
}

func TestReadUpdate(t *testing.T) {
	t.Parallel()

	var refined []string
	sent, f := table.Read(rawjson.Members(json.RawMessage(`{"kind":"b","count":null,"on":true}`)), field.Reading{
		Value: field.Column.Check,
		Refine: func(c field.Column, raw json.RawMessage) (json.RawMessage, *field.Failure) {
			refined = append(refined, c.Name)
			return json.RawMessage("1"), nil
		},
	})
	assert.Nil(t, f, "an update needs no name, and ignores what only a create may set")
	assert.Equal(t, []string{"count", "on"}, refined, "in the order of the table, null too")
	assert.Equal(t, rawjson.Fields{"count": json.RawMessage("1"), "on": json.RawMessage("1")}, sent)
}

func TestTimestampText(t *testing.T) {
	t.Parallel()

	for text, want := range map[string]string{
		"2026-01-02T03:04:05.678901234+01:00": `"2026-01-02T02:04:05.678901Z"`, "2026-01-02": `"2026-01-02T00:00:00Z"`,
	} {
		at, ok := field.ParseISO(text)
		assert.True(t, ok, text)
		assert.Equal(t, want, string(field.TimestampText(at)), text)
	}
	_, ok := field.ParseTimestamp("20260102")
	assert.False(t, ok, "the basic form is the hosted service's alone")
	assert.Equal(t, `"1970-01-01T00:00:00Z"`, string(field.TimestampText(time.Unix(0, 0))))
}
