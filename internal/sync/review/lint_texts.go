package review

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// translatedTexts are the texts of a question that each of its translations needs, provided
// that the question has them.
var translatedTexts = []struct{ attribute, key string }{
	{"question", "question"}, {"description", "description"}, {"button_text", "buttonText"},
	{"lower_bound_label", "lowerBoundLabel"}, {"upper_bound_label", "upperBoundLabel"},
}

// thankYouTexts are the texts of appearance that a translation of the survey holds.
var thankYouTexts = []string{"thankYouMessageHeader", "thankYouMessageDescription", "thankYouMessageCloseButtonText"}

// incompleteTranslations finds texts without a translation. A language that the survey or
// one of its questions has is needed by all questions.
func incompleteTranslations(s surveyFacts) []string {
	surveyTranslations, _ := s.Attributes["translations"].(map[string]any)
	languages := map[string]bool{}
	for language := range surveyTranslations {
		languages[language] = true
	}
	for _, q := range s.questions {
		for language := range q.Translations {
			languages[language] = true
		}
	}

	var messages []string
	for i, q := range s.questions {
		for _, language := range slices.Sorted(maps.Keys(languages)) {
			for _, text := range q.untranslated(language) {
				messages = append(messages, fmt.Sprintf("questions[%d] %s", i, text))
			}
		}
	}
	for _, language := range slices.Sorted(maps.Keys(languages)) {
		translation, _ := surveyTranslations[language].(map[string]any)
		for _, key := range s.thankYouTexts() {
			if isBlank(translation[key]) {
				messages = append(messages, fmt.Sprintf("appearance.%s is not translated into %q", key, language))
			}
		}
	}
	return messages
}

// untranslated says what a question lacks in a language.
func (q Question) untranslated(language string) []string {
	translation := q.Translations[language]
	var missing []string
	for _, text := range translatedTexts {
		if !isBlank(q.attributes[text.attribute]) && isBlank(translation[text.key]) {
			missing = append(missing, fmt.Sprintf("has no %s in %q", text.key, language))
		}
	}
	if choices, _ := translation["choices"].([]any); len(q.Choices) > 0 && len(choices) != len(q.Choices) {
		missing = append(missing, fmt.Sprintf("has %d choices, and %d in %q", len(q.Choices), len(choices), language))
	}
	return missing
}

// thankYouTexts are the keys of the texts that the survey shows at its end.
func (s surveyFacts) thankYouTexts() []string {
	appearance, _ := s.Attributes["appearance"].(map[string]any)
	if appearance["displayThankYouMessage"] == false {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(thankYouTexts), func(key string) bool { return isBlank(appearance[key]) })
}

func isBlank(value any) bool {
	text, _ := value.(string)
	return strings.TrimSpace(text) == ""
}

var (
	emailAddress = regexp.MustCompile(`(?i)\b[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}\b`)
	// roleAddress matches mailboxes that belong to no person.
	roleAddress = regexp.MustCompile(`(?i)^(info|support|help|hello|contact|feedback|sales|team|privacy|legal|office|press|security|noreply|no-reply)[+@-]`)
)

// internalTexts finds internal hosts and personal e-mail addresses in the texts that
// respondents see.
func internalTexts(s surveyFacts) []string {
	var messages []string
	check := func(path string, value any) {
		eachText(path, value, func(path, text string) {
			if host := internalHostIn(text); host != "" {
				messages = append(messages, fmt.Sprintf("%s names the internal host %s", path, host))
			}
			if address := emailAddress.FindString(text); address != "" && !roleAddress.MatchString(address) {
				messages = append(messages, fmt.Sprintf("%s names the e-mail address %s", path, address))
			}
		})
	}
	for i, q := range s.questions {
		attributes := maps.Clone(q.attributes)
		delete(attributes, "id")
		check(fmt.Sprintf("questions[%d]", i), attributes)
	}
	check("appearance", s.Attributes["appearance"])
	check("translations", s.Attributes["translations"])
	return messages
}

// eachText calls visit for each string in a JSON value, with its path.
func eachText(path string, value any, visit func(path, text string)) {
	switch value := value.(type) {
	case string:
		visit(path, value)
	case []any:
		for i, element := range value {
			eachText(fmt.Sprintf("%s[%d]", path, i), element, visit)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			eachText(path+"."+key, value[key], visit)
		}
	}
}
