package flow_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
)

func TestResponseKeys(t *testing.T) {
	t.Parallel()

	rating := func(scale int) flow.Question { return flow.Question{Kind: flow.Rating, Scale: scale} }

	for name, c := range map[string]struct {
		question flow.Question
		want     []string
	}{
		"thumbs":               {rating(2), []string{"negative", "positive"}},
		"three":                {rating(3), []string{"negative", "neutral", "positive"}},
		"five":                 {rating(5), []string{"negative", "neutral", "positive"}},
		"seven":                {rating(7), []string{"negative", "neutral", "positive"}},
		"ten":                  {rating(10), []string{"detractors", "passives", "promoters"}},
		"another scale":        {rating(4), nil},
		"scale not known":      {rating(0), nil},
		"choices":              {flow.Question{Kind: flow.SingleChoice, Choices: 3}, []string{"0", "1", "2"}},
		"choices not known":    {flow.Question{Kind: flow.SingleChoice}, nil},
		"several choices":      {flow.Question{Kind: flow.MultipleChoice, Choices: 3}, nil},
		"text":                 {flow.Question{Kind: flow.Open}, nil},
		"link, with leftovers": {flow.Question{Kind: flow.Link, Scale: 10, Choices: 3}, nil},
	} {
		assert.Equal(t, c.want, flow.ResponseKeys(c.question), name)
	}
}

func TestSteps(t *testing.T) {
	t.Parallel()

	nps := func(optional bool, responses map[string]int) flow.Question {
		return flow.Question{Kind: flow.Rating, Scale: 10, Branching: flow.ResponseBased, Optional: optional, Responses: responses}
	}

	for name, c := range map[string]struct {
		question flow.Question
		want     []flow.Step
	}{
		"no branching":        {flow.Question{}, []flow.Step{{To: 2}}},
		"next":                {flow.Question{Branching: flow.NextQuestion}, []flow.Step{{To: 2}}},
		"end":                 {flow.Question{Branching: flow.EndSurvey}, []flow.Step{{To: flow.End}}},
		"specific":            {flow.Question{Branching: flow.SpecificQuestion, Index: 0}, []flow.Step{{To: 0}}},
		"out of range":        {flow.Question{Branching: flow.SpecificQuestion, Index: 3}, []flow.Step{{To: flow.End, NoEnd: true}}},
		"unknown way":         {flow.Question{Branching: "jump"}, []flow.Step{{To: 2}}},
		"wrong kind":          {flow.Question{Kind: flow.Open, Branching: flow.ResponseBased, Responses: map[string]int{"0": 0}}, []flow.Step{{To: 2}}},
		"by response":         {nps(false, map[string]int{"detractors": 0, "promoters": flow.End}), []flow.Step{{When: "detractors", To: 0}, {When: "passives", To: 2}, {When: "promoters", To: flow.End}}},
		"skipped":             {nps(true, map[string]int{"detractors": 0, "passives": 0, "promoters": 0}), []flow.Step{{When: "detractors", To: 0}, {When: "passives", To: 0}, {When: "promoters", To: 0}, {When: flow.Skipped, To: 2}}},
		"open choice skipped": {flow.Question{Kind: flow.SingleChoice, Choices: 2, OpenChoice: true, Optional: true, Branching: flow.ResponseBased, Responses: map[string]int{"1": 0}}, []flow.Step{{When: "0", To: 2}, {When: "1", To: 0}, {When: flow.Skipped, To: 0}}},
		"open choice, next":   {flow.Question{Kind: flow.SingleChoice, Choices: 2, OpenChoice: true, Optional: true, Branching: flow.ResponseBased, Responses: map[string]int{"0": 0}}, []flow.Step{{When: "0", To: 0}, {When: "1", To: 2}, {When: flow.Skipped, To: 2}}},
		"target is not one":   {nps(false, map[string]int{"detractors": flow.Next, "passives": 9}), []flow.Step{{When: "detractors", To: 2}, {When: "passives", To: flow.End, NoEnd: true}, {When: "promoters", To: 2}}},
		"keys not known":      {flow.Question{Kind: flow.SingleChoice, Branching: flow.ResponseBased, Responses: map[string]int{"1": 2, "0": 1}}, []flow.Step{{When: "0", To: 1}, {When: "1", To: 2}}},
		"nothing is known":    {flow.Question{Kind: flow.Rating, Branching: flow.ResponseBased}, []flow.Step{{To: 2}}},
		"minus is no target":  {flow.Question{Branching: flow.SpecificQuestion, Index: -7}, []flow.Step{{To: flow.End, NoEnd: true}}},
	} {
		questions := []flow.Question{{}, c.question, {}}
		assert.Equal(t, c.want, flow.Steps(questions, 1), name)
	}

	// posthog-js ends a survey after its last question if the question has no branching or is a rating that the
	// respondent skipped. Otherwise, only branching ends it.
	for name, c := range map[string]struct {
		question flow.Question
		want     []flow.Step
	}{
		"no branching": {flow.Question{}, []flow.Step{{To: flow.End}}},
		"next":         {flow.Question{Branching: flow.NextQuestion}, []flow.Step{{To: flow.End, NoEnd: true}}},
		"end":          {flow.Question{Branching: flow.EndSurvey}, []flow.Step{{To: flow.End}}},
		"unknown way":  {flow.Question{Branching: "jump"}, []flow.Step{{To: flow.End, NoEnd: true}}},
		"wrong kind":   {flow.Question{Kind: flow.Open, Branching: flow.ResponseBased}, []flow.Step{{To: flow.End, NoEnd: true}}},
		"by response":  {nps(true, map[string]int{"detractors": 0, "promoters": flow.End}), []flow.Step{{When: "detractors", To: 0}, {When: "passives", To: flow.End, NoEnd: true}, {When: "promoters", To: flow.End}, {When: flow.Skipped, To: flow.End}}},
		"choice skipped": {
			flow.Question{Kind: flow.SingleChoice, Choices: 1, Optional: true, Branching: flow.ResponseBased, Responses: map[string]int{"0": flow.End}},
			[]flow.Step{{When: "0", To: flow.End}, {When: flow.Skipped, To: flow.End, NoEnd: true}},
		},
	} {
		questions := []flow.Question{c.question}
		assert.Equal(t, c.want, flow.Steps(questions, 0), name)
	}
}

