package terraform_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// withoutIDs saves questions without their IDs, as a script would, and optionally rewords one. PostHog gives all of
// them new IDs.
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

// answer sends one response from each respondent to all of the survey's questions.
func answer(t *testing.T, env *acctest.Env, respondents ...string) {
	t.Helper()
	survey := only(t, env)
	for _, respondent := range respondents {
		properties := object{"token": "phc_test", "distinct_id": respondent, "$survey_id": survey["id"], "$survey_completed": true}
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

// A save without question IDs detaches all answers. However often it happens, the plan reports the
// questions and restores the IDs with the answers. Then it is empty.
func TestL17DetachedAnswersAreReattached(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		saves []map[int]string
		// texts are the configured questions.
		texts []string
		// oldTexts are the texts before the saves reworded them, by position.
		oldTexts map[int]string
		// hasFollowed is set if the configuration contains the new texts.
		hasFollowed bool
	}{
		"only ids":                   {[]map[int]string{nil}, []string{"Why us?", "What next?", "C"}, nil, false},
		"and a text":                 {[]map[int]string{{1: "What next, please?"}}, []string{"Why us?", "What next?", "C"}, map[int]string{1: "What next?"}, false},
		"and a text, code followed":  {[]map[int]string{{1: "What next, please?"}}, []string{"Why us?", "What next, please?", "C"}, map[int]string{1: "What next?"}, true},
		"twice":                      {[]map[int]string{nil, nil}, []string{"Why us?", "What next?", "C"}, nil, false},
		"twice, texts, and followed": {[]map[int]string{{1: "What next, please?"}, {0: "Why us now?"}}, []string{"Why us now?", "What next, please?", "C"}, map[int]string{0: "Why us?", 1: "What next?"}, true},
	} {
		for _, profile := range profiles {
			t.Run(fmt.Sprint(name, " ", profile), func(t *testing.T) {
				t.Parallel()
				env := acctest.Start(t, acctest.Profile(profile))
				survey := env.Resource(t, "posthog_survey")
				require.Empty(t, survey.Apply(runs("Why us?", "What next?", "C")).Errors().Text())
				before := questionIDs(t, only(t, env))
				env.AddResponses(survey.State("id").(string), 3)
				wanted := slices.Clone(before)

				for i, texts := range c.saves {
					withoutIDs(t, env, fmt.Sprint(i+1), texts)
					require.Empty(t, survey.Refresh().Errors().Text())
					for position := range texts {
						if c.hasFollowed { // the new text is only possibly the same question
							wanted[position] = questionIDs(t, only(t, env))[position]
						}
					}
				}
				after := questionIDs(t, only(t, env))

				config := runs(c.texts...)
				plan := survey.Plan(config)
				text := plan.Diagnostics.Text()
				assert.Contains(t, text, `Detached answers: "`)
				assert.Contains(t, text, "\n  posthog-sync repair ")
				for i, id := range before {
					oldText, isReworded := c.oldTexts[i]
					assertReported(t, text, i, id, after[i], profile, isReworded)
					if isReworded {
						assert.Contains(t, text, fmt.Sprintf("possibly detached answers of %q", oldText))
					}
				}
				require.Empty(t, survey.ApplyPlan(plan).Errors().Text())
				assert.Equal(t, wanted, questionIDs(t, only(t, env)))

				require.Empty(t, survey.Refresh().Text())
				plan = survey.Plan(config)
				assert.True(t, survey.IsEmpty(plan))
				assert.NotContains(t, plan.Diagnostics.Text(), "detached", "no answers are detached after the apply restored the IDs")

				for i := range c.oldTexts {
					config["questions"].([]any)[i].(object)["id"] = before[i]
				}
				require.Empty(t, survey.Apply(config).Errors().Text())
				assert.Equal(t, before, questionIDs(t, only(t, env)), "an ID in the configuration must take precedence")
			})
		}
	}
}

// If respondents answer between two saves without IDs, the plan restores the ID that received most
// of the answers, although no read has seen it.
func TestL17AnswersBetweenSavesAreReattached(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, between int }{
		"only between":   {0, 3},
		"mostly between": {1, 5},
		"mostly before":  {5, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC)
			env := acctest.Start(t, acctest.Profile(testserver.Hosted))
			env.SetClock(clock)
			survey := env.Resource(t, "posthog_survey")
			config := runs("Why us?", "What next?")
			require.Empty(t, survey.Apply(config).Errors().Text())
			wanted := questionIDs(t, only(t, env))
			respondents := []string{"a", "b", "c", "d", "e", "f"}
			for _, step := range []func(){
				func() { answer(t, env, respondents[:c.before]...) },
				func() { withoutIDs(t, env, "1", nil) },
				func() { answer(t, env, respondents[c.before:c.before+c.between]...) },
				func() {
					if c.between > c.before {
						wanted = questionIDs(t, only(t, env))
					}
					withoutIDs(t, env, "2", nil)
				},
			} {
				clock = clock.Add(time.Hour)
				env.SetClock(clock)
				step()
			}

			require.Empty(t, survey.Refresh().Errors().Text())
			plan := survey.Plan(config)
			for _, id := range wanted {
				assert.Contains(t, plan.Diagnostics.Text(), fmt.Sprintf("(at most %d answers under the old ID %s, no answers", max(c.before, c.between), id))
			}
			require.Empty(t, survey.ApplyPlan(plan).Errors().Text())
			assert.Equal(t, wanted, questionIDs(t, only(t, env)))
		})
	}
}

