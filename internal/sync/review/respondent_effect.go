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
	// Meaning says what the change does to people or to their answers; empty when the values
	// say it.
	Meaning string `json:"meaning,omitempty"`
}

// KnownAfterApply stands for a value that the plan does not know.
const KnownAfterApply = "(known after apply)"

// unnoticed are the attributes of a survey that respondents do not notice, or that events
// and questions stand for.
var unnoticed = []string{"description", "deletion_policy", "timeouts", "questions", "archived", "start_date", "end_date"}

// meanings are what a change of an attribute means, by a pattern of its path. The first one
// counts.
var meanings = []struct {
	path    *regexp.Regexp
	meaning string
}{
	{regexp.MustCompile(`^name$`), "the survey is renamed"},
	{regexp.MustCompile(`^type$`), "it is shown in another form"},
	{regexp.MustCompile(`rollout_percentage$`), "another share of people is asked"},
	{regexp.MustCompile(`^targeting_flag|^linked_flag`), "other people are asked"},
	{regexp.MustCompile(`^conditions\.(url|urlMatchType|selector)$`), "it is shown in other places"},
	{regexp.MustCompile(`^conditions\.seenSurveyWaitPeriodInDays$`), "people are asked sooner or later after another survey"},
	{regexp.MustCompile(`^conditions`), "it is shown under other conditions"},
	{regexp.MustCompile(`^(schedule|iteration_)`), "people may be asked again, or no longer"},
	{regexp.MustCompile(`^responses_limit$`), "it stops after another number of responses"},
	{regexp.MustCompile(`^response_sampling_`), "another share of people is asked each day"},
	{regexp.MustCompile(`^(appearance|translations|form_content|base_language)`), "it looks or reads differently"},
	{regexp.MustCompile(`^enable_partial_responses$`), "answers of people who do not finish count, or no longer"},
}

// surveyRows are the changes of a survey besides its questions.
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
			rows = append(rows, Row{Path: difference.Path, Before: difference.B, After: difference.A, Meaning: meaningOf(difference.Path)})
		}
	}
	for _, name := range change.After.Unknown {
		if meaning := meaningOf(name); meaning != "" && !isComputed(name) {
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

// usual are the values of attributes that PostHog gives to a survey that states none.
var usual = map[string]any{"schedule": "once"}

// newSurveyRows are what respondents notice of a new survey besides its questions.
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
		if meaningOf(name) != "" && name != "name" && !isComputed(name) {
			rows = append(rows, Row{Path: name, After: KnownAfterApply})
		}
	}
	return rows
}

// AskedOnceLaunched says whom a survey asks when it runs, where, how often and until when.
func AskedOnceLaunched(survey source.Object) string {
	words, _ := launchedTo(survey)
	return words
}

