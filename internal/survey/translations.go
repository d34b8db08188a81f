package survey

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// Texts that the service keeps in translations: of a survey, and of a question.
var (
	SurveyTexts   = []string{"name", "description", "thankYouMessageHeader", "thankYouMessageDescription", "thankYouMessageCloseButtonText"}
	QuestionTexts = []string{"question", "description", "buttonText", "link", "lowerBoundLabel", "upperBoundLabel", choicesText}
)

const choicesText = "choices"

// CanonicalLanguage is the form in which the service stores a language code.
func CanonicalLanguage(code string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(code)), "_", "-")
}

// SameTranslations reports whether the service makes stored translations of configured ones. A text
// that is not known here makes a difference: a newer service may keep it.
func SameTranslations(stored, configured string) bool {
	return SameJSONMarkup(stored, storedTranslations(stored, configured, func(string) bool { return true }))
}

// translatable are the texts that the service keeps in translations of the question.
func (q Question) translatable() []string {
	if q.Choices.IsNull() {
		return slices.DeleteFunc(slices.Clone(QuestionTexts), func(name string) bool { return name == choicesText })
	}
	return QuestionTexts
}

// storedTranslations is what the service makes of configured translations: it spells languages
// in its own way, and drops texts that it does not know, and languages without any. What it
// has stored it keeps: then it has come to know a text.
func storedTranslations(stored, configured string, isKnown func(text string) bool) string {
	storedTexts, _ := decode[map[string]map[string]any]([]byte(stored))
	configuredTexts, isObject := decode[map[string]map[string]json.RawMessage]([]byte(configured))
	if !isObject || configuredTexts == nil {
		return configured
	}

	spelled := map[string]string{}
	for _, code := range slices.Sorted(maps.Keys(storedTexts)) {
		spelled[CanonicalLanguage(code)] = code
	}
	result := map[string]map[string]json.RawMessage{}
	for code, translated := range configuredTexts {
		language := code
		if _, isHeld := storedTexts[code]; !isHeld {
			language = CanonicalLanguage(code)
			if spelling, isSpelled := spelled[language]; isSpelled {
				language = spelling
			}
		}
		if result[language] != nil {
			return configured // two spellings of one language, which the checks refuse
		}

		maps.DeleteFunc(translated, func(name string, text json.RawMessage) bool {
			_, isHeld := storedTexts[language][name]
			isLeftOut := name == "link" && jsonvalue.IsEmpty(jsonvalue.Text(text))
			return !isHeld && (isLeftOut || !isKnown(name))
		})
		if _, isHeld := storedTexts[language]; isHeld || len(translated) > 0 {
			result[language] = translated
		}
	}

	raw, err := json.Marshal(result)
	if err != nil {
		return configured
	}
	return string(raw)
}

// keepStoredTexts is configured translations as the service stores them in the place of others, without
// texts that are not known; as they are where there are none.
func keepStoredTexts(configured, stored jsontypes.Normalized, texts []string) jsontypes.Normalized {
	if !attribute.IsKnown(configured) || stored.IsNull() {
		return configured
	}
	return jsontypes.NewNormalizedValue(storedTranslations(stored.ValueString(), configured.ValueString(), func(text string) bool {
		return slices.Contains(texts, text)
	}))
}