// A teammate exchanged two questions' texts, and a script saved the questions without IDs before an
// apply. By its text, each question would get the other one's answers, but the activity log shows
// which ID each of them had.
func TestL17ExchangedTextsKeepTheirAnswers(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Apply(runs("Why us?", "What next?", "C")).Errors().Text())
	before := questionIDs(t, only(t, env))
	editQuestions(t, env, func(stored []any) []any {
		stored[0].(object)["question"], stored[1].(object)["question"] = "What next?", "Why us?"
		return stored
	})
	answer(t, env, "a", "b", "c")
	withoutIDs(t, env, "1", nil)

	followed := runs("What next?", "Why us?", "C")
	require.Empty(t, survey.Refresh().Errors().Text())
	plan := survey.Plan(followed)
	assert.Contains(t, plan.Diagnostics.Text(), fmt.Sprintf(`questions[0] "What next?": detached answers of "Why us?" (at most 3 answers under the old ID %s`, before[0]))
	require.Empty(t, survey.ApplyPlan(plan).Errors().Text())
	assert.Equal(t, before, questionIDs(t, only(t, env)))
	require.Empty(t, survey.Refresh().Text())
	assert.True(t, survey.IsEmpty(survey.Plan(followed)))
}

// assertReported checks how a plan reports a question whose ID a save replaced.
func assertReported(t *testing.T, text string, position int, oldID, newID string, profile testserver.Profile, isPossible bool) {
	t.Helper()
	most, since := "at most 3 answers", "no answers"
	if profile == testserver.Documented || isPossible {
		most, since = "an unknown number of answers", "an unknown number of answers"
	}
	assert.Regexp(t, fmt.Sprintf(`(?m)^  questions\[%d\] ".*": .*detached answers.* \(%s under the old ID %s, %s under the new ID %s\)$`, position, most, oldID, since, newID), text)
}

// PostHog may leave the questions in such a save without any ID. The apply restores the old IDs,
// even if the configuration has the text that the save changed.
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
		assert.Regexp(t, fmt.Sprintf(`questions\[%d\] ".*": (possibly )?detached answers.* \(an unknown number of answers under the old ID %s, it has no ID now\)`, i, id), plan.Diagnostics.Text())
	}
	assert.Equal(t, 1, strings.Count(plan.Diagnostics.Text(), "possibly"))
	assert.Contains(t, plan.Diagnostics.Text(), `questions[1] "What next, please?": possibly detached answers of "What next?"`)
	require.Empty(t, survey.ApplyPlan(plan).Errors().Text())
	assert.Equal(t, before, questionIDs(t, only(t, env)))

	require.Empty(t, survey.Refresh().Text())
	plan = survey.Plan(followed)
	assert.True(t, survey.IsEmpty(plan))
	assert.NotContains(t, plan.Diagnostics.Text(), "detached")
}

