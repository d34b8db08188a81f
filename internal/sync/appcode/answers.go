package appcode

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The forms in which code writes the property of an answer: as a key of an object, in brackets or
// behind a dot, and as the first argument of a call.
var (
	placeKeys = []*regexp.Regexp{
		regexp.MustCompile("(?:^|[^\\w.$\\]\\\\])[\"'`]?\\\\?\\$survey_response(_\\d+)?[\"'`]?\\s*(?::|=>|\\bto\\b)"),
		regexp.MustCompile("(?:\\[\\s*[\"'`]\\\\?|\\.)\\$survey_response(_\\d+)?(?:[\"'`]\\s*\\])?\\s*=[^=>]"),
		regexp.MustCompile("(?:\\b(?i:set|put|add|send|setSurveyResponse)\\w*)\\(\\s*[\"'`]\\\\?\\$survey_response(_\\d+)?[\"'`]\\s*,"),
	}
	questionKey = regexp.MustCompile("\\$survey_response_([A-Za-z0-9][\\w-]*)([\"'`\\]]*\\s*(?::|=>|=|,|\\bto\\b)\\s*(\\[[^\\]\\n]*\\]|[\"'][^\"'\\n]*[\"']))?")
	computedKey = regexp.MustCompile("\\$survey_response_(?:\\$\\{|[\"'`]\\s*\\+\\s*|#\\{|\\\\\\(|\\{)([^})\\n;,\\]]*)")
	// idName is in the name of a value that is an id.
	idName = regexp.MustCompile(`(?i)id\b|uuid|key\b`)
	digits = regexp.MustCompile(`^\d+$`)
	quoted = regexp.MustCompile(`"([^"]*)"|'([^']*)'`)
)

// answers finds the properties under which answers are sent.
func (f *file) answers() {
	for _, form := range placeKeys {
		for _, at := range form.FindAllStringSubmatchIndex(f.text, -1) {
			place := 0
			if at[2] >= 0 {
				place, _ = strconv.Atoi(f.text[at[2]+1 : at[3]]) // too large a number is the place of no question
			}
			name := strings.Index(f.text[at[0]:at[1]], "$") + at[0]
			f.report(answerByPlace, name, "%s", f.placeMessage(name, place))
		}
	}

	for _, at := range questionKey.FindAllStringSubmatchIndex(f.text, -1) {
		id := f.text[at[2]:at[3]]
		isPrefix := at[3] < len(f.text) && strings.ContainsRune("${#\\", rune(f.text[at[3]]))
		question, isKnown := f.questions[id]
		switch {
		case digits.MatchString(id) || isPrefix:
		case !isKnown:
			f.report(unknownQuestion, at[0], "no survey has a question with the id %s", id)
		case at[6] >= 0 && len(question.Choices) > 0 && !question.OpenChoice:
			for _, text := range quoted.FindAllStringSubmatch(f.text[at[6]:at[7]], -1) {
				if choice := text[1] + text[2]; !slices.Contains(question.Choices, choice) {
					f.report(unknownChoice, at[6], "%q is no choice of question %q, which has %q", choice, question.Text, question.Choices)
				}
			}
		}
	}

	for _, at := range computedKey.FindAllStringSubmatchIndex(f.text, -1) {
		if value := f.text[at[2]:at[3]]; !idName.MatchString(value) {
			f.report(unseenProperties, at[0], "the key $survey_response_ is made of %s: send the id of the question, which is not checked here", strings.TrimSpace(value))
		}
	}
}

// placeMessage says which key belongs in the place of one by the place of a question.
func (f *file) placeMessage(at, place int) string {
	key := "$survey_response"
	if place > 0 {
		key += "_" + strconv.Itoa(place)
	}
	survey, isKnown := f.surveys[f.surveyNear(at)]
	if !isKnown {
		return key + " is an answer by place, and is another question's after the next edit: send $survey_response_ID with the id of the question"
	}
	questions := f.inOrder[strings.ToLower(survey.ID)]
	if place >= len(questions) {
		return key + " is an answer by place, and survey " + strconv.Quote(survey.Name) + " has no question there"
	}
	return key + " is an answer by place, and is another question's after the next edit: send $survey_response_" + questions[place].ID +
		" for " + strconv.Quote(questions[place].Text)
}

// surveyNear is the id of the survey that code around an answer names: the nearest one, or the
// only one of the side.
func (f *file) surveyNear(at int) string {
	nearest, distance := "", len(f.text)+1
	for _, place := range uuid.FindAllStringIndex(f.text, -1) {
		id := strings.ToLower(f.text[place[0]:place[1]])
		if away := max(place[0]-at, at-place[0]); f.surveys[id].ID != "" && away < distance {
			nearest, distance = id, away
		}
	}
	if nearest == "" && len(f.surveys) == 1 {
		for id := range f.surveys {
			nearest = id
		}
	}
	return nearest
}
