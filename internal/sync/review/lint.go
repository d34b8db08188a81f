package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/audience"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// Severity is the severity of a finding.
type Severity string

// Severities. A note does not require a change if something outside the survey makes the setting correct,
// such as the way an app shows the survey.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
)

// Rule is one rule of Lint.
type Rule struct {
	Name     string
	Severity Severity
	// Description states in one sentence what the rule reports.
	Description string

	// Stage is set for rules that find reasons why an SDK does not show a survey, or does not show it as
	// intended.
	Stage Stage

	// survey returns the messages for one survey. Lint does not call it for surveys that are no longer shown.
	// A rule that compares several surveys sets all instead.
	survey func(surveyFacts) []string
	all    func(Rule, []surveyFacts) []Finding
}

// findings applies the rule to a survey.
func (r Rule) findings(s surveyFacts) []Finding {
	if s.isOver() || r.survey == nil {
		return nil
	}
	var found []Finding
	for _, message := range r.survey(s) {
		found = append(found, r.finding(s, message))
	}
	return found
}

// Finding is a survey, or a line in an app's file, that violates a rule.
type Finding struct {
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	Survey   string   `json:"survey,omitempty"`
	ID       string   `json:"id,omitempty"`
	Address  string   `json:"address,omitempty"`
	// File is relative to the app's directory. Line starts at 1.
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Message string `json:"message"`
	// Stage is the rule's stage.
	Stage Stage `json:"-"`
}

// surveyFacts is the input of a rule: a survey with decoded questions.
type surveyFacts struct {
	source.Object
	questions []Question
	// all contains all of the source's surveys, including this one.
	all     []surveyFacts
	place   int
	options Options
}

// audienceSurvey returns the survey's settings, except flags, that determine who sees the survey.
func (s surveyFacts) audienceSurvey() *audience.Survey {
	kind, _ := s.Attributes["type"].(string)
	schedule, _ := s.Attributes["schedule"].(string)
	return &audience.Survey{Type: kind, Schedule: schedule, Conditions: s.Attributes["conditions"], Appearance: s.Attributes["appearance"]}
}

// neverShown returns the settings with which no one can see the survey.
func (s surveyFacts) neverShown() []audience.Finding {
	survey := s.audienceSurvey()
	findings := survey.Never()
	if s.isKnown("appearance") {
		findings = append(findings, survey.CannotOpen()...)
	}
	return findings
}

// others returns the other surveys in the same project.
func (s surveyFacts) others() []surveyFacts {
	return slices.DeleteFunc(slices.Clone(s.all), func(survey surveyFacts) bool {
		return s.place == survey.place || s.Service != survey.Service || s.ParentID != survey.ParentID
	})
}

// Options are the options of Lint.
type Options struct {
	// Disabled lists the names of rules to skip.
	Disabled []string
	// SDKs maps SDKs to the versions in the apps that show the surveys.
	SDKs map[audience.SDK]string
}

// Lint applies all rules that are not disabled to the surveys among objects. It sorts findings by survey,
// then by rule.
func Lint(objects []source.Object, options Options) ([]Finding, error) {
	surveys, err := collectFacts(objects, options)
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
			findings = append(findings, rule.findings(survey)...)
		}
	}

	slices.SortStableFunc(findings, func(a, b Finding) int { return strings.Compare(a.Survey, b.Survey) })
	return findings, nil
}

