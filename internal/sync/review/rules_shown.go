package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
)

// endlessWaits finds wait periods that begin anew before they are over: every survey that a
// person is shown counts, this one too.
func endlessWaits(s surveyFacts) []string {
	days := waitPeriod(s)
	if days <= 0 {
		return nil
	}

	var messages []string
	if every := numberOf(s.Attributes["iteration_frequency_days"]); every > 0 && every < days && numberOf(s.Attributes["iteration_count"]) > 1 {
		messages = append(messages, fmt.Sprintf("it comes again after %g days, and conditions.seenSurveyWaitPeriodInDays is %g: its own last showing counts, too, "+
			"so whoever was shown it misses the next iteration. Set a shorter wait period, or a longer iteration_frequency_days", every, days))
	}
	for _, other := range s.others() {
		if comesBackEverywhere(other) && other.isRunning() && waitPeriod(other) < days && mayShareDevice(s, other) && mayShareAPerson(s, other) {
			messages = append(messages, fmt.Sprintf("%q comes back on every page, and conditions.seenSurveyWaitPeriodInDays counts every survey that was shown, answered or not: "+
				"who meets it does not see this one. Give that survey a wait period of %g days or more", other.Name, days))
		}
	}
	return messages
}

// repeatedAnswers finds popovers that ask again whoever has answered.
func repeatedAnswers(s surveyFacts) []string {
	if waitPeriod(s) > 0 || !comesBackEverywhere(s) {
		return nil
	}
	return []string{`schedule = "always" without a trigger, a page or a wait period: on every page, people who have answered or closed it are asked again. ` +
		`Set conditions.seenSurveyWaitPeriodInDays, or schedule = "once"`}
}

// repeatedByEvents finds popovers that ask again by their schedule and by their events.
func repeatedByEvents(s surveyFacts) []string {
	events, _ := condition(s, "events").(map[string]any)
	if waitPeriod(s) > 0 || s.Attributes["type"] != "popover" || s.Attributes["schedule"] != "always" || events["repeatedActivation"] != true || restrictsNobody(events["values"]) {
		return nil
	}
	return []string{`schedule = "always" and conditions.events.repeatedActivation say the same: each of the events asks again whoever has answered. ` +
		"Leave one of the two out, and set conditions.seenSurveyWaitPeriodInDays if the events may come often"}
}

// comesBackEverywhere reports whether an SDK shows a popover on every page to people who have
// answered it: nothing sets it off, and no page is named.
func comesBackEverywhere(s surveyFacts) bool {
	return s.Attributes["type"] == "popover" && s.Attributes["schedule"] == "always" &&
		!slices.ContainsFunc([]string{"url", "selector", "events", "actions"}, s.isSet)
}

// ignoredSettings finds settings that the SDKs in the apps ignore, of surveys that they show.
func ignoredSettings(s surveyFacts) []string {
	var messages []string
	for _, feature := range UsedFeatures(s.Attributes) {
		for _, sdk := range SDKs() {
			used, isTold := s.options.SDKs[sdk]
			if !isTold || !sdk.Shows(s.Attributes) {
				continue
			}
			if message := feature.Ignored(sdk, used); message != "" {
				messages = append(messages, message)
			}
		}
	}
	return messages
}

func unreachableQuestions(s surveyFacts) []string {
	var messages []string
	for _, i := range flow.Unreachable(Flow(s.questions)) {
		messages = append(messages, fmt.Sprintf("no answer leads to questions[%d] %q", i, s.questions[i].Text))
	}
	return messages
}

func loops(s surveyFacts) []string { return loopMessages(s, false) }

func endlessLoops(s surveyFacts) []string { return loopMessages(s, true) }

func loopMessages(s surveyFacts, endless bool) []string {
	var messages []string
	for _, loop := range flow.Loops(Flow(s.questions)) {
		if loop.Endless == endless {
			messages = append(messages, fmt.Sprintf("%s can repeat%s", questionPaths(loop.Questions), map[bool]string{true: ", and no answer leads out of the loop", false: ": of answers that are given again, the last ones are kept"}[endless]))
		}
	}
	return messages
}

func questionPaths(indexes []int) string {
	paths := make([]string, len(indexes))
	for i, index := range indexes {
		paths[i] = fmt.Sprintf("questions[%d]", index)
	}
	return strings.Join(paths, ", ")
}

// deadEnds finds questions after which the web SDK neither goes on nor ends.
func deadEnds(s surveyFacts) []string {
	const nothing = "the web SDK then shows nothing and does not end the survey, so answers that it has not sent yet are lost. "
	var messages []string
	for _, end := range flow.DeadEnds(Flow(s.questions)) {
		if len(end.When) == 0 {
			messages = append(messages, fmt.Sprintf("questions[%d] is to go on to a question that does not exist: %s"+`Leave its branching out, or set type = "end"`, end.Question, nothing))
			continue
		}
		repair := fmt.Sprintf(`Set %s = "end"`, end.When[0])
		if end.When[0] == flow.Skipped {
			repair = "Require an answer"
		}
		messages = append(messages, fmt.Sprintf("questions[%d] leads to no question and to no end for %s: %s%s", end.Question, and(end.When), nothing, repair))
	}
	return messages
}
