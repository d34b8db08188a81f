package keys

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// Assign gives surveys and their questions names, and sorts the surveys by name. Those that an
// earlier file remembers stay, whatever else has changed. No two names are one identifier in
// any format, nor are the names of a survey and its question joined.
func Assign(surveys []Survey, remembered Names) []Survey {
	a := assignment{taken: map[string]bool{}}
	surveys = slices.Clone(surveys)
	// The older of two surveys has the plain name, so that a new one changes nothing.
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

// assignment is the state of an Assign.
type assignment struct {
	// taken are the names without separators: those of surveys, and those of questions after
	// the name of their survey.
	taken map[string]bool
}

// foldName is a name as identifiers of all cases have it in common.
func foldName(words ...string) string { return strings.ReplaceAll(strings.Join(words, ""), "_", "") }

// take takes a name unless it is taken, or cannot be one.
func (a assignment) take(survey, question string) bool {
	last := cmp.Or(question, survey)
	key := foldName(survey, question)
	if !isName(last) || reserved[foldName(last)] || a.taken[key] {
		return false
	}
	a.taken[key] = true
	return true
}

// remember gives the names of an earlier file back.
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

// name gives names to what has none yet.
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

// free takes the first name that is free: the word, with its noun where the word alone means
// something in a language, with a suffix or a number.
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

// idSuffix is the end of an id, which tells surveys of one name apart.
func idSuffix(id string) string {
	id = foldName(strings.ToLower(strings.ReplaceAll(id, "-", "")))
	return newName("x"+id[max(0, len(id)-6):], "x")
}

// pascal is names in PascalCase, one after the other.
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

// camel is a name in camelCase.
func camel(name string) string {
	text := pascal(name)
	return strings.ToLower(text[:1]) + text[1:]
}

// screaming is names in SCREAMING_SNAKE_CASE.
func screaming(names ...string) string { return strings.ToUpper(strings.Join(names, "_")) }

// longestName bounds a name: that of an earlier file is data.
const longestName = 120

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// isName reports whether a text is a name in code, in lower snake case.
func isName(text string) bool { return len(text) <= longestName && nameForm.MatchString(text) }

// newName is a name made of a text; otherwise for a text of which nothing is left.
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

// reserved are the names that cannot be an identifier of TypeScript, or would hide one.
var reserved = wordSet(
	`abstract any arguments as async await bigint boolean break case catch class const continue
		debugger declare default delete do else enum eval export extends false finally for from
		function get if implements import in infinity instanceof interface is keyof let module
		namespace nan never new null number object of package private protected public readonly
		require return set static string super switch symbol this throw true try type typeof undefined
		unique unknown var void while with yield constructor proto prototype`,
)

// wordSet are the words of a text.
func wordSet(text string) map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		words[word] = true
	}
	return words
}
