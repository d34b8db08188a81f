package terraform_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

// worded returns open questions with the given words as texts.
func worded(words string) []any {
	var questions []any
	for text := range strings.FieldsSeq(words) {
		questions = append(questions, open(object{"question": text}))
	}
	return questions
}

// changed plans to replace the questions of an applied survey.
func changed(t *testing.T, status string, before, after []any) acctest.Diagnostics {
	t.Helper()
	survey := acctest.Start(t).Resource(t, "posthog_survey")
	applied := survey.Apply(with(object{"status": status, "questions": before}))
	require.False(t, applied.HasError(), applied.Text())
	plan := survey.Plan(with(object{"status": status, "questions": after}))
	require.False(t, plan.Diagnostics.HasError(), plan.Diagnostics.Text())
	return plan.Diagnostics
}

// If questions are reordered, one warning lists the moves.
func TestMovesAreTold(t *testing.T) {
	t.Parallel()

	for name, c := range map[string]struct{ before, after, title string }{
		"inserted":           {"a b c d e", "a b new c d e", "Questions change position"},
		"two inserted":       {"a b c", "x a b y c", "Questions change position"},
		"removed":            {"a b c", "b c", "Questions change position"},
		"swapped":            {"a b", "b a", "Questions change position"},
		"to the end":         {"a b c", "b c a", "Questions change position"},
		"replaced in front":  {"a b c", "c b", "Questions change position"},
		"inserted, removed":  {"a b c d", "b x c d", "Questions change position"},
		"added":              {"a b", "a b c", ""},
		"dropped at the end": {"a b c", "a b", ""},
		"edited":             {"a b", "a c", ""},
		"nothing":            {"a b", "a b", ""},
		"all gone":           {"a b", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := changed(t, "draft", worded(c.before), worded(c.after))

			if c.title == "" {
				assert.Empty(t, found.Text())
				return
			}

			require.Len(t, found, 1, found.Text())
			assert.Equal(t, c.title+": \"Quiet\"", found[0].Summary)
			assert.Nil(t, found[0].Attribute, "the warning must not have an attribute, because the CLI would print the source of all questions")
		})
	}
}

func TestMovesAreNamed(t *testing.T) {
	t.Parallel()
	found := changed(t, "draft", worded("a b c"), worded("new a c"))
	require.Len(t, found, 1)
	for _, line := range []string{`questions[0] is new: "new"`, `questions[1] was questions[0]: "a"`, `questions[1] is removed: "b"`} {
		assert.Contains(t, found[0].Detail, line)
	}
	assert.NotContains(t, found[0].Detail, `"c"`, "the warning must not list a question that does not move")

	many := strings.TrimSpace(strings.Repeat("q ", 40))
	var before []any
	for i, question := range worded(many) {
		question.(object)["question"] = strings.Repeat("long ", 20) + string(rune('A'+i))
		before = append(before, question)
	}
	found = changed(t, "draft", before, append(worded("new"), before...))
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Detail, "and 21 more")
	assert.NotContains(t, found[0].Detail, strings.Repeat("long ", 13))
}

// A survey that was running has answers, so a plan lists each question that it removes or retypes.
func TestLostAnswersAreNamed(t *testing.T) {
	t.Parallel()

	why := open(nil)
	for name, c := range map[string]struct {
		before, after []any
		at, says      string
	}{
		"dropped":                 {[]any{why, rated(nil)}, []any{rated(nil)}, "", `The plan removes questions[0] ("Why?")`},
		"all dropped":             {[]any{why}, []any{}, "", `The plan removes questions[0] ("Why?")`},
		"retyped":                 {[]any{rated(nil), why}, []any{rated(nil), single(object{"question": "Why?"})}, "questions[1].type", `changes from open to single_choice: "Why?". It becomes a new question`},
		"retyped and moved":       {[]any{rated(nil), why}, []any{single(object{"question": "Why?"}), rated(nil)}, "questions[0].type", "changes from open to single_choice"},
		"retyped, id kept":        {[]any{open(object{"id": "q"})}, []any{single(object{"id": "q"})}, "questions[0].type", "It keeps its ID"},
		"another at its position": {[]any{why}, []any{rated(nil)}, "", `The plan removes questions[0] ("Why?")`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := changed(t, "running", c.before, c.after)

			if c.at != "" {
				assertLocated(t, c.at, found)
			}
			assert.Contains(t, found.Text(), c.says)

			assert.NotContains(t, changed(t, "draft", c.before, c.after).Text(), "running survey")
			completed := changed(t, "completed", c.before, c.after).Text()
			assert.Contains(t, completed, c.says)
			assert.NotContains(t, completed, "running survey")
		})
	}

	asks := func(text string) object { return open(object{"question": text}) }
	assert.Empty(t, changed(t, "running", []any{asks("How was support?"), rated(nil)}, []any{asks("How was our support?"), rated(object{"scale": 5}), asks("Else?")}).Text(),
		"edits of texts and options, and new questions, must not cause a warning")

	found := changed(t, "running", []any{why, rated(nil)}, []any{open(object{"question": "Why not?"}), rated(nil), open(object{"question": "Else?"})}).Text()
	assert.Contains(t, found, `The plan removes questions[0] ("Why?")`, "if there is a new question, a question with a very different text must also count as new")
	assert.Contains(t, found, "If a new question is the same question, set its ID to keep the answers:")
}