// If there are answers under both IDs, only the user can decide which ones count. The plan shows both numbers and keeps
// the new IDs. Applying this plan is the decision.
func TestL17AnswersUnderBothIDs(t *testing.T) {
	t.Parallel()
	clock := time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC)
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	env.SetClock(clock)
	survey := env.Resource(t, "posthog_survey")
	// PostHog doesn't count the answers to the second question.
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
	assert.Contains(t, plan.Diagnostics.Text(), fmt.Sprintf("(at most 3 answers under the old ID %s, 2 answers under the new ID %s)", before[0], after[0]))
	assert.Contains(t, plan.Diagnostics.Text(), fmt.Sprintf("(at most 3 answers under the old ID %s, 2 answers under the new ID %s)", before[1], after[1]))
	again := survey.Plan(config).Diagnostics.Text()
	assert.Contains(t, again, "Answers came in under both IDs, so the apply keeps the new IDs", "each plan must report that the new IDs stay")
	for i, id := range after {
		assert.Regexp(t, fmt.Sprintf(`(?m)^  posthog-sync repair Quiet .*--question %s=%s`, id, before[i]), again, "the command must contain complete IDs, because IDs of one save can have the same prefix")
	}

	named := merged(asking(open(object{"question": "A"}), choices), object{"status": "running"})
	named["questions"].([]any)[0].(object)["id"] = before[0]
	assert.Equal(t, []string{before[0], after[1]}, questionIDs(t, survey.Plan(named).Attributes(t)), "an ID in the configuration must take precedence")

	config["description"] = "Another one"
	require.Empty(t, survey.Apply(config).Errors().Text())
	assert.Equal(t, after, questionIDs(t, only(t, env)))
	require.Empty(t, survey.Refresh().Text())
	plan = survey.Plan(config)
	assert.True(t, survey.IsEmpty(plan))
	assert.NotContains(t, plan.Diagnostics.Text(), "detached")
}

// A survey that is imported after such a save has the new IDs in the state. A repair restores the
// old ones, and no plan undoes the repair.
func TestL17PlansKeepRestoredIDs(t *testing.T) {
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
	imported := survey.Import("1/" + id)
	require.Empty(t, imported.Errors().Text())
	for i, was := range before {
		assertReported(t, imported.Text(), i, was, questionIDs(t, only(t, env))[i], testserver.Hosted, false)
	}
	assert.Contains(t, imported.Text(), "\n  posthog-sync repair NPS ")
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
		assert.NotContains(t, plan.Diagnostics.Text(), "detached")
	}

	withoutIDs(t, env, "2", nil) // the remembered history follows the repair
	require.Empty(t, survey.Refresh().Errors().Text())
	require.Empty(t, survey.Apply(config).Errors().Text())
	assert.Equal(t, before, questionIDs(t, only(t, env)))
}

// For attributes in ignore_changes, Terraform plans the state's questions, with their new IDs. The plan reports
// the detached answers until a write accepts the new IDs.
func TestL17IgnoredQuestionsAreReported(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	survey := env.Resource(t, "posthog_survey")
	config := runs("A", "B")
	require.Empty(t, survey.Apply(config).Errors().Text())
	before := questionIDs(t, only(t, env))
	env.AddResponses(survey.State("id").(string), 3)
	withoutIDs(t, env, "1", nil)
	require.Empty(t, survey.Refresh().Errors().Text())
	after := questionIDs(t, only(t, env))

	config["questions"] = survey.State("questions")
	plan := survey.Plan(config)
	assert.True(t, survey.IsEmpty(plan))
	for i := range before {
		assertReported(t, plan.Diagnostics.Text(), i, before[i], after[i], testserver.Hosted, false)
	}
	assert.Contains(t, plan.Diagnostics.Text(), "ignore_changes = [questions] hides the replacement")

	config["description"] = "Another one"
	require.Empty(t, survey.Apply(config).Errors().Text())
	assert.Equal(t, after, questionIDs(t, only(t, env)))
	assert.NotContains(t, survey.Plan(config).Diagnostics.Text(), "etached")
}

// A removed question with detached answers is named with the ID that has them. If the configuration
// states the new ID, the plan still lists the question.
func TestL17RemovedQuestionIsNamedWithTheIDOfItsAnswers(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Apply(runs("How do you like the editor?", "What should we change?", "Else?")).Errors().Text())
	before := questionIDs(t, only(t, env))
	env.AddResponses(survey.State("id").(string), 3)
	withoutIDs(t, env, "1", nil)
	require.Empty(t, survey.Refresh().Errors().Text())
	after := questionIDs(t, only(t, env))

	config := func(id any) object {
		c := runs("How do you like the editor?", "Name one thing to improve", "Would you recommend us?", "Else?")
		c["questions"].([]any)[1].(object)["id"] = id
		return c
	}
	assert.Contains(t, survey.Plan(config(nil)).Diagnostics.Text(), "set its ID to keep the answers:\n  id = \""+before[1]+"\"")

	text := survey.Plan(config(after[1])).Diagnostics.Text()
	assertReported(t, text, 1, before[1], after[1], testserver.Hosted, false)
	assert.Contains(t, text, "The configuration has the new IDs")

	require.Empty(t, survey.Apply(config(before[1])).Errors().Text())
	assert.Equal(t, before[1], questionIDs(t, only(t, env))[1])
}

