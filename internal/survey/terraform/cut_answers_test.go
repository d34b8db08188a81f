package terraform_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// withoutIDs is a save by a script that sends questions without their ids, and perhaps with
// another text for one of them: the service gives all of them new ids.
func withoutIDs(t *testing.T, env *acctest.Env, save string, texts map[int]string) {
	t.Helper()
	editQuestions(t, env, func(stored []any) []any {
		for i, one := range stored {
			one.(object)["id"] = fmt.Sprintf("018f2a3b-0000-4000-8000-%s%011d", save, i)
			if text, ok := texts[i]; ok {
				one.(object)["question"] = text
			}
		}
		return stored
	})
}

// answer has people answer all questions that the survey has.
func answer(t *testing.T, env *acctest.Env, people ...string) {
	t.Helper()
	survey := only(t, env)
	for _, person := range people {
		properties := object{"token": "phc_test", "distinct_id": person, "$survey_id": survey["id"], "$survey_completed": true}
		for i, id := range questionIDs(t, survey) {
			properties["$survey_response_"+id] = "x"
			if survey["questions"].([]any)[i].(object)["type"] == "multiple_choice" {
				properties["$survey_response_"+id] = []string{"x"}
			}
		}
		body, err := json.Marshal(object{"event": "survey sent", "properties": properties})
		require.NoError(t, err)
		reply, err := http.Post(env.URL+"/e/", "application/json", bytes.NewReader(body)) //nolint:noctx // a test
		require.NoError(t, err)
		require.NoError(t, reply.Body.Close())
		require.Equal(t, http.StatusOK, reply.StatusCode)
	}
}

func runs(texts ...string) object {
	questions := make([]any, len(texts))
	for i, text := range texts {
		questions[i] = open(object{"question": text})
	}
	return merged(asking(questions...), object{"status": "running"})
}

// A save without ids cuts off all answers. Whatever text it changes besides, and however often
// it is made, the plan says so and gives the questions the ids with the answers back, also when
// the code has followed; then it is empty.
func TestL17DetachedAnswersAreGivenBack(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		saves  []map[int]string
		config object
	}{
		"only ids":                   {[]map[int]string{nil}, runs("Why us?", "What next?", "C")},
		"and a text":                 {[]map[int]string{{1: "What next, please?"}}, runs("Why us?", "What next?", "C")},
		"and a text, code followed":  {[]map[int]string{{1: "What next, please?"}}, runs("Why us?", "What next, please?", "C")},
		"twice":                      {[]map[int]string{nil, nil}, runs("Why us?", "What next?", "C")},
		"twice, texts, and followed": {[]map[int]string{{1: "What next, please?"}, {0: "Why us now?"}}, runs("Why us now?", "What next, please?", "C")},
	} {
		for _, profile := range profiles {
			t.Run(fmt.Sprint(name, " ", profile), func(t *testing.T) {
				t.Parallel()
				env := acctest.Start(t, acctest.Profile(profile))
				survey := env.Resource(t, "posthog_survey")
				require.Empty(t, survey.Apply(runs("Why us?", "What next?", "C")).Errors().Text())
				before := questionIDs(t, only(t, env))
				env.AddResponses(survey.State("id").(string), 3)

				for i, texts := range c.saves {
					withoutIDs(t, env, fmt.Sprint(i+1), texts)
					require.Empty(t, survey.Refresh().Errors().Text())
				}

				plan := survey.Plan(c.config)
				told := plan.Diagnostics.Text()
				assert.Contains(t, told, `Answers cut off: "`)
				answers := map[testserver.Profile]string{testserver.Hosted: "at most 3; under its new id", testserver.Documented: "an unknown number; under its new id"}
				assert.Contains(t, told, fmt.Sprintf("answers cut off (under its old id %s: %s", before[0], answers[profile]))
				assert.Contains(t, told, "posthog-sync repair ")
				require.Empty(t, survey.ApplyPlan(plan).Errors().Text())
				assert.Equal(t, before, questionIDs(t, only(t, env)))

				require.Empty(t, survey.Refresh().Text())
				plan = survey.Plan(c.config)
				assert.True(t, survey.IsEmpty(plan))
				assert.NotContains(t, plan.Diagnostics.Text(), "cut off")
			})
		}
	}
}

