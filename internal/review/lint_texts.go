package review

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// translatedTexts are the texts of a question that each of its translations needs where the
// question has them: the key of the translation, by the attribute.
var translatedTexts = []struct{ attribute, key string }{
	{"question", "question"}, {"description", "description"}, {"button_text", "buttonText"},
	{"lower_bound_label", "lowerBoundLabel"}, {"upper_bound_label", "upperBoundLabel"},
}

// thankYouTexts are the texts of appearance that a translation of the survey holds.
var thankYouTexts = []string{"thankYouMessageHeader", "thankYouMessageDescription", "thankYouMessageCloseButtonText"}

// incompleteTranslations finds texts without a translation. A language that one question or
// the survey has, all of them need.
func incompleteTranslations(s surveyFacts) []string {
	ofSurvey, _ := s.Attributes["translations"].(map[string]any)
	languages := map[string]bool{}
	for language := range ofSurvey {
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
		translation, _ := ofSurvey[language].(map[string]any)
		for _, key := range s.thankYouTexts() {
			if isBlank(translation[key]) {
				messages = append(messages, fmt.Sprintf("appearance.%s is not translated into %q", key, language))
			}
		}
	}
	return messages
}

// untranslated is what a question lacks in a language.
func (q Question) untranslated(language string) []string {
	translation := q.Translations[language]
	var lacks []string
	for _, text := range translatedTexts {
		if !isBlank(q.attributes[text.attribute]) && isBlank(translation[text.key]) {
			lacks = append(lacks, fmt.Sprintf("has no %s in %q", text.key, language))
		}
	}
	if choices, _ := translation["choices"].([]any); len(q.Choices) > 0 && len(choices) != len(q.Choices) {
		lacks = append(lacks, fmt.Sprintf("has %d choices, and %d in %q", len(q.Choices), len(choices), language))
	}
	return lacks
}

// thankYouTexts are the keys of the texts that are shown at the end.
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
	internalHost = regexp.MustCompile(`(?i)\b[a-z0-9][a-z0-9.-]*\.(internal|local|corp|lan)\b`)
	emailAddress = regexp.MustCompile(`(?i)\b[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}\b`)
	// role are mailboxes that belong to no person.
	role = regexp.MustCompile(`(?i)^(info|support|help|hello|contact|feedback|sales|team|privacy|legal|office|press|security|noreply|no-reply)[+@-]`)
)

// internalTexts finds what people should not read, in all texts that they do.
func internalTexts(s surveyFacts) []string {
	var messages []string
	look := func(path string, value any) {
		eachText(path, value, func(path, text string) {
			if host := internalHost.FindString(text); host != "" {
				messages = append(messages, fmt.Sprintf("%s names the internal host %s", path, host))
			}
			if address := emailAddress.FindString(text); address != "" && !role.MatchString(address) {
				messages = append(messages, fmt.Sprintf("%s names the e-mail address %s", path, address))
			}
		})
	}
	for i, q := range s.questions {
		attributes := maps.Clone(q.attributes)
		delete(attributes, "id")
		look(fmt.Sprintf("questions[%d]", i), attributes)
	}
	look("appearance", s.Attributes["appearance"])
	look("translations", s.Attributes["translations"])
	return messages
}

// eachText calls a function for each text in a value, with its path.
func eachText(path string, value any, do func(path, text string)) {
	switch value := value.(type) {
	case string:
		do(path, value)
	case []any:
		for i, one := range value {
			eachText(fmt.Sprintf("%s[%d]", path, i), one, do)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			eachText(path+"."+key, value[key], do)
		}
	}
}
