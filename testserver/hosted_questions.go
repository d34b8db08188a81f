package testserver

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// refusedQuestions is an error in questions.
func refusedQuestions(detail string) *field.Failure {
	return field.Invalid("invalid_input", "questions", detail)
}

// checkQuestions makes the few checks of the service, and cleans the texts of questions.
// Unknown keys are kept.
func (w *surveyWrite) checkQuestions(raw json.RawMessage) (json.RawMessage, *field.Failure) {
	if rawjson.IsNull(raw) {
		return raw, nil
	}
	if !rawjson.IsArray(raw) {
		return nil, refusedQuestions("Questions must be a list of objects")
	}

	questions := rawjson.List(raw)
	for i, item := range questions {
		if !rawjson.IsObject(item) {
			return nil, refusedQuestions("Questions must be a list of objects")
		}

		q := &question{Pairs: rawjson.PairsOf(item), index: i, write: w}
		for _, check := range []func() *field.Failure{
			q.checkTexts, q.checkChoices, q.checkContentType, q.checkTranslations, q.checkLink, q.checkRules,
		} {
			if f := check(); f != nil {
				return nil, f
			}
		}

		questions[i] = q.JSON()
	}
	return rawjson.Array(questions), nil
}

// question is a question while it is checked.
type question struct {
	rawjson.Pairs
	// index is the index of the question.
	index int
	write *surveyWrite
}

func (q *question) set(name string, value json.RawMessage) { q.Pairs = q.With(name, value) }

func (q *question) checkTexts() *field.Failure {
	if !python.IsTruthy(q.Get("question")) {
		return refusedQuestions("Question text is required")
	}
	for _, text := range []struct{ name, said string }{
		{"question", "text"}, {"description", "description"}, {"buttonText", "buttonText"},
		{"lowerBoundLabel", "lowerBoundLabel"}, {"upperBoundLabel", "upperBoundLabel"},
	} {
		value := q.Get(text.name)
		switch {
		case !python.IsTruthy(value):
		case !rawjson.IsString(value):
			return refusedQuestions("Question " + text.said + " must be a string")
		default:
			q.set(text.name, cleanText(value))
		}
	}
	return nil
}

func (q *question) checkChoices() *field.Failure {
	choices := q.Get("choices")
	if !python.IsTruthy(choices) {
		return nil
	}
	if !rawjson.IsArray(choices) {
		return refusedQuestions("Question choices must be a list of strings")
	}
	cleaned, f := cleanChoices(choices)
	if f == nil {
		q.set("choices", cleaned)
	}
	return f
}

func cleanChoices(raw json.RawMessage) (json.RawMessage, *field.Failure) {
	choices := rawjson.List(raw)
	for i, choice := range choices {
		switch {
		case !rawjson.IsString(choice):
			return nil, refusedQuestions("Question choices must be strings")
		case python.Trim(rawjson.Unquote(choice)) == "":
			return nil, refusedQuestions("Question choices cannot be empty")
		}
		choices[i] = cleanText(choice)
	}
	return rawjson.Array(choices), nil
}

func (q *question) checkContentType() *field.Failure {
	if kind := q.Get("descriptionContentType"); python.IsTruthy(kind) && !isContentType(kind) {
		return refusedQuestions("Question descriptionContentType must be one of ['text', 'html']")
	}
	return nil
}

func (q *question) checkLink() *field.Failure {
	link := q.Get("link")
	switch {
	case !python.IsTruthy(link):
		return nil
	case !rawjson.IsString(link):
		return refusedQuestions(fmt.Sprintf("Question %d: link must be a string", q.index+1))
	}
	cleaned, f := cleanLink(link)
	if f == nil {
		q.set("link", cleaned)
	}
	return f
}

var (
	schemeForm = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+.-]*:`)
	mailtoForm = regexp.MustCompile(`^mailto:[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}\n?$`)
)

// cleanLink checks a link of any kind of question.
func cleanLink(raw json.RawMessage) (json.RawMessage, *field.Failure) {
	if f := checkLink(rawjson.Unquote(raw)); f != nil {
		return nil, f
	}
	return cleanText(raw), nil
}

// checkLink checks a link by its scheme. Blanks before the scheme are ignored, except
// where the form of an address is compared.
func checkLink(link string) *field.Failure {
	address := strings.TrimLeftFunc(link, func(r rune) bool { return r <= ' ' })
	switch strings.ToLower(strings.TrimSuffix(schemeForm.FindString(address), ":")) {
	case "mailto":
		if !mailtoForm.MatchString(link) {
			return refusedQuestions("Invalid mailto link. Please enter a valid mailto link (e.g., mailto:example@domain.com).")
		}
	case "https":
		host := hostOf(address)
		if strings.Contains(host, "[") != strings.Contains(host, "]") {
			// It is parsed as the beginning of an IPv6 address in brackets, and fails.
			return field.ServerError()
		}
		if host == "" {
			return refusedQuestions("Invalid HTTPS URL. Please enter a valid HTTPS link.")
		}
	default:
		return refusedQuestions("Link must be a URL with one of these schemes: [https, mailto]")
	}
	return nil
}

// hostOf is the text between the two slashes after the scheme and the next sign that
// ends a host.
func hostOf(link string) string {
	_, rest, _ := strings.Cut(link, ":")
	rest, ok := strings.CutPrefix(rest, "//")
	if !ok {
		return ""
	}
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	return rest
}

// ruleTypes are the types of validation rules for answers.
var ruleTypes = []string{"min_length", "max_length", "email"}

func (q *question) checkRules() *field.Failure {
	rules := q.Get("validation")
	if rawjson.IsNull(rules) {
		return nil
	}
	if !rawjson.IsArray(rules) {
		return refusedQuestions("Question validation must be a list of validation rules")
	}

	bounds := map[string]json.RawMessage{}
	for _, raw := range rawjson.Items(rules) {
		if !rawjson.IsObject(raw) {
			return refusedQuestions("Each validation rule must be an object")
		}

		rule := rawjson.Members(raw)
		kind, value := rawjson.Unquote(rule["type"]), rule["value"]

		if !slices.Contains(ruleTypes, kind) {
			return refusedQuestions("Validation rule type must be one of: " + strings.Join(ruleTypes, ", "))
		}
		if kind != "email" && !rawjson.IsNull(value) && !isPositiveInteger(value) {
			return refusedQuestions(fmt.Sprintf("Validation rule value for %s must be a positive integer", kind))
		}

		if _, known := bounds[kind]; !known {
			bounds[kind] = value
		}
	}

	least, most := bounds["min_length"], bounds["max_length"]
	if !rawjson.IsNull(least) && !rawjson.IsNull(most) {
		a, _ := python.Number(least)
		b, _ := python.Number(most)
		if a > b {
			return refusedQuestions("Minimum length cannot be greater than maximum length")
		}
	}
	return nil
}

// isPositiveInteger reports whether a value is an integer above 0 to Python, to which
// true is 1.
func isPositiveInteger(raw json.RawMessage) bool {
	n, _ := python.Number(raw)
	return n > 0 && (string(raw) == "true" || python.TypeName(raw) == "int")
}
