package survey

import (
	"maps"
	"regexp"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
)

// languageCode is as much of BCP 47 as the service asks for.
var languageCode = regexp.MustCompile(`^[a-z]{2,3}(-[a-z0-9]{2,8})*$`)

const (
	longestLanguage = 20
	defaultLanguage = "en"
)

var (
	surveyTexts = keys{
		"name": onlyText, "thankYouMessageHeader": onlyText, "thankYouMessageDescription": onlyText, "thankYouMessageCloseButtonText": onlyText,
	}
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
	case !isKnown(s.BaseLanguage) || base == "":
		base = ""
	case !isLanguage(base):
		found.wrong(at("base_language"), "Not a language code", "is %q. %s", s.BaseLanguage.ValueString(), languageHint)
	}
	if s.BaseLanguage.IsNull() {
		base = defaultLanguage
	}
	checkTranslations(at("translations"), s.Translations, surveyTexts, base, found)
	for i, question := range s.list {
		checkTranslations(atQuestion(i).attribute("translations"), question.Translations, questionTexts, base, found)
	}
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
