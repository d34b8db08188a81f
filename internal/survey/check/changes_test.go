package check_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
)

func asks(id, text string) object { return open(object{"id": id, "question": text}) }

// A value that PostHog already has is accepted at its position and wherever it moves. A value that the plan changes
// is not accepted.
func TestOddValuesAreKept(t *testing.T) {
	t.Parallel()
	odd := func(scale int, id string) object { return rated(object{"id": id, "scale": scale}) }
	for name, c := range map[string]struct {
		before, after object
		want          check.Code
	}{
		"kept":                 {asking(odd(4, "a")), asking(odd(4, "a")), ""},
		"edited beside it":     {asking(odd(4, "a")), asking(question(odd(4, "a"), object{"question": "How now?"})), ""},
		"moved":                {asking(odd(4, "a"), asks("b", "B")), asking(asks("b", "B"), odd(4, "a")), ""},
		"another odd value":    {asking(odd(4, "a")), asking(odd(6, "a")), "unknown-value"},
		"a second odd one":     {asking(odd(4, "a")), asking(odd(4, "a"), odd(4, "b")), "unknown-value"},
		"an odd match":         {when(`{"urlMatchType":"fuzzy"}`), with(object{"conditions": `{"urlMatchType":"fuzzy"}`, "description": "new"}), ""},
		"another odd match":    {when(`{"urlMatchType":"fuzzy"}`), when(`{"urlMatchType":"vague"}`), "unknown-value"},
		"an odd type":          {with(object{"type": "full_screen"}), with(object{"type": "full_screen", "description": "new"}), ""},
		"an odd display":       {asking(rated(object{"id": "a", "display": "stars"})), asking(rated(object{"id": "a", "display": "stars", "optional": true})), ""},
		"iterations that were": {with(object{"iteration_count": 5, "iteration_frequency_days": 7, "current_iteration": 3}), with(object{"iteration_count": 2, "iteration_frequency_days": 7}), "fewer-iterations"},
		"as many iterations":   {with(object{"iteration_count": 5, "iteration_frequency_days": 7, "current_iteration": 3}), with(object{"iteration_count": 3, "iteration_frequency_days": 7}), ""},
	} {
		found, _ := plan(t, c.before, c.after)

		if c.want == "" {
			assert.Empty(t, found, name)
		} else {
			assert.True(t, isFound(found, c.want, true), "%s: %+v", name, found)
		}
	}
}

// A survey that moves to another project is created there, so all of its values must be valid.
func TestOddValuesDoNotMoveToAnotherProject(t *testing.T) {
	t.Parallel()
	before, after := asking(rated(object{"id": "a", "scale": 4})), asking(rated(object{"id": "a", "scale": 4}))
	before["project_id"], after["project_id"] = "1", "2"
	found, _ := plan(t, before, after)
	assert.True(t, isFound(found, "unknown-value", true), "%+v", found)
}

func TestMovesAreToldOnce(t *testing.T) {
	t.Parallel()
	list := func(words string) []any {
		questions := []any{}
		for word := range strings.FieldsSeq(words) {
			questions = append(questions, asks(word, word))
		}
		return questions
	}
	for name, c := range map[string]struct {
		before, after string
		lines         []string
	}{
		"inserted":           {"a b", "a new b", []string{`questions[1] is new: "new"`, `questions[2] was questions[1]: "b"`}},
		"removed":            {"a b c", "b c", []string{`questions[0] was questions[1]: "b"`, `questions[0] is removed: "a"`}},
		"swapped":            {"a b", "b a", []string{`questions[0] was questions[1]: "b"`}},
		"added":              {"a b", "a b c", nil},
		"dropped at the end": {"a b", "a", nil},
		"nothing":            {"a b", "a b", nil},
	} {
		_, diags := plan(t, asking(list(c.before)...), asking(list(c.after)...))
		if c.lines == nil {
			assert.Empty(t, diags, name)
			continue
		}
		require.Len(t, diags, 1, name)
		assert.Equal(t, `Questions change position: "S"`, diags[0].Summary())
		for _, line := range c.lines {
			assert.Contains(t, diags[0].Detail(), line, name)
		}
	}

	words := strings.Fields(strings.Repeat("q ", 25))
	for i := range words {
		words[i] += string(rune('a' + i))
	}
	many := strings.Join(words, " ")
	_, diags := plan(t, asking(list(many)...), asking(list("new "+many)...))
	require.Len(t, diags, 1)
	assert.Contains(t, diags[0].Detail(), `questions[19] was questions[18]`)
	assert.Contains(t, diags[0].Detail(), "and 6 more")
}