// A service that gives no ids leaves the questions of such a save without any. They get theirs
// back, also when the code has followed a text that the save changed.
func TestL17QuestionsWithoutAnyID(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Documented))
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Apply(runs("Why us?", "What next?", "C")).Errors().Text())
	before := questionIDs(t, only(t, env))
	editQuestions(t, env, func(stored []any) []any {
		for _, one := range stored {
			delete(one.(object), "id")
		}
		stored[1].(object)["question"] = "What next, please?"
		return stored
	})

	followed := runs("Why us?", "What next, please?", "C")
	require.Empty(t, survey.Refresh().Errors().Text())
	plan := survey.Plan(followed)
	for i, id := range before {
		assert.Contains(t, plan.Diagnostics.Text(), fmt.Sprintf("questions[%d] ", i))
		assert.Contains(t, plan.Diagnostics.Text(), "answers cut off (under its old id "+id+": an unknown number; it has no id now)")
	}
	require.Empty(t, survey.ApplyPlan(plan).Errors().Text())
	assert.Equal(t, before, questionIDs(t, only(t, env)))

	require.Empty(t, survey.Refresh().Text())
	plan = survey.Plan(followed)
	assert.True(t, survey.IsEmpty(plan))
	assert.NotContains(t, plan.Diagnostics.Text(), "cut off")
}

// Where answers came in under both ids, nobody but a person can say which ones count: the plan
// says both numbers, and leaves the ids. A write by such a plan makes the choice.
func TestL17AnswersUnderBothIDs(t *testing.T) {
	t.Parallel()
	clock := time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC)
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	env.SetClock(clock)
	survey := env.Resource(t, "posthog_survey")
	// The service does not count the answers to the second one.
	choices := open(object{"question": "B", "type": "multiple_choice", "choices": []any{"x", "y"}})
	config := merged(asking(open(object{"question": "A"}), choices), object{"status": "running"})
	require.Empty(t, survey.Apply(config).Errors().Text())
	before := questionIDs(t, only(t, env))
	for _, step := range []func(){
		func() { answer(t, env, "a", "b", "c") },
		func() { withoutIDs(t, env, "1", nil) },
		func() { answer(t, env, "d", "e") },
	} {
		clock = clock.Add(time.Hour)
		env.SetClock(clock)
		step()
	}
	after := questionIDs(t, only(t, env))

	require.Empty(t, survey.Refresh().Errors().Text())
	plan := survey.Plan(config)
	assert.True(t, survey.IsEmpty(plan))
	assert.Contains(t, plan.Diagnostics.Text(), fmt.Sprintf("(under its old id %s: at most 3; under its new id %s: 2)", before[0], after[0]))
	assert.Contains(t, plan.Diagnostics.Text(), fmt.Sprintf("(under its old id %s: at most 3; under its new id %s: 2)", before[1], after[1]))
	assert.Contains(t, survey.Plan(config).Diagnostics.Text(), "Decide which ones count", "it is said again")

	named := merged(asking(open(object{"question": "A"}), choices), object{"status": "running"})
	named["questions"].([]any)[0].(object)["id"] = before[0]
	assert.Equal(t, []string{before[0], after[1]}, questionIDs(t, survey.Plan(named).Attributes(t)), "an id in code chooses")

	config["description"] = "Another one"
	require.Empty(t, survey.Apply(config).Errors().Text())
	assert.Equal(t, after, questionIDs(t, only(t, env)))
	require.Empty(t, survey.Refresh().Text())
	plan = survey.Plan(config)
	assert.True(t, survey.IsEmpty(plan))
	assert.NotContains(t, plan.Diagnostics.Text(), "cut off")
}