// A plan that takes an ID with answers away from a question warns, even if the configuration states
// an ID that the question once had.
func TestF19TakenIDIsReported(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Apply(runs("A", "B")).Errors().Text())
	original := questionIDs(t, only(t, env))
	env.AddResponses(survey.State("id").(string), 3)
	withoutIDs(t, env, "1", nil)
	require.Empty(t, survey.Refresh().Errors().Text())

	config := runs("A", "B")
	for i, id := range questionIDs(t, only(t, env)) {
		config["questions"].([]any)[i].(object)["id"] = id
	}
	config["description"] = "Another one"
	require.Empty(t, survey.Apply(config).Errors().Text())
	editQuestions(t, env, func(stored []any) []any {
		for i, id := range original {
			stored[i].(object)["id"] = id
		}
		return stored
	})

	for range 2 {
		require.Empty(t, survey.Refresh().Errors().Text())
		text := survey.Plan(config).Diagnostics.Text()
		for i, id := range original {
			assert.Contains(t, text, "To keep the ID in PostHog, set it:\n  id = \""+id+"\"", "questions[%d]", i)
		}
	}
	require.Empty(t, survey.Apply(config).Errors().Text())
	assert.NotContains(t, survey.Plan(config).Diagnostics.Text(), "ID in PostHog")
}

// An update that does not send the questions does not adopt the IDs of a save since the plan.
func TestL17AnUpdateOfOtherFieldsAdoptsNoIDs(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	survey := env.Resource(t, "posthog_survey")
	config := runs("A", "B")
	require.Empty(t, survey.Apply(config).Errors().Text())
	before := questionIDs(t, only(t, env))
	env.AddResponses(survey.State("id").(string), 2)

	config["description"] = "Another one"
	plan := survey.Plan(config)
	withoutIDs(t, env, "1", nil)
	require.Empty(t, survey.ApplyPlan(plan).Errors().Text())

	require.Empty(t, survey.Refresh().Errors().Text())
	assert.Contains(t, survey.Plan(config).Diagnostics.Text(), "Detached answers")
	require.Empty(t, survey.Apply(config).Errors().Text())
	assert.Equal(t, before, questionIDs(t, only(t, env)))
}

// While answers are detached, each read checks which IDs have answers, because respondents keep answering. Without
// detached answers, a plan sends no additional request.
func TestL17RequestsOfDetachedAnswers(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	survey := env.Resource(t, "posthog_survey")
	config := runs("A", "B")
	require.Empty(t, survey.Apply(config).Errors().Text())
	env.AddResponses(survey.State("id").(string), 2)
	require.Empty(t, survey.Refresh().Errors().Text())
	assert.Zero(t, env.Operations()["surveys_activity_retrieve"]+env.Operations()["surveys_stats_retrieve"])

	editQuestions(t, env, func(stored []any) []any {
		stored[1].(object)["id"] = "018f2a3b-0000-4000-8000-0000000000bb"
		return stored
	})
	for reads := range 3 {
		require.Empty(t, survey.Refresh().Errors().Text())
		assert.Contains(t, survey.Plan(config).Diagnostics.Text(), `questions[1] "B": detached answers (at most 2 answers under the old ID `)
		assert.Equal(t, reads+1, env.Operations()["surveys_activity_retrieve"])
		assert.Equal(t, 2*(reads+1), env.Operations()["surveys_stats_retrieve"])
	}
	require.Empty(t, survey.Apply(config).Errors().Text())
	before := env.Operations()["surveys_activity_retrieve"] + env.Operations()["surveys_stats_retrieve"]
	require.Empty(t, survey.Refresh().Errors().Text())
	assert.Equal(t, before, env.Operations()["surveys_activity_retrieve"]+env.Operations()["surveys_stats_retrieve"])
}

// Similar questions that were added in PostHog and in the configuration are two questions.
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
	assert.Contains(t, plan.Diagnostics.Text(), "This plan removes a question from a running survey")
	require.Empty(t, survey.ApplyPlan(plan).Errors().Text())
	assert.NotContains(t, asked(t, env)[1], "theirs")
}

