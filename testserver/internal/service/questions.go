package service

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// refusedQuestions returns an error for the field questions.
func refusedQuestions(format string, args ...any) *wire.Failure {
	return wire.Refusal("questions", format, args...)
}

// checkQuestions performs the few checks that PostHog performs, and cleans the texts of questions. It keeps unknown
// keys.
func (w *Write) checkQuestions(questions wire.Value) (wire.Value, *wire.Failure) {
	if questions.IsNull() {
		return questions, nil
	}
	var checked []wire.Value
	for i, item := range questions.Items() {
		q := &question{Value: item, index: i, write: w}
		f := wire.FirstFailure(q.checkTexts, q.checkChoices, q.checkContentType, q.checkTranslations, q.checkLink, q.checkRules)
		if f != nil {
			return questions, f
		}
		checked = append(checked, q.Value)
	}
	return wire.NewArray(checked...), nil
}

// question is a question that is being checked.
type question struct {
	wire.Value
	// index is the position of the question.
	index int
	write *Write
}

func (q *question) set(name string, value wire.Value) { q.Value = q.With(name, value) }

func (q *question) checkTexts() *wire.Failure {
	if !q.Get("question").IsTruthy() {
		return refusedQuestions("Question text is required")
	}
	for _, name := range questionTexts {
		switch value := q.Get(name); {
		case !value.IsTruthy():
		case !value.IsText():
			return refusedQuestions("Question %s must be a string", strings.Replace(name, "question", "text", 1))
		default:
			q.set(name, cleanText(value))
		}
	}
	return nil
}

func (q *question) checkChoices() *wire.Failure {
	choices := q.Get("choices")
	switch {
	case !choices.IsTruthy():
		return nil
	case !choices.IsArray():
		return refusedQuestions("Question choices must be a list of strings")
	}
	cleaned, f := cleanChoices(choices)
	if f == nil {
		q.set("choices", cleaned)
	}
	return f
}

func cleanChoices(choices wire.Value) (wire.Value, *wire.Failure) {
	var cleaned []wire.Value
	for _, choice := range choices.Items() {
		switch {
		case !choice.IsText():
			return choices, refusedQuestions("Question choices must be strings")
		case strings.TrimSpace(choice.Text()) == "":
			return choices, refusedQuestions("Question choices cannot be empty")
		}
		cleaned = append(cleaned, cleanText(choice))
	}
	return wire.NewArray(cleaned...), nil
}

func (q *question) checkContentType() *wire.Failure {
	if kind := q.Get("descriptionContentType"); kind.IsTruthy() && !isContentType(kind) {
		return refusedQuestions("Question descriptionContentType must be one of ['text', 'html']")
	}
	return nil
}

func (q *question) checkLink() *wire.Failure {
	link := q.Get("link")
	switch {
	case !link.IsTruthy():
		return nil
	case !link.IsText():
		return refusedQuestions("Question %d: link must be a string", q.index+1)
	}
	f := checkLink(link.Text())
	if f == nil {
		q.set("link", cleanText(link))
	}
	return f
}

