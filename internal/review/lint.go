package review

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/side"
)

// Severity is how bad a finding is.
type Severity string

// The severities.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Rule is one rule of Lint.
type Rule struct {
	Name     string
	Severity Severity
	// Description says in a sentence what the rule finds.
	Description string

	survey func(surveyFacts) []string
	// all looks at all surveys together.
	all func(Rule, []surveyFacts) []Finding
}

// Finding is something that a rule found.
type Finding struct {
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	Survey   string   `json:"survey"`
	ID       string   `json:"id,omitempty"`
	Address  string   `json:"address,omitempty"`
	Message  string   `json:"message"`
}

// surveyFacts is a survey as the rules look at it.
type surveyFacts struct {
	side.Object
	questions []Question
}

// Rules are the rules of Lint, in the order of their names.
func Rules() []Rule {
	return []Rule{
		{Name: "endless-loop", Severity: Error, Description: "Questions repeat and no answer leads out.", survey: endlessLoops},
		{Name: "incomplete-translation", Severity: Error, Description: "A translation lacks a text, or has another number of choices.", survey: incompleteTranslations},
		{Name: "internal-text", Severity: Warning, Description: "A text that people read names an internal host or the e-mail address of a person.", survey: internalTexts},
		{Name: "loop", Severity: Warning, Description: "Branching can repeat questions.", survey: loops},
		{Name: "meeting-surveys", Severity: Warning, Description: "Two running surveys may be shown on one page, and neither has a wait period.", all: meetingSurveys},
		{Name: "unbounded", Severity: Warning, Description: "A running survey has no limit, no end and no targeting.", survey: unbounded},
		{Name: "unreachable-question", Severity: Error, Description: "No answer leads to a question.", survey: unreachableQuestions},
	}
}

// Lint applies the rules that are not disabled to the surveys among objects. Findings
// are in the order of surveys, then of rules.
func Lint(objects []side.Object, disabled []string) ([]Finding, error) {
	var surveys []surveyFacts
	for _, object := range objects {
		if object.Kind != side.Survey {
			continue
		}
		questions, err := Questions(object)
		if err != nil {
			return nil, err
		}
		surveys = append(surveys, surveyFacts{object, questions})
	}

	slices.SortStableFunc(surveys, func(a, b surveyFacts) int { return strings.Compare(a.Name, b.Name) })

	findings := []Finding{}
	for _, rule := range Rules() {
		if slices.Contains(disabled, rule.Name) {
			continue
		}
		if rule.all != nil {
			findings = append(findings, rule.all(rule, surveys)...)
			continue
		}
		for _, survey := range surveys {
			for _, message := range rule.survey(survey) {
				findings = append(findings, rule.finding(survey, message))
			}
		}
	}

	slices.SortStableFunc(findings, func(a, b Finding) int { return strings.Compare(a.Survey, b.Survey) })
	return findings, nil
}

func (r Rule) finding(survey surveyFacts, message string) Finding {
	return Finding{Rule: r.Name, Severity: r.Severity, Survey: survey.Name, ID: survey.ID, Address: survey.Address, Message: message}
}

// isRunning reports whether a survey can be shown to people.
func (s surveyFacts) isRunning() bool {
	archived, _ := s.Attributes["archived"].(bool)
	return s.Attributes["status"] == "running" && !archived
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
			messages = append(messages, fmt.Sprintf("the questions at %s can repeat%s", placesText(loop.Questions), map[bool]string{true: ", and no answer leads out"}[endless]))
		}
	}
	return messages
}

func placesText(places []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(places), " ", ", "), "[]")
}

func unbounded(s surveyFacts) []string {
	if !s.isRunning() {
		return nil
	}
	for _, bound := range []string{"responses_limit", "end_date", "targeting_flag_id", "targeting_flag_filters", "linked_flag_id"} {
		if !saysNothing(s.Attributes[bound]) {
			return nil
		}
	}
	for _, chooses := range []string{"url", "selector", "events", "actions", "deviceTypes", "linkedFlagVariant"} {
		if !saysNothing(condition(s, chooses)) {
			return nil
		}
	}
	return []string{"it runs without a limit of responses, an end, targeting or conditions that choose who sees it"}
}

// saysNothing reports whether a value is null, or has nothing else in it: the web interface
// stores conditions of empty lists.
func saysNothing(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case string:
		return value == ""
	case bool:
		return !value
	case []any:
		return !slices.ContainsFunc(value, func(one any) bool { return !saysNothing(one) })
	case map[string]any:
		return saysNothing(slices.Collect(maps.Values(value)))
	}
	return false
}

// meetingSurveys finds pairs of running popovers that one page may show. Surveys whose
// addresses cannot be compared, such as two patterns, are taken to meet.
func meetingSurveys(rule Rule, surveys []surveyFacts) []Finding {
	var shown []surveyFacts
	for _, survey := range surveys {
		if survey.isRunning() && survey.Attributes["type"] == "popover" && waitPeriod(survey) == 0 {
			shown = append(shown, survey)
		}
	}

	var findings []Finding
	for i, survey := range shown {
		var others []string
		for _, other := range shown[i+1:] {
			if mayMeet(survey, other) {
				others = append(others, strconv.Quote(other.Name))
			}
		}
		if len(others) > 0 {
			findings = append(findings, rule.finding(survey, fmt.Sprintf("it may be shown on one page with %s, and none of them has conditions.seenSurveyWaitPeriodInDays", shortList(others))))
		}
	}
	return findings
}

// shortList joins names, of which only the first ones are of interest.
func shortList(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

func waitPeriod(s surveyFacts) float64 {
	var days float64
	_, _ = fmt.Sscan(fmt.Sprint(condition(s, "seenSurveyWaitPeriodInDays")), &days)
	return days
}

func condition(s surveyFacts, key string) any {
	conditions, _ := s.Attributes["conditions"].(map[string]any)
	return conditions[key]
}

// mayMeet reports whether two surveys may be shown on one page by their addresses: only
// exact addresses, and parts of one address in another, can be distinguished.
func mayMeet(a, b surveyFacts) bool {
	addressA, matchA := addressOf(a)
	addressB, matchB := addressOf(b)
	switch {
	case addressA == "" || addressB == "":
		return true
	case matchA == "exact" && matchB == "exact":
		return addressA == addressB
	case matchA == "exact" && matchB == "icontains":
		return strings.Contains(strings.ToLower(addressA), strings.ToLower(addressB))
	case matchA == "icontains" && matchB == "exact":
		return strings.Contains(strings.ToLower(addressB), strings.ToLower(addressA))
	}
	return true
}

// addressOf is the address condition of a survey and how it matches; SDKs take
// icontains unless it says otherwise.
func addressOf(s surveyFacts) (address, match string) {
	address, _ = condition(s, "url").(string)
	match, _ = condition(s, "urlMatchType").(string)
	if match == "" {
		match = "icontains"
	}
	return address, match
}