// One question's text doesn't overwrite another question's text, as it would if ignore_changes covers one text and the
// questions are reordered.
func TestT6RepeatedQuestionIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		config         object
		status         string
		isHit, refuses bool
	}{
		"at the other position": {runs("B", "B"), "running", true, true},
		"draft":                 {runs("B", "B"), "draft", true, false},
		"added twice, by code":  {runs("B", "A", "B"), "running", false, false},
		"in order":              {runs("B", "A"), "running", false, false},
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

// If one of two equal questions was reworded in PostHog, it gets its text back.
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

// If a teammate rewords one of two questions with the same text and moves it, the plan moves and
// rewords it back.
func TestT6RewordedAndMovedTwinIsNoRepetition(t *testing.T) {
	t.Parallel()
	for name, descriptions := range map[string][]any{"equal": {nil, nil}, "different": {"a", "b"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t)
			survey := env.Resource(t, "posthog_survey")
			config := runs("Why?", "Why?", "Rest?")
			for i, description := range descriptions {
				config["questions"].([]any)[i].(object)["description"] = description
			}
			require.Empty(t, survey.Apply(config).Errors().Text())
			before := questionIDs(t, only(t, env))

			editQuestions(t, env, func(stored []any) []any {
				stored[0].(object)["question"] = "Please: Why?"
				return []any{stored[1], stored[0], stored[2]}
			})
			require.Empty(t, survey.Refresh().Errors().Text())
			require.Empty(t, survey.Apply(config).Errors().Text())
			assert.Equal(t, before, questionIDs(t, only(t, env)))
			assert.Equal(t, "Why?", only(t, env)["questions"].([]any)[0].(object)["question"])
		})
	}
}

// Of two questions with the same text, one can take the type of the other.
func TestT6RetypedQuestionIsNoRepetition(t *testing.T) {
	t.Parallel()
	survey := acctest.Start(t).Resource(t, "posthog_survey")
	open, rating := object{"type": "open", "question": "Why?"}, object{"type": "rating", "question": "Why?", "display": "number", "scale": 5}
	require.Empty(t, survey.Apply(merged(runs("A"), object{"questions": []any{open, rating}})).Errors().Text())

	found := survey.Plan(merged(runs("A"), object{"questions": []any{open, open}})).Diagnostics
	assert.Empty(t, found.Errors().Text())
	assert.Contains(t, found.Text(), "a running survey")
}

// The same holds with a real Terraform: for a save without IDs that rewords a question, which the configuration then
// follows; for a save before an import; and for ignore_changes on a single text.
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
		assert.NotContains(t, output, "detached")
	}

	write("", "A", "What next?", "C")
	cli.Run("apply", "-auto-approve")
	before := questionIDs(t, only(t, env))
	answer(t, env, "a", "b")

	withoutIDs(t, env, "1", map[int]string{1: "What next, please?"})
	reworded := questionIDs(t, only(t, env))[1]
	write("", "A", "What next, please?", "C")
	output := cli.Run("plan")
	assert.Contains(t, output, "detached answers (at most 2 answers under the old ID "+before[0]+", no answers")
	assert.Contains(t, output, `questions[1] "What next, please?": possibly detached answers of "What next?" (`)
	cli.Run("apply", "-refresh-only", "-auto-approve")
	output = cli.Run("plan", "-refresh=false")
	assert.Contains(t, output, "The apply restores the old IDs", "a plan without a refresh must report what the state contains")
	assert.Contains(t, output, "\n  posthog-sync repair NPS ", "Terraform must not wrap the command")
	cli.Run("apply", "-auto-approve")
	assert.Equal(t, []string{before[0], reworded, before[2]}, questionIDs(t, only(t, env)), "the ID of a question with a similar text must stay until someone decides")
	isEmpty()
	before[1] = reworded
	answer(t, env, "c")

	withoutIDs(t, env, "2", nil)
	survey := only(t, env)
	cli.Run("state", "rm", "posthog_survey.nps")
	output = cli.Run("import", "posthog_survey.nps", "1/"+survey["id"].(string))
	assert.Contains(t, output, "under the old ID "+before[2])
	assert.Contains(t, cli.Run("plan"), "under the old ID "+before[2], "an import must read the activity log")
	cli.Run("apply", "-auto-approve")
	assert.Equal(t, before, questionIDs(t, only(t, env)))
	isEmpty()
	cli.Run("apply", "-auto-approve")
	isEmpty()
	assert.Equal(t, before, questionIDs(t, only(t, env)))

	write("  lifecycle {\n    ignore_changes = [questions]\n  }\n", "A", "What next, please?", "C")
	isEmpty()
	withoutIDs(t, env, "3", nil)
	assert.Contains(t, cli.Run("plan"), "The configuration has the new IDs, or ignore_changes = [questions] hides the")
	cli.Run("apply", "-auto-approve")
	write("", "A", "What next, please?", "C")
	assert.Contains(t, cli.Run("plan", "-replace=posthog_survey.nps"), "With -replace, it creates another survey")
	cli.Run("apply", "-auto-approve")
	assert.Equal(t, before, questionIDs(t, only(t, env)))

	editQuestions(t, env, func(stored []any) []any { return []any{stored[1], stored[0], stored[2]} })
	write("  lifecycle {\n    ignore_changes = [questions[0].question]\n  }\n", "A", "What next, please?", "C")
	refusal, code := cli.Exit("plan")
	assert.Equal(t, 1, code, refusal)
	assert.Contains(t, refusal, "ignore_changes = [questions]")
}

