package service

import (
	"regexp"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// surveyTexts are the translatable texts of a survey. questionTexts are the translatable texts of a question,
// except its link and choices.
var (
	surveyTexts   = []string{"name", "description", "thankYouMessageHeader", "thankYouMessageDescription", "thankYouMessageCloseButtonText"}
	questionTexts = []string{"question", "description", "buttonText", "lowerBoundLabel", "upperBoundLabel"}
)

// translations checks the translations of a survey or a question.
type translations struct {
	// attr is the field of an error. what and prefix are beginnings of its message.
	attr, what, prefix string
	base               string
	// stored are the stored translations. Their keys are kept unchanged, even if they are invalid.
	stored wire.Value
	// clean checks the texts of one language and returns the known ones.
	clean func(language string, texts wire.Value) (wire.Value, *wire.Failure)
}

// check converts language codes to canonical form, and drops languages without texts.
func (t *translations) check(input wire.Value) ([]wire.Member, *wire.Failure) {
	var result []wire.Member
	// indexes are the positions of the translations in result, and usedCodes are their languages.
	// Searching result for each of thousands of translations would take minutes.
	indexes, usedCodes, stored := map[string]int{}, map[string]bool{}, map[string]bool{}
	for _, m := range t.stored.Members() {
		stored[m.Name] = true
	}

	for _, m := range input.Members() {
		if !m.IsObject() {
			return nil, wire.Refusal(t.attr, "%sTranslation for '%s' must be an object", t.prefix, m.Name)
		}
		texts, f := t.clean(m.Name, m.Value)
		if f != nil {
			return nil, f
		}
		if len(texts.Members()) == 0 {
			continue
		}

		name := m.Name
		if !stored[name] {
			if name, f = t.language(m.Name, usedCodes); f != nil {
				return nil, f
			}
		}
		usedCodes[LanguageCode(name)] = true
		if index, isKnown := indexes[name]; isKnown {
			result[index].Value = texts
			continue
		}
		indexes[name] = len(result)
		result = append(result, wire.Member{Name: name, Value: texts})
	}
	return result, nil
}

// language returns the canonical form of a new language code. usedCodes are the codes of the other
// translations.
func (t *translations) language(name string, usedCodes map[string]bool) (string, *wire.Failure) {
	code := LanguageCode(name)
	switch {
	case code == "":
		return "", wire.Refusal(t.attr, "%s: translation language code cannot be empty.", t.what)
	case slices.Contains(languageWords, code):
		return "", wire.Refusal(t.attr, "%s: '%s' is not a valid translation language. The untranslated text is the original — "+
			"set the survey's base language instead of adding it as a translation.", t.what, name)
	case !languageForm.MatchString(code):
		return "", wire.Refusal(t.attr, "%s: '%s' is not a valid language code. Use BCP-47 codes like 'en', 'es', or 'es-MX' "+
			"(not language names like '%s').", t.what, name, name)
	case code == t.base:
		return "", wire.Refusal(t.attr, "%s: '%s' matches the survey's base language ('%s'). The original text already covers "+
			"this language — translate to a different language.", t.what, name, t.base)
	case usedCodes[code]:
		return "", wire.Refusal(t.attr, "%s: '%s' collides with another translation for '%s'.", t.what, name, code)
	}
	return code, nil
}

// checkTranslations checks the translations of a survey.
func (w *Write) checkTranslations(input wire.Value) (wire.Value, *wire.Failure) {
	if input.IsNull() {
		return input, nil
	}
	t := &translations{
		attr: "translations", what: "Survey translation", base: w.baseLanguage(),
		clean: func(language string, texts wire.Value) (wire.Value, *wire.Failure) {
			return cleanTexts(texts, surveyTexts, func(name string) *wire.Failure {
				return wire.Refusal("translations", "Translation for '%s': '%s' must be a string", language, name)
			})
		},
	}
	if w.Before != nil {
		t.stored = w.Before.Value("translations")
	}
	result, f := t.check(input)
	return wire.NewObject(result...), f
}

// cleanTexts cleans the named texts, and omits all other members.
func cleanTexts(texts wire.Value, names []string, refuse func(name string) *wire.Failure) (wire.Value, *wire.Failure) {
	var result []wire.Member
	for _, name := range names {
		value := texts.Get(name)
		switch {
		case value.IsAbsent():
		case !value.IsText():
			return texts, refuse(name)
		default:
			result = append(result, wire.Member{Name: name, Value: cleanText(value)})
		}
	}
	return wire.NewObject(result...), nil
}

// languageForm matches a language code in lower case.
var languageForm = regexp.MustCompile(`^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$`)

const defaultLanguage = "en"

// languageWords are words that PostHog once accepted as languages by mistake.
var languageWords = []string{"default", "original", "base"}

// LanguageCode returns a language code in the form in which PostHog compares it.
func LanguageCode(s string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(s)), "_", "-")
}

// IsLanguage reports whether a result of [LanguageCode] is a valid language code.
func IsLanguage(code string) bool {
	return !slices.Contains(languageWords, code) && languageForm.MatchString(code)
}

// checkBaseLanguage checks the base language. The default is English.
func checkBaseLanguage(input wire.Value) (wire.Value, *wire.Failure) {
	code := LanguageCode(input.Text())
	switch {
	case code == "":
		return wire.NewText(defaultLanguage), nil
	case slices.Contains(languageWords, code):
		return input, wire.Refusal("base_language", "'%s' is not a valid language code. Use a BCP-47 code like 'en' or 'es'.", input)
	case !languageForm.MatchString(code):
		return input, wire.Refusal("base_language", "'%s' is not a valid language code. Use BCP-47 codes like 'en', 'es', or 'es-MX'.", input)
	}
	return wire.NewText(code), nil
}

// baseLanguage returns the base language that the survey will have after the request.
func (w *Write) baseLanguage() string {
	if code := LanguageCode(w.base.Text()); code != "" {
		return code
	}
	if w.Before != nil {
		if stored := LanguageCode(w.Before.Value("base_language").Text()); stored != "" {
			return stored
		}
	}
	return defaultLanguage
}

// checkLanguages refuses a base language that the survey's translations already contain.
func (w *Write) checkLanguages() *wire.Failure {
	base := w.Sent["base_language"]
	if _, isSent := w.Sent["translations"]; isSent || w.Before == nil || base.IsNull() {
		return nil
	}
	for _, m := range w.Before.Value("translations").Members() {
		if LanguageCode(m.Name) == LanguageCode(base.Text()) {
			return wire.Refusal("base_language", "'%s' already exists as a translation key on this survey. "+
				"Remove the translation first, or pick a different base language.", base)
		}
	}
	return nil
}
