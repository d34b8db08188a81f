package review

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/sdkversion"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// Severity is the severity of a finding.
type Severity string

// The severities. A note is right as it stands if something is true that no survey tells,
// such as how an app asks for it.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
)

// Rule is one rule of Lint.
type Rule struct {
	Name     string
	Severity Severity
	// Description says in a sentence what the rule reports.
	Description string

	// Stage is set for causes: why an SDK does not show a survey, or not as was meant.
	Stage Stage

	// survey returns the messages for one survey, among those for one beside the others. A
	// rule that compares surveys with each other has all instead.
	survey func(surveyFacts) []string
	among  func(s surveyFacts, others []surveyFacts) []string
	all    func(Rule, []surveyFacts) []Finding
}

// messages are what a rule says of a survey: nothing of one that nobody is shown any more.
func (r Rule) messages(s surveyFacts, all []surveyFacts) []string {
	if s.isOver() {
		return nil
	}
	if r.among == nil {
		return r.survey(s)
	}
	return r.among(s, slices.DeleteFunc(slices.Clone(all), func(other surveyFacts) bool { return !other.isNeighbor(s) }))
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
	// place is where the survey stands among all.
	place   int
	options Options
}

// isNeighbor reports whether a survey is another one of the same project.
func (s surveyFacts) isNeighbor(of surveyFacts) bool {
	return s.place != of.place && s.Service == of.Service && s.ParentID == of.ParentID
}

// Options say how surveys are judged.
type Options struct {
	// Disabled are the names of rules that are left out.
	Disabled []string
	// SDKs are the versions of SDKs in the apps that show the surveys.
	SDKs map[sdkversion.SDK]string
	// Cohort finds a cohort of the project by its id, nil where none can be read.
	Cohort func(id int64) (Cohort, bool)
}

// Cohort is a cohort that targeting names.
type Cohort struct {
	Name string
	// IsBehavioral is set when its people are chosen by what they did.
	IsBehavioral bool
}

// Lint applies the rules that are not disabled to the surveys among objects. Findings
// are sorted by survey, then by rule.
func Lint(objects []side.Object, options Options) ([]Finding, error) {
	surveys, err := factsOf(objects, options)
	if err != nil {
		return nil, err
	}

	findings := []Finding{}
	for _, rule := range Rules() {
		if slices.Contains(options.Disabled, rule.Name) {
			continue
		}
		if rule.all != nil {
			findings = append(findings, rule.all(rule, surveys)...)
			continue
		}
		for _, survey := range surveys {
			for _, message := range rule.messages(survey, surveys) {
				findings = append(findings, rule.finding(survey, message))
			}
		}
	}

	slices.SortStableFunc(findings, func(a, b Finding) int { return strings.Compare(a.Survey, b.Survey) })
	return findings, nil
}

// factsOf are the surveys among objects, sorted by name.
func factsOf(objects []side.Object, options Options) ([]surveyFacts, error) {
	var surveys []surveyFacts
	for _, object := range objects {
		if object.Kind != side.Survey {
			continue
		}
		questions, err := Questions(object)
		if err != nil {
			return nil, err
		}
		surveys = append(surveys, surveyFacts{Object: object, questions: questions, options: options})
	}

	slices.SortStableFunc(surveys, func(a, b surveyFacts) int { return strings.Compare(a.Name, b.Name) })
	for i := range surveys {
		surveys[i].place = i
	}
	return surveys, nil
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

// unbounded finds running popovers that everybody is asked, for ever. People open the other types
// by themselves: a widget, the page of an external survey, or what an app makes of an api survey.
func unbounded(s surveyFacts) []string {
	if !s.isRunning() || s.Attributes["type"] != "popover" {
		return nil
	}
	// Not every service has these.
	for _, attribute := range []string{"iteration_count", "response_sampling_limit"} {
		if !restrictsNobody(s.Attributes[attribute]) {
			return nil
		}
	}
	for _, attribute := range []string{"responses_limit", "end_date", "targeting_flag_id", "targeting_flag_filters", "linked_flag_id"} {
		if !restrictsNobody(s.Attributes[attribute]) || !s.isKnown(attribute) {
			return nil
		}
	}
	if !s.isKnown("conditions") {
		return nil
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

// overlappingSurveys finds running popovers that may appear on the same page.
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

// waitPeriod is the days for which no survey may have been shown; 0 for none.
func waitPeriod(s surveyFacts) float64 {
	var days float64
	_, _ = fmt.Sscan(fmt.Sprint(condition(s, "seenSurveyWaitPeriodInDays")), &days)
	return days
}

func condition(s surveyFacts, key string) any {
	conditions, _ := s.Attributes["conditions"].(map[string]any)
	return conditions[key]
}