// Between two reads, someone adds a question with the text of another one and deletes the other one. With an
// activity log, the new question is not mistaken for the deleted one.
func TestQuestionThatExistedBesideADeletedOneIsNew(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	survey := env.Resource(t, "posthog_survey")
	config := runs("A", "B")
	require.Empty(t, survey.Apply(config).Errors().Text())
	env.AddResponses(survey.State("id").(string), 3)
	const added = "018f2a3b-0000-4000-8000-00000000000c"
	editQuestions(t, env, func(stored []any) []any {
		return append(stored, object{"id": added, "type": "open", "question": "B", "description": "Again"})
	})
	editQuestions(t, env, func(stored []any) []any { return slices.Delete(stored, 1, 2) })

	for range 2 {
		require.Empty(t, survey.Refresh().Errors().Text())
		followed := runs("A", "B")
		followed["questions"].([]any)[1].(object)["description"] = "Again"
		plan := survey.Plan(followed)
		assert.NotContains(t, plan.Diagnostics.Text(), "etached answers")
		assert.True(t, survey.IsEmpty(plan), "the question must keep its ID %s", added)
	}
}

// A save leaves out all IDs and replaces one question. In the documented profile, PostHog assigns no IDs. Plans show
// both texts until the configuration sets an ID for the question.
func TestQuestionLeftWithoutIDIsReported(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Documented))
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Apply(runs("Why us?", "B")).Errors().Text())
	before := questionIDs(t, only(t, env))
	env.AddResponses(survey.State("id").(string), 3)
	editQuestions(t, env, func(stored []any) []any {
		for _, one := range stored {
			delete(one.(object), "id")
		}
		stored[0].(object)["question"] = "Something unlike it"
		return stored
	})

	require.Empty(t, survey.Refresh().Errors().Text())
	followed := runs("Something unlike it", "B")
	for range 2 {
		text := survey.Plan(followed).Diagnostics.Text()
		assert.Contains(t, text, `questions[0] "Something unlike it": possibly detached answers of "Why us?" (an unknown number of answers under the old ID `+before[0]+", it has no ID now)")
		assert.Contains(t, text, "\n  posthog-sync repair Quiet --state . --question 'questions[0]="+before[0]+"' --yes")
		require.Empty(t, survey.Refresh().Errors().Text())
	}

	followed["questions"].([]any)[0].(object)["id"] = "018f2a3b-0000-4000-8000-00000000000c"
	assert.NotContains(t, survey.Plan(followed).Diagnostics.Text(), "possibly")
	followed["questions"].([]any)[0].(object)["id"] = before[0]
	assert.NotContains(t, survey.Plan(followed).Diagnostics.Text(), "possibly")
	require.Empty(t, survey.Apply(followed).Errors().Text())
	assert.Equal(t, before, questionIDs(t, only(t, env)))
}

// withoutQuestionIDs returns the stored questions as a script saves them that does not send IDs.
func withoutQuestionIDs(stored []any) []any {
	for _, one := range stored {
		delete(one.(object), "id")
	}
	return stored
}

// withNewQuestionIDs returns the stored questions after such a save in the hosted profile.
func withNewQuestionIDs(stored []any) []any {
	for i, one := range stored {
		one.(object)["id"] = fmt.Sprint("new", i)
	}
	return stored
}