func TestRedirectedAnswersAreNamed(t *testing.T) {
	t.Parallel()
	fork := question(single(object{"branching": leading(object{"0": "2", "1": "end"})}), object{"id": "fork"})
	optional := question(fork, object{"optional": true})
	swapped := question(fork, object{"choices": []any{"b", "a"}})
	for want, c := range map[string]struct{ before, after []any }{
		`questions[0]: the answer "a" led to "B", now leads to "New"`:                                 {[]any{fork, asks("a", "A"), asks("b", "B")}, []any{fork, asks("a", "A"), asks("new", "New"), asks("b", "B")}},
		`questions[0]: the answer "a" led to "B", now leads to the end of the survey`:                 {[]any{fork, asks("a", "A"), asks("b", "B")}, []any{swapped, asks("a", "A"), asks("b", "B")}},
		"update the positions in response_values.":                                                    {[]any{fork, asks("a", "A"), asks("b", "B")}, []any{swapped, asks("a", "A"), asks("b", "B")}},
		"use the provider function questions to refer to questions by name.":                          {[]any{optional, asks("a", "A"), asks("b", "B")}, []any{optional, asks("new", "New"), asks("a", "A"), asks("b", "B")}},
		`Branching refers to questions by position, and a different question is now at that position`: {[]any{optional, asks("a", "A"), asks("b", "B")}, []any{optional, asks("new", "New"), asks("a", "A"), asks("b", "B")}},
	} {
		_, diags := plan(t, asking(c.before...), asking(c.after...))
		require.Len(t, diags, 1, want)
		assert.Equal(t, `Branching leads to different questions: "S"`, diags[0].Summary())
		assert.Contains(t, diags[0].Detail(), want)
	}
}

// running returns a survey with answers.
func running(questions ...any) object {
	return with(object{"start_date": "2025-01-01T00:00:00Z", "questions": questions})
}

func TestLostAnswersAreNamed(t *testing.T) {
	t.Parallel()
	why := asks("why", "Why?")
	for name, c := range map[string]struct {
		before, after []any
		code          check.Code
		at, says      string
	}{
		"retyped, id kept": {[]any{why}, []any{single(object{"id": "why"})}, "other-question-type", "questions[0].type", "It keeps its ID, so PostHog will store answers of both types"},
		"retyped":          {[]any{rated(object{"id": "r"}), why}, []any{rated(object{"id": "r"}), single(object{"question": "Why?"})}, "other-question-type", "questions[1].type", `changes from open to single_choice: "Why?". It becomes a new question`},
		"another id":       {[]any{why}, []any{asks("other", "Why?")}, "other-question-id", "questions[0]", "To keep the ID in PostHog, set it:\n  id = \"why\""},
		"another text":     {[]any{why}, []any{open(object{"question": "What is your name?"})}, "possibly-another-question", "questions[0]", `changes from "Why?" to "What is your name?" and keeps its ID "why"`},
	} {
		found, diags := plan(t, running(c.before...), running(c.after...))
		assert.Empty(t, diags, name)
		if assert.Len(t, found, 1, name) {
			assert.Equal(t, check.Finding{Code: c.code, Path: c.at, Text: found[0].Text}, found[0], name)
			assert.Contains(t, found[0].Text, c.says, name)
		}
		found, diags = plan(t, asking(c.before...), asking(c.after...))
		assert.Empty(t, found, "%s: a draft must not cause warnings about answers", name)
		assert.Empty(t, diags, name)
	}

	_, diags := plan(t, running(why, rated(object{"id": "r"})), running(rated(object{"id": "r"}), open(object{"question": "Why did you?"})))
	require.NotEmpty(t, diags)
	text := diags[len(diags)-1].Detail()
	assert.Equal(t, `This plan removes a question from a running survey: "Why?" of survey "S"`, diags[len(diags)-1].Summary())
	assert.Contains(t, text, `The plan removes questions[0] ("Why?") and detaches its answers.`)
	assert.Contains(t, text, "set its ID to keep the answers:\n  id = \"why\"")

	completed := running(why)
	completed["end_date"] = "2025-06-01T00:00:00Z"
	emptied := question(completed, object{"questions": []any{}})
	_, diags = plan(t, completed, emptied)
	require.Len(t, diags, 1)
	assert.Contains(t, diags[0].Summary(), "This plan removes a question from a completed survey")
}