// A survey that is imported after such a save has its new ids in the state. A repair gives the
// old ones back, and no plan undoes it.
func TestL17PlansKeepWhatARepairGaveBack(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	created := env.CreateSurvey(testserver.Object{"project_id": "1", "name": "NPS", "type": "popover", "start_date": "2026-01-01T00:00:00Z", "questions": []any{
		object{"id": "018f2a3b-0000-4000-8000-00000000000a", "type": "open", "question": "A"},
		object{"id": "018f2a3b-0000-4000-8000-00000000000b", "type": "open", "question": "B"},
	}})
	id := created["id"].(string)
	before := questionIDs(t, only(t, env))
	env.AddResponses(id, 3)
	withoutIDs(t, env, "1", nil)

	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Import("1/"+id).Text())
	config := merged(runs("A", "B"), object{"name": "NPS"})
	require.Empty(t, survey.Apply(config).Errors().Text())

	editQuestions(t, env, func(stored []any) []any {
		for i := range stored {
			stored[i].(object)["id"] = before[i]
		}
		return stored
	})
	for range 2 {
		require.Empty(t, survey.Refresh().Errors().Text())
		plan := survey.Plan(config)
		assert.True(t, survey.IsEmpty(plan))
		assert.NotContains(t, plan.Diagnostics.Text(), "cut off")
	}

	withoutIDs(t, env, "2", nil) // the memory follows the repair
	require.Empty(t, survey.Refresh().Errors().Text())
	require.Empty(t, survey.Apply(config).Errors().Text())
	assert.Equal(t, before, questionIDs(t, only(t, env)))
}

// An update that does not send the questions takes no ids over from a save since the plan.
func TestL17AnUpdateOfOtherFieldsAdoptsNoIDs(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	survey := env.Resource(t, "posthog_survey")
	config := runs("A", "B")
	require.Empty(t, survey.Apply(config).Errors().Text())
	before := questionIDs(t, only(t, env))

	config["description"] = "Another one"
	plan := survey.Plan(config)
	withoutIDs(t, env, "1", nil)
	require.Empty(t, survey.ApplyPlan(plan).Errors().Text())

	require.Empty(t, survey.Refresh().Errors().Text())
	assert.Contains(t, survey.Plan(config).Diagnostics.Text(), "Answers cut off")
	require.Empty(t, survey.Apply(config).Errors().Text())
	assert.Equal(t, before, questionIDs(t, only(t, env)))
}

// While answers are cut off, each read asks where they are, since people go on answering; a plan
// without a cut makes no request more.
func TestL17RequestsOfACut(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	survey := env.Resource(t, "posthog_survey")
	config := runs("A", "B")
	require.Empty(t, survey.Apply(config).Errors().Text())
	require.Empty(t, survey.Refresh().Errors().Text())
	assert.Zero(t, env.Operations()["surveys_activity_retrieve"]+env.Operations()["surveys_stats_retrieve"])

	editQuestions(t, env, func(stored []any) []any {
		stored[1].(object)["id"] = "018f2a3b-0000-4000-8000-0000000000bb"
		return stored
	})
	for reads := range 3 {
		require.Empty(t, survey.Refresh().Errors().Text())
		assert.Contains(t, survey.Plan(config).Diagnostics.Text(), `questions[1] "B": answers cut off`)
		assert.Equal(t, reads+1, env.Operations()["surveys_activity_retrieve"])
		assert.Equal(t, 2*(reads+1), env.Operations()["surveys_stats_retrieve"])
	}
	require.Empty(t, survey.Apply(config).Errors().Text())
	before := env.Operations()["surveys_activity_retrieve"] + env.Operations()["surveys_stats_retrieve"]
	require.Empty(t, survey.Refresh().Errors().Text())
	assert.Equal(t, before, env.Operations()["surveys_activity_retrieve"]+env.Operations()["surveys_stats_retrieve"])
}

// Questions that the web interface and the code have each added, in similar words, are two.
func TestT23TwoNewQuestionsAreTwo(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Apply(runs("A")).Errors().Text())
	editQuestions(t, env, func(stored []any) []any {
		return append(stored, object{"id": "theirs", "type": "open", "question": "What do you like about the editor?"})
	})
	require.Empty(t, survey.Refresh().Errors().Text())
	plan := survey.Plan(runs("A", "What do you dislike about the editor?"))
	assert.Contains(t, plan.Diagnostics.Text(), "A running survey loses a question")
	require.Empty(t, survey.ApplyPlan(plan).Errors().Text())
	assert.NotContains(t, asked(t, env)[1], "theirs")
}

