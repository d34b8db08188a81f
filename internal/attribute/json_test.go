package attribute

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Terraform composes characters in every string, also the last digit of an escape
// with an accent that follows it.
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
