package flow_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
)

// yesNo returns a choice question that branches by its answers.
func yesNo(choices []string, responses map[string]int) flow.Question {
	return flow.Question{Kind: flow.SingleChoice, Choices: len(choices), ChoiceTexts: choices, Branching: flow.ResponseBased, Responses: responses}
}

func TestRedirects(t *testing.T) {
	t.Parallel()

	text := flow.Question{Kind: flow.Open}
	next := flow.Question{Kind: flow.Open, Branching: flow.NextQuestion}
	end := flow.Question{Kind: flow.Open, Branching: flow.EndSurvey}
	to := func(i int) flow.Question {
		return flow.Question{Kind: flow.Open, Branching: flow.SpecificQuestion, Index: i}
	}
	nps := flow.Question{Kind: flow.Rating, Scale: 10, Branching: flow.ResponseBased, Optional: true, Responses: map[string]int{"promoters": 2}}
	yes, swapped, more := []string{"Yes", "No"}, []string{"No", "Yes"}, []string{"Perhaps", "Yes", "No"}
	type list []flow.Question
	type answers []string
	other := func(responses map[string]int) flow.Question {
		return flow.Question{Kind: flow.SingleChoice, Choices: 2, ChoiceTexts: []string{"Price", "Other"}, OpenChoice: true, Optional: true, Branching: flow.ResponseBased, Responses: responses}
	}

	for name, c := range map[string]struct {
		before, after list
		was           []int
		want          []flow.Redirect
	}{
		"specific, inserted":         {list{to(2), text, text}, list{to(2), text, text, text}, []int{0, -1, 1, 2}, []flow.Redirect{{Question: 0, From: 2, To: 2}}},
		"specific, inserted after":   {list{to(1), text, text}, list{to(1), text, text, text}, []int{0, 1, -1, 2}, nil},
		"specific, adapted":          {list{to(2), text, text}, list{to(3), text, text, text}, []int{0, -1, 1, 2}, nil},
		"specific, edited":           {list{to(2), text, text}, list{to(1), text, text}, []int{0, 1, 2}, nil},
		"specific, swapped":          {list{to(2), text, text}, list{to(2), text, text}, []int{0, 2, 1}, []flow.Redirect{{Question: 0, From: 2, To: 2}}},
		"specific, itself moved":     {list{to(2), text, text}, list{text, to(2), text}, []int{1, 0, 2}, nil},
		"specific, removed":          {list{to(1), text, text}, list{to(1), text}, []int{0, 2}, []flow.Redirect{{Question: 0, From: 1, To: 1}}},
		"specific, replaced":         {list{to(1), text, text}, list{to(1), text, text}, []int{0, -1, 2}, nil},
		"specific, past the end":     {list{to(2), text, text}, list{to(2), text}, []int{0, 1}, []flow.Redirect{{Question: 0, From: 2, To: flow.End}}},
		"specific instead of next":   {list{next, text, text}, list{to(2), text, text}, []int{0, 1, 2}, nil},
		"no branching, inserted":     {list{text, text}, list{text, text, text}, []int{0, -1, 1}, nil},
		"next, inserted":             {list{next, text}, list{next, text, text}, []int{0, -1, 1}, []flow.Redirect{{Question: 0, From: 1, To: 1}}},
		"next, appended":             {list{text, next}, list{text, next, text}, []int{0, 1, -1}, []flow.Redirect{{Question: 1, From: flow.End, To: 2}}},
		"next, last removed":         {list{next, text}, list{next}, []int{0}, []flow.Redirect{{Question: 0, From: 1, To: flow.End}}},
		"end, appended":              {list{text, end}, list{text, end, text}, []int{0, 1, -1}, nil},
		"new, branching":             {list{text}, list{text, to(0)}, []int{0, -1}, nil},
		"response, inserted":         {list{yesNo(yes, map[string]int{"0": 2, "1": flow.End}), text, text}, list{yesNo(yes, map[string]int{"0": 2, "1": flow.End}), text, text, text}, []int{0, -1, 1, 2}, []flow.Redirect{{Question: 0, Answers: answers{"Yes"}, From: 2, To: 2}}},
		"response, no target":        {list{yesNo(yes, map[string]int{"0": flow.End}), text}, list{yesNo(yes, map[string]int{"0": flow.End}), text, text}, []int{0, -1, 1}, []flow.Redirect{{Question: 0, Answers: answers{"No"}, From: 1, To: 1}}},
		"response, one adapted":      {list{yesNo(yes, map[string]int{"0": 1, "1": 1}), text}, list{yesNo(yes, map[string]int{"0": 2, "1": 1}), text, text}, []int{0, -1, 1}, []flow.Redirect{{Question: 0, Answers: answers{"No"}, From: 1, To: 1}}},
		"response, all adapted":      {list{yesNo(yes, map[string]int{"0": 1, "1": 1}), text}, list{yesNo(yes, map[string]int{"0": 2, "1": 2}), text, text}, []int{0, -1, 1}, nil},
		"choices swapped":            {list{yesNo(yes, map[string]int{"0": 2}), text, text}, list{yesNo(swapped, map[string]int{"0": 2}), text, text}, []int{0, 1, 2}, []flow.Redirect{{Question: 0, Answers: answers{"No"}, From: 1, To: 2}, {Question: 0, Answers: answers{"Yes"}, From: 2, To: 1}}},
		"choices swapped, adapted":   {list{yesNo(yes, map[string]int{"0": 2}), text, text}, list{yesNo(swapped, map[string]int{"1": 2}), text, text}, []int{0, 1, 2}, nil},
		"choice inserted, adapted":   {list{yesNo(yes, map[string]int{"0": 2}), text, text}, list{yesNo(more, map[string]int{"1": 2}), text, text}, []int{0, 1, 2}, nil},
		"choice reworded":            {list{yesNo(yes, map[string]int{"0": 1}), text}, list{yesNo([]string{"Yes!", "No"}, map[string]int{"0": 1}), text, text}, []int{0, -1, 1}, []flow.Redirect{{Question: 0, Answers: answers{"Yes!", "No"}, From: 1, To: 1}}},
		"open choice retargeted":     {list{other(map[string]int{"1": 2}), text, text}, list{other(map[string]int{"1": 1}), text, text}, []int{0, 1, 2}, nil},
		"open choice, inserted":      {list{other(map[string]int{"0": 1, "1": 2}), text, text}, list{other(map[string]int{"0": 2, "1": 2}), text, text, text}, []int{0, -1, 1, 2}, []flow.Redirect{{Question: 0, Answers: answers{"Other"}, Skipped: true, From: 2, To: 2}}},
		"rating, and skipped":        {list{nps, text, text}, list{nps, text, text, text}, []int{0, -1, 1, 2}, []flow.Redirect{{Question: 0, Answers: answers{"detractors", "passives"}, Skipped: true, From: 1, To: 1}, {Question: 0, Answers: answers{"promoters"}, From: 2, To: 2}}},
		"response based, other kind": {list{yesNo(yes, map[string]int{"0": 1}), text}, list{nps, text, text}, []int{0, -1, 1}, []flow.Redirect{{Question: 0, Skipped: true, From: 1, To: 1}}},
	} {
		if name == "response based, other kind" {
			c.before[0].Optional = true
		}
		assert.Equal(t, c.want, flow.Redirects(c.before, c.after, c.was), name)
	}
}

// Comparing a survey with itself finds no redirects, and any two surveys can be compared.
func TestRedirectsOfAnySurveys(t *testing.T) {
	t.Parallel()

	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 5))
		before, after := drawn(r), drawn(r)

		same := make([]int, len(before))
		for i := range same {
			same[i] = i
		}
		assert.Empty(t, flow.Redirects(before, before, same), "seed %d", seed)

		was := make([]int, len(after))
		positions := r.Perm(len(before))
		for i := range was {
			was[i] = -1
			if i < len(positions) && r.IntN(3) > 0 {
				was[i] = positions[i]
			}
		}
		for _, one := range flow.Redirects(before, after, was) {
			assert.True(t, one.To == flow.End || one.To < len(after), "seed %d", seed)
			assert.True(t, one.From == flow.End || one.From < len(before), "seed %d", seed)
			assert.False(t, one.From >= 0 && one.To >= 0 && was[one.To] == one.From, "seed %d", seed)
		}
	}
}
