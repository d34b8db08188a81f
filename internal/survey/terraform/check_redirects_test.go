package terraform_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

// B3: a plan that inserts, moves or removes questions says which answers lead elsewhere.
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
			"1 question inserted at 1, 2 moved down, branching leads elsewhere", []string{
				`questions[0]: the answer "Yes" led to "Great! How did you find it?", now leads to "What was missing?"` + "\n",
				`questions[0]: the answer "No" led to "What was missing?", now leads to "Which page?"` + "\n",
			},
		},
		"several answers": {
			[]any{byAnswer(object{"0": "2", "1": "2"}), missing, great}, []any{byAnswer(object{"0": "2", "1": "2"}), fresh, missing, great},
			"1 question inserted at 1, 2 moved down, branching leads elsewhere", []string{
				`questions[0]: each of the answers "Yes", "No" led to "Great! How did you find it?", now leads to "What was missing?"` + "\n",
			},
		},
		"moved": {
			[]any{to(2), missing, great}, []any{to(2), great, missing},
			"1 question moved down, 1 moved up, branching leads elsewhere", []string{
				`questions[0]: led to "Great! How did you find it?", now leads to "What was missing?"` + "\n",
			},
		},
		"appended": {
			[]any{missing, next}, []any{missing, next, great}, "Branching leads elsewhere", []string{
				`questions[1]: led to the end of the survey, now leads to "Great! How did you find it?"` + "\n",
			},
		},
		"skipped": {
			[]any{merged(byAnswer(object{"0": "end", "1": "end"}), object{"optional": true}), great},
			[]any{merged(byAnswer(object{"0": "end", "1": "end"}), object{"optional": true}), missing, great},
			"1 question inserted at 1, 1 moved down, branching leads elsewhere", []string{
				`questions[0]: skipping it led to "Great! How did you find it?", now leads to "What was missing?"` + "\n",
			},
		},
		"choices swapped": {
			[]any{byAnswer(object{"0": "2"}), missing, great},
			[]any{merged(byAnswer(object{"0": "2"}), object{"choices": []any{"No", "Yes"}}), missing, great},
			"Branching leads elsewhere", []string{`the answer "Yes" led to "Great! How did you find it?", now leads to "What was missing?"` + "\n"},
		},
		"adapted":        {[]any{byAnswer(object{"0": "2", "1": "1"}), missing, great}, []any{byAnswer(object{"0": "3", "1": "2"}), fresh, missing, great}, "1 question inserted at 1, 2 moved down", nil},
		"edited":         {[]any{to(2), missing, great}, []any{to(1), missing, great}, "", nil},
		"reworded":       {[]any{to(2), missing, great}, []any{to(2), missing, open(object{"question": "Great! Where?"})}, "", nil},
		"not known":      {[]any{to(2), missing, great}, []any{merged(to(2), object{"branching": tftypes.UnknownValue}), fresh, missing, great}, "1 question inserted at 1, 2 moved down", nil},
		"to the end":     {[]any{find(object{"type": "end"}), great}, []any{find(object{"type": "end"}), great, missing}, "", nil},
		"no branching":   {[]any{great, missing}, []any{great, fresh, missing}, "1 question inserted at 1, 1 moved down", nil},
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

// B3: in the terms of what the service holds, also after an edit in the web interface.
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

// B7: warnings about the list of questions as a whole have no path: the CLI would print
// the source of the whole list under each.
func TestB7ListWarningsNameNoAttribute(t *testing.T) {
	t.Parallel()
	found := changed(t, "running", worded("a b c d"), worded("new a b c"))
	require.Len(t, found, 2, found.Text())
	for _, one := range found {
		assert.Nil(t, one.Attribute, one.Summary)
	}
}
