package page

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/fixedseed"
)

func TestTokens(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []Token{
		{"", "{\n  "}, {"key", `"a\"b"`}, {"", ": ["}, {"string", `"x:"`}, {"", ", "}, {"literal", "-1.5e3"}, {"", ", "}, {"literal", "null"}, {"", "]}"},
	}, Tokens("{\n  \"a\\\"b\": [\"x:\", -1.5e3, null]}"))
	assert.Equal(t, []Token{{"", "<html>"}}, Tokens("<html>"))
	assert.Equal(t, []Token{{"", ""}}, Tokens(""))
	assert.Len(t, Tokens("["+strings.Repeat("1,", maxColoured)), 1)

	// Nothing of a text is lost, JSON or not.
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[{}\["\\:,a-c1-3 -]{0,20}`).Draw(t, "text") + rapid.String().Draw(t, "rest")
		whole := ""
		for _, token := range Tokens(text) {
			whole += token.Text
		}
		assert.Equal(t, text, whole)
	})
}