var (
	schemeForm = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+.-]*:`)
	mailtoForm = regexp.MustCompile(`^mailto:[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}\n?$`)
)

// checkLink checks the link of a question by its scheme. It ignores spaces before the scheme, except in a
// mailto link.
func checkLink(link string) *wire.Failure {
	address := strings.TrimLeftFunc(link, func(r rune) bool { return r <= ' ' })
	switch strings.ToLower(strings.TrimSuffix(schemeForm.FindString(address), ":")) {
	case "mailto":
		if !mailtoForm.MatchString(link) {
			return refusedQuestions("Invalid mailto link. Please enter a valid mailto link (e.g., mailto:example@domain.com).")
		}
	case "https":
		host := linkHost(address)
		if strings.Contains(host, "[") != strings.Contains(host, "]") {
			// Python parses this as an incomplete IPv6 address and fails.
			return wire.ServerError()
		}
		if host == "" {
			return refusedQuestions("Invalid HTTPS URL. Please enter a valid HTTPS link.")
		}
	default:
		return refusedQuestions("Link must be a URL with one of these schemes: [https, mailto]")
	}
	return nil
}

// linkHost returns the host of a URL: the text after // up to the next character that ends a host.
func linkHost(link string) string {
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

// ruleTypes are the types of answer validation rules.
var ruleTypes = []string{"min_length", "max_length", "email"}

func (q *question) checkRules() *wire.Failure {
	rules := q.Get("validation")
	if !rules.IsNull() && !rules.IsArray() {
		return refusedQuestions("Question validation must be a list of validation rules")
	}

	bounds := map[string]wire.Value{}
	for _, rule := range rules.Items() {
		kind, value := rule.Get("type").Text(), rule.Get("value")
		switch {
		case !rule.IsObject():
			return refusedQuestions("Each validation rule must be an object")
		case !slices.Contains(ruleTypes, kind):
			return refusedQuestions("Validation rule type must be one of: %s", strings.Join(ruleTypes, ", "))
		case kind != "email" && !value.IsNull() && !isPositiveInteger(value):
			return refusedQuestions("Validation rule value for %s must be a positive integer", kind)
		}
		if _, isKnown := bounds[kind]; !isKnown {
			bounds[kind] = value
		}
	}

	least, hasLeast := bounds["min_length"].Number()
	maximum, hasMost := bounds["max_length"].Number()
	if hasLeast && hasMost && least > maximum {
		return refusedQuestions("Minimum length cannot be greater than maximum length")
	}
	return nil
}

// isPositiveInteger reports whether PostHog treats a value as an integer above 0. In Python, true is 1.
func isPositiveInteger(v wire.Value) bool {
	n, _ := v.Number()
	return n > 0 && (v.Is("true") || v.Type() == "int")
}

// checkTranslations checks the translations of a question against its choices.
func (q *question) checkTranslations() *wire.Failure {
	input, label := q.Get("translations"), fmt.Sprintf("Question %d", q.index+1)
	switch {
	case input.IsAbsent():
		return nil
	case !input.IsObject():
		return refusedQuestions("%s: translations must be an object", label)
	}

	t := &translations{
		attr: "questions", what: label + " translation", prefix: label + ": ", base: q.write.baseLanguage(), stored: q.storedTranslations(),
		clean: func(language string, texts wire.Value) (wire.Value, *wire.Failure) {
			return cleanQuestionTexts(label, language, texts)
		},
	}
	result, f := t.check(input)
	if f != nil {
		return f
	}

	original := q.Get("choices")
	count := len(original.Items())
	for i, m := range result {
		choices := m.Get("choices")
		switch translated := len(choices.Items()); {
		case choices.IsAbsent():
		case !original.IsArray():
			result[i].Value = m.Without("choices")
		case translated != count:
			return refusedQuestions("%s: Translation '%s' has %d choices but question has %d choices. "+
				"Array lengths must match to avoid partial translations.", label, m.Name, translated, count)
		}
	}
	q.set("translations", wire.NewObject(result...))
	return nil
}

func cleanQuestionTexts(label, language string, texts wire.Value) (wire.Value, *wire.Failure) {
	refuse := func(name string) *wire.Failure {
		return refusedQuestions("%s: Translation '%s' field '%s' must be a string", label, language, name)
	}
	output, f := cleanTexts(texts, questionTexts, refuse)
	if f != nil {
		return output, f
	}

	// PostHog treats a falsy link of any type as missing.
	if link := texts.Get("link"); link.IsTruthy() {
		if !link.IsText() {
			return output, refuse("link")
		}
		if f := checkLink(link.Text()); f != nil {
			return output, f
		}
		output = output.With("link", cleanText(link))
	}

	if choices := texts.Get("choices"); !choices.IsAbsent() {
		if !choices.IsArray() {
			return output, refusedQuestions("%s: Translation '%s' field 'choices' must be a list of strings", label, language)
		}
		cleaned, f := cleanChoices(choices)
		if f != nil {
			return output, f
		}
		output = output.With("choices", cleaned)
	}
	return output, nil
}

// storedTranslations returns the translations of the stored question at the same index. Like PostHog, it
// counts only questions that are objects.
func (q *question) storedTranslations() wire.Value {
	w := q.write
	if w.stored == nil && w.Before != nil {
		w.stored = []wire.Value{}
		for _, candidate := range w.Before.Value("questions").Items() {
			if candidate.IsObject() {
				w.stored = append(w.stored, candidate)
			}
		}
	}
	if q.index >= len(w.stored) {
		return wire.Value{}
	}
	return w.stored[q.index].Get("translations")
}
