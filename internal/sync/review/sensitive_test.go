package review_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/tfplan"
)

// randomQuestions returns questions with few different texts, choices, and scales. Two lists therefore contain equal,
// reworded, moved, new, and removed questions.
func randomQuestions(random *rand.Rand) []any {
	questions := []any{}
	for _, i := range random.Perm(4)[:1+random.IntN(4)] {
		question := object{"id": fmt.Sprint("q", i), "question": fmt.Sprintf("SECRET question %d, version %d?", i, random.IntN(2))}
		if random.IntN(3) == 0 {
			delete(question, "id")
		}
		switch i {
		case 0:
			question["type"], question["scale"] = "rating", json.Number([]string{"5", "10"}[random.IntN(2)])
			question["branching"] = object{"type": "response_based", "response_values": object{"detractors": "end", "promoters": "0"}}
		case 1:
			question["type"], question["choices"] = "single_choice", []any{"SECRET a", fmt.Sprint("SECRET ", random.IntN(2)), "SECRET c"}
			question["branching"] = object{"type": "response_based", "response_values": object{"0": "end", "1": "0"}}
		default:
			question["type"] = "open"
		}
		questions = append(questions, question)
	}
	return questions
}

func randomSurvey(random *rand.Rand) object {
	return object{
		"id": "0190d6a4-0000-7000-8000-000000000001", "name": "SECRET name", "status": []string{"draft", "running"}[random.IntN(2)],
		"description": fmt.Sprint("SECRET ", random.IntN(2)), "conditions": fmt.Sprintf(`{"url":"SECRET %d"}`, random.IntN(2)), "questions": randomQuestions(random),
	}
}

func planOf(before, after object, marks any) *tfjson.Plan {
	return &tfjson.Plan{ResourceChanges: []*tfjson.ResourceChange{{
		Mode: tfjson.ManagedResourceMode, Type: "posthog_survey", Address: "posthog_survey.a",
		Change: &tfjson.Change{Actions: tfjson.Actions{tfjson.ActionUpdate}, Before: before, After: after, BeforeSensitive: marks, AfterSensitive: marks},
	}}}
}

func reviewOf(t *testing.T, plan *tfjson.Plan) review.SurveyChange {
	t.Helper()
	changes, err := tfplan.Changes(t.Context(), plan)
	require.NoError(t, err)
	surveys, err := review.Plan(changes, numbers(7))
	require.NoError(t, err)
	return surveys[0]
}

// A review of a survey with sensitive values has the same findings as without them, but does not print the values.
func TestSensitiveValuesAreReviewedUnseen(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(20, 5))
	for range 500 {
		before, after := randomSurvey(random), randomSurvey(random)
		open, hidden := reviewOf(t, planOf(before, after, nil)), reviewOf(t, planOf(before, after, true))
		printed, err := json.Marshal(hidden)
		require.NoError(t, err)
		require.NotContains(t, string(printed), "SECRET", "%v\n%v", before, after)

		require.Equal(t, open.Events, hidden.Events)
		require.Equal(t, open.DetachesAnswers, hidden.DetachesAnswers)
		require.Len(t, hidden.Questions, len(open.Questions))
		for i, question := range open.Questions {
			other := hidden.Questions[i]
			require.Equal(t, []any{question.Kind, question.From, question.To}, []any{other.Kind, other.From, other.To}, "%v\n%v", before, after)
			require.Len(t, other.Changes, len(question.Changes))
		}
		require.Len(t, hidden.Redirects, len(open.Redirects))
		require.Equal(t, open.FlowAfter == nil, hidden.FlowAfter == nil)
	}
}

// A plan with sensitive values differs from PostHog in the same attributes as a plan without them.
func TestSensitiveValuesAreComparedUnseen(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(20, 6))
	objectsOf := func(plan *tfjson.Plan) []source.Object {
		objects, err := tfplan.Objects(t.Context(), plan)
		require.NoError(t, err)
		objects[0].ID = "" // pair by name
		return objects
	}

	for range 500 {
		planned, live := randomSurvey(random), randomSurvey(random)
		if random.IntN(4) == 0 {
			live = planned
		}
		// Values that only one source has are not values in the plan.
		live["questions"] = planned["questions"]
		service := objectsOf(planOf(nil, live, nil))
		open, counts := reconcile.Diff(objectsOf(planOf(nil, planned, nil)), service, true)

		for i, sides := range [][2][]source.Object{{objectsOf(planOf(nil, planned, true)), service}, {service, objectsOf(planOf(nil, planned, true))}} {
			hidden, hiddenCounts := reconcile.Diff(sides[0], sides[1], true)
			require.Equal(t, counts, hiddenCounts, i)
			printed, err := json.Marshal(hidden)
			require.NoError(t, err)
			assert.NotContains(t, string(printed), "SECRET")
			require.Len(t, hidden, len(open))
		}
	}
}
