package testserver

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// translations are the translations of a survey or of one of its questions while they
// are checked.
type translations struct {
	// attr is the field that a fault is in, what the beginning of a sentence about it.
	attr, what string
	base       string
	// stored are those that are there: their keys are left alone, even bad ones.
	stored json.RawMessage
	// text names a translation in a sentence, by its language as it was sent.
	text func(language string) string
	// clean checks the texts of one language and returns those it knows.
	clean func(language string, texts rawjson.Pairs) (rawjson.Pairs, *field.Failure)
}

func (t *translations) refuse(format string, args ...any) *field.Failure {
	return field.Invalid("invalid_input", t.attr, fmt.Sprintf(format, args...))
}

// check brings the languages into their form and drops those without a text.
func (t *translations) check(raw json.RawMessage) (rawjson.Pairs, *field.Failure) {
	kept := rawjson.Pairs{}
	// indexes are those of the translations in kept, taken their languages: looking through kept
	// for each of thousands takes minutes.
	indexes, taken := map[string]int{}, map[string]bool{}
	var stored rawjson.Fields
	if rawjson.IsObject(t.stored) {
		stored = rawjson.Members(t.stored)
	}

	for _, m := range rawjson.PairsOf(raw) {
		if !rawjson.IsObject(m.Value) {
			return nil, t.refuse("%s must be an object", t.text(m.Name))
		}

		texts, f := t.clean(m.Name, rawjson.PairsOf(m.Value))
		if f != nil {
			return nil, f
		}
		if len(texts) == 0 {
			continue
		}

		name := m.Name
		if stored[name] == nil {
			if name, f = t.language(m.Name, taken); f != nil {
				return nil, f
			}
		}

		taken[languageCode(name)] = true
		if index, known := indexes[name]; known {
			kept[index].Value = texts.JSON()
			continue
		}
		indexes[name] = len(kept)
		kept = append(kept, rawjson.Member{Name: name, Value: texts.JSON()})
	}
	return kept, nil
}

// language is the form of a new language code; taken are those of the others.
func (t *translations) language(sent string, taken map[string]bool) (string, *field.Failure) {
	code := languageCode(sent)
	switch {
	case code == "":
		return "", t.refuse("%s: translation language code cannot be empty.", t.what)
	case slices.Contains(languageWords, code):
		return "", t.refuse("%s: '%s' is not a valid translation language. The untranslated text is the original — "+
			"set the survey's base language instead of adding it as a translation.", t.what, sent)
	case !languageForm.MatchString(code):
		return "", t.refuse("%s: '%s' is not a valid language code. Use BCP-47 codes like 'en', 'es', or 'es-MX' "+
			"(not language names like '%s').", t.what, sent, sent)
	case code == t.base:
		return "", t.refuse("%s: '%s' matches the survey's base language ('%s'). The original text already covers "+
			"this language — translate to a different language.", t.what, sent, t.base)
	case taken[code]:
		return "", t.refuse("%s: '%s' collides with another translation for '%s'.", t.what, sent, code)
	}
	return code, nil
}

// surveyTexts are the texts of a survey that can be translated, questionTexts those of
// a question, besides its link and choices.
var (
	surveyTexts   = []string{"name", "description", "thankYouMessageHeader", "thankYouMessageDescription", "thankYouMessageCloseButtonText"}
	questionTexts = []string{"question", "description", "buttonText", "lowerBoundLabel", "upperBoundLabel"}
)

// checkTranslations checks the translations of a survey.
func (w *surveyWrite) checkTranslations(raw json.RawMessage) (json.RawMessage, *field.Failure) {
	if rawjson.IsNull(raw) {
		return raw, nil
	}
	if !rawjson.IsObject(raw) {
		return nil, field.Invalid("invalid_input", "translations", "Translations must be an object")
	}

	t := &translations{attr: "translations", what: "Survey translation", base: w.baseLanguage()}
	if w.before != nil {
		t.stored = w.before.HostedValue("translations")
	}

	t.text = func(language string) string { return "Translation for '" + language + "'" }
	t.clean = func(language string, texts rawjson.Pairs) (rawjson.Pairs, *field.Failure) {
		return cleanTexts(texts, surveyTexts, func(field string) *field.Failure {
			return t.refuse("Translation for '%s': '%s' must be a string", language, field)
		})
	}

	kept, f := t.check(raw)
	if f != nil {
		return nil, f
	}
	return kept.JSON(), nil
}

