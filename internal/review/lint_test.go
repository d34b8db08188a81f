package review_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/side"
)

func linted(t *testing.T, name string, attributes object) side.Object {
	t.Helper()
	return side.Object{Kind: side.Survey, ID: name, Name: name, Attributes: attributes}
}

// messages are the findings of one rule.
func messages(t *testing.T, rule string, surveys ...side.Object) []string {
	t.Helper()

	var disabled []string
	for _, other := range review.Rules() {
		if other.Name != rule {
			disabled = append(disabled, other.Name)
		}
	}
	findings, err := review.Lint(surveys, disabled)
	require.NoError(t, err)
	var found []string
	for _, finding := range findings {
		assert.Equal(t, rule, finding.Rule)
		found = append(found, finding.Survey+": "+finding.Message)
	}
	return found
}

func TestRulesHaveNamesInOrder(t *testing.T) {
	t.Parallel()

	var names []string
	for _, rule := range review.Rules() {
		names = append(names, rule.Name)
		assert.NotEmpty(t, rule.Description, rule.Name)
	}
	assert.True(t, slices.IsSorted(names))
}

func TestLintFlow(t *testing.T) {
	t.Parallel()

	to := func(index int) object { return object{"type": "specific_question", "index": index} }
	s := linted(t, "S", object{"questions": []any{
		object{"type": "open", "question": "a", "branching": to(0)}, object{"type": "open", "question": "b"},
	}})
	assert.Equal(t, []string{`S: no answer leads to questions[1] "b"`}, messages(t, "unreachable-question", s))
	assert.Equal(t, []string{"S: questions[0] can repeat, and no answer leads out of the loop"}, messages(t, "endless-loop", s))
	assert.Empty(t, messages(t, "loop", s))

	s = linted(t, "S", object{"questions": []any{
		object{"type": "single_choice", "question": "a", "choices": []any{"x", "y"}, "branching": object{"type": "response_based", "response_values": object{"0": "0", "1": "end"}}},
	}})
	assert.Equal(t, []string{"S: questions[0] can repeat"}, messages(t, "loop", s))
	assert.Empty(t, messages(t, "endless-loop", s))
}

func TestLintUnbounded(t *testing.T) {
	t.Parallel()

	running := linted(t, "S", object{"status": "running"})
	assert.Len(t, messages(t, "unbounded", running), 1)
	for _, conditions := range []object{{}, {"url": "", "actions": nil, "events": object{"values": []any{}, "repeatedActivation": false}}, {"seenSurveyWaitPeriodInDays": 7}} {
		assert.Len(t, messages(t, "unbounded", linted(t, "S", object{"status": "running", "conditions": conditions})), 1, "%v", conditions)
	}
	for _, bounded := range []object{
		{"status": "draft"}, {"status": "running", "archived": true}, {"status": "running", "responses_limit": 5},
		{"status": "running", "targeting_flag_id": 1}, {"status": "running", "end_date": "2030-01-01T00:00:00Z"}, {"status": "running", "conditions": object{"url": "/x"}},
	} {
		assert.Empty(t, messages(t, "unbounded", linted(t, "S", bounded)), "%v", bounded)
	}
}

func TestLintOverlappingSurveys(t *testing.T) {
	t.Parallel()

	on := func(name, kind string, conditions any) side.Object {
		return linted(t, name, object{"status": "running", "type": kind, "conditions": conditions})
	}
	everywhere := on("A", "popover", nil)
	assert.Len(t, messages(t, "overlapping-surveys", everywhere, on("B", "popover", nil)), 1)
	assert.Len(t, messages(t, "overlapping-surveys", on("A", "popover", object{"url": "https://x/pricing", "urlMatchType": "exact"}), on("B", "popover", object{"url": "/pricing"})), 1)
	assert.Equal(t, []string{
		`A: it may appear on the same page as "B", "C", "D" and 2 more, and none of them sets conditions.seenSurveyWaitPeriodInDays`,
		`B: it may appear on the same page as "C", "D", "E" and 1 more, and none of them sets conditions.seenSurveyWaitPeriodInDays`,
	}, messages(t, "overlapping-surveys", everywhere, on("B", "popover", nil), on("C", "popover", nil), on("D", "popover", nil), on("E", "popover", nil), on("F", "popover", nil))[:2])
	for _, other := range []side.Object{
		on("B", "widget", nil), on("B", "popover", object{"seenSurveyWaitPeriodInDays": 7}), linted(t, "B", object{"status": "draft", "type": "popover"}),
	} {
		assert.Empty(t, messages(t, "overlapping-surveys", everywhere, other))
	}
	assert.Empty(t, messages(t, "overlapping-surveys",
		on("A", "popover", object{"url": "https://x/a", "urlMatchType": "exact"}), on("B", "popover", object{"url": "https://x/b", "urlMatchType": "exact"})))
}

