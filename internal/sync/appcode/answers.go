package appcode

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// Code can write an answer's property in these forms: as an object key, in brackets, after a dot, or as a
// call's first argument.
var (
	placeKeys = []*regexp.Regexp{
		regexp.MustCompile("(?:^|[^\\w.$\\]\\\\])[\"'`]?\\\\?\\$survey_response(_\\d+)?[\"'`]?\\s*(?::|=>|\\bto\\b)"),
		regexp.MustCompile("(?:\\[\\s*[\"'`]\\\\?|\\.)\\$survey_response(_\\d+)?(?:[\"'`]\\s*\\])?\\s*=[^=>]"),
		regexp.MustCompile("(?:\\b(?i:set|put|add|send|setSurveyResponse)\\w*)\\(\\s*[\"'`]\\\\?\\$survey_response(_\\d+)?[\"'`]\\s*,"),
	}
	questionKey = regexp.MustCompile("\\$survey_response_([A-Za-z0-9][\\w-]*)([\"'`\\]]*\\s*(?::|=>|=|,|\\bto\\b)\\s*(\\[[^\\]\\n]*\\]|[\"'][^\"'\\n]*[\"']))?")
	// computedKey matches a key that a template or an operator computes: + in most languages, <> in Elixir,
	// and a dot before a variable or a constant in PHP.
	computedKey = regexp.MustCompile("\\$survey_response_(?:(?:\\$\\{|#\\{|\\{)([^}\\n]*)|\\\\\\(([^)\\n]*)|[\"'`]\\s*(?:\\+|<>)\\s*([^})\\n;,:=]*)|[\"']\\s*\\.\\s*([$A-Z][^})\\n;,=]*))")
	// computedPlace matches a computed position, such as `$survey_response${index ? `_${index}` : ""}`.
	computedPlace = regexp.MustCompile("\\$survey_response(?:\\$\\{|#\\{|\\\\\\(|[\"'`]\\s*\\+)([^\\n;]*)")
	// typeName matches a key's type instead of its value.
	typeName = regexp.MustCompile(`^(number|string)$`)
	// idName matches the name of a value that contains an ID.
	idName = regexp.MustCompile(`(?i)id\b|uuid|key\b`)
	digits = regexp.MustCompile(`^\d+$`)
	quoted = regexp.MustCompile(`"([^"]*)"|'([^']*)'`)
)

// answers finds the properties with which the app sends answers.
func (f *file) answers() {
	for _, form := range placeKeys {
		for _, match := range form.FindAllStringSubmatchIndex(f.text, -1) {
			key, place := "$survey_response", 0
			if match[2] >= 0 {
				key += f.text[match[2]:match[3]]
				place, _ = strconv.Atoi(f.text[match[2]+1 : match[3]]) // for a number that is too large, no question has this position
			}
			f.byPlace(strings.Index(f.text[match[0]:match[1]], "$")+match[0], key, place)
		}
	}
	for _, match := range computedPlace.FindAllStringSubmatchIndex(f.text, -1) {
		if !idName.MatchString(f.text[match[2]:match[3]]) {
			f.report(answerByPlace, match[0], "$survey_response%s$survey_response_ID with the ID of the question", byPlaceWords)
		}
	}

	for _, match := range questionKey.FindAllStringSubmatchIndex(f.text, -1) {
		id := f.text[match[2]:match[3]]
		isPrefix := match[3] < len(f.text) && strings.ContainsRune("${#\\", rune(f.text[match[3]]))
		question, isKnown := f.questions[id]
		switch {
		case digits.MatchString(id) || isPrefix:
		case !isKnown:
			f.report(unknownQuestion, match[0], "no survey has a question with the ID %s", id)
		case match[6] >= 0 && len(question.Choices) > 0 && !question.OpenChoice:
			for _, text := range quoted.FindAllStringSubmatch(f.text[match[6]:match[7]], -1) {
				if choice := text[1] + text[2]; !slices.Contains(question.Choices, choice) {
					f.report(unknownChoice, match[6], "%q is not a choice of question %q, which has %q", choice, question.Text, question.Choices)
				}
			}
		}
	}

	for _, match := range computedKey.FindAllStringSubmatchIndex(f.text, -1) {
		value := computedValue(f.text, match)
		isUnseen := !idName.MatchString(value) && !typeName.MatchString(value) && !isByID(f.around(match[0]))
		if isUnseen && !f.hasFinding(answerByPlace, match[0]) {
			f.report(unseenProperties, match[0], "the key $survey_response_ is built from %s: it must be the ID of the question, which is not checked here", value)
		}
	}
}

