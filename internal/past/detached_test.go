package past_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/past"
)

// counts contains exact numbers of answers under each ID. An ID without an entry has no answers.
type counts map[string]int64

func (c counts) Answers(_ context.Context, id string) past.Count { return past.ExactCount(c[id]) }
func (c counts) Responses(_ context.Context, holding past.Holding) past.Count {
	return past.ExactCount(c[holding.ID])
}
func (c counts) AnswersNow(context.Context) (map[string]int64, error) { return c, nil }

// However many saves replaced a question's ID, its answers are under the ID that received most of them. A question
// that was reworded each time possibly had all of these IDs.
func TestDetachedNamesTheIDWithTheAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lists  []string
		counts counts
		want   []string
	}{
		"one save":                  {[]string{"open:Why?#x", "open:Why?#y"}, counts{"x": 3}, []string{"y was x"}},
		"answers between two saves": {[]string{"open:Why?#x", "open:Why?#y", "open:Why?#z"}, counts{"y": 3}, []string{"z was y"}},
		"most of them between":      {[]string{"open:Why?#x", "open:Why?#y", "open:Why?#z"}, counts{"x": 1, "y": 50}, []string{"z was y"}},
		"most of them before":       {[]string{"open:Why?#x", "open:Why?#y", "open:Why?#z"}, counts{"x": 50, "y": 1}, []string{"z was x"}},
		"as many between":           {[]string{"open:Why?#x", "open:Why?#y", "open:Why?#z"}, counts{"x": 2, "y": 2}, []string{"z was x"}},
		"answers under both IDs":    {[]string{"open:Why?#x", "open:Why?#y"}, counts{"x": 3, "y": 1}, []string{"y was x, stays"}},
		"all under the current ID":  {[]string{"open:Why?#x", "open:Why?#y"}, counts{"y": 1}, nil},
		"someone restored the ID":   {[]string{"open:Why?#x", "open:Why?#y", "open:Why?#x"}, counts{"y": 1}, nil},
		"retyped since":             {[]string{"open:Why?#x", "link:Why?#y"}, counts{"x": 3}, nil},
		"its twin retyped since": {
			[]string{"open:Why?#x", "open:Why?#y open:Why?#z", "link:Why?#y open:Why?#z"}, counts{"x": 3}, []string{"z possibly was x"},
		},
		"its ID is at another question": {
			[]string{"open:Why?#x open:What?#y", "open:Why?#y open:What?#z"}, counts{"x": 3, "y": 3, "z": 1}, []string{"y possibly was x", "z possibly was y"},
		},
		"IDs exchanged":             {[]string{"open:Why?#x open:What?#y", "open:Why?#y open:What?#x"}, counts{"x": 3, "y": 3}, nil},
		"reworded in the same save": {[]string{"open:WhyDoYouLikeIt?#x", "open:WhyDoYouLikeThis?#y"}, counts{"x": 3}, []string{"y possibly was x"}},
		"reworded, then replaced again": {
			[]string{"open:WhyDoYouLikeIt?#x", "open:WhyDoYouLikeThis?#y", "open:WhyDoYouLikeThis?#z"}, counts{"x": 5, "y": 2},
			[]string{"z was y", "z possibly was x"},
		},
		"reworded in each of two": {
			[]string{"open:WhyDoYouLikeIt?#x", "open:WhyDoYouLikeThis?#y", "open:WhyWouldYouLikeThis?#z"}, counts{"x": 5},
			[]string{"z possibly was x", "z possibly was y"},
		},
	} {
		var found []string
		for _, d := range saves(t, c.lists...).Detached(t.Context(), c.counts) {
			text := d.ID + " was " + d.OldID
			if d.IsPossible {
				text = d.ID + " possibly was " + d.OldID
			}
			if d.Stays && !d.IsPossible {
				text += ", stays"
			}
			found = append(found, text)
		}
		assert.Equal(t, c.want, found, name)
	}
}

// responseTimes are the times of a survey's responses. No answer is counted by its question.
type responseTimes []time.Time

func (responseTimes) Answers(context.Context, string) past.Count           { return past.Count{} }
func (responseTimes) AnswersNow(context.Context) (map[string]int64, error) { return nil, nil }

func (r responseTimes) Responses(_ context.Context, holding past.Holding) past.Count {
	var n int64
	for _, period := range holding.Periods {
		for _, at := range r {
			if !at.Before(period.From) && (period.Until.IsZero() || at.Before(period.Until)) {
				n++
			}
		}
	}
	return past.ExactCount(n)
}

// An ID that someone restored has none of the answers that were given while the question had another ID.
func TestRestoredIDCountsItsPeriodsOnly(t *testing.T) {
	t.Parallel()
	timeline := saves(t, "open:Why?#x", "open:Why?#y", "open:Why?#x", "open:Why?#z")
	whileY := time.Date(2026, 1, 1, 1, 30, 0, 0, time.UTC)

	found := timeline.Detached(t.Context(), responseTimes{whileY, whileY})

	require.Len(t, found, 1)
	assert.Equal(t, "y", found[0].OldID)
	assert.EqualValues(t, 2, *found[0].Counts.Before)
}

// The last question of the survey has the text of a question that is missing.
func TestRelation(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lists []string
		want  identity.Relation
	}{
		"replaced by a save":                 {[]string{"open:Why?#x", "open:Why?#y"}, ""},
		"perhaps reworded":                   {[]string{"open:Why?#x", "open:Else?#y"}, ""},
		"both at one time":                   {[]string{"single_choice:T#x|A|B", "single_choice:T#x|A|B single_choice:T#y|C|D", "single_choice:T#y|C|D"}, identity.Separate},
		"both at one time, and equal":        {[]string{"open:T#x", "open:T#x open:T#y", "open:T#y"}, ""},
		"twins, the rest edited":             {[]string{"open:T#x", "open:T#x open:T#z", "open:T#y", "open:Else?#y"}, ""},
		"twins, told apart by an edit":       {[]string{"open:T#x", "open:T#x open:T#y", "open:T#x open:Else?#y", "open:Else?#y"}, identity.Separate},
		"both at one time, replaced since":   {[]string{"open:T#x", "open:T#x open:Else?#z", "open:Else?#y"}, identity.Separate},
		"deleted before":                     {[]string{"open:Else?#e single_choice:T#x|A|B", "open:Else?#e", "open:Else?#e single_choice:T#y|C|D"}, identity.Later},
		"deleted before, and equal":          {[]string{"open:Else?#e open:Why?#x", "open:Else?#e", "open:Else?#e open:Why?#y"}, ""},
		"perhaps reworded, and in two steps": {[]string{"open:Why?#x", "open:Else?#z", "open:Else?#y"}, ""},
		"not in the log":                     {[]string{"open:Why?#other", "open:Why?#y"}, ""},
	} {
		assert.Equal(t, c.want, saves(t, c.lists...).Relation("y", "x"), name)
	}
}
