package keys

import (
	"regexp"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclfile"
)

// longestName bounds a name: that of an earlier file is data.
const longestName = 120

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// isName reports whether a text is a name in code, in lower snake case.
func isName(text string) bool { return len(text) <= longestName && nameForm.MatchString(text) }

// wordOf is a name made of a text; otherwise for a text of which nothing is left.
func wordOf(text, otherwise string) string {
	words := strings.FieldsFunc(hclfile.Word(text, otherwise), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	name := strings.Join(words, "_")
	if !isName(name) {
		return otherwise
	}
	return name
}

// reserved are the names that cannot be an identifier of TypeScript, or would hide one.
var reserved = wordsOf(
	`abstract any arguments as async await bigint boolean break case catch class const continue
		debugger declare default delete do else enum eval export extends false finally for from
		function get if implements import in infinity instanceof interface is keyof let module
		namespace nan never new null number object of package private protected public readonly
		require return set static string super switch symbol this throw true try type typeof undefined
		unique unknown var void while with yield constructor proto prototype`,
)

// wordsOf are the words of a text.
func wordsOf(text string) map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		words[word] = true
	}
	return words
}
