package visit_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
)

// responses contains one response for each key of each question type.
var responses = map[string]any{
	"2 negative": 2, "2 positive": 1, "3 negative": 1, "3 neutral": 2, "3 positive": 3, "5 negative": 2, "5 neutral": 3, "5 positive": 4,
	"7 negative": 3, "7 neutral": 4, "7 positive": 5, "10 detractors": 6, "10 passives": 7, "10 promoters": 9,
}

// step is a step from a question in the renderer's format.
type step struct {
	Survey   int `json:"survey"`
	Place    int `json:"place"`
	Response any `json:"response"`
	// To is the destination that the flow shows.
	To    int    `json:"to"`
	When  string `json:"when"`
	NoEnd bool   `json:"no_end"`
}

// randomQuestion returns a question of a survey with n questions.
func randomQuestion(r *rand.Rand, n int) flow.Question {
	q := flow.Question{
		Kind:     []flow.Kind{flow.Open, flow.Rating, flow.SingleChoice, flow.MultipleChoice, flow.Link}[r.IntN(5)],
		Optional: r.IntN(3) == 0, OpenChoice: r.IntN(3) == 0, Scale: []int{2, 3, 5, 7, 10}[r.IntN(5)], Choices: 3, Index: r.IntN(n), Responses: map[string]int{},
		Branching: []flow.Branching{"", flow.NextQuestion, flow.EndSurvey, flow.SpecificQuestion, flow.ResponseBased, flow.ResponseBased}[r.IntN(6)],
	}
	for _, key := range flow.ResponseKeys(q) {
		if to := r.IntN(n+2) - 1; to < n {
			q.Responses[key] = to
		}
	}
	return q
}

// onTheWire returns a question in the API's format, which the renderer reads.
func onTheWire(q flow.Question) map[string]any {
	targets := map[string]any{}
	for key, to := range q.Responses {
		if targets[key] = to; to == flow.End {
			targets[key] = "end"
		}
	}
	question := map[string]any{"type": q.Kind, "question": "?", "optional": q.Optional, "hasOpenChoice": q.OpenChoice, "scale": q.Scale, "choices": []string{"a", "b", "c"}}
	if q.Branching != "" {
		question["branching"] = map[string]any{"type": q.Branching, "index": q.Index, "responseValues": targets}
	}
	return question
}

// stepsOf returns the steps from a question that the flow shows.
func stepsOf(t *testing.T, survey int, questions []flow.Question, place int) []step {
	t.Helper()
	var steps []step
	for _, way := range flow.Steps(questions, place) {
		s := step{Survey: survey, Place: place, To: way.To, When: way.When, NoEnd: way.NoEnd}
		switch choice, err := strconv.Atoi(way.When); {
		case way.When == "" || way.When == flow.Skipped:
		case err == nil:
			s.Response = []string{"a", "b", "c"}[choice]
		default:
			s.Response = responses[fmt.Sprintf("%d %s", questions[place].Scale, way.When)]
			require.NotNil(t, s.Response)
		}
		steps = append(steps, s)
	}
	return steps
}

// After each response, posthog-js shows the question to which the flow leads.
func TestFlowAgreesWithTheRenderer(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same surveys each time
	var surveys []map[string]any
	var steps []step
	for survey := range 500 {
		questions := make([]flow.Question, 1+r.IntN(8))
		wire := make([]map[string]any, len(questions))
		for i := range questions {
			questions[i] = randomQuestion(r, len(questions))
			wire[i] = onTheWire(questions[i])
		}
		surveys = append(surveys, map[string]any{"questions": wire})
		for i := range questions {
			steps = append(steps, stepsOf(t, survey, questions, i)...)
		}
	}
	require.Greater(t, len(steps), 2000)

	page := browsertest.Start(t).Open(t, serve(t, nps(t)), browsertest.View{})
	input, err := json.Marshal([]any{surveys, steps})
	require.NoError(t, err)
	var differences []string
	page.Evaluate(t, `import("/renderer/surveys-preview.js").then(({ getNextSurveyStep }) => {
		const [surveys, steps] = `+string(input)+`;
		return steps.map((step) => {
			const { questions } = surveys[step.survey];
			const to = getNextSurveyStep(surveys[step.survey], step.place, step.response);
			const agrees = step.no_end ? !(to in questions) && to !== "end" : to === (step.to === -1 ? "end" : step.to);
			return agrees ? "" : JSON.stringify([to, step, questions[step.place]]);
		}).filter((difference) => difference);
	})`, &differences)
	if len(differences) > 10 {
		differences = differences[:10]
	}
	assert.Empty(t, differences)
}
