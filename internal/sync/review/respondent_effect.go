package review

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/audience"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/tfplan"
)

// Row is one change that respondents notice.
type Row struct {
	// Path is the path of the attribute, in the survey or in the question.
	Path   string `json:"path"`
	Before any    `json:"before"`
	After  any    `json:"after"`
	// Meaning describes the effect of the change on respondents or their answers. It is empty if the
	// values are self-explanatory.
	Meaning string `json:"meaning,omitempty"`
}

// KnownAfterApply represents a value that is known only after apply.
const KnownAfterApply = "(known after apply)"

// unnoticed lists survey attributes that respondents do not notice, and attributes that are covered by
// events and questions.
var unnoticed = []string{"description", "deletion_policy", "timeouts", "questions", "archived", "start_date", "end_date"}

// meanings maps patterns for attribute paths to the effects of changes. The first match applies.
var meanings = []struct {
	path    *regexp.Regexp
	meaning string
}{
	{regexp.MustCompile(`^name$`), "the survey is renamed"},
	{regexp.MustCompile(`^type$`), "it is shown in a different form"},
	{regexp.MustCompile(`rollout_percentage$`), "a different share of people is asked"},
	{regexp.MustCompile(`^targeting_flag|^linked_flag`), "different people are asked"},
	{regexp.MustCompile(`^conditions\.(url|urlMatchType|selector)$`), "it is shown in different places"},
	{regexp.MustCompile(`^conditions\.seenSurveyWaitPeriodInDays$`), "people are asked sooner or later after another survey"},
	{regexp.MustCompile(`^conditions`), "it is shown under different conditions"},
	{regexp.MustCompile(`^(schedule|iteration_)`), "people may be asked again, or no longer"},
	{regexp.MustCompile(`^responses_limit$`), "it stops after a different number of responses"},
	{regexp.MustCompile(`^response_sampling_`), "a different share of people is asked each day"},
	{regexp.MustCompile(`^(appearance|translations|form_content|base_language)`), "it looks or reads differently"},
	{regexp.MustCompile(`^enable_partial_responses$`), "answers of people who do not finish count, or no longer"},
}

// surveyRows returns a survey's changes, without changes to its questions.
func surveyRows(change tfplan.Change) []Row {
	if change.After == nil || change.Forget {
		return nil
	}
	if change.Before == nil || change.Replace {
		return newSurveyRows(*change.After)
	}

	var rows []Row
	for _, difference := range reconcile.Attributes(*change.After, *change.Before) {
		if isNoticed(difference.Path) {
			rows = append(rows, Row{Path: difference.Path, Before: difference.B, After: difference.A, Meaning: pathMeaning(difference.Path)})
		}
	}
	for _, name := range change.After.Unknown {
		if meaning := pathMeaning(name); meaning != "" && !isComputed(name) {
			rows = append(rows, Row{Path: name, Before: change.Before.Attributes[name], After: KnownAfterApply, Meaning: meaning})
		}
	}
	return rows
}

func isNoticed(path string) bool {
	attribute, _, _ := strings.Cut(path, ".")
	attribute, _, _ = strings.Cut(attribute, "[")
	return !slices.Contains(unnoticed, attribute)
}

// usual maps attributes to the values that PostHog uses if a survey does not set them.
var usual = map[string]any{
	"schedule": "once", "base_language": "en", "response_sampling_interval_type": "week", "enable_partial_responses": false,
}

// newSurveyRows returns the values of a new survey that respondents notice, without its questions. If an attribute
// has a usual value, an unknown value means that the configuration omits the attribute.
func newSurveyRows(survey source.Object) []Row {
	var rows []Row
	for _, difference := range reconcile.Attributes(survey, source.Object{Kind: source.Survey, Attributes: map[string]any{}}) {
		name := difference.Path
		isSwitchedOff := difference.A == false || usual[name] == difference.A
		if isNoticed(name) && name != "name" && !isSwitchedOff {
			rows = append(rows, Row{Path: name, After: difference.A})
		}
	}
	for _, name := range survey.Unknown {
		_, isOmitted := usual[name]
		if pathMeaning(name) != "" && name != "name" && !isComputed(name) && !isOmitted {
			rows = append(rows, Row{Path: name, After: KnownAfterApply})
		}
	}
	return rows
}

// LaunchAudience describes the audience of a survey after its launch: respondents, pages, frequency, and
// end.
func LaunchAudience(survey source.Object) string {
	words, _ := describeLaunch(survey)
	return words
}

// describeLaunch describes a survey's audience: respondents, pages, frequency, and end. isUnbounded is set
// if all respondents see the survey, and it has no end.
func describeLaunch(o source.Object) (words string, isUnbounded bool) {
	attribute := func(name string) any { return source.Shown(o.Attributes[name]) }
	respondents := describeAudience(o, attribute)
	s := surveyFacts{Object: o}.audienceSurvey()
	s.Conditions = attribute("conditions")

	where := "on every page"
	needs := s.Needs()
	switch {
	case slices.Contains(o.Unknown, "conditions"):
		where = "under conditions that are known after apply"
	case len(needs) > 0:
		where = "when " + strings.Join(needs, ", and ")
	case s.Type == "api":
		where = "wherever your own code shows it"
	case s.Type == "widget":
		where = "when they open the widget"
	case s.Type == audience.External:
		where = "on its own page"
	}
	if s.ExcludedSDKs() != "" {
		where = "only in web apps, " + where
	}

	often := "once a person"
	switch count := parseNumber(attribute("iteration_count")); {
	case s.ComesAgain():
		often = "again and again, even after an answer"
	case count > 1:
		often = fmt.Sprintf("%g times, every %g days", count, parseNumber(attribute("iteration_frequency_days")))
	}

	until, isLimited := "without a limit", true
	switch limit := attribute("responses_limit"); {
	case slices.Contains(o.Unknown, "responses_limit"):
		until = "with a limit that is known after apply"
	case limit != nil:
		until = fmt.Sprintf("until there are %s responses", jsonvalue.String(limit))
	default:
		isLimited = false
	}
	return strings.Join([]string{respondents, where, often, until}, ", "), respondents == "everybody" && where == "on every page" && !isLimited
}

