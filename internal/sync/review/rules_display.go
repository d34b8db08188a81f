package review

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/sdkversion"
)

// endlessWaits finds wait periods that begin anew before they are over: every survey that a
// person is shown counts, this one too.
func endlessWaits(s surveyFacts, others []surveyFacts) []string {
	days := waitPeriod(s)
	if days <= 0 {
		return nil
	}

	var messages []string
	if every := numberOf(s.Attributes["iteration_frequency_days"]); every > 0 && every < days && numberOf(s.Attributes["iteration_count"]) > 1 {
		messages = append(messages, fmt.Sprintf("it comes again after %g days, and conditions.seenSurveyWaitPeriodInDays is %g: its own last showing counts, too, "+
			"so whoever was shown it misses the next iteration. Set a shorter wait period, or a longer iteration_frequency_days", every, days))
	}
	for _, other := range others {
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
func noPage(s surveyFacts, others []surveyFacts) []string {
	if !s.isRunning() || s.Attributes["type"] != "popover" || slices.ContainsFunc([]string{"url", "selector", "events", "actions", "linkedFlagVariant"}, s.isSet) {
		return nil
	}
	for _, attribute := range []string{"linked_flag_id", "targeting_flag_id", "targeting_flag_filters"} {
		if !restrictsNobody(s.Attributes[attribute]) || !s.isKnown(attribute) {
			return nil
		}
	}

	var hosts []string
	for _, other := range others {
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
	for _, feature := range sdkversion.Used(s.Attributes) {
		for _, sdk := range sdkversion.SDKs() {
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
