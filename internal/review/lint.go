package review

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
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
	for _, bound := range []string{"responses_limit", "end_date", "targeting_flag_id", "targeting_flag_filters", "linked_flag_id", "conditions"} {
		if s.Attributes[bound] != nil {
			return nil
		}
	}
	return []string{"it runs without a limit of responses, an end, targeting or conditions"}
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
		for _, other := range shown[i+1:] {
			if mayMeet(survey, other) {
				findings = append(findings, rule.finding(survey, fmt.Sprintf("it may be shown on one page with %q, and neither has conditions.seenSurveyWaitPeriodInDays", other.Name)))
			}
		}
	}
	return findings
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

// translated are the texts of a question that a translation must have where the
// question has them.
func (q Question) translated() map[string]string {
	return map[string]string{"question": q.Text, "description": q.Description}
}

func incompleteTranslations(s surveyFacts) []string {
	// A language that one question has, every question needs.
	languages := map[string]bool{}
	for _, q := range s.questions {
		for language := range q.Translations {
			languages[language] = true
		}
	}

	var messages []string
	for i, q := range s.questions {
		for _, language := range slices.Sorted(maps.Keys(languages)) {
			translation := q.Translations[language]
			for _, key := range []string{"question", "description"} {
				if text, _ := translation[key].(string); q.translated()[key] != "" && strings.TrimSpace(text) == "" {
					messages = append(messages, fmt.Sprintf("questions[%d] has no %s in %q", i, key, language))
				}
			}
			if len(q.Choices) == 0 {
				continue
			}
			if choices, _ := translation["choices"].([]any); len(choices) != len(q.Choices) {
				messages = append(messages, fmt.Sprintf("questions[%d] has %d choices, and %d in %q", i, len(q.Choices), len(choices), language))
			}
		}
	}
	return messages
}

var (
	internalHost = regexp.MustCompile(`(?i)\b[a-z0-9][a-z0-9.-]*\.(internal|local|corp|lan)\b`)
	emailAddress = regexp.MustCompile(`(?i)\b[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}\b`)
	// role are mailboxes that belong to no person.
	role = regexp.MustCompile(`(?i)^(info|support|help|hello|contact|feedback|sales|team|privacy|legal|office|press|security|noreply|no-reply)[+@-]`)
)

func internalTexts(s surveyFacts) []string {
	var messages []string
	for i, q := range s.questions {
		for _, text := range append([]string{q.Text, q.Description}, q.Choices...) {
			if host := internalHost.FindString(text); host != "" {
				messages = append(messages, fmt.Sprintf("questions[%d] names the internal host %s", i, host))
			}
			if address := emailAddress.FindString(text); address != "" && !role.MatchString(address) {
				messages = append(messages, fmt.Sprintf("questions[%d] names the e-mail address %s", i, address))
			}
		}
		if link, err := url.Parse(q.Link); err == nil && internalHost.MatchString(link.Hostname()) {
			messages = append(messages, fmt.Sprintf("questions[%d] links to the internal host %s", i, link.Hostname()))
		}
	}
	return messages
}
