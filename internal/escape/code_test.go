package escape

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/hostile"
)

// code draws a text, and what a literal of it holds.
func code(t *rapid.T) (text, valid string) {
	text = hostile.Text("*/", "/*", "*/*", "/*/", "@deprecated", "{@link x}", `\(x)`, "${x}", "##[", "\U000e0041", "\u200d", "\u00a0").Draw(t, "text")
	return text, strings.ToValidUTF8(text, "\ufffd")
}

// assertQuiet asserts that a terminal and a runner show a literal, and obey nothing in it.
func assertQuiet(t *rapid.T, literal string) {
	assert.False(t, strings.ContainsFunc(literal, isHidden), "%q", literal)
	assert.NotContains(t, literal, "##", "%q", literal)
	assert.Empty(t, hostile.Commands(literal))
}

func TestGo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text, valid := code(t)
		read, err := strconv.Unquote(Go(text))
		require.NoError(t, err)
		assert.Equal(t, valid, read)
		assertQuiet(t, Go(text))
	})
}

// What JavaScript, Swift and Kotlin escape, and how, is JSON's but for the marks below. That
// the first takes it, its compiler says in the tests of package keys.
func TestLiterals(t *testing.T) {
	t.Parallel()
	inBraces := regexp.MustCompile(`\\u\{([0-9a-f]+)\}`)
	rapid.Check(t, func(t *rapid.T) {
		text, valid := code(t)
		javaScript := JavaScript(text)
		if javaScript[0] == '\'' {
			assert.Greater(t, strings.Count(text, `"`), strings.Count(text, `'`))
			javaScript = `"` + unescaped(javaScript[1:len(javaScript)-1], map[rune]string{'\'': `'`, '"': `\"`}) + `"`
		}
		kotlin := `"` + unescaped(Kotlin(text)[1:len(Kotlin(text))-1], map[rune]string{'$': "$"}) + `"`

		for name, literal := range map[string]string{"JavaScript": javaScript, "Swift": Swift(text), "Kotlin": kotlin, "JSON": JSONComment(text)} {
			literal = inBraces.ReplaceAllStringFunc(literal, func(escaped string) string {
				code, err := strconv.ParseInt(escaped[3:len(escaped)-1], 16, 32)
				require.NoError(t, err)
				return units(rune(code))
			})
			var read string
			require.NoError(t, json.Unmarshal([]byte(literal), &read), "%s: %s", name, literal)
			assert.Equal(t, valid, read, name)
			assertQuiet(t, literal)
		}
		assert.False(t, strings.ContainsAny(JSONComment(text), "/<>"))
	})
}

// unescaped is the inside of a literal with other escapes for characters.
func unescaped(inside string, characters map[rune]string) string {
	var b strings.Builder
	isEscaped := false
	for _, r := range inside {
		word, isOther := characters[r]
		switch {
		case isEscaped && isOther:
			b.WriteString(word)
		case isEscaped:
			b.WriteString(`\` + string(r))
		case r == '"':
			b.WriteString(`\"`)
		case r != '\\':
			b.WriteRune(r)
		}
		isEscaped = !isEscaped && r == '\\'
	}
	return b.String()
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