// Dead ends are reported only for reachable questions.
func TestDeadEnds(t *testing.T) {
	t.Parallel()
	next, ends := flow.Question{Branching: flow.NextQuestion}, flow.Question{Branching: flow.EndSurvey}
	choice := flow.Question{Kind: flow.SingleChoice, Choices: 2, Optional: true, Branching: flow.ResponseBased, Responses: map[string]int{"1": flow.End}}

	assert.Empty(t, flow.DeadEnds(nil))
	assert.Empty(t, flow.DeadEnds([]flow.Question{next, {}}))
	assert.Empty(t, flow.DeadEnds([]flow.Question{ends, next}))
	assert.Equal(t, []flow.DeadEnd{{Question: 1}}, flow.DeadEnds([]flow.Question{next, next}))
	assert.Equal(t, []flow.DeadEnd{{Question: 0, When: []string{"0", flow.Skipped}}}, flow.DeadEnds([]flow.Question{choice}))
	assert.Contains(t, flow.Mermaid([]flow.Question{choice}), "q0 -->|\"0, skipped: no end\"| q1")
	assert.Contains(t, flow.Mermaid([]flow.Question{next}), "q0 -->|\"no end\"| q1")
}

func TestStrays(t *testing.T) {
	t.Parallel()
	questions := []flow.Question{
		{Branching: flow.SpecificQuestion, Index: 1},
		{Branching: flow.SpecificQuestion, Index: 4},
		{Branching: flow.SpecificQuestion, Index: flow.End},
		{Kind: flow.Rating, Scale: 10, Branching: flow.ResponseBased, Responses: map[string]int{"promoters": 4, "detractors": -9, "passives": flow.End, "other": 3}},
	}
	assert.Equal(t, []flow.Target{{1, "", 4}, {2, "", -1}, {3, "detractors", -9}, {3, "promoters", 4}}, flow.OutOfRange(questions))
	assert.Equal(t, []string{"other"}, flow.UnknownResponseKeys(questions[3]))
	questions[3].Scale = 5
	assert.Equal(t, []string{"detractors", "other", "passives", "promoters"}, flow.UnknownResponseKeys(questions[3]))
	questions[3].Scale = 0
	assert.Empty(t, flow.UnknownResponseKeys(questions[3]), "a response key must not be reported while the scale is unknown")
	assert.Empty(t, flow.OutOfRange(nil))
}

func TestReach(t *testing.T) {
	t.Parallel()

	to := func(index int) flow.Question { return flow.Question{Branching: flow.SpecificQuestion, Index: index} }
	next, end := flow.Question{}, flow.Question{Branching: flow.EndSurvey}
	yesNo := func(yes, no int) flow.Question {
		return flow.Question{Kind: flow.SingleChoice, Choices: 2, Branching: flow.ResponseBased, Responses: map[string]int{"0": yes, "1": no}}
	}

	for name, c := range map[string]struct {
		questions   []flow.Question
		unreachable []int
		loops       []flow.Loop
	}{
		"nothing":            {},
		"one":                {questions: []flow.Question{next}},
		"a row":              {questions: []flow.Question{next, next, next}},
		"jumped over":        {questions: []flow.Question{to(2), next, next}, unreachable: []int{1}},
		"after the end":      {questions: []flow.Question{end, next}, unreachable: []int{1}},
		"fork":               {questions: []flow.Question{yesNo(1, 2), end, end}},
		"itself":             {questions: []flow.Question{to(0), next}, unreachable: []int{1}, loops: []flow.Loop{{[]int{0}, true}}},
		"back":               {questions: []flow.Question{next, to(0)}, loops: []flow.Loop{{[]int{0, 1}, true}}},
		"back, with a way":   {questions: []flow.Question{next, yesNo(0, flow.End)}, loops: []flow.Loop{{[]int{0, 1}, false}}},
		"nobody goes round":  {questions: []flow.Question{end, to(2), to(1)}, unreachable: []int{1, 2}},
		"two":                {questions: []flow.Question{yesNo(0, 1), next, yesNo(1, 3), end}, loops: []flow.Loop{{[]int{0}, false}, {[]int{1, 2}, false}}},
		"one leads to other": {questions: []flow.Question{yesNo(0, 1), to(1)}, loops: []flow.Loop{{[]int{0}, true}, {[]int{1}, true}}},
	} {
		assert.Equal(t, c.unreachable, flow.Unreachable(c.questions), name)
		assert.Equal(t, c.loops, flow.Loops(c.questions), name)
	}
}