// computedValue returns the end of a match of computedKey.
func computedValue(text string, match []int) string {
	for i := 2; i < len(match); i += 2 {
		if match[i] >= 0 {
			value := strings.TrimSpace(text[match[i]:match[i+1]])
			if strings.Count(value, "]") > strings.Count(value, "[") {
				value = strings.TrimSuffix(value, "]") // the code may contain [prefix + value]
			}
			return value
		}
	}
	return ""
}

// byPlaceWords follow the key of an answer that is sent by position.
const byPlaceWords = " stores an answer by position, which another question can have after the next edit: send "

// around returns the object or block that contains a key.
func (f *file) around(offset int) string {
	start := max(0, f.opening(offset, "{"))
	return f.text[start:max(offset, f.closing(start))]
}

// isByID reports whether the surrounding code also builds a key from a question ID. In that case, a key
// by position is harmless: the SDKs send both keys, and use only positions for questions without an ID.
func isByID(around string) bool {
	return slices.ContainsFunc(computedKey.FindAllStringSubmatchIndex(around, -1), func(match []int) bool {
		return idName.MatchString(computedValue(around, match))
	})
}

// byPlace reports an answer that is sent by the position of its question, and suggests the correct key.
func (f *file) byPlace(offset int, key string, place int) {
	around := f.around(offset)
	if isByID(around) {
		return
	}

	survey, isCertain := f.findSurvey(around)
	questions := f.inOrder[strings.ToLower(survey.ID)]
	switch {
	case survey.ID == "":
		f.report(answerByPlace, offset, "%s%s$survey_response_ID with the ID of the question", key, byPlaceWords)
	case place < len(questions) && regexp.MustCompile(`\$survey_response_`+regexp.QuoteMeta(questions[place].ID)+`\b`).MatchString(around): // beside it
	case !isCertain && place < len(questions):
		f.report(answerByPlace, offset, "%s%s$survey_response_ID with the ID of the question; if the survey is %q, $survey_response_%s for %q",
			key, byPlaceWords, survey.Name, questions[place].ID, questions[place].Text)
	case place < len(questions):
		f.report(answerByPlace, offset, "%s%s$survey_response_%s for %q", key, byPlaceWords, questions[place].ID, questions[place].Text)
	case isCertain:
		f.report(answerByPlace, offset, "%s stores an answer by position, but survey %q does not have a question at this position", key, survey.Name)
	default:
		f.report(answerByPlace, offset, "%s%s$survey_response_ID with the ID of the question", key, byPlaceWords)
	}
}

// findSurvey returns the survey to which the code sends an answer. It is the only survey whose ID appears
// in the surrounding code. If no ID appears there, it is the only one in the file, and otherwise the
// source's only survey.
func (f *file) findSurvey(around string) (survey source.Object, isCertain bool) {
	for _, text := range []string{around, f.text} {
		ids := map[string]bool{}
		for _, id := range uuid.FindAllString(text, -1) {
			if id = strings.ToLower(id); f.surveys[id].ID != "" {
				ids[id] = true
			}
		}
		if len(ids) == 1 && (text == around || !f.namesUnknownSurvey()) {
			for id := range ids {
				return f.surveys[id], true
			}
		}
		if len(ids) > 0 {
			return source.Object{}, false
		}
	}
	if len(f.surveys) == 1 && !f.namesUnknownSurvey() {
		for _, only := range f.surveys {
			return only, false
		}
	}
	return source.Object{}, false
}

// namesUnknownSurvey reports whether surveyIDs found the ID of a survey that does not exist.
func (f *file) namesUnknownSurvey() bool {
	return slices.ContainsFunc(f.found, func(finding review.Finding) bool { return finding.Rule == unknownSurvey.Name })
}
