package escape

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
)

// code generates text and the value that its literal must have.
func code(t *rapid.T) (text, valid string) {
	text = property.Text("*/", "/*", "*/*", "/*/", "@deprecated", "{@link x}", `\(x)`, "${x}", "##[", "\U000e0041", "\u200d", "\u00a0").Draw(t, "text")
	return text, strings.ToValidUTF8(text, "\ufffd")
}

// assertQuiet asserts that a literal contains nothing that a terminal or a CI runner would interpret.
func assertQuiet(t *rapid.T, literal string) {
	assert.False(t, strings.ContainsFunc(literal, isHidden), "%q", literal)
	assert.NotContains(t, literal, "##", "%q", literal)
	assert.Empty(t, property.Commands(literal))
}

// JavaScript literals are escaped like JSON. The tests of package keys check them with a compiler.
func TestLiterals(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text, valid := code(t)
		for name, literal := range map[string]string{"JavaScript": JavaScript(text), "JSON": JSONComment(text)} {
			var read string
			require.NoError(t, json.Unmarshal([]byte(literal), &read), "%s: %s", name, literal)
			assert.Equal(t, valid, read, name)
			assertQuiet(t, literal)
		}
		assert.False(t, strings.ContainsAny(JSONComment(text), "/<>"))
	})
}

func TestCodeComment(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text, _ := code(t)
		comment := CodeComment(text)
		for _, mark := range []string{"*/", "/*", "@", "<", "\n", "\r", "\ufeff", "["} {
			assert.NotContains(t, comment, mark)
		}
		assert.False(t, strings.ContainsFunc(comment, func(r rune) bool { return isHidden(r) || r != ' ' && unicode.IsSpace(r) }), "%q", comment)
		assert.Equal(t, strings.TrimSpace(comment), comment)
	})
	assert.Equal(t, "Why * / alert(1) / *?", CodeComment("Why */ alert(1) /*?"))
	assert.Equal(t, `&#64;deprecated &lt;b> &#91;x](y)`, CodeComment("@deprecated <b> [x](y)"))
}

func TestEnvironmentValue(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"0190d6a4-0000": "0190d6a4-0000", "$survey_response_a": "'$survey_response_a'", "a b": "'a b'", `a"b`: `'a"b'`, "": "''", "ä": "'ä'",
	} {
		value, ok := EnvironmentValue(text)
		assert.True(t, ok, text)
		assert.Equal(t, want, value)
	}
	for _, text := range []string{"it's", `a\b`, "a\nb", "\x1b[31m", "\u202e", "##[x", "\xff"} {
		_, ok := EnvironmentValue(text)
		assert.False(t, ok, text)
	}

	value, err := EnvironmentJSON([]string{"it's $x `y` \\ \"z\"", "a\nb"})
	require.NoError(t, err)
	assert.Equal(t, `'["it\u0027s \u0024x \u0060y\u0060 \u005c \u0022z\u0022","a\u000ab"]'`, value)
}

func TestHog(t *testing.T) {
	t.Parallel()
	assert.Equal(t, `'it\'s \\ \n'`, Hog("it's \\ \n"))
}
