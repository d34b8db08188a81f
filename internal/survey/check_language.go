package survey

import (
	"maps"
	"regexp"
	"slices"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// languageCode is as much of BCP 47 as the service asks for.
var languageCode = regexp.MustCompile(`^[a-z]{2,3}(-[a-z0-9]{2,8})*$`)

const (
	longestLanguage = 20
	defaultLanguage = "en"
)

var (
	surveyTexts = keys{
		"name": onlyText, "description": onlyText, "thankYouMessageHeader": onlyText, "thankYouMessageDescription": onlyText, "thankYouMessageCloseButtonText": onlyText,
	}
	// droppedTexts are those that SDKs can translate and the service does not keep.
	droppedTexts = []string{"introScreenHeader", "introScreenDescription", "introScreenButtonText", "submitButtonText", "backButtonText"}

	questionTexts = keys{
		"question": onlyText, "description": onlyText, "buttonText": onlyText, "link": onlyText,
		"lowerBoundLabel": onlyText, "upperBoundLabel": onlyText, "choices": listOf(onlyText),
	}
)

// checkLanguages checks the language of the texts, and the languages that they are
// translated to.
func checkLanguages(s subject, found *findings) {
	base := canonicalLanguage(s.BaseLanguage.ValueString())
	switch {
	case !attribute.IsKnown(s.BaseLanguage) || base == "":
		base = ""
	case !isLanguage(base):
		found.wrong(at("base_language"), "Not a language code", "is %q. %s", s.BaseLanguage.ValueString(), languageHint)
	}
	if s.BaseLanguage.IsNull() {
		base = defaultLanguage
	}
	checkTranslations(at("translations"), s.Translations, surveyTexts, base, found)
	checkDroppedTexts(s, found)

	for i, question := range s.list {
		p := atQuestion(i).attribute("translations")
		checkTranslations(p, question.Translations, questionTexts, base, found)
		checkTranslatedChoices(p, question, found)
	}
}

// checkDroppedTexts looks for translations that the service drops without a word.
func checkDroppedTexts(s subject, found *findings) {
	v, _ := decoded(s.Translations)
	languages, _ := v.(map[string]any)
	for _, code := range slices.Sorted(maps.Keys(languages)) {
		texts, _ := languages[code].(map[string]any)
		for _, key := range droppedTexts {
			if texts[key] != nil {
				found.odd(at("translations").key(code).key(key), "Translation is dropped", "is a text that the service drops from translations.")
			}
		}
	}
}

// checkTranslatedChoices wants a translation of every choice, or of none.
func checkTranslatedChoices(p place, q Question, found *findings) {
	v, _ := decoded(q.Translations)
	languages, _ := v.(map[string]any)
	choices := len(q.Choices.Elements())
	if !attribute.IsKnown(q.Choices) || choices == 0 {
		return
	}
	for _, code := range slices.Sorted(maps.Keys(languages)) {
		texts, _ := languages[code].(map[string]any)
		if list, ok := texts["choices"].([]any); ok && len(list) != choices {
			found.wrong(p.key(code).key("choices"), "Translated choices do not match",
				"has %s, and the question has %d choices. Translate each of them, in their order.", elements(len(list)), choices)
		}
	}
}

func elements(n int) string {
	if n == 1 {
		return "1 element"
	}
	return strconv.Itoa(n) + " elements"
}

const languageHint = "It must be a code such as en, pt-BR or zh-Hant: language, then region or script after a hyphen, 20 characters at most."

func isLanguage(code string) bool {
	return len(code) <= longestLanguage && languageCode.MatchString(code)
}

// checkTranslations checks an object of texts by language.
func checkTranslations(p place, translations jsontypes.Normalized, texts keys, base string, found *findings) {
	languages, ok := decodedObject(p, translations, found)
	if !ok {
		return
	}
	spelled := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(languages)) {
		spot, code := p.key(key), canonicalLanguage(key)
		first, twice := spelled[code]
		switch {
		case slices.Contains([]string{"default", "original", "base"}, code):
			found.wrong(spot, "Not a language code", "is no language: the texts that are not translated stand in the survey itself. Use the code of a language, such as de.")
		case !isLanguage(code):
			found.wrong(spot, "Not a language code", "is no language code. %s", languageHint)
		case code == base:
			found.wrong(spot, "Translation into the base language", "is the base language, whose texts stand in the survey itself.")
		case twice:
			found.wrong(spot, "Duplicate language", "is the same language as %q: capitals and underscores make no difference.", first)
		}
		spelled[code] = key
		shape(texts.shape).check(spot, languages[key], found)
	}
}
