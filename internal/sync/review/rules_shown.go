package review

import (
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
)

// endlessWaits finds wait periods that begin anew before they are over: every survey that a
// person is shown counts, this one too.
func endlessWaits(s surveyFacts, others iter.Seq[surveyFacts]) []string {
	days := waitPeriod(s)
	if days <= 0 {
		return nil
	}

	var messages []string
	if every := numberOf(s.Attributes["iteration_frequency_days"]); every > 0 && every < days && numberOf(s.Attributes["iteration_count"]) > 1 {
		messages = append(messages, fmt.Sprintf("it comes again after %g days, and conditions.seenSurveyWaitPeriodInDays is %g: its own last showing counts, too, "+
			"so whoever was shown it misses the next iteration. Set a shorter wait period, or a longer iteration_frequency_days", every, days))
	}
	for other := range others {
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

// noPage finds popovers that are shown on each site of a project, where others name a site.
func noPage(s surveyFacts, others iter.Seq[surveyFacts]) []string {
	if !s.isRunning() || s.Attributes["type"] != "popover" || slices.ContainsFunc([]string{"url", "selector", "events", "actions", "linkedFlagVariant"}, s.isSet) {
		return nil
	}
	for _, attribute := range []string{"linked_flag_id", "targeting_flag_id", "targeting_flag_filters"} {
		if !restrictsNobody(s.Attributes[attribute]) || !s.isKnown(attribute) {
			return nil
		}
	}

	var hosts []string
	for other := range others {
		if host := hostOf(other); other.isRunning() && host != "" && !slices.Contains(hosts, host) {
			hosts = append(hosts, host)
		}
	}
	if len(hosts) < 2 {
		return nil
	}
	slices.Sort(hosts)
	return []string{fmt.Sprintf("it names no page, so it is shown on each site of the project: surveys beside it are for %s. Set conditions.url if it is for one of them", and(hosts))}
}

// hostOf is the host that the URL condition of a survey names; empty when it names none, or a
// machine of a developer.
func hostOf(s surveyFacts) string {
	address, match := urlCondition(s)
	if match != "exact" && match != "icontains" {
		return ""
	}
	parsed, err := url.Parse(address)
	if err != nil || parsed.Scheme != "http" && parsed.Scheme != "https" || internalHostIn(address) != "" {
		return ""
	}
	return strings.TrimPrefix(strings.ToLower(parsed.Hostname()), "www.")
}

// mobileEvents are what SDKs of mobile apps send by themselves, and no web page.
var mobileEvents = []string{
	"Application Installed", "Application Updated", "Application Opened", "Application Became Active", "Application Backgrounded", "Deep Link Opened", "$screen",
}

// webConditions finds conditions on pages in surveys that events of mobile apps set off.
func webConditions(s surveyFacts) []string {
	events, _ := condition(s, "events").(map[string]any)
	values, _ := events["values"].([]any)
	if len(values) == 0 {
		return nil
	}
	var names []string
	for _, value := range values {
		event, _ := value.(map[string]any)
		name, _ := event["name"].(string)
		if !slices.Contains(mobileEvents, name) {
			return nil
		}
		names = append(names, strconv.Quote(name))
	}

	var messages []string
	for _, key := range []string{"url", "selector"} {
		if s.isSet(key) {
			messages = append(messages, fmt.Sprintf("only mobile apps send %s, and conditions.%s is for web pages: React Native never shows the survey, "+
				"and the other mobile SDKs ignore the condition. Remove it", and(names), key))
		}
	}
	return messages
}

// accidentalAnswers finds surveys that appear under a moving pointer and take the next click
// for an answer.
func accidentalAnswers(s surveyFacts) []string {
	delay := numberOf(appearance(s, "surveyPopupDelaySeconds"))
	if s.Attributes["type"] != "popover" || appearance(s, "position") != "middle_center" || delay <= 0 ||
		appearance(s, "displayIntroScreen") == true || len(s.questions) == 0 || !s.questions[0].submitsByClick() {
		return nil
	}
	return []string{fmt.Sprintf("it opens in the middle of the page after %g seconds, and a click answers questions[0]: one that was meant for the page answers it, too. "+
		"Choose a corner as appearance.position, or leave out surveyPopupDelaySeconds or skip_submit_button", delay)}
}

// submitsByClick reports whether choosing an answer sends it.
func (q Question) submitsByClick() bool {
	return q.attributes["skip_submit_button"] == true && (q.Type == "rating" || q.Type == "single_choice" && !q.OpenChoice)
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

// shuffledPartials finds questions that are not shuffled although the survey says so.
func shuffledPartials(s surveyFacts) []string {
	if len(s.questions) < 2 || appearance(s, "shuffleQuestions") != true || s.Attributes["enable_partial_responses"] != true {
		return nil
	}
	return []string{"appearance.shuffleQuestions has no effect: with enable_partial_responses the SDKs keep the order of questions. Leave one of the two out"}
}

// skippedRatings finds ratings that older web SDKs cannot leave without an answer.
func skippedRatings(s surveyFacts) []string {
	if web, ok := s.options.SDKs[Web]; ok && CompareVersions(web, "1.438.24") >= 0 {
		return nil
	}
	var messages []string
	for i, q := range s.questions {
		// Without a submit button there is nothing to skip the question with.
		if q.Type == "rating" && q.Optional && q.branchesByResponse() && !q.submitsByClick() {
			messages = append(messages, fmt.Sprintf("questions[%d] is optional and branches by its rating: in posthog-js before 1.438.24, whoever skips it cannot go on. "+
				"Require an answer, or use a newer version", i))
		}
	}
	return messages
}

func (q Question) branchesByResponse() bool {
	return q.Branching != nil && q.Branching.Type == string(flow.ResponseBased)
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

// missingBuckets finds parts of a scale without a branch of their own, where they share the
// branch of another part.
func missingBuckets(s surveyFacts) []string {
	var messages []string
	graph := Flow(s.questions)
	for i, q := range s.questions {
		if q.Type != "rating" || !q.branchesByResponse() {
			continue
		}
		var missing, sharing []string
		for _, key := range flow.ResponseKeys(graph[i]) {
			target, ok := q.Branching.ResponseValues[key]
			switch {
			case !ok:
				missing = append(missing, key)
			case target == strconv.Itoa(i+1):
				sharing = append(sharing, key)
			}
		}

		if len(missing) > 0 && len(sharing) > 0 {
			messages = append(messages, fmt.Sprintf("questions[%d] has no branch for %s, so they go on to questions[%d], as %s do by their branch: "+
				`name the target, %s = "%d" or another`, i, and(missing), i+1, and(sharing), missing[0], i+1))
		}
	}
	return messages
}

// partialDefault finds code that leaves enable_partial_responses out, beside surveys that have
// it: false is the default of the interface, true that of the web interface.
func partialDefault(s surveyFacts, others iter.Seq[surveyFacts]) []string {
	if len(s.questions) < 2 || s.Configured == nil || slices.Contains(s.Configured, "enable_partial_responses") {
		return nil
	}
	if s.Attributes["enable_partial_responses"] == true {
		return nil
	}

	var with []string
	for other := range others {
		if !other.isOver() && other.Attributes["enable_partial_responses"] == true {
			with = append(with, strconv.Quote(other.Name))
		}
	}
	if len(with) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the code does not set enable_partial_responses, so the answers of people who leave midway are lost; %s keep them, as surveys from the web interface do. "+
		"Set it to true, or to false if that is meant", shortList(with))}
}
