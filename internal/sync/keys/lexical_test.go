package keys

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// stringLiteral is a string of Swift and of Kotlin.
var stringLiteral = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// Compilers of these languages are too large for tests. What a text from outside could do is
// to leave its literal or comment: then a line would have another form than these.
var lineForms = map[Format]*regexp.Regexp{
	Swift: regexp.MustCompile(`^(` + strings.Join([]string{
		``, `//.*`, ` *///? .*`, ` *public enum [A-Z]\w*(: String, CaseIterable, Sendable)? \{`, ` *\}`, ` *public static let (id|key|kind|openChoice) = S`,
		` *public static let (id|key|kind|openChoice) =`, ` +S`, ` *public static let scale = \d+\.\.\.\d+`, ` *case [a-z]\w* = S`,
	}, `|`) + `)$`),
	Kotlin: regexp.MustCompile(`^(` + strings.Join([]string{
		``, `//.*`, `package surveys`, ` */\*\* C \*/`, ` *object [A-Z]\w* \{`, ` *\}`, ` *const val (ID|KEY|TYPE|OPEN_CHOICE) = S`,
		` *const val (ID|KEY|TYPE|OPEN_CHOICE) =`, ` +S`, ` *val SCALE = \d+\.\.\d+`, ` *enum class Choice\(val text: String\) \{`, ` *[A-Z][A-Z0-9_]*\(S\),`,
	}, `|`) + `)$`),
}

var blockComment = regexp.MustCompile(`^( */\*\* )(.*)( \*/)$`)

func TestTextsStayInTheirLiterals(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		surveys := read(t, drawProject(t, false), nil)
		for format, form := range lineForms {
			for line := range strings.SplitSeq(render(t, surveys, format), "\n") {
				shown := line
				switch comment := blockComment.FindStringSubmatch(line); {
				case comment != nil:
					assert.NotContains(t, comment[2], "*/")
					assert.NotContains(t, comment[2], "/*")
					shown = comment[1] + "C" + comment[3]
				case !strings.HasPrefix(strings.TrimSpace(line), "//"):
					for _, literal := range stringLiteral.FindAllString(line, -1) {
						assert.NotRegexp(t, map[Format]string{Kotlin: `(^|[^\\])(\\\\)*\$`, Swift: `(^|[^\\])(\\\\)*\\\(`}[format], literal)
					}
					shown = stringLiteral.ReplaceAllString(line, "S")
				}
				assert.Regexp(t, form, shown, "%s: %q", format, line)
			}
		}
	})
}