// A question with a different text at the same position only possibly keeps the ID, so the plan shows both texts.
func TestA3PlanShowsBothTexts(t *testing.T) {
	t.Parallel()
	q := func(text string) []any { return []any{rated(nil), open(object{"question": text})} }
	found := changed(t, "running", q("How was support?"), q("What is your favourite colour?"))
	assertLocated(t, "questions[1]", found)
	assert.Contains(t, found.Text(), `from "How was support?" to "What is your favourite colour?"`)
	assert.Contains(t, found.Text(), "If it is a different question, set a new ID for it")
	assert.Regexp(t, `(?m)^  id = "[0-9a-f-]{36}"$`, found.Text(), "the advice must contain a line to paste")
	assert.Empty(t, changed(t, "running", q("How was support?"), q("How was our support?")).Text())
	assert.Empty(t, changed(t, "draft", q("How was support?"), q("What is your favourite colour?")).Text())

	twins := func(first, second any) []any {
		return []any{open(object{"description": first}), open(object{"description": second})}
	}
	found = changed(t, "running", twins("a", nil), twins("c", "d"))
	assert.Contains(t, found.Text(), `questions[0] is "Why?" and keeps its ID`)
	assert.Contains(t, found.Text(), "under the new content:\n  description: \"a\" -> \"c\"\n")
	assert.Contains(t, found.Text(), "under the new content:\n  description: none -> \"d\"\n", "the warning must show the content if the texts are equal")
	assert.Empty(t, changed(t, "running", q("How was support?"), []any{rated(nil), open(object{"id": "new", "question": "How was support?"})}).Errors())
}

