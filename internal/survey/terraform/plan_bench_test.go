package terraform_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// unobserved is a server whose answers are not held against the contract, which would take
// longer than the plan.
func unobserved(o *testserver.Options) { o.Observe = nil }

// BenchmarkPlanOfQuestions plans a survey with 150 questions as Terraform does: one that is as
// it was, one with another description, and one whose questions are all reworded. The fast
// path answers for the first two; of the last the framework walks every attribute, several
// times, and the match is a small part.
func BenchmarkPlanOfQuestions(b *testing.B) {
	const number = 150
	env := acctest.Start(b, acctest.Profile(testserver.Hosted), unobserved)
	survey := env.Resource(b, "posthog_survey")
	asked := func(text string, ids ...any) object {
		var questions []any
		for i := range number {
			question := open(object{"question": fmt.Sprintf(text, i, i*i)})
			if i < len(ids) {
				question["id"] = ids[i]
			}
			questions = append(questions, question)
		}
		return asking(questions...)
	}
	const german = "Frage %d: Wie zufrieden sind Sie damit, wie schnell Teil %d unseres Produkts ist?"

	config := asked("Question %d: how satisfied are you with the speed of part %d of our product?")
	require.Empty(b, survey.Apply(config).Errors().Text())
	require.Empty(b, survey.Refresh().Errors().Text())
	var ids []any
	for _, question := range env.Instance.Surveys("1")[0]["questions"].([]any) {
		ids = append(ids, question.(object)["id"])
	}
	described := maps.Clone(config)
	described["description"] = "another"

	for _, c := range []struct {
		name    string
		config  object
		changed int
	}{
		{"unchanged", config, 0},
		{"described", described, 1},
		{"reworded", asked(german), 1},
		{"reworded with ids", asked(german, ids...), 1}, // nothing to match
	} {
		b.Run(c.name, func(b *testing.B) {
			planned := []acctest.PlannedObject{survey.Planned(c.config)}
			for b.Loop() {
				require.Equal(b, c.changed, env.RunPlan(b, planned))
			}
		})
	}
}

// BenchmarkPlanOfFleet plans surveys of which none has changed: those that
// internal/build/bench plans, and random ones. The random ones take at most 1.3 times what the
// others take, since what services hold and code leaves out is no work.
func BenchmarkPlanOfFleet(b *testing.B) {
	const number = 200 // an import of each takes longer than all plans
	for name, fleet := range map[string]string{"usual": usualFleet(b, number), "random": encodedForExport(b, drawnSurveys(number, 0), 0, testserver.Hosted)} {
		b.Run(name, func(b *testing.B) {
			env := acctest.Start(b, acctest.Profile(testserver.Hosted), acctest.Fixtures(fleet), unobserved)
			env.Environment["POSTHOG_ORGANIZATION_ID"] = ""
			var planned []acctest.PlannedObject
			for i, survey := range env.Resources(b, "posthog_survey", number) {
				require.Empty(b, survey.Import(fmt.Sprintf("018d4b5c-7a3e-7f21-9c6d-%012d", i)).Errors().Text())
				require.Empty(b, survey.Refresh().Errors().Text())
				planned = append(planned, survey.PlannedGenerated())
			}
			for b.Loop() {
				require.Zero(b, env.RunPlan(b, planned))
			}
		})
	}
}

// usualFleet are surveys like those of internal/build/bench, with the false and "" that the web
// interface saves and nobody writes.
func usualFleet(t testing.TB, number int) string {
	t.Helper()
	var stored []any
	for i := range number {
		stored = append(stored, object{
			"project_id": "1", "id": fmt.Sprintf("018d4b5c-7a3e-7f21-9c6d-%012d", i), "name": fmt.Sprintf("Survey %05d", i), "type": "popover",
			"description": "How people see the current release",
			"conditions":  object{"url": "https://example.com/pricing", "urlMatchType": "icontains", "seenSurveyWaitPeriodInDays": 30},
			"appearance":  object{"backgroundColor": "#eeeded", "position": "right", "displayThankYouMessage": true, "thankYouMessageHeader": "Thank you!"},
			"questions": []any{
				object{
					"id": "a", "type": "rating", "question": "How likely are you to recommend us?", "display": "number", "scale": 10,
					"lowerBoundLabel": "Not at all", "upperBoundLabel": "Certainly", "description": "", "buttonText": "", "optional": false, "isNpsQuestion": false,
					"branching": object{"type": "response_based", "responseValues": object{"detractors": 2, "promoters": "end"}},
				},
				object{
					"id": "b", "type": "single_choice", "question": "Where did you hear of us?", "choices": []any{"From a friend", "In the press", "Elsewhere"},
					"hasOpenChoice": true, "description": "", "buttonText": "", "optional": false, "shuffleOptions": false,
				},
				object{"id": "c", "type": "open", "question": "What should be better?", "description": "A word is enough.", "optional": true, "buttonText": ""},
			},
		})
	}

	document, err := json.Marshal(object{"surveys": stored})
	require.NoError(t, err)
	return string(document)
}
