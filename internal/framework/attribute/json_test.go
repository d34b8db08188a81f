package attribute

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/stretchr/testify/assert"
)

// Terraform normalizes every string to NFC, which also combines the last digit of an escape with an accent after it.
func TestJSONSurvivesComposition(t *testing.T) {
	t.Parallel()

	for given, want := range map[string]string{
		`"<` + "\u0301" + `"`:          `"\u003c\u0301"`,
		`"\u000b` + "\U0001D165" + `"`: `"\u000b\ud834\udd65"`,
		`"é<a"`:                        `"é\u003ca"`,
		`"<é"`:                         `"\u003c\u00e9"`,
	} {
		got := JSON(json.RawMessage(given)).ValueString()
		assert.Equal(t, want, got)
		assert.True(t, SameJSON(given, got))
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
		assert.Equal(t, c.same, SameJSON(c.a, c.b), "%s ~ %s", c.a, c.b)
		assert.Equal(t, c.same, SameJSON(c.b, c.a), "%s ~ %s", c.b, c.a)
	}
}

func TestIsEmptyJSON(t *testing.T) {
	t.Parallel()

	for text, empty := range map[string]bool{`{}`: true, `{ "a": null }`: true, `[]`: true, `null`: true, `{"a":{}}`: false, `[null]`: false, `{"a":false}`: false} {
		assert.Equal(t, empty, IsEmptyJSON(jsontypes.NewNormalizedValue(text)), text)
	}
	assert.True(t, IsEmptyJSON(NullJSON))
	assert.False(t, IsEmptyJSON(jsontypes.NewNormalizedUnknown()))
}
