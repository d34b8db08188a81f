package review

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/audience"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// sharedNames finds new surveys that PostHog would reject because another survey in the project has the same
// name. PostHog trims names before it compares them. The rule does not report existing surveys.
func sharedNames(rule Rule, surveys []surveyFacts) []Finding {
	type key struct{ project, name string }
	first := map[key]surveyFacts{}
	var findings []Finding
	for _, survey := range surveys {
		name := key{survey.ParentID, strings.TrimSpace(survey.Name)}
		earlier, isTaken := first[name]
		if !isTaken {
			first[name] = survey
			continue
		}
		if survey.ID == "" || earlier.ID == "" {
			findings = append(findings, rule.finding(survey, fmt.Sprintf("%s has the same name, and survey names must be unique within a project",
				cmp.Or(earlier.Address, earlier.ID, "another survey"))))
		}
	}
	return findings
}

// overlappingSurveys finds running popovers that may appear on the same page. It reports each cluster of
// such popovers once.
func overlappingSurveys(rule Rule, surveys []surveyFacts) []Finding {
	var shown []surveyFacts
	for _, survey := range surveys {
		if survey.isRunning() && survey.Attributes["type"] == "popover" && waitPeriod(survey) == 0 && !survey.isNeverShown() {
			shown = append(shown, survey)
		}
	}

	// The survey that overlaps with the most others represents the cluster.
	order, met := make([]int, len(shown)), make([]int, len(shown))
	for i := range shown {
		order[i] = i
		for j := range i {
			if mayOverlap(shown[i], shown[j]) {
				met[i]++
				met[j]++
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(met[b], met[a]) })

	var findings []Finding
	isReported := make([]bool, len(shown))
	for _, i := range order {
		if isReported[i] || met[i] == 0 {
			continue
		}
		var names []string
		for candidate := range shown {
			if candidate != i && mayOverlap(shown[i], shown[candidate]) {
				isReported[candidate] = true
				names = append(names, strconv.Quote(shown[candidate].Name))
			}
		}
		findings = append(findings, rule.finding(shown[i], fmt.Sprintf("it may appear on the same page as %s, and none of these surveys sets conditions.seenSurveyWaitPeriodInDays", shortList(names))))
	}
	return findings
}

// isNeverShown reports whether no one can ever see a survey. If the survey excludes pages, only findings
// that are failures count: other findings then mean that the survey excludes no page.
func (s surveyFacts) isNeverShown() bool {
	_, match := urlCondition(s)
	isExcluding := match == "is_not" || strings.HasPrefix(match, "not_")
	cannotBeMet := func(f audience.Finding) bool { return f.Result == audience.Failed || !isExcluding }
	return len(nobodyMatches(s)) > 0 || len(hidesAll(s)) > 0 || slices.ContainsFunc(s.neverShown(), cannotBeMet)
}

// shortList joins the first names, and adds the number of omitted names.
func shortList(names []string) string {
	const limit = 3
	if len(names) <= limit {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:limit], ", "), len(names)-limit)
}

// mayOverlap reports whether one person may see two surveys on the same page. It returns false for settings
// that it cannot compare, such as two patterns: the surveys' authors can easily see whether these overlap,
// and false alarms cost more than misses.
func mayOverlap(a, b surveyFacts) bool {
	return a.Service == b.Service && a.ParentID == b.ParentID && mayBeDueAtOnce(a, b) && mayMeetOnAPage(a, b) &&
		mayShareDevice(a, b) && mayShareAVariant(a, b) && mayShareAPerson(a, b)
}

// eventsOfEveryPage lists events that pages and apps send automatically. These events do not mark a specific
// moment.
var eventsOfEveryPage = []string{"$pageview", "$pageleave", "$autocapture", "$web_vitals", "$screen", "Application Opened", "Application Became Active"}

// moments returns the events and actions that trigger a survey at a specific moment. It returns nil if the
// survey appears as soon as its page is shown.
func moments(s surveyFacts) []string {
	var names []string
	for _, key := range []string{"events", "actions"} {
		triggers, _ := condition(s, key).(map[string]any)
		values, _ := triggers["values"].([]any)
		for _, value := range values {
			trigger, _ := value.(map[string]any)
			name, _ := trigger["name"].(string)
			if slices.Contains(eventsOfEveryPage, name) {
				return nil
			}
			names = append(names, key+" "+name)
		}
	}
	return names
}

