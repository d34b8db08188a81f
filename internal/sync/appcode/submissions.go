package appcode

import (
	"regexp"
	"strings"
)

var (
	sent = regexp.MustCompile("[\"'`]survey sent[\"'`]")
	// eventField is before the name of an event in an object, capture before the bracket of a call.
	eventField = regexp.MustCompile(`(?i)event["']?\s*(?::|=>)\s*$`)
	capture    = regexp.MustCompile(`(?i)(?:capture|track)\w*[?!.]*\s*$`)
	spread     = regexp.MustCompile(`\.\.\.|\*\*\w`)
	// namedKey is a key of an object that a variable names, as in { [score.key]: 9 }.
	namedKey  = regexp.MustCompile(`[{,]\s*\[\s*[A-Za-z_$][^\]"'` + "`" + `]*\]\s*:`)
	literal   = regexp.MustCompile(`[{\[]|mapOf\(`)
	anyAnswer = regexp.MustCompile(`\$survey_response`)
)

// farthest is how far from the name of an event its properties are looked for.
const farthest = 5000

// submissions finds what is sent as an answer of a survey.
func (f *file) submissions() {
	for _, at := range sent.FindAllStringIndex(f.text, -1) {
		start, end := f.callAround(at[0])
		if start == end {
			continue
		}
		region, arguments := f.text[start:end], f.text[at[1]:end]
		isVariable := !literal.MatchString(arguments) && strings.Trim(arguments, " \t\r\n,;)") != ""
		isUnseen := isVariable || spread.MatchString(arguments)
		hasUnseenAnswers := isUnseen || namedKey.MatchString(arguments)
		isNamed, isAnswered := strings.Contains(region, "$survey_id"), anyAnswer.MatchString(region)
		switch {
		case isNamed && isAnswered: // as it should be
		case isNamed && hasUnseenAnswers && f.hasKeys: // the compiler checks those
		case isNamed && hasUnseenAnswers:
			f.report(unseenProperties, at[0], `answers of "survey sent" are not written here, so they are not checked: send them as $survey_response_ID`)
		case isUnseen:
			f.report(unseenProperties, at[0], `properties of "survey sent" are not written here: send $survey_id, and answers as $survey_response_ID`)
		case !isNamed:
			f.report(noSurveyID, at[0], `"survey sent" has no $survey_id, so no survey counts it`)
		default:
			f.report(noQuestionID, at[0], `"survey sent" has no answer: send it as $survey_response_ID with the id of the question`)
		}
	}
}

// callAround is where the call or the object begins and ends that sends the event whose name is at an
// offset; empty for a name that is only compared or listed. Brackets in texts count as others do.
func (f *file) callAround(at int) (start, end int) {
	before := f.text[max(0, at-farthest):at]
	depth, open := 0, -1
	for i := len(before) - 1; i >= 0 && open < 0; i-- {
		switch before[i] {
		case ')', '}', ']':
			depth++
		case '(', '{', '[':
			if depth--; depth < 0 {
				open = i
			}
		}
	}
	isCall := open >= 0 && before[open] == '(' && capture.MatchString(before[:open])
	if open < 0 || !isCall && !eventField.MatchString(before) {
		return 0, 0
	}

	start = at - len(before) + open
	depth = 0
	for i := start; i < min(len(f.text), start+farthest); i++ {
		switch f.text[i] {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			if depth--; depth == 0 {
				return start, i + 1
			}
		}
	}
	return 0, 0
}
