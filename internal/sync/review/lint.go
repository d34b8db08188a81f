package review

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// Severity is the severity of a finding.
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
	// Description says in a sentence what the rule reports.
	Description string

	// survey returns the messages for one survey. A rule that compares surveys with each
	// other has all instead.
	survey func(surveyFacts) []string
	all    func(Rule, []surveyFacts) []Finding
}

// Finding is a violation of a rule by a survey.
type Finding struct {
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	Survey   string   `json:"survey"`
	ID       string   `json:"id,omitempty"`
	Address  string   `json:"address,omitempty"`
	Message  string   `json:"message"`
}

// surveyFacts is a survey with its questions decoded: the input of a rule.
type surveyFacts struct {
	side.Object
	questions []Question
}

// Rules are the rules of Lint, sorted by name.
func Rules() []Rule {
	return []Rule{
		{Name: "endless-loop", Severity: Error, Description: "Questions repeat and no answer leads out.", survey: endlessLoops},
		{Name: "incomplete-translation", Severity: Error, Description: "A translation lacks a text, or has another number of choices.", survey: incompleteTranslations},
		{Name: "internal-text", Severity: Warning, Description: "A text that people read names an internal host or the e-mail address of a person.", survey: internalTexts},
		{Name: "loop", Severity: Warning, Description: "Branching can repeat questions.", survey: loops},
		{Name: "overlapping-surveys", Severity: Warning, Description: "Two running surveys may appear on the same page, and neither has a wait period.", all: overlappingSurveys},
		{Name: "shared-name", Severity: Error, Description: "Two surveys of one project have one name, so the second cannot be created.", all: sharedNames},
		{Name: "unbounded", Severity: Warning, Description: "A running survey has no limit, no end and no targeting.", survey: unbounded},
		{Name: "unreachable-question", Severity: Error, Description: "No answer leads to a question.", survey: unreachableQuestions},
	}
}

// Lint applies the rules that are not disabled to the surveys among objects. Findings
// are sorted by survey, then by rule.
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
			messages = append(messages, fmt.Sprintf("%s can repeat%s", questionPaths(loop.Questions), map[bool]string{true: ", and no answer leads out of the loop"}[endless]))
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

func unbounded(s surveyFacts) []string {
	if !s.isRunning() {
		return nil
	}
	for _, attribute := range []string{"responses_limit", "end_date", "targeting_flag_id", "targeting_flag_filters", "linked_flag_id"} {
		if !restrictsNobody(s.Attributes[attribute]) {
			return nil
		}
	}
	for _, key := range []string{"url", "selector", "events", "actions", "deviceTypes", "linkedFlagVariant"} {
		if !restrictsNobody(condition(s, key)) {
			return nil
		}
	}
	return []string{"it runs without a response limit, an end date, targeting or conditions that restrict who sees it"}
}

// restrictsNobody reports whether a condition is empty, or a list or object of nothing else: the
// web interface stores conditions with empty lists.
func restrictsNobody(value any) bool {
	switch value := value.(type) {
	case []any:
		return !slices.ContainsFunc(value, func(element any) bool { return !restrictsNobody(element) })
	case map[string]any:
		return restrictsNobody(slices.Collect(maps.Values(value)))
	}
	return jsonvalue.IsEmpty(value)
}

// overlappingSurveys finds running popovers that may appear on the same page. Surveys whose
// URLs cannot be compared, such as two patterns, are assumed to overlap.
func overlappingSurveys(rule Rule, surveys []surveyFacts) []Finding {
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
			if mayOverlap(survey, other) {
				others = append(others, strconv.Quote(other.Name))
			}
		}
		if len(others) > 0 {
			findings = append(findings, rule.finding(survey, fmt.Sprintf("it may appear on the same page as %s, and none of them sets conditions.seenSurveyWaitPeriodInDays", shortList(others))))
		}
	}
	return findings
}

// shortList joins the first names and counts the rest.
func shortList(names []string) string {
	const limit = 3
	if len(names) <= limit {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:limit], ", "), len(names)-limit)
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
