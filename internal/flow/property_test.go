package flow_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
)

// drawn returns a random survey, which may have wrong targets and wrong keys.
func drawn(r *rand.Rand) []flow.Question {
	kinds := []flow.Kind{flow.Open, flow.Link, flow.Rating, flow.SingleChoice, flow.MultipleChoice, "nps_grid"}
	ways := []flow.Branching{"", flow.NextQuestion, flow.EndSurvey, flow.SpecificQuestion, flow.ResponseBased, flow.ResponseBased, "jump"}
	keys := []string{"negative", "neutral", "positive", "detractors", "passives", "promoters", "0", "1", "2"}
	questions := make([]flow.Question, r.IntN(9))
	for i := range questions {
		target := func() int { return r.IntN(len(questions)+4) - 3 }
		q := flow.Question{
			Kind: kinds[r.IntN(len(kinds))], Text: strconv.Itoa(i), Scale: []int{0, 2, 3, 4, 5, 7, 10}[r.IntN(7)],
			Choices: r.IntN(4), Optional: r.IntN(4) == 0, OpenChoice: r.IntN(4) == 0, Branching: ways[r.IntN(len(ways))], Index: target(), Responses: map[string]int{},
		}
		for range r.IntN(4) {
			q.Responses[keys[r.IntN(len(keys))]] = target()
		}
		questions[i] = q
	}
	return questions
}

// closure computes with a naive algorithm which questions can be reached from which. The position after the last
// question represents the end.
func closure(questions []flow.Question) [][]bool {
	n := len(questions) + 1
	reach := make([][]bool, n)
	for i := range reach {
		reach[i] = make([]bool, n)
		if i == n-1 {
			break
		}
		for _, step := range flow.Steps(questions, i) {
			reach[i][(step.To+n)%n] = true
		}
	}
	for via := range n {
		for from := range n {
			for to := range n {
				reach[from][to] = reach[from][to] || reach[from][via] && reach[via][to]
			}
		}
	}
	return reach
}

func TestReachAgainstClosure(t *testing.T) {
	t.Parallel()

	for seed := range uint64(3000) {
		questions := drawn(rand.New(rand.NewPCG(seed, 1)))
		reach, end := closure(questions), len(questions)
		unreachable, loops := flow.Unreachable(questions), flow.Loops(questions)

		inLoop := map[int]flow.Loop{}
		for _, loop := range loops {
			require.True(t, slices.IsSorted(loop.Questions), "seed %d", seed)
			for _, position := range loop.Questions {
				require.NotContains(t, inLoop, position, "seed %d: question %d is in two loops", seed, position)
				inLoop[position] = loop
			}
		}

		for i := range questions {
			reached := i == 0 || reach[0][i]
			require.Equal(t, !reached, slices.Contains(unreachable, i), "seed %d: whether question %d is reachable", seed, i)

			loop, round := inLoop[i]
			require.Equal(t, reached && reach[i][i], round, "seed %d: whether question %d is in a loop", seed, i)

			for j := range questions {
				require.Equal(t, round && reach[i][j] && reach[j][i], round && slices.Contains(loop.Questions, j), "seed %d: whether questions %d and %d are in the same loop", seed, i, j)
			}
			require.Equal(t, round && !reach[i][end], round && loop.Endless, "seed %d: whether the loop of question %d is endless", seed, i)
		}
	}
}

// For any survey, every step leads to a question or to the end, and each response has a step.
func TestStepsStayInside(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3000) {
		questions := drawn(rand.New(rand.NewPCG(seed, 2)))
		for i, q := range questions {
			steps := flow.Steps(questions, i)
			require.NotEmpty(t, steps, "seed %d", seed)
			seen := map[string]bool{}
			for _, step := range steps {
				require.True(t, step.To == flow.End || step.To >= 0 && step.To < len(questions), "seed %d: %v", seed, step)
				require.False(t, seen[step.When], "seed %d: response %q has two steps", seed, step.When)
				seen[step.When] = true
			}
			for _, key := range flow.ResponseKeys(q) {
				require.Equal(t, q.Branching == flow.ResponseBased, seen[key], "seed %d: %q", seed, key)
			}
		}
	}
}

// Without branching, all questions are reached in order, and there is no loop.
func TestRow(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		questions := drawn(rand.New(rand.NewPCG(seed, 3)))
		for i := range questions {
			questions[i].Branching = ""
		}
		require.Empty(t, flow.Unreachable(questions))
		require.Empty(t, flow.Loops(questions))
		require.Empty(t, flow.OutOfRange(questions))
	}
}

// A stray target can be fixed only by changing the target: after all targets are set to the next question, no strays
// are left.
func TestStraysAreAllThereAre(t *testing.T) {
	t.Parallel()
	for seed := range uint64(1000) {
		questions := drawn(rand.New(rand.NewPCG(seed, 4)))
		for _, target := range flow.OutOfRange(questions) {
			if target.Key == "" {
				questions[target.Question].Branching = flow.NextQuestion
			} else {
				questions[target.Question].Responses[target.Key] = flow.Next
			}
		}
		require.Empty(t, flow.OutOfRange(questions), "seed %d", seed)
	}
}
