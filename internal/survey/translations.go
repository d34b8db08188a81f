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

// The texts in a survey's and a question's translations.
var (
	SurveyTexts   = []string{"name", "description", "thankYouMessageHeader", "thankYouMessageDescription", "thankYouMessageCloseButtonText"}
	QuestionTexts = []string{"question", "description", "buttonText", "link", "lowerBoundLabel", "upperBoundLabel", choicesText}
)

const choicesText = "choices"

// CanonicalLanguage returns a language code in the form that PostHog stores.
func CanonicalLanguage(code string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(code)), "_", "-")
}

// SameTranslations reports whether PostHog normalizes the configured translations to the stored ones. It counts
// unknown texts as a difference, because a newer PostHog version may store them.
func SameTranslations(stored, configured string) bool {
	return SameJSONMarkup(stored, storedTranslations(stored, configured, func(string) bool { return true }))
}

// translatable returns the names of the question's texts that PostHog stores in translations.
func (q Question) translatable() []string {
	if q.Choices.IsNull() {
		return slices.DeleteFunc(slices.Clone(QuestionTexts), func(name string) bool { return name == choicesText })
	}
	return QuestionTexts
}

// storedTranslations returns configured translations as PostHog would store them. PostHog normalizes language codes,
// and drops unknown texts and languages without texts. A text that is already stored is kept, because this PostHog
// version supports it.
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
			return configured // two forms of the same language code, which the checks reject
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

// keepStoredTexts returns configured translations as PostHog would store them over the stored ones, without unknown
// texts. It returns them unchanged if no translations are stored.
func keepStoredTexts(configured, stored jsontypes.Normalized, texts []string) jsontypes.Normalized {
	if !attribute.IsKnown(configured) || stored.IsNull() {
		return configured
	}
	return jsontypes.NewNormalizedValue(storedTranslations(stored.ValueString(), configured.ValueString(), func(text string) bool {
		return slices.Contains(texts, text)
	}))
}