// A teammate adds an equal question, and a save replaces the IDs. The question in the state keeps its
// answers, and those of the other question are reported as long as it exists.
func TestEqualQuestionIsAddedBeforeASaveWithoutIDs(t *testing.T) {
	t.Parallel()
	const added = "018f2a3b-0000-4000-8000-00000000000c"
	remove := func(stored []any) []any { return stored[1:] }
	reworded := func(stored []any) []any {
		stored[0].(object)["description"] = "Edited"
		return stored
	}
	for name, c := range map[string]struct {
		edits []func([]any) []any
		// own is the position of the question in the state, and hasOther is set if the other question remains.
		own      int
		hasOther bool
	}{
		"both remain":         {[]func([]any) []any{withNewQuestionIDs}, 1, true},
		"one remains":         {[]func([]any) []any{func(s []any) []any { return withNewQuestionIDs(remove(s)) }}, 0, false},
		"one remains, edited": {[]func([]any) []any{func(s []any) []any { return withNewQuestionIDs(remove(s)) }, reworded}, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Profile(testserver.Hosted))
			survey := env.Resource(t, "posthog_survey")
			require.Empty(t, survey.Apply(runs("Why?")).Errors().Text())
			before := questionIDs(t, only(t, env))
			editQuestions(t, env, func(stored []any) []any {
				return slices.Insert(stored, 0, any(object{"id": added, "type": "open", "question": "Why?"}))
			})
			env.AddResponses(survey.State("id").(string), 3)
			for _, edit := range c.edits {
				editQuestions(t, env, edit)
			}

			require.Empty(t, survey.Refresh().Errors().Text())
			texts := slices.Repeat([]string{"Why?"}, len(questionIDs(t, only(t, env))))
			text := survey.Plan(runs(texts...)).Diagnostics.Text()
			assert.Contains(t, text, fmt.Sprintf(`questions[%d] "Why?": detached answers (at most 3 answers under the old ID %s`, c.own, before[0]))
			assert.Equal(t, c.hasOther, strings.Contains(text, "under the old ID "+added), text)
			assert.NotContains(t, text, "possibly")
		})
	}
}

// A save replaces the IDs of two equal questions, and the one in the state is retyped later. Both are still asked, so the
// activity log tells which ID the other one had.
func TestReplacedIDBesideARetypedTwin(t *testing.T) {
	t.Parallel()
	const added = "018f2a3b-0000-4000-8000-00000000000c"
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Apply(runs("A", "Why?", "D")).Errors().Text())
	editQuestions(t, env, func(stored []any) []any {
		return slices.Insert(stored, 2, any(object{"id": added, "type": "open", "question": "Why?"}))
	})
	env.AddResponses(survey.State("id").(string), 3)
	editQuestions(t, env, withNewQuestionIDs)
	editQuestions(t, env, func(stored []any) []any {
		stored[1].(object)["type"], stored[1].(object)["link"] = "link", "https://example.com"
		return stored
	})

	require.Empty(t, survey.Refresh().Errors().Text())
	text := survey.Plan(runs("A", "Why?", "D")).Diagnostics.Text()
	assert.Contains(t, text, `questions[2] "Why?": detached answers (at most 3 answers under the old ID `+added)
}

// In the documented profile, PostHog assigns no IDs after a save without them. A plan restores the IDs, unless the
// configuration sets others, of which it warns.
func TestIDThatAPlanWouldRestoreIsReplaced(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Documented))
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Apply(runs("Why?")).Errors().Text())
	before := questionIDs(t, only(t, env))
	env.AddResponses(survey.State("id").(string), 3)
	editQuestions(t, env, withoutQuestionIDs)
	require.Empty(t, survey.Refresh().Errors().Text())

	config := runs("Why?")
	config["questions"].([]any)[0].(object)["id"] = "new"
	assert.Contains(t, survey.Plan(config).Diagnostics.Text(), "To keep the ID in PostHog, set it:\n  id = \""+before[0]+"\"")
}

// The ID that the configuration sets for a question says nothing about an equal one.
func TestQuestionLeftWithoutIDIsReportedBesideATwin(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Documented))
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Apply(runs("Why?", "Something unlike it")).Errors().Text())
	before := questionIDs(t, only(t, env))
	env.AddResponses(survey.State("id").(string), 3)
	editQuestions(t, env, func(stored []any) []any {
		stored[1].(object)["question"], stored[1].(object)["description"] = "Why?", "Another one"
		return withoutQuestionIDs(stored)
	})

	require.Empty(t, survey.Refresh().Errors().Text())
	config := runs("Why?", "Why?")
	config["questions"].([]any)[0].(object)["id"] = before[0]
	config["questions"].([]any)[1].(object)["description"] = "Another one"
	assert.Contains(t, survey.Plan(config).Diagnostics.Text(), "under the old ID "+before[1]+", it has no ID now)")
}