// launchedTo says whom a survey asks, where, how often and until when, and whether that is everybody
// without an end.
func launchedTo(o source.Object) (words string, isUnbounded bool) {
	attribute := func(name string) any { return source.Shown(o.Attributes[name]) }
	who := asked(o, attribute)
	s := surveyFacts{Object: o}.asked()
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
	if s.NeverShown() != "" {
		where = "only in web apps, " + where
	}

	often := "once a person"
	switch count := numberOf(attribute("iteration_count")); {
	case s.ComesAgain():
		often = "again and again, whoever has answered, too"
	case count > 1:
		often = fmt.Sprintf("%g times, every %g days", count, numberOf(attribute("iteration_frequency_days")))
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
	return strings.Join([]string{who, where, often, until}, ", "), who == "everybody" && where == "on every page" && !isLimited
}

// asked says in words whom the targeting and the linked flag of a survey choose.
func asked(o source.Object, attribute func(name string) any) string {
	isUnknown := func(name string) bool { return slices.Contains(o.Unknown, name) }
	who := "everybody"
	switch filters, id := attribute("targeting_flag_filters"), attribute("targeting_flag_id"); {
	case !audience.RestrictsNobody(filters):
		who = audience.NewFlag(audience.Definition{Filters: filters}).Chooses()
	case id != nil:
		who = "people for whom feature flag " + flagName(attribute("targeting_flag"), id) + " is on"
	case isUnknown("targeting_flag_filters") || isUnknown("targeting_flag_id"):
		who = "people whom a targeting chooses that is known after apply"
	}
	if id := attribute("linked_flag_id"); id != nil {
		who += ", if feature flag " + flagName(attribute("linked_flag"), id) + " is on for them"
	} else if isUnknown("linked_flag_id") {
		who += ", if a feature flag is on for them that is known after apply"
	}
	return who
}

// flagName is the key of a feature flag, or its ID where PostHog did not show the key.
func flagName(flag, id any) string {
	fields, _ := flag.(map[string]any)
	if key, ok := fields["key"].(string); ok {
		return key
	}
	return jsonvalue.String(id)
}

// isComputed reports whether the service computes an attribute that a plan leaves unknown.
func isComputed(name string) bool {
	return slices.Contains([]string{"targeting_flag", "linked_flag", "iteration_start_dates", "response_sampling_daily_limits"}, name)
}

func meaningOf(path string) string {
	for _, m := range meanings {
		if m.path.MatchString(path) {
			return m.meaning
		}
	}
	return ""
}

// questionRows are the changes of a question that stays, besides its text. Branching does not
// count: the flow shows where the answers lead.
func questionRows(before, after Question, unknown any) []Row {
	unknowns, _ := unknown.(map[string]any)
	var rows []Row
	for _, name := range attributesOf(before, after) {
		was, is := before.attributes[name], after.attributes[name]
		switch {
		case slices.Contains([]string{"id", "branching", "question", "extra"}, name):
		case jsonvalue.HasTrue(unknowns[name]):
			if is == nil && was != nil {
				rows = append(rows, Row{Path: name, Before: was, After: KnownAfterApply, Meaning: questionMeaning(name)})
			}
		case jsonvalue.IsEmpty(was) && jsonvalue.IsEmpty(is) || jsonvalue.Equal(was, is):
		case name == "choices":
			rows = append(rows, choiceRows(before.Choices, after.Choices)...)
		case name == "optional":
			rows = append(rows, Row{Path: name, Before: was, After: is, Meaning: map[bool]string{true: "an answer is not required any more", false: "an answer is required now"}[is == true]})
		default:
			rows = append(rows, Row{Path: name, Before: was, After: is, Meaning: questionMeaning(name)})
		}
	}
	return rows
}

func questionMeaning(name string) string {
	return map[string]string{
		"scale":   "old answers mean something else",
		"type":    "old answers have another form",
		"display": "old answers were given on another display",
		"link":    "it leads elsewhere",
		"choices": "old answers may fit no choice",
	}[name]
}

// attributesOf are the names of the attributes of two questions, sorted.
func attributesOf(before, after Question) []string {
	var names []string
	for _, q := range []Question{before, after} {
		for name := range q.attributes {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// choiceRows are the changes of a list of choices: one that is replaced by a new one at its
// place was reworded.
func choiceRows(before, after []string) []Row {
	var rows []Row
	for i, was := range before {
		path := fmt.Sprintf("choices[%d]", i)
		switch {
		case slices.Contains(after, was):
		case len(before) == len(after) && !slices.Contains(before, after[i]):
			rows = append(rows, Row{Path: path, Before: was, After: after[i], Meaning: "reworded: old answers keep the old text"})
		default:
			rows = append(rows, Row{Path: path, Before: was, Meaning: "removed: old answers fit no choice"})
		}
	}

	for i, is := range after {
		isReworded := len(before) == len(after) && !slices.Contains(after, before[i])
		if !slices.Contains(before, is) && !isReworded {
			rows = append(rows, Row{Path: fmt.Sprintf("choices[%d]", i), After: is, Meaning: "added"})
		}
	}
	if len(rows) == 0 {
		rows = append(rows, Row{Path: "choices", Before: before, After: after, Meaning: "in another order"})
	}
	return rows
}