// describeAudience describes the persons that a survey's targeting and linked flag select.
func describeAudience(o source.Object, attribute func(name string) any) string {
	isUnknown := func(name string) bool { return slices.Contains(o.Unknown, name) }
	words := "everybody"
	switch filters, id := attribute("targeting_flag_filters"), attribute("targeting_flag_id"); {
	case !audience.RestrictsNobody(filters):
		words = audience.NewFlag(audience.Definition{Filters: filters}).Chooses()
	case id != nil:
		words = "people for whom feature flag " + flagName(attribute("targeting_flag"), id) + " is on"
	case isUnknown("targeting_flag_filters") || isUnknown("targeting_flag_id"):
		words = "people selected by targeting that is known after apply"
	}
	if id := attribute("linked_flag_id"); id != nil {
		words += ", if feature flag " + flagName(attribute("linked_flag"), id) + " is on for them"
		conditions, _ := attribute("conditions").(map[string]any)
		if variant, _ := conditions["linkedFlagVariant"].(string); variant != "" && variant != "any" {
			words += " with variant " + variant
		}
	} else if isUnknown("linked_flag_id") {
		words += ", if a feature flag that is known after apply is on for them"
	}
	return words
}

// flagName returns a feature flag's key, or its ID if PostHog did not show the key.
func flagName(flag, id any) string {
	fields, _ := flag.(map[string]any)
	if key, ok := fields["key"].(string); ok {
		return key
	}
	return jsonvalue.String(id)
}

// isComputed reports whether PostHog computes an attribute that is unknown in a plan.
func isComputed(name string) bool {
	return slices.Contains([]string{"targeting_flag", "linked_flag", "iteration_start_dates", "response_sampling_daily_limits"}, name)
}

func pathMeaning(path string) string {
	for _, m := range meanings {
		if m.path.MatchString(path) {
			return m.meaning
		}
	}
	return ""
}

// questionRows returns the changes to a question that is kept, without its text. It omits branching, because
// the flow shows where the answers lead.
func questionRows(before, after Question, unknown any) []Row {
	unknowns, _ := unknown.(map[string]any)
	var rows []Row
	for _, name := range attributeNames(before, after) {
		oldValue, newValue := before.attributes[name], after.attributes[name]
		switch {
		case slices.Contains([]string{"id", "branching", "question", "extra"}, name):
		case jsonvalue.HasTrue(unknowns[name]):
			if newValue == nil && oldValue != nil {
				rows = append(rows, Row{Path: name, Before: oldValue, After: KnownAfterApply, Meaning: questionMeaning(name)})
			}
		case jsonvalue.IsEmpty(oldValue) && jsonvalue.IsEmpty(newValue) || jsonvalue.Equal(oldValue, newValue):
		case name == "choices":
			rows = append(rows, choiceRows(before.Choices, after.Choices)...)
		case name == "optional":
			rows = append(rows, Row{Path: name, Before: oldValue, After: newValue, Meaning: map[bool]string{true: "an answer is no longer required", false: "an answer is required now"}[newValue == true]})
		default:
			rows = append(rows, Row{Path: name, Before: oldValue, After: newValue, Meaning: questionMeaning(name)})
		}
	}
	return rows
}

func questionMeaning(name string) string {
	return map[string]string{
		"scale":   "old answers mean something else",
		"type":    "old answers have a different form",
		"display": "old answers were given with a different display",
		"link":    "it leads elsewhere",
		"choices": "old answers may fit no choice",
	}[name]
}

// attributeNames returns the sorted attribute names of two questions.
func attributeNames(before, after Question) []string {
	var names []string
	for _, q := range []Question{before, after} {
		for name := range q.attributes {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// choiceRows returns the changes to a list of choices. If a new choice replaces another choice at the same
// position, it counts as reworded.
func choiceRows(before, after []string) []Row {
	var rows []Row
	for i, oldChoice := range before {
		path := fmt.Sprintf("choices[%d]", i)
		switch {
		case slices.Contains(after, oldChoice):
		case len(before) == len(after) && !slices.Contains(before, after[i]):
			rows = append(rows, Row{Path: path, Before: oldChoice, After: after[i], Meaning: "reworded: old answers keep the old text"})
		default:
			rows = append(rows, Row{Path: path, Before: oldChoice, Meaning: "removed: old answers fit no choice"})
		}
	}

	for i, newChoice := range after {
		isReworded := len(before) == len(after) && !slices.Contains(after, before[i])
		if !slices.Contains(before, newChoice) && !isReworded {
			rows = append(rows, Row{Path: fmt.Sprintf("choices[%d]", i), After: newChoice, Meaning: "added"})
		}
	}
	if len(rows) == 0 {
		rows = append(rows, Row{Path: "choices", Before: before, After: after, Meaning: "in another order"})
	}
	return rows
}