// The text of one question is not put over another one, as ignore_changes of a single text does
// after a reorder.
func TestT6RepeatedQuestionIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		config         object
		status         string
		isHit, refuses bool
	}{
		"at the other place":   {runs("B", "B"), "running", true, true},
		"draft":                {runs("B", "B"), "draft", true, false},
		"added twice, by code": {runs("B", "A", "B"), "running", false, false},
		"in order":             {runs("B", "A"), "running", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t)
			survey := env.Resource(t, "posthog_survey")
			require.Empty(t, survey.Apply(merged(runs("A", "B"), object{"status": c.status})).Errors().Text())

			editQuestions(t, env, func(stored []any) []any { return []any{stored[1], stored[0]} })
			require.Empty(t, survey.Refresh().Errors().Text())

			found := survey.Plan(merged(c.config, object{"status": c.status})).Diagnostics
			assert.Equal(t, c.refuses, found.HasError(), found.Text())
			if c.isHit {
				assert.Contains(t, found.Text(), "ignore_changes = [questions]")
			} else {
				assert.NotContains(t, found.Text(), "ignore_changes")
			}
		})
	}
}

// Of two questions of one text, one that was reworded in the web interface gets its text back.
func TestT6RewordedTwinIsNoRepetition(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Apply(runs("B", "B")).Errors().Text())

	editQuestions(t, env, func(stored []any) []any {
		stored[1].(object)["question"] = "Something else"
		return stored
	})
	require.Empty(t, survey.Refresh().Errors().Text())
	assert.Empty(t, survey.Plan(runs("B", "B")).Diagnostics.Errors().Text())
}

// Of two questions of one text, one may take the type of the other.
func TestT6RetypedQuestionIsNoRepetition(t *testing.T) {
	t.Parallel()
	survey := acctest.Start(t).Resource(t, "posthog_survey")
	open, rating := object{"type": "open", "question": "Why?"}, object{"type": "rating", "question": "Why?", "display": "number", "scale": 5}
	require.Empty(t, survey.Apply(merged(runs("A"), object{"questions": []any{open, rating}})).Errors().Text())

	found := survey.Plan(merged(runs("A"), object{"questions": []any{open, open}})).Diagnostics
	assert.Empty(t, found.Errors().Text())
	assert.Contains(t, found.Text(), "A running survey")
}

// The same with a real Terraform: a save without ids that rewords a question, in code as well,
// and one after an import; ignore_changes of a single text.
func TestAccL17(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	cli := env.CLI(t)
	write := func(lifecycle string, texts ...string) {
		var questions strings.Builder
		for _, text := range texts {
			fmt.Fprintf(&questions, "    { type = \"open\", question = %q },\n", text)
		}
		cli.Write("main.tf", ownProvider+`
resource "posthog_survey" "nps" {
  name      = "NPS"
  type      = "popover"
  status    = "running"
  questions = [
`+questions.String()+`  ]
`+lifecycle+`}
`)
	}
	isEmpty := func() {
		t.Helper()
		output, code := cli.Exit("plan", "-detailed-exitcode")
		assert.Zero(t, code, output)
		assert.NotContains(t, output, "cut off")
	}

	write("", "A", "What next?", "C")
	cli.Run("apply", "-auto-approve")
	before := questionIDs(t, only(t, env))
	answer(t, env, "a", "b")

	withoutIDs(t, env, "1", map[int]string{1: "What next, please?"})
	write("", "A", "What next, please?", "C")
	assert.Contains(t, cli.Run("plan"), "answers cut off (under its old id "+before[1]+": at most 2;")
	cli.Run("apply", "-refresh-only", "-auto-approve")
	assert.Contains(t, cli.Run("plan", "-refresh=false"), "This plan gives the old ids back", "the memory knows it without a read")
	cli.Run("apply", "-auto-approve")
	assert.Equal(t, before, questionIDs(t, only(t, env)))
	isEmpty()

	withoutIDs(t, env, "2", nil)
	survey := only(t, env)
	cli.Run("state", "rm", "posthog_survey.nps")
	cli.Run("import", "posthog_survey.nps", "1/"+survey["id"].(string))
	cli.Run("apply", "-auto-approve")
	editQuestions(t, env, func(stored []any) []any { // posthog-sync repair
		for i, one := range stored {
			one.(object)["id"] = before[i]
		}
		return stored
	})
	isEmpty()
	cli.Run("apply", "-auto-approve")
	isEmpty()
	assert.Equal(t, before, questionIDs(t, only(t, env)))

	editQuestions(t, env, func(stored []any) []any { return []any{stored[1], stored[0], stored[2]} })
	write("  lifecycle {\n    ignore_changes = [questions[0].question]\n  }\n", "A", "What next, please?", "C")
	output, code := cli.Exit("plan")
	assert.Equal(t, 1, code, output)
	assert.Contains(t, output, "ignore_changes = [questions]")
}