// collectFacts returns the surveys among objects, sorted by name.
func collectFacts(objects []source.Object, options Options) ([]surveyFacts, error) {
	var surveys []surveyFacts
	for _, object := range objects {
		if object.Kind != source.Survey {
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
		surveys[i].all, surveys[i].place = surveys, i
	}
	return surveys, nil
}

func (r Rule) finding(survey surveyFacts, message string) Finding {
	return Finding{Rule: r.Name, Severity: r.Severity, Survey: survey.Name, ID: survey.ID, Address: survey.Address, Message: message, Stage: r.Stage}
}

// isRunning reports whether respondents can see a survey.
func (s surveyFacts) isRunning() bool {
	archived, _ := s.Attributes["archived"].(bool)
	return s.Attributes["status"] == "running" && !archived
}

// Stage is a step in an SDK's decision about a survey. The stages up to the conditions have the same names
// as doctor's checks.
type Stage string

// Stages in the order in which the SDKs evaluate them.
const (
	StageWaitPeriod Stage = "wait period"
	StageRepetition Stage = "repetition"
	StageQuestions  Stage = "questions"
	StageOthers     Stage = "other surveys"
)

// Causes returns the reasons why the SDKs do not show a live source's survey, or show it differently than
// intended.
func Causes(objects []source.Object, id string) ([]Finding, error) {
	surveys, err := collectFacts(objects, Options{})
	if err != nil {
		return nil, err
	}

	var causes []Finding
	for _, rule := range append(Rules(), Rule{Name: "hidden-by-another", Severity: Error, Stage: StageOthers, survey: hiders}) {
		for _, survey := range surveys {
			if rule.Stage != "" && survey.ID == id {
				causes = append(causes, rule.findings(survey)...)
			}
		}
	}
	return causes, nil
}

// Rules returns Lint's rules, sorted by name.
func Rules() []Rule {
	return []Rule{
		{Name: "always-repeats-answers", Severity: Warning, Stage: StageRepetition, Description: "A popover reappears on every page for people who have answered it.", survey: repeatedAnswers},
		{Name: "asked-too-often", Severity: Warning, Stage: StageRepetition, Description: "All respondents are asked again many times, with only days in between.", survey: manyIterations},
		{Name: "dead-end", Severity: Warning, Stage: StageQuestions, Description: "After a question, the web SDK neither shows another question nor ends the survey, so answers are lost.", survey: deadEnds},
		{Name: "endless-loop", Severity: Error, Description: "Questions repeat, and no answer leads out of the loop.", survey: endlessLoops},
		{Name: "hides-all-surveys", Severity: Error, Description: "A match type, a URL, or a selector causes an error in posthog-js, which then shows none of the project's surveys.", survey: hidesAll},
		{Name: "incomplete-translation", Severity: Error, Description: "A translation lacks a text, or has a different number of choices.", survey: incompleteTranslations},
		{Name: "internal-text", Severity: Warning, Description: "A text that respondents see contains an internal host or a person's e-mail address.", survey: internalTexts},
		{Name: "loop", Severity: Warning, Description: "Branching can repeat questions.", survey: loops},
		{Name: "never-shown", Severity: Warning, Description: "A setting can never match: a URL that no page has, an invalid pattern, or a widget that nothing opens.", survey: checkVisibility},
		{Name: "nobody-can-match", Severity: Warning, Description: "Targeting matches no one, so no one sees the survey.", survey: nobodyMatches},
		{Name: "overlapping-surveys", Severity: Warning, Description: "Two running popovers may appear on the same page, and neither has a wait period.", all: overlappingSurveys},
		{Name: "repeats-twice", Severity: Note, Stage: StageRepetition, Description: "A popover reappears because of both its schedule and its events, without a wait period.", survey: repeatedByEvents},
		{Name: "sdk-too-old", Severity: Warning, Description: "An SDK version that --sdk sets ignores a survey setting, or never shows the survey.", survey: ignoredSettings},
		{Name: "shared-name", Severity: Error, Description: "Two surveys in one project have the same name, so the second cannot be created.", all: sharedNames},
		{Name: "unbounded", Severity: Warning, Description: "A running popover has no limit, no end, and no targeting.", survey: checkBounds},
		{Name: "unreachable-question", Severity: Error, Description: "No answer leads to a question.", survey: unreachableQuestions},
		{Name: "wait-period-counts-every-survey", Severity: Warning, Stage: StageWaitPeriod, Description: "A wait period never ends, because other surveys, or the survey itself, are shown more often.", survey: endlessWaits},
	}
}

// isOver reports whether a survey is no longer shown to anyone.
func (s surveyFacts) isOver() bool {
	return s.Attributes["status"] == "completed" || s.Attributes["archived"] == true
}

// isKnown reports whether the value of an attribute is known. It is unknown if Terraform computes it
// during apply, or if the response does not contain it.
func (s surveyFacts) isKnown(attribute string) bool { return !slices.Contains(s.Unknown, attribute) }

// isSet reports whether a condition restricts, or may restrict, who sees a survey or on which pages.
func (s surveyFacts) isSet(key string) bool {
	value := condition(s, key)
	if triggers, ok := value.(map[string]any); ok { // events.repeatedActivation alone restricts no one
		value = triggers["values"]
	}
	return !audience.RestrictsNobody(value) || !s.isKnown("conditions")
}

// parseNumber parses a number, or a string that contains a number. It returns 0 for other values.
func parseNumber(value any) float64 {
	var number float64
	_, _ = fmt.Sscan(jsonvalue.String(value), &number)
	return number
}

// and joins words into a list such as "a, b and c".
func and(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// waitPeriod returns the survey's wait period in days, or 0 if it has none. During this period, a person who
// saw any survey does not see this one.
func waitPeriod(s surveyFacts) float64 {
	return parseNumber(condition(s, "seenSurveyWaitPeriodInDays"))
}

func condition(s surveyFacts, key string) any {
	conditions, _ := s.Attributes["conditions"].(map[string]any)
	return conditions[key]
}