// A survey that was reset to draft has run, and has answers to lose. A draft without responses is planned without a
// warning.
func TestL17ResetToDraft(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		for _, hasResponses := range []bool{true, false} {
			env := acctest.Start(t, acctest.Profile(profile))
			survey := env.Resource(t, "posthog_survey")
			config := runs("Why us?", "What should we improve?")
			require.Empty(t, survey.Apply(config).Errors().Text())
			if hasResponses {
				env.AddResponses(survey.State("id").(string), 3)
			}

			reset := func(texts ...string) object { return merged(runs(texts...), object{"status": "draft"}) }
			require.Empty(t, survey.Apply(reset("Why us?", "What should we improve?")).Errors().Text())
			for next, want := range map[*object]string{
				new(reset("Why us?")):                          "This plan removes a question from a draft that may have responses",
				new(reset("Why us?", "Do you read our blog?")): "Possibly another question",
			} {
				diagnostics := survey.Plan(*next).Diagnostics.Text()
				if hasResponses {
					assert.Contains(t, diagnostics, want, profile)
				} else {
					assert.Empty(t, diagnostics, profile)
				}
			}

			withoutIDs(t, env, "1", nil)
			imported := env.Resource(t, "posthog_survey")
			found := imported.Import("1/" + survey.State("id").(string)).Text()
			assert.Equal(t, hasResponses && profile == testserver.Hosted, strings.Contains(found, "Detached answers"), "%s: %s", profile, found)
		}
	}
}

// The configuration of an imported survey is written from the live questions, although the activity log contains earlier
// ones.
func TestL17ImportedQuestionsAreTheMergeBase(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	created := env.CreateSurvey(testserver.Object{"project_id": "1", "name": "NPS", "type": "popover", "start_date": "2026-01-01T00:00:00Z", "questions": []any{
		open(object{"id": "018f2a3b-0000-4000-8000-00000000000a", "question": "Why us?"}),
	}})
	editQuestions(t, env, func(list []any) []any {
		return append(list, open(object{"id": "018f2a3b-0000-4000-8000-00000000000b", "question": "Else?"}))
	})
	answer(t, env, "ann", "bob")
	withoutIDs(t, env, "1", nil)
	answer(t, env, "cem")

	imported := env.Resource(t, "posthog_survey")
	require.Contains(t, imported.Import("1/"+created["id"].(string)).Text(), "Detached answers")
	require.Empty(t, imported.Apply(merged(runs("Why us?", "Else?"), object{"name": "NPS"})).Errors().Text())
	require.Empty(t, imported.Refresh().Errors().Text())
	history, err := identity.Decode(imported.Private(t)["posthog_survey.this"][survey.HistoryKey])
	require.NoError(t, err)
	var texts []string
	for _, q := range history.SinceWrite().First() {
		texts = append(texts, q.Text)
	}
	assert.Equal(t, []string{"Why us?", "Else?"}, texts)
}

// A teammate rewords a question, and then a script leaves out its ID, without a read in between. Only the activity log
// shows that it is the same question. The log is read once, also if a question was replaced by hand.
func TestL17RewordedBeforeItsIDIsLeftOut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edits      []func(question object)
		isDetached bool
	}{
		"reworded first": {[]func(object){
			func(q object) { q["question"] = "What should we improve next?" },
			func(q object) { q["id"] = "018f2a3b-0000-4000-8000-000000000099" },
		}, true},
		"retyped first": {[]func(object){
			func(q object) { q["type"], q["link"] = "link", "https://example.com" },
			func(q object) { q["id"] = "018f2a3b-0000-4000-8000-000000000099" },
		}, true},
		"replaced by hand": {[]func(object){
			func(q object) {
				q["id"], q["question"] = "018f2a3b-0000-4000-8000-000000000099", "What should we improve next?"
			},
		}, false},
	} {
		env := acctest.Start(t, acctest.Profile(testserver.Hosted))
		survey := env.Resource(t, "posthog_survey")
		require.Empty(t, survey.Apply(runs("Why us?", "Else?")).Errors().Text())
		answer(t, env, "ann", "bob")
		before := questionIDs(t, only(t, env))
		for _, edit := range c.edits {
			editQuestions(t, env, func(list []any) []any { edit(list[1].(object)); return list })
			answer(t, env, "cem")
		}
		env.ResetJournal()
		require.Empty(t, survey.Refresh().Errors().Text())
		assert.Equal(t, 1, env.Operations()["surveys_activity_retrieve"], name)

		current := only(t, env)["questions"].([]any)
		for _, q := range current {
			delete(q.(object), "id")
		}
		diagnostics := survey.Plan(merged(asking(current...), object{"status": "running"})).Diagnostics.Text()
		assert.Equal(t, c.isDetached, strings.Contains(diagnostics, "Detached answers"), "%s: %s", name, diagnostics)
		assert.Equal(t, c.isDetached, strings.Contains(diagnostics, "under the old ID "+before[1]), "%s: %s", name, diagnostics)

		env.ResetJournal()
		require.Empty(t, survey.Refresh().Errors().Text())
		if !c.isDetached {
			assert.Zero(t, env.Operations()["surveys_activity_retrieve"], name)
		}
	}
}
