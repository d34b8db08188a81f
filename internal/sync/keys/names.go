package keys

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// Assign assigns names to surveys and their questions, and sorts the surveys by name. It always keeps the
// names in an earlier file. All names are unique identifiers in every format, including names that join a
// survey's and a question's name.
func Assign(surveys []Survey, remembered Names) []Survey {
	a := assignment{taken: map[string]bool{}}
	surveys = slices.Clone(surveys)
	// The oldest survey gets the name without a suffix, so that a new survey does not change existing names.
	slices.SortStableFunc(surveys, func(x, y Survey) int {
		return cmp.Or(cmp.Compare(x.created, y.created), cmp.Compare(x.ID, y.ID))
	})

	for i := range surveys {
		surveys[i].Questions = slices.Clone(surveys[i].Questions)
		a.remember(&surveys[i], remembered[surveys[i].ID])
	}
	for i := range surveys {
		a.name(&surveys[i])
	}

	slices.SortFunc(surveys, func(x, y Survey) int { return cmp.Compare(x.Name, y.Name) })
	return surveys
}

// assignment holds the state of one call of Assign.
type assignment struct {
	// taken contains the names in use, without separators. For a question, it contains the name of the
	// survey followed by the name of the question.
	taken map[string]bool
}

// foldName joins words into an identifier without separators. It returns the same identifier for names
// that differ only in their separators.
func foldName(words ...string) string { return strings.ReplaceAll(strings.Join(words, ""), "_", "") }

// take reserves a name. It returns false if the name is invalid or in use.
func (a assignment) take(survey, question string) bool {
	last := cmp.Or(question, survey)
	key := foldName(survey, question)
	if !isName(last) || reserved[foldName(last)] || a.taken[key] {
		return false
	}
	a.taken[key] = true
	return true
}

// remember restores names from an earlier file.
func (a assignment) remember(survey *Survey, names SurveyNames) {
	if names.Name == "" || !a.take(names.Name, "") {
		return
	}
	survey.Name = names.Name
	for i, question := range survey.Questions {
		if name := names.Questions[question.ID]; name != "" && a.take(survey.Name, name) {
			survey.Questions[i].Name = name
		}
	}
}

// name assigns names to the survey and its questions if they have none.
func (a assignment) name(survey *Survey) {
	if survey.Name == "" {
		word := newName(cmp.Or(survey.label, survey.Title), "survey")
		survey.Name = a.free("", word, "survey", idSuffix(survey.ID))
	}
	for i, question := range survey.Questions {
		if question.Name != "" {
			continue
		}
		otherwise := fmt.Sprintf("question_%d", question.Position)
		word := newName(cmp.Or(question.given, question.Text), otherwise)
		survey.Questions[i].Name = a.free(survey.Name, word, "question", "")
	}
}

// free reserves the first available name: the word, then the word with its noun if a language reserves
// the word, and then the word with a suffix or a number.
func (a assignment) free(survey, word, noun, suffix string) string {
	if reserved[foldName(word)] {
		word += "_" + noun
	}
	for n := 1; ; n++ {
		name := word
		if suffix != "" && n > 1 {
			name += "_" + suffix
		}
		if n > 2 || suffix == "" && n > 1 {
			name = fmt.Sprintf("%s_%d", name, n)
		}

		isTaken := false
		if survey == "" {
			isTaken = a.take(name, "")
		} else {
			isTaken = a.take(survey, name)
		}
		if isTaken {
			return name
		}
	}
}

// idSuffix returns the end of an ID, which distinguishes surveys with the same name.
func idSuffix(id string) string {
	id = foldName(strings.ToLower(strings.ReplaceAll(id, "-", "")))
	return newName("x"+id[max(0, len(id)-6):], "x")
}

// pascal joins names in PascalCase.
func pascal(names ...string) string {
	var b strings.Builder
	for _, name := range names {
		for word := range strings.SplitSeq(name, "_") {
			if word != "" {
				b.WriteString(strings.ToUpper(word[:1]) + word[1:])
			}
		}
	}
	return b.String()
}

// camel returns a name in camelCase.
func camel(name string) string {
	text := pascal(name)
	return strings.ToLower(text[:1]) + text[1:]
}

// screaming joins names in SCREAMING_SNAKE_CASE.
func screaming(names ...string) string { return strings.ToUpper(strings.Join(names, "_")) }

// longestName limits the length of names, because an earlier file is untrusted input.
const longestName = 120

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// isName reports whether a text is a valid name in lower snake case.
func isName(text string) bool { return len(text) <= longestName && nameForm.MatchString(text) }

// newName derives a name from a text. If no character of the text is usable, it returns otherwise.
func newName(text, otherwise string) string {
	words := strings.FieldsFunc(code.Word(text, otherwise), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	name := strings.Join(words, "_")
	if !isName(name) {
		return otherwise
	}
	return name
}

// reserved contains names that are invalid as TypeScript identifiers, or would shadow built-in names.
var reserved = wordSet(
	`abstract any arguments as async await bigint boolean break case catch class const continue
		debugger declare default delete do else enum eval export extends false finally for from
		function get if implements import in infinity instanceof interface is keyof let module
		namespace nan never new null number object of package private protected public readonly
		require return set static string super switch symbol this throw true try type typeof undefined
		unique unknown var void while with yield constructor proto prototype`,
)

// wordSet returns the words of a text as a set.
func wordSet(text string) map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		words[word] = true
	}
	return words
}
