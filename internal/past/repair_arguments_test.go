package past_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/past"
)

// A decision that would move answers to another question is refused with both texts, unless a flag
// allows it.
func TestDecisionKeepsAnswersWithTheirQuestion(t *testing.T) {
	t.Parallel()
	snapshot := func(older, live string) *past.Timeline {
		return past.Follow(questions(t, live), past.Feed{}, past.List{Questions: questions(t, older), Source: past.FromSnapshot})
	}
	for name, c := range map[string]struct {
		timeline *past.Timeline
		question string
		id       string
		refusal  string
	}{
		"its own":                      {saves(t, "open:A#a open:B#b", "open:A#n open:B#m"), "n", "a", ""},
		"another question's":           {saves(t, "open:A#a open:B#b", "open:A#n open:B#m"), "n", "b", `the answers under the ID "b" belong to questions[1] "B", not to questions[0] "A"`},
		"of one that keeps a newer ID": {saves(t, "open:A#a open:B#b", "open:A#a open:B#m"), "a", "b", `belong to questions[1] "B", not to questions[0] "A"`},
		"of one that was reworded":     {saves(t, "open:A#a open:B#b", "open:A#n open:B#m", "open:A#n open:C#m"), "n", "b", `belong to questions[1] "C", not to questions[0] "A"`},
		"of an equal question":         {saves(t, "open:A#a open:A#b", "open:A#n open:A#m"), "n", "b", ""},
		"of a twin":                    {saves(t, "single_choice:P#a|x single_choice:P#b|y", "single_choice:P#n|x single_choice:P#m|y"), "n", "b", `belong to questions[1] "P", not to questions[0] "P"`},
		"of a deleted question":        {saves(t, "open:A#a open:B#b", "open:A#a"), "a", "b", ""},
		"its own, without a log":       {snapshot("open:A#a open:B#b", "open:A#n open:B#m"), "n", "a", ""},
		"another's, without a log":     {snapshot("open:A#a open:B#b", "open:A#n open:B#m"), "n", "b", `seem to belong to questions[1] "B", not to questions[0] "A"`},
		"deleted, without a log":       {snapshot("open:A#a open:B#b", "open:A#n"), "n", "b", ""},
	} {
		decision := past.RepairOptions{Decisions: []past.Decision{{Question: c.question, ID: c.id}}}
		_, err := past.PlanRepair(t.Context(), "s", nil, c.timeline, counts{}, decision)
		if c.refusal == "" {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorContains(t, err, c.refusal, name)

		decision.DetachedAnswers = true
		plan, err := past.PlanRepair(t.Context(), "s", nil, c.timeline, counts{}, decision)
		require.NoError(t, err, name)
		assert.Positive(t, plan.Count(past.Planned), name)
	}
}

// The IDs of several questions can be decided together, also if one of them receives the current ID of another.
func TestDecisionsMoveIDsBack(t *testing.T) {
	t.Parallel()
	timeline := saves(t, "open:Why?#x open:What?#y", "open:Why?#y open:What?#z")
	decide := func(decisions ...past.Decision) (past.RepairPlan, error) {
		return past.PlanRepair(t.Context(), "s", nil, timeline, counts{"x": 3, "y": 3}, past.RepairOptions{Decisions: decisions})
	}

	plan, err := decide(past.Decision{Question: "z", ID: "y"}, past.Decision{Question: "y", ID: "x"})
	require.NoError(t, err)
	assert.Equal(t, 2, plan.Count(past.Planned))
	assert.Equal(t, map[string]string{"x": "x", "z": "y"}, plan.NewIDs(timeline), "y could be either question")

	_, err = decide(past.Decision{Question: "z", ID: "y"})
	require.ErrorContains(t, err, `another question has the ID "y"`)
	_, err = decide(past.Decision{Question: "z", ID: "y"}, past.Decision{Question: "y", ID: "y"})
	require.ErrorContains(t, err, `two questions would receive the ID "y"`)
}

// The type of the question that has an ID now does not matter.
func TestDecisionsMoveIDsBackBetweenTypes(t *testing.T) {
	t.Parallel()
	timeline := saves(t, "open:Why?#x rating:What?#y", "open:Why?#y rating:What?#z")
	plan, err := past.PlanRepair(t.Context(), "s", nil, timeline, counts{"x": 3, "y": 3}, past.RepairOptions{})
	require.NoError(t, err)
	require.Equal(t, 2, plan.Count(past.Unresolved))

	decisions := []past.Decision{{Question: "y", ID: "x"}, {Question: "z", ID: "y"}}
	plan, err = past.PlanRepair(t.Context(), "s", nil, timeline, counts{"x": 3, "y": 3}, past.RepairOptions{Decisions: decisions})
	require.NoError(t, err)
	assert.Equal(t, 2, plan.Count(past.Planned))
}
