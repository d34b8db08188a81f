package review

import (
	"fmt"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/audience"
)

// endlessWaits finds wait periods that restart before they end. Each survey that a person sees, including
// this one, restarts the period.
func endlessWaits(s surveyFacts) []string {
	days := waitPeriod(s)
	if days <= 0 {
		return nil
	}

	var messages []string
	if every := parseNumber(s.Attributes["iteration_frequency_days"]); every > 0 && every < days && parseNumber(s.Attributes["iteration_count"]) > 1 {
		messages = append(messages, fmt.Sprintf("it is shown again after %g days, but conditions.seenSurveyWaitPeriodInDays is %g: the last time it was shown counts, too, "+
			"so people who saw it may miss the next iteration. Set a shorter wait period, or a longer iteration_frequency_days", every, days))
	}
	for _, survey := range s.others() {
		if comesBackEverywhere(survey) && survey.isRunning() && waitPeriod(survey) < days && mayShareDevice(s, survey) && mayShareAPerson(s, survey) {
			messages = append(messages, fmt.Sprintf("%q reappears on every page, and conditions.seenSurveyWaitPeriodInDays counts every survey that was shown, answered or not: "+
				"people who see it do not see this survey. Give that survey a wait period of %g days or more", survey.Name, days))
		}
	}
	return messages
}

// repeatedAnswers finds popovers that reappear for people who have answered them.
func repeatedAnswers(s surveyFacts) []string {
	if waitPeriod(s) > 0 || !comesBackEverywhere(s) {
		return nil
	}
	return []string{`schedule = "always" without a trigger, a page, or a wait period: on every page, people who have answered or closed it are asked again. ` +
		`Set conditions.seenSurveyWaitPeriodInDays, or schedule = "once"`}
}

// repeatedByEvents finds popovers that reappear because of both their schedule and their events.
func repeatedByEvents(s surveyFacts) []string {
	events, _ := condition(s, "events").(map[string]any)
	if waitPeriod(s) > 0 || s.Attributes["type"] != "popover" || s.Attributes["schedule"] != "always" || events["repeatedActivation"] != true || audience.RestrictsNobody(events["values"]) {
		return nil
	}
	return []string{`schedule = "always" and conditions.events.repeatedActivation have the same effect: each of the events asks people again who have answered. ` +
		"Remove one of the two, and set conditions.seenSurveyWaitPeriodInDays if the events may occur often"}
}

// comesBackEverywhere reports whether an SDK shows a popover on every page to people who have answered it,
// because no trigger and no URL condition restricts it.
func comesBackEverywhere(s surveyFacts) bool {
	return s.Attributes["type"] == "popover" && s.Attributes["schedule"] == "always" &&
		!slices.ContainsFunc([]string{"url", "selector", "events", "actions"}, s.isSet)
}

// ignoredSettings finds surveys that the apps' SDKs never show, and settings that these SDKs ignore.
func ignoredSettings(s surveyFacts) []string {
	var refused, ignored []string
	for _, sdk := range audience.SDKs() {
		used, isListed := s.options.SDKs[sdk]
		if !isListed {
			continue
		}
		if settings := sdk.NeverShows(s.Attributes, used); settings != "" {
			refused = append(refused, fmt.Sprintf("%s %s never shows it, because it has %s", sdk, used, settings))
		}
	}

	for _, feature := range audience.UsedFeatures(s.Attributes) {
		for _, sdk := range audience.SDKs() {
			used, isListed := s.options.SDKs[sdk]
			if !isListed || !sdk.Shows(s.Attributes) {
				continue
			}
			if message := feature.IgnoreReason(sdk, used); message != "" {
				ignored = append(ignored, message)
			}
		}
	}
	return append(refused, ignored...)
}

// checkBounds finds running popovers that all respondents see for years or indefinitely.
func checkBounds(s surveyFacts) []string {
	const days = 2 * 365
	ends := parseNumber(s.Attributes["iteration_count"]) > 0 && parseNumber(s.Attributes["iteration_count"])*parseNumber(s.Attributes["iteration_frequency_days"]) <= days
	if ends || !s.isForEverybody("responses_limit", "end_date") {
		return nil
	}
	return []string{"it runs without a response limit, an end date, targeting, or conditions that restrict who sees it"}
}

// manyIterations finds popovers that ask all respondents again more than a few times, with only days in
// between.
func manyIterations(s surveyFacts) []string {
	const few, week = 4, 7
	count, every := parseNumber(s.Attributes["iteration_count"]), parseNumber(s.Attributes["iteration_frequency_days"])
	if count <= few || every >= week || !s.isForEverybody() {
		return nil
	}
	return []string{fmt.Sprintf("everybody is asked %g times, every %g days: people stop answering, or leave. Set a longer iteration_frequency_days, fewer iterations, or targeting", count, every)}
}