// mayBeDueAtOnce reports whether two surveys may appear at the same time: either both at the same moment, or
// both without a moment. If only one survey has a moment, they can overlap only on a page that both
// specify.
func mayBeDueAtOnce(a, b surveyFacts) bool {
	momentsA, momentsB := moments(a), moments(b)
	if len(momentsA) > 0 && len(momentsB) > 0 {
		return slices.ContainsFunc(momentsA, func(moment string) bool { return slices.Contains(momentsB, moment) })
	}
	if len(momentsA) == 0 && len(momentsB) == 0 {
		return true
	}
	urlA, _ := urlCondition(a)
	urlB, _ := urlCondition(b)
	return urlA != "" && urlB != ""
}

// mayShareAVariant reports whether two surveys' linked flags may admit the same person. They cannot if they
// require different variants of the same flag.
func mayShareAVariant(a, b surveyFacts) bool {
	flagA, flagB := a.Attributes["linked_flag_id"], b.Attributes["linked_flag_id"]
	if flagA == nil || flagB == nil || jsonvalue.String(flagA) != jsonvalue.String(flagB) {
		return true
	}
	variantA, _ := condition(a, "linkedFlagVariant").(string)
	variantB, _ := condition(b, "linkedFlagVariant").(string)
	isOne := func(variant string) bool { return variant != "" && variant != "any" }
	return !isOne(variantA) || !isOne(variantB) || variantA == variantB
}

// mayShareDevice reports whether two surveys may be shown on the same type of device. A type matches if
// it is a substring of the device's name, unless the survey sets another match type.
func mayShareDevice(a, b surveyFacts) bool {
	devicesA, isLimitedA := audience.LimitedDevices(a.Attributes)
	devicesB, isLimitedB := audience.LimitedDevices(b.Attributes)
	return !isLimitedA || !isLimitedB || slices.ContainsFunc(devicesA, func(deviceA string) bool {
		return slices.ContainsFunc(devicesB, func(deviceB string) bool {
			return strings.Contains(deviceA, deviceB) || strings.Contains(deviceB, deviceA)
		})
	})
}

// mayShareAPerson reports whether two surveys' targeting may select the same person. It assumes that
// different filters select different people.
func mayShareAPerson(a, b surveyFacts) bool {
	filtersA, filtersB := a.Attributes["targeting_flag_filters"], b.Attributes["targeting_flag_filters"]
	return audience.RestrictsNobody(filtersA) || audience.RestrictsNobody(filtersB) || jsonvalue.Equal(filtersA, filtersB)
}

// mayMeetOnAPage reports whether two surveys' URL conditions may match the same page. A survey without a URL
// condition is shown on every page. A survey that only excludes pages counts as a survey without a
// condition.
func mayMeetOnAPage(a, b surveyFacts) bool {
	textA, matchA := urlCondition(a)
	textB, matchB := urlCondition(b)
	switch {
	case textA == "" || textB == "" || textA == textB && matchA == matchB:
		return true
	case matchA == "regex" || matchB == "regex": // a pattern does not start with literal text
		return false
	case matchA == "exact" && matchB == "exact":
		return false
	case matchA == "exact":
		return strings.Contains(textA, textB)
	case matchB == "exact":
		return strings.Contains(textB, textA)
	}
	// If neither URL contains the other, they are assumed to belong to separate parts of a product. Text after
	// a URL's path is not compared.
	return strings.Contains(textA, textB) || strings.Contains(textB, textA) || strings.ContainsAny(textA+textB, "?&=#")
}

// urlCondition returns the text that a page's URL must contain, in lower case, and the match type. As in
// the SDKs, the match type defaults to icontains. For a pattern, the text is the literal text at the
// pattern's start. The text is empty if the survey is shown on every page.
func urlCondition(s surveyFacts) (text, match string) {
	text, _ = condition(s, "url").(string)
	match, _ = condition(s, "urlMatchType").(string)
	switch match {
	case "is_not", "not_regex", "not_icontains":
		return "", match
	case "regex":
		if literal := literalPrefix(text); literal != "" {
			text, match = literal, "icontains"
		}
	case "":
		match = "icontains"
	}
	return strings.ToLower(text), match
}

// literalPrefix returns the literal text at the start of a pattern, or an empty string if the text is too
// short to distinguish pages.
func literalPrefix(pattern string) string {
	compiled, err := regexp.Compile(strings.TrimPrefix(pattern, "^"))
	if err != nil {
		return "" // Go cannot compile this JavaScript pattern
	}
	literal, _ := compiled.LiteralPrefix()
	if len(literal) <= len("https://") {
		return ""
	}
	return literal
}