// B3: a plan that inserts, moves, or removes questions lists the answers that lead to another question.
func TestB3BranchingThatLeadsElsewhereIsNamed(t *testing.T) {
	t.Parallel()
	find := func(branching any) object {
		return single(object{"question": "Did you find it?", "choices": []any{"Yes", "No"}, "branching": branching})
	}
	byAnswer := func(values object) object {
		return find(object{"type": "response_based", "response_values": values})
	}
	great, missing := open(object{"question": "Great! How did you find it?"}), open(object{"question": "What was missing?"})
	fresh := open(object{"question": "Which page?"})
	to := func(index int) object {
		return open(object{"question": "Start", "branching": object{"type": "specific_question", "index": index}})
	}
	next := open(object{"question": "Last?", "branching": object{"type": "next_question"}})

	for name, c := range map[string]struct {
		before, after []any
		title         string
		says          []string
	}{
		"inserted": {
			[]any{byAnswer(object{"0": "2"}), missing, great}, []any{byAnswer(object{"0": "2"}), fresh, missing, great},
			"Branching leads to different questions", []string{
				`questions[0]: the answer "Yes" led to "Great! How did you find it?", now leads to "What was missing?"` + "\n",
				`questions[0]: the answer "No" led to "What was missing?", now leads to "Which page?"` + "\n",
			},
		},
		"several answers": {
			[]any{byAnswer(object{"0": "2", "1": "2"}), missing, great}, []any{byAnswer(object{"0": "2", "1": "2"}), fresh, missing, great},
			"Branching leads to different questions", []string{
				`questions[0]: each of the answers "Yes", "No" led to "Great! How did you find it?", now leads to "What was missing?"` + "\n",
			},
		},
		"moved": {
			[]any{to(2), missing, great}, []any{to(2), great, missing},
			"Branching leads to different questions", []string{
				`questions[0]: led to "Great! How did you find it?", now leads to "What was missing?"` + "\n",
			},
		},
		"appended": {
			[]any{missing, next}, []any{missing, next, great}, "Branching leads to different questions", []string{
				`questions[1]: led to the end of the survey, now leads to "Great! How did you find it?"` + "\n",
			},
		},
		"skipped": {
			[]any{merged(byAnswer(object{"0": "end", "1": "end"}), object{"optional": true}), great},
			[]any{merged(byAnswer(object{"0": "end", "1": "end"}), object{"optional": true}), missing, great},
			"Branching leads to different questions", []string{
				`questions[0]: skipping it led to "Great! How did you find it?", now leads to "What was missing?"` + "\n",
			},
		},
		"choices swapped": {
			[]any{byAnswer(object{"0": "2"}), missing, great},
			[]any{merged(byAnswer(object{"0": "2"}), object{"choices": []any{"No", "Yes"}}), missing, great},
			"Branching leads to different questions", []string{`the answer "Yes" led to "Great! How did you find it?", now leads to "What was missing?"` + "\n"},
		},
		"adapted":        {[]any{byAnswer(object{"0": "2", "1": "1"}), missing, great}, []any{byAnswer(object{"0": "3", "1": "2"}), fresh, missing, great}, "Questions change position", nil},
		"edited":         {[]any{to(2), missing, great}, []any{to(1), missing, great}, "", nil},
		"reworded":       {[]any{to(2), missing, great}, []any{to(2), missing, open(object{"question": "Great! Where?"})}, "", nil},
		"not known":      {[]any{to(2), missing, great}, []any{merged(to(2), object{"branching": tftypes.UnknownValue}), fresh, missing, great}, "Questions change position", nil},
		"to the end":     {[]any{find(object{"type": "end"}), great}, []any{find(object{"type": "end"}), great, missing}, "", nil},
		"no branching":   {[]any{great, missing}, []any{great, fresh, missing}, "Questions change position", nil},
		"replaced there": {[]any{to(1), rated(nil), great}, []any{to(1), open(object{"question": "How?"}), great}, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var found acctest.Diagnostics
			for _, one := range changed(t, "draft", c.before, c.after) {
				if !strings.HasPrefix(one.Summary, "Unreachable question") {
					found = append(found, one)
				}
			}
			if c.title == "" {
				require.Empty(t, found.Text())
				return
			}
			require.Len(t, found, 1, found.Text())
			assert.Equal(t, c.title+": \"Quiet\"", found[0].Summary)
			for _, line := range c.says {
				assert.Contains(t, found[0].Detail, line)
			}
			if c.says == nil {
				assert.NotContains(t, found[0].Detail, "leads to")
			}
		})
	}
}

// B3: the plan compares with the questions in PostHog, including edits that a teammate made there.
func TestB3BranchingOfImportedSurvey(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(`{"surveys":[{"project_id":"1","id":"`+surveyID+`","name":"Quiet","type":"popover","questions":[
			{"id":"a","type":"rating","question":"How likely?","scale":10,"display":"number","branching":{"type":"response_based","responseValues":{"promoters":2}}},
			{"id":"b","type":"open","question":"Why not?"},{"id":"c","type":"open","question":"Why?"}]}]}`))
		survey := env.Resource(t, "posthog_survey")
		require.Empty(t, survey.Import("1/"+surveyID).Errors())
		asked, _ := survey.State("questions").([]any)
		require.Len(t, asked, 3)

		plan := survey.Plan(asking(asked[0], asked[2], asked[1]))
		require.Len(t, plan.Diagnostics, 1, plan.Diagnostics.Text())
		assert.Contains(t, plan.Diagnostics.Text(), `questions[0]: the answer "promoters" led to "Why?", now leads to "Why not?"`)
		assert.Contains(t, plan.Diagnostics.Text(), `questions[0]: each of the answers "detractors", "passives" led to "Why not?", now leads to "Why?"`)
		assert.True(t, survey.IsEmpty(survey.Plan(asking(asked...))))
	}
}

// B7: warnings about the whole list of questions have no path, because the CLI would print the whole list's source
// below each warning.
func TestB7ListWarningsNameNoAttribute(t *testing.T) {
	t.Parallel()
	found := changed(t, "running", worded("a b c d"), worded("new a b c"))
	require.Len(t, found, 2, found.Text())
	for _, one := range found {
		assert.Nil(t, one.Attribute, one.Summary)
	}
}