// A survey that was reset to draft keeps its responses, so its plans explain what they do to them. If the number is
// unknown, there may be some.
func TestLostAnswersOfADraftAreNamed(t *testing.T) {
	t.Parallel()
	why, how := asks("why", "Why?"), asks("how", "How are you?")
	questions := map[string][]any{
		"removed":      {why},
		"retyped":      {why, single(object{"id": "how", "question": "How are you?"})},
		"another text": {why, open(object{"question": "Do you read our blog?"})},
		"description":  {why, question(how, object{"description": "Today"})},
	}
	for name, c := range map[string]struct {
		responses responses.Number
		isNamed   bool
	}{
		"none":    {responses.Number{}, false},
		"two":     {responses.Number{Counted: 2}, true},
		"unknown": {responses.Number{Reason: "PostHog does not count them"}, true},
	} {
		for edit, after := range questions {
			prior, next := planned(t, asking(why, how)), planned(t, asking(after...))
			prior.ID = types.StringValue("0190")
			next.ID = prior.ID
			pairs := survey.PairQuestions(next.Questions, next.Questions, prior.Questions, identity.History{})
			isCounted := false
			count := func() responses.Number { isCounted = true; return c.responses }

			var diags diag.Diagnostics
			found := check.PlanFindings(fieldsOf(t, asking(after...)), next, prior, pairs, check.Options{Now: now, Responses: count}, &diags)
			isLoss := edit != "description"
			assert.Equal(t, isLoss, isCounted, "%s: only a loss depends on the count", edit)
			assert.Equal(t, isLoss && c.isNamed, len(found)+len(diags) > 0, "%s, %s: %v %v", name, edit, found, diags)
			if edit == "removed" && c.isNamed && assert.Len(t, diags, 1) {
				assert.Equal(t, `This plan removes a question from a draft that may have responses: "How are you?" of survey "S"`, diags[0].Summary())
			}
		}
	}
}

// A plan fails because of an ambiguous question only if the draft is known to have responses.
func TestAmbiguousQuestionOfADraft(t *testing.T) {
	t.Parallel()
	described := func(id, description string) any {
		q := open(object{"question": "Why?", "description": description})
		if id != "" {
			q["id"] = id
		}
		return q
	}
	for isError, number := range map[bool]responses.Number{true: {Counted: 2}, false: {Reason: "PostHog does not count them"}} {
		prior, next := planned(t, asking(described("a", "one"), described("b", "two"), asks("c", "C"))), planned(t, asking(asks("c", "C"), described("", "three"), described("", "four")))
		prior.ID = types.StringValue("0190")
		next.ID = prior.ID
		pairs := survey.PairQuestions(next.Questions, next.Questions, prior.Questions, identity.History{})

		var diags diag.Diagnostics
		options := check.Options{Now: now, Responses: func() responses.Number { return number }}
		found := check.PlanFindings(fieldsOf(t, asking()), next, prior, pairs, options, &diags)
		assert.True(t, isFound(found, "ambiguous-question", isError), "%v: %v", number, found)
	}
}

// No answers are detached if the configuration gives an ID to a question that has none in PostHog.
func TestFirstIDIsNotNamed(t *testing.T) {
	t.Parallel()
	found, diags := plan(t, running(open(object{"question": "Why?"})), running(asks("new", "Why?")))
	assert.Empty(t, found)
	assert.Empty(t, diags)
}

// A plan that takes an ID away from a question causes a warning, unless the question is listed with its detached
// answers.
func TestTakenIDIsNamed(t *testing.T) {
	t.Parallel()
	before, after := []any{asks("now", "Why?")}, []any{asks("once", "Why?")}
	for name, c := range map[string]struct {
		detached identity.DetachedList
		isNamed  bool
	}{
		"not listed":               {nil, true},
		"listed":                   {identity.DetachedList{{ID: "now", OldID: "once"}}, false},
		"listed with another ID":   {identity.DetachedList{{ID: "now", OldID: "other"}}, true},
		"another question, listed": {identity.DetachedList{{Position: 1, OldID: "once"}}, true},
	} {
		pairs := pairsOf(t, before, after, identity.Pair{Index: 0, ID: "once", Rule: identity.SameID, IsCertain: true})
		pairs.Detached = c.detached
		prior := planned(t, running(before...))
		prior.ID = types.StringValue("0190")
		found := findingsOf(t, running(after...), prior, pairs)
		assert.Len(t, found, map[bool]int{true: 1}[c.isNamed], name)
		for _, f := range found {
			assert.Equal(t, check.Code("other-question-id"), f.Code, name)
			assert.Contains(t, f.Text, `Its ID is "now" in PostHog and "once" in the configuration.`, name)
		}
	}
}

