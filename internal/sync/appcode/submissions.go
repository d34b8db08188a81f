package appcode

import (
	"regexp"
	"strings"
)

var (
	// sent matches the names of survey events.
	sent = regexp.MustCompile("[\"'`](survey (?:sent|shown|dismissed))[\"'`]")
	// eventField matches the text before an event name in an object. capture matches the text before the
	// bracket of a call.
	eventField = regexp.MustCompile(`(?i)event["']?\s*(?::|=>)\s*$`)
	capture    = regexp.MustCompile(`(?i)(?:capture|track)\w*[?!.]*\s*$`)
	spread     = regexp.MustCompile(`\.\.\.|\*\*\w`)
	// namedKey matches an object key that comes from a variable, as in { [score.key]: 9 }.
	namedKey = regexp.MustCompile(`[{,]\s*\[\s*[A-Za-z_$][^\]"'` + "`" + `]*\]\s*:`)
	literal  = regexp.MustCompile(`[{\[]|mapOf\(`)
	// variable matches the argument after the event name, if more arguments follow.
	variable = regexp.MustCompile(`^\s*,\s*[\w$.?!]+\s*,`)
	// respondedSet matches code that sets person properties. Their values may come from variables.
	respondedSet = regexp.MustCompile(`\$set\b|(?i:user_?properties)`)
	anyAnswer    = regexp.MustCompile(`\$survey_response`)
)

// farthest is the maximum distance between an event name and the event's properties.
const farthest = 5000

// submissions finds the survey events that the app sends, and reports missing properties of answers.
func (f *file) submissions() {
	for _, match := range sent.FindAllStringSubmatchIndex(f.text, -1) {
		start, end := f.callAround(match[0])
		if start == end {
			continue
		}
		event, region, arguments := f.text[match[2]:match[3]], f.text[start:end], f.text[match[1]:end]
		isVariable := !literal.MatchString(arguments) && strings.Trim(arguments, " \t\r\n,;)") != "" ||
			region[0] == '(' && variable.MatchString(arguments)
		isUnseen := isVariable || spread.MatchString(arguments)
		hasUnseenAnswers := isUnseen || namedKey.MatchString(arguments)
		if event == "survey sent" && !isUnseen && !respondedSet.MatchString(region) && !strings.Contains(f.text, "$survey_responded") {
			f.report(askedAgain, match[0], `"survey sent" does not mark the survey as answered, so PostHog offers it to this person again: `+
				`send $set: {"$survey_responded/ID": true} with the ID of the survey, and ID/ITERATION for a recurring one`)
		}
		isNamed, isAnswered := strings.Contains(region, "$survey_id"), anyAnswer.MatchString(region)
		switch {
		case event != "survey sent":
			if !isNamed && !isUnseen {
				f.report(noSurveyID, match[0], "%q has no $survey_id, so no survey counts it", event)
			}
		case isNamed && isAnswered: // correct
		case isNamed && hasUnseenAnswers && f.hasKeys: // the TypeScript compiler checks these
		case isNamed && hasUnseenAnswers:
			f.report(unseenProperties, match[0], `answers of "survey sent" are not set here, so they are not checked: they belong under $survey_response_ID`)
		case isUnseen:
			f.report(unseenProperties, match[0], `properties of "survey sent" are not set here, so they are not checked: they need $survey_id, and answers under $survey_response_ID`)
		case !isNamed:
			f.report(noSurveyID, match[0], "%q has no $survey_id, so no survey counts it", event)
		default:
			f.report(noQuestionID, match[0], `"survey sent" has no answer: send it as $survey_response_ID with the ID of the question`)
		}
	}
}

// callAround returns the start and the end of the call or object that sends the event whose name is at
// the offset. Both are empty if the code only compares or lists the name. Brackets in strings count like
// other brackets.
func (f *file) callAround(offset int) (start, end int) {
	start = f.opening(offset, "({[")
	isCall := start >= 0 && f.text[start] == '(' && capture.MatchString(f.text[max(0, start-farthest):start])
	if start < 0 || !isCall && !eventField.MatchString(f.text[start:offset]) {
		return 0, 0
	}
	return start, f.closing(start)
}

// opening returns the offset of the innermost opening bracket around an offset, or -1. brackets contains the
// kinds of brackets to find.
func (f *file) opening(offset int, brackets string) int {
	depth := 0
	for i := offset - 1; i >= max(0, offset-farthest); i-- {
		switch f.text[i] {
		case ')', '}', ']':
			depth++
		case '(', '{', '[':
			if depth--; depth >= 0 {
				continue
			}
			if strings.IndexByte(brackets, f.text[i]) >= 0 {
				return i
			}
			depth = 0
		}
	}
	return -1
}

// closing returns the offset after the bracket that closes the bracket at start. It returns start if no
// bracket closes it.
func (f *file) closing(start int) int {
	depth := 0
	for i := start; i < min(len(f.text), start+farthest); i++ {
		switch f.text[i] {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return start
}