// cleanTexts keeps the fields that are known and cleans them.
func cleanTexts(texts rawjson.Pairs, known []string, refuse func(field string) *field.Failure) (rawjson.Pairs, *field.Failure) {
	var kept rawjson.Pairs
	for _, name := range known {
		value := texts.Get(name)
		switch {
		case value == nil:
		case !rawjson.IsString(value):
			return nil, refuse(name)
		default:
			kept = kept.With(name, cleanText(value))
		}
	}
	return kept, nil
}

// checkTranslations checks the translations of a question against its choices.
func (q *question) checkTranslations() *field.Failure {
	raw := q.Get("translations")
	if raw == nil {
		return nil
	}

	what := fmt.Sprintf("Question %d", q.index+1)
	if !rawjson.IsObject(raw) {
		return refusedQuestions(what + ": translations must be an object")
	}

	t := &translations{attr: "questions", what: what + " translation", base: q.write.baseLanguage(), stored: q.storedTranslations()}
	t.text = func(language string) string { return what + ": Translation for '" + language + "'" }
	t.clean = func(language string, texts rawjson.Pairs) (rawjson.Pairs, *field.Failure) {
		return cleanQuestionTexts(t, what, language, texts)
	}

	kept, f := t.check(raw)
	if f != nil {
		return f
	}

	own, choicesOfOwn := q.Get("choices"), 0
	if rawjson.IsArray(own) {
		choicesOfOwn = len(rawjson.List(own))
	}
	for i, m := range kept {
		texts := rawjson.PairsOf(m.Value)
		choices := texts.Get("choices")
		switch {
		case choices == nil:
		case !rawjson.IsArray(own):
			kept[i].Value = texts.Without("choices").JSON()
		case len(rawjson.List(choices)) != choicesOfOwn:
			return refusedQuestions(fmt.Sprintf("%s: Translation '%s' has %d choices but question has %d choices. "+
				"Array lengths must match to avoid partial translations.", what, m.Name, len(rawjson.List(choices)), choicesOfOwn))
		}
	}

	q.set("translations", kept.JSON())
	return nil
}

func cleanQuestionTexts(t *translations, what, language string, texts rawjson.Pairs) (rawjson.Pairs, *field.Failure) {
	refuse := func(field string) *field.Failure {
		return t.refuse("%s: Translation '%s' field '%s' must be a string", what, language, field)
	}
	kept, f := cleanTexts(texts, questionTexts, refuse)
	if f != nil {
		return nil, f
	}

	// A link of no value counts as absent, whatever its type.
	if link := texts.Get("link"); python.IsTruthy(link) {
		if !rawjson.IsString(link) {
			return nil, refuse("link")
		}
		cleaned, f := cleanLink(link)
		if f != nil {
			return nil, f
		}
		kept = kept.With("link", cleaned)
	}

	if choices := texts.Get("choices"); choices != nil {
		if !rawjson.IsArray(choices) {
			return nil, t.refuse("%s: Translation '%s' field 'choices' must be a list of strings", what, language)
		}
		cleaned, f := cleanChoices(choices)
		if f != nil {
			return nil, f
		}
		kept = kept.With("choices", cleaned)
	}

	return kept, nil
}

// storedTranslations are those of the question that is stored at the same index.
func (q *question) storedTranslations() json.RawMessage {
	stored := q.write.storedQuestions()
	if q.index >= len(stored) {
		return nil
	}
	return rawjson.Members(stored[q.index])["translations"]
}

// storedQuestions are the questions of the survey before the request. They are taken apart
// once: thousands of questions ask for them.
func (w *surveyWrite) storedQuestions() []json.RawMessage {
	if w.questions != nil || w.before == nil {
		return w.questions
	}
	w.questions = []json.RawMessage{}
	stored := w.before.HostedValue("questions")
	if !rawjson.IsArray(stored) {
		return w.questions
	}
	for _, other := range rawjson.Items(stored) {
		// The service counts objects alone.
		if rawjson.IsObject(other) {
			w.questions = append(w.questions, other)
		}
	}
	return w.questions
}