// A configured ID that belongs to another question causes a warning with both questions, because it moves answers.
func TestIDOfAnotherQuestionIsNamed(t *testing.T) {
	t.Parallel()
	described := func(id, text, description string) any {
		q := open(object{"question": text, "description": description})
		if id != "" {
			q["id"] = id
		}
		return q
	}

	editor, support := described("e", "Happy?", "with the editor"), described("s", "Happy?", "with the support")
	why, how := asks("w", "Why?"), asks("h", "How are you today?")
	for name, c := range map[string]struct {
		before, after []any
		at, says      string
	}{
		"pasted": {[]any{editor, support}, []any{described("", "Happy?", "with the editor"), described("e", "Happy?", "with the support")}, "questions[1].id",
			"\"Happy?\"\n  description: \"with the editor\" -> \"with the support\"\nPostHog has the same question as this one under another ID. To keep its answers, set that ID:\n  id = \"s\""},
		"pasted, other text":  {[]any{why, how}, []any{open(object{"question": "Why?"}), asks("w", "How are you today?")}, "questions[1].id", "\"Why?\" -> \"How are you today?\""},
		"exchanged":           {[]any{why, how}, []any{asks("h", "Why?"), asks("w", "How are you today?")}, "questions[0].id", "\"How are you today?\" -> \"Why?\""},
		"own ID, moved":       {[]any{editor, support}, []any{support, editor}, "", ""},
		"own ID, edited":      {[]any{editor, support}, []any{editor, described("s", "Happy?", "with us")}, "", ""},
		"description removed": {[]any{described("s", "Happy?", "with us"), why}, []any{asks("w", "Happy?")}, "", ""},
		"the second of two":   {[]any{why, editor, described("s", "Happy?", "with the editor")}, []any{described("w", "Happy?", "with the editor"), editor}, "questions[0].id", "set that ID:\n  id = \"s\""},
		"ID is used":          {[]any{asks("a", "A"), asks("b", "B")}, []any{asks("a", "B"), asks("b", "C")}, "questions[0].id", "id = \"b\"\nquestions[1] has this ID in the configuration, and needs another one."},
		"equal to a copy":     {[]any{editor, support}, []any{editor, described("s", "Happy?", "with the editor")}, "", ""},
	} {
		found, diags := plan(t, running(c.before...), running(c.after...))
		for _, d := range diags {
			assert.False(t, c.at != "" && strings.Contains(d.Detail(), "set its ID to keep the answers"), "%s: the advice must appear only once", name)
		}

		found = slices.DeleteFunc(found, func(f check.Finding) bool { return f.Code != "answers-of-another-question" })
		if c.at == "" {
			assert.Empty(t, found, name)
			continue
		}
		if assert.NotEmpty(t, found, name) {
			assert.Equal(t, c.at, found[0].Path, name)
			assert.Contains(t, found[0].Text, c.says, name)
		}
	}
}

// A script has moved the IDs, and the configuration moves them back. The history distinguishes this from pasted IDs.
func TestIDsThatMoveBackAreNotNamed(t *testing.T) {
	t.Parallel()
	config := running(open(object{"question": "Who?"}), asks("w", "Why?"), asks("h", "How are you today?"))
	prior := planned(t, running(asks("w", "Who?"), asks("h", "Why?"), asks("n", "How are you today?")))
	prior.ID = types.StringValue("0190")
	written := survey.Identities(planned(t, running(asks("w", "Why?"), asks("h", "How are you today?"))).Questions.List())

	for _, c := range []struct {
		history identity.History
		want    int
	}{
		{identity.History{}, 2},
		{identity.Replay([][]identity.Question{written}, survey.Identities(prior.Questions.List())), 0},
	} {
		questions := planned(t, config).Questions
		found := findingsOf(t, config, prior, survey.PairQuestions(questions, questions, prior.Questions, c.history))
		found = slices.DeleteFunc(found, func(f check.Finding) bool { return f.Code != "answers-of-another-question" })
		assert.Len(t, found, c.want)
	}
}

// A question that moves and is edited is not listed among those that only move.
func TestMovedQuestionIsCalledEdited(t *testing.T) {
	t.Parallel()
	a, b := asks("a", "A"), asks("b", "B")
	_, diags := plan(t, asking(a, b), asking(question(b, object{"description": "New"}), a))
	require.Len(t, diags, 1)
	assert.Contains(t, diags[0].Detail(), "questions[0] was questions[1] and is edited: \"B\"\nquestions[1] was questions[0]: \"A\"")
}

// pairsOf returns two lists of questions that a history has matched.
func pairsOf(t *testing.T, before, after []any, pairs ...identity.Pair) survey.QuestionPairs {
	t.Helper()
	return survey.QuestionPairs{
		Before: fieldsOf(t, asking(before...)).Questions.List(), After: fieldsOf(t, asking(after...)).Questions.List(), Pairs: pairs,
	}
}

