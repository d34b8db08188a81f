package check

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// languageCode is the part of BCP 47 that PostHog validates.
var languageCode = regexp.MustCompile(`^[a-z]{2,3}(-[a-z0-9]{2,8})*$`)

const (
	longestLanguage = 20
	defaultLanguage = "en"
)

// checkLanguages checks the base language and the languages of translations.
func checkLanguages(s candidate, findings *Findings) {
	base := survey.CanonicalLanguage(s.BaseLanguage.ValueString())
	switch {
	case !attribute.IsKnown(s.BaseLanguage) || base == "":
		base = ""
	case !isLanguage(base):
		findings.errorf(atAttribute("base_language"), notLanguage, "is %q. %s", s.BaseLanguage.ValueString(), languageHint)
	}
	if s.BaseLanguage.IsNull() {
		base = defaultLanguage
	}
	checkTranslations(atAttribute("translations"), s.Translations, survey.SurveyTexts, base, findings)

	for i, question := range s.Questions.List() {
		p := atQuestion(i).attribute("translations")
		checkTranslations(p, question.Translations, survey.QuestionTexts, base, findings)
		checkTranslatedChoices(p, question, findings)
	}
}

// checkTranslatedChoices requires that a translation contains all choices or none.
func checkTranslatedChoices(p location, q survey.Question, findings *Findings) {
	languages := objectKeys(q.Translations)
	choices := len(q.Choices.Elements())
	if !attribute.IsKnown(q.Choices) || choices == 0 {
		return
	}
	for _, code := range slices.Sorted(maps.Keys(languages)) {
		texts, _ := languages[code].(map[string]any)
		if list, ok := texts["choices"].([]any); ok && len(list) != choices {
			findings.errorf(p.key(code).key("choices"), translatedChoices,
				"has %d items, but the question has %d choices. Translate every choice, in the same order.", len(list), choices)
		}
	}
}

const languageHint = "Use a code of at most 20 characters, such as en, pt-BR, or zh-Hant: the language, then a hyphen and the region or script."

func isLanguage(code string) bool {
	return len(code) <= longestLanguage && languageCode.MatchString(code)
}

// checkTranslations checks an object that contains texts by language.
func checkTranslations(p location, translations jsontypes.Normalized, texts []string, base string, findings *Findings) {
	languages, ok := decodedObject(p, translations, findings)
	if !ok {
		return
	}

	spelled := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(languages)) {
		spot, code := p.key(key), survey.CanonicalLanguage(key)

		first, twice := spelled[code]
		switch {
		case slices.Contains([]string{"default", "original", "base"}, code):
			findings.errorf(spot, notLanguage, "is not a language. The survey itself contains the text in its base language. Use a language code, such as de.")
		case !isLanguage(code):
			findings.errorf(spot, notLanguage, "is not a language code. %s", languageHint)
		case code == base:
			findings.errorf(spot, translatedIntoBase, "is the base language. The survey itself contains the text in this language.")
		case twice:
			findings.errorf(spot, duplicateLanguage, "is the same language as %q, because case and underscores do not matter.", first)
		}
		spelled[code] = key

		mapShape(anyShape).check(spot, languages[key], findings)
		translated, _ := languages[key].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(translated)) {
			checkTranslatedText(spot.key(name), name, translated[name], texts, findings)
		}
	}
}

// checkTranslatedText checks a text in a translation. PostHog silently drops unknown texts.
func checkTranslatedText(p location, name string, text any, texts []string, findings *Findings) {
	switch {
	case text == nil && name == "link": // PostHog treats it as no link
	case !slices.Contains(texts, name):
		findings.warnf(p, droppedTranslation, "is not a text that PostHog stores in translations, so PostHog drops it. It stores %s.", strings.Join(texts, ", "))
	case name == "choices":
		listShape(strictStringShape)(p, text, findings)
	default:
		strictStringShape(p, text, findings)
	}
}