func TestLintTranslations(t *testing.T) {
	t.Parallel()

	s := linted(t, "S", object{"questions": []any{
		object{"type": "single_choice", "question": "a", "choices": []any{"x", "y"}, "translations": object{"de": object{"question": "A", "choices": []any{"X"}}}},
		object{"type": "open", "question": "b", "description": "c", "translations": object{"fr": object{"question": "B", "description": "C"}}},
	}})
	assert.Equal(t, []string{
		`S: questions[0] has 2 choices, and 1 in "de"`, `S: questions[0] has no question in "fr"`, `S: questions[0] has 2 choices, and 0 in "fr"`,
		`S: questions[1] has no question in "de"`, `S: questions[1] has no description in "de"`,
	}, messages(t, "incomplete-translation", s))
}

// Every text that people read needs a translation, those of the end too.
func TestLintTranslationsOfLabelsAndOfTheEnd(t *testing.T) {
	t.Parallel()

	survey := func(displays bool) side.Object {
		return linted(t, "S", object{
			"questions":    []any{object{"type": "rating", "question": "a", "button_text": "Go", "lower_bound_label": "Bad", "translations": object{"de": object{"question": "A", "lowerBoundLabel": "Schlecht"}}}},
			"appearance":   object{"thankYouMessageHeader": "Thanks", "thankYouMessageDescription": "Bye", "displayThankYouMessage": displays},
			"translations": object{"de": object{"thankYouMessageHeader": "Danke"}, "fr": object{"thankYouMessageHeader": "Merci", "thankYouMessageDescription": "A bientôt"}},
		})
	}
	ofQuestions := []string{
		`S: questions[0] has no buttonText in "de"`, `S: questions[0] has no question in "fr"`, `S: questions[0] has no buttonText in "fr"`,
		`S: questions[0] has no lowerBoundLabel in "fr"`,
	}
	assert.Equal(t, append(ofQuestions, `S: appearance.thankYouMessageDescription is not translated into "de"`), messages(t, "incomplete-translation", survey(true)))
	assert.Equal(t, ofQuestions, messages(t, "incomplete-translation", survey(false)))
}

func TestLintInternalText(t *testing.T) {
	t.Parallel()

	s := linted(t, "S", object{"questions": []any{
		object{"type": "open", "question": "Seen on wiki.acme.internal? Ask ada@example.com, or support@example.com."},
		object{"type": "link", "question": "More", "link": "https://jira.corp/x", "translations": object{"de": object{"question": "Mehr von ada@example.com"}}},
		object{"type": "open", "question": "Write to support@example.com"},
		object{"type": "single_choice", "question": "Who?", "choices": []any{"support@example.com", "ada@example.com"}},
	}, "appearance": object{"thankYouMessageDescription": "See wiki.acme.internal"}, "translations": object{"de": object{"thankYouMessageHeader": "ada@example.com dankt"}}})
	assert.Equal(t, []string{
		"S: questions[0].question names the internal host wiki.acme.internal", "S: questions[0].question names the e-mail address ada@example.com",
		"S: questions[1].link names the internal host jira.corp", "S: questions[1].translations.de.question names the e-mail address ada@example.com",
		"S: questions[3].choices[1] names the e-mail address ada@example.com",
		"S: appearance.thankYouMessageDescription names the internal host wiki.acme.internal", "S: translations.de.thankYouMessageHeader names the e-mail address ada@example.com",
	}, messages(t, "internal-text", s))
}