func TestPossibleQuestionsAreNamed(t *testing.T) {
	t.Parallel()
	candidates := []identity.Question{{ID: "a", Text: "A"}, {ID: "b", Text: "B"}}
	gone := identity.Pair{Index: -1, ID: "gone", Was: identity.Question{Text: "Gone?"}, Rule: identity.SameText}
	certain := gone
	certain.IsCertain = true

	for name, c := range map[string]struct {
		pair    identity.Pair
		code    check.Code
		isError bool
		says    string
	}{
		"several": {identity.Pair{Index: -1, Candidates: candidates}, "ambiguous-question", true, "  \"A\" (id = \"a\")\n  \"B\" (id = \"b\")\nTo choose one"},
		"deleted": {gone, "deleted-question-returns", false, `PostHog no longer contains the question "Gone?" with the ID "gone".`},
		"certain": {certain, "", false, ""},
		"new":     {identity.Pair{Index: -1, ID: "new", Rule: identity.New}, "", false, ""},
	} {
		before, after := running(), running(open(nil))
		prior := planned(t, before)
		prior.ID = types.StringValue("0190")
		found := findingsOf(t, after, prior, pairsOf(t, nil, []any{open(nil)}, c.pair))
		if c.code == "" {
			assert.Empty(t, found, name)
			continue
		}
		if assert.Len(t, found, 1, name) {
			assert.Equal(t, c.code, found[0].Code, name)
			assert.Equal(t, c.isError, found[0].IsError, name)
			assert.Contains(t, found[0].Text, c.says, name)
		}
	}
}

// Candidates with the same text are distinguished by what the plan would change about them.
func TestAmbiguousTwinsAreDistinguished(t *testing.T) {
	t.Parallel()
	described := func(id, description string) any {
		return question(asks(id, "Happy?"), object{"description": description})
	}
	after := open(object{"question": "Happy?", "description": "with us"})
	candidates := []identity.Question{{ID: "e", Text: "Happy?"}, {ID: "s", Text: "Happy?"}}
	pairs := pairsOf(t, []any{described("e", "with the editor"), described("s", "with support")}, []any{after}, identity.Pair{Index: -1, Candidates: candidates})
	pairs.CarriedIDs = []string{"e", "s"}
	prior := planned(t, running())
	prior.ID = types.StringValue("0190")

	var texts []string
	for _, f := range findingsOf(t, running(after), prior, pairs) {
		texts = append(texts, f.Text)
	}
	assert.Contains(t, strings.Join(texts, "\n"),
		"  \"Happy?\" (id = \"e\")\n    description: \"with the editor\" -> \"with us\"\n  \"Happy?\" (id = \"s\")\n    description: \"with support\" -> \"with us\"\n")
}

// ignore_changes on one question's text keeps the text at its position, which another question now has.
func TestRepeatedTextIsRefused(t *testing.T) {
	t.Parallel()
	yes, no := asks("1", "Yes?"), asks("2", "No?")
	after := []any{open(object{"question": "Yes?"}), open(object{"question": "Yes?"})}
	pairs := func(reordered bool, rule identity.Rule) survey.QuestionPairs {
		first := identity.Pair{Index: 0, ID: "1", Rule: identity.Identical, IsCertain: true}
		p := pairsOf(t, []any{yes, no}, after, first, identity.Pair{Index: 1, ID: "2", Rule: rule, IsCertain: true})
		p.IsReordered = reordered
		return p
	}

	for name, c := range map[string]struct {
		config      object
		isReordered bool
		rule        identity.Rule
		severities  []bool
	}{
		"of a running survey": {running(after...), true, identity.SamePosition, []bool{true}},
		"of a draft":          {asking(after...), true, identity.SamePosition, []bool{false}},
		"in the same order":   {running(after...), false, identity.SamePosition, nil},
		"of a new question":   {running(after...), true, identity.New, []bool{true}},
		"reworded in PostHog": {running(after...), true, identity.Identical, nil},
		"described, too":      {running(after...), true, identity.SameText, nil},
	} {
		prior := planned(t, question(c.config, object{"questions": []any{yes, no}}))
		prior.ID = types.StringValue("0190")
		var severities []bool
		for _, f := range findingsOf(t, c.config, prior, pairs(c.isReordered, c.rule)) {
			assert.Equal(t, check.Code("repeated-question"), f.Code, name)
			assert.Contains(t, f.Text, `asks "Yes?", like another question, and no question asks "No?" anymore`)
			severities = append(severities, f.IsError)
		}
		assert.Equal(t, c.severities, severities, name)
	}
}
