package terraform_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// asked returns the stored questions as ID and text.
func asked(t *testing.T, env *acctest.Env) []string {
	t.Helper()
	out := []string{}
	stored, _ := only(t, env)["questions"].([]any)
	for _, one := range stored {
		q := one.(object)
		out = append(out, fmt.Sprint(q["id"], " ", q["type"], " ", q["question"]))
	}
	return out
}

// editQuestions edits the questions of the only survey in PostHog.
func editQuestions(t *testing.T, env *acctest.Env, edit func(stored []any) []any) {
	t.Helper()
	survey := only(t, env)
	stored, _ := survey["questions"].([]any)
	env.PatchSurvey(survey["id"].(string), testserver.Object{"questions": edit(stored)})
}

// uiEdits are edits of [disappointed, else] that a teammate makes in PostHog.
var uiEdits = map[string]func(stored []any) []any{
	"insert and reword": func(stored []any) []any {
		stored[0].(object)["question"] = "Where did we fail?"
		return slices.Insert(stored, 0, any(object{"id": "theirs", "type": "open", "question": "How did you hear about us?"}))
	},
	"reword and reorder": func(stored []any) []any {
		stored[0].(object)["question"] = "Where did we fail?"
		slices.Reverse(stored)
		return stored
	},
	"delete":             func(stored []any) []any { return stored[1:] },
	"delete all":         func([]any) []any { return []any{} },
	"delete and remake":  func(stored []any) []any { stored[0].(object)["id"] = "theirs"; return stored },
	"exchange the texts": func(stored []any) []any { return exchanged(stored) },
	"retype": func(stored []any) []any {
		stored[0].(object)["type"] = "link"
		return stored
	},
	"reword all": func(stored []any) []any {
		for i, one := range stored {
			one.(object)["question"] = fmt.Sprint("Reworded ", i)
		}
		return stored
	},
	"save without ids": func(stored []any) []any {
		for i, one := range stored {
			one.(object)["id"] = fmt.Sprint("minted ", i)
		}
		return stored
	},
}

func exchanged(stored []any) []any {
	first, second := stored[0].(object), stored[1].(object)
	first["question"], second["question"] = second["question"], first["question"]
	slices.Reverse(stored)
	return stored
}

// After any edit to the questions in PostHog, an apply gives each configured question the ID that it had at the last
// apply.
func TestA3UIEditsKeepQuestionIDs(t *testing.T) {
	t.Parallel()
	config := asking(open(object{"question": "What disappointed you?"}), open(object{"question": "Anything else?"}))
	for _, profile := range profiles {
		for name, edit := range uiEdits {
			for _, status := range []string{"draft", "running"} {
				t.Run(fmt.Sprint(profile, " ", name, " ", status), func(t *testing.T) {
					t.Parallel()
					env := acctest.Start(t, acctest.Profile(profile))
					env.Differential(t)
					survey := env.Resource(t, "posthog_survey")
					config := merged(config, object{"status": status})
					applied := survey.Apply(config)
					require.False(t, applied.HasError(), applied.Text())
					before := asked(t, env)

					editQuestions(t, env, edit)
					require.Empty(t, survey.Refresh().Errors())
					diags := survey.Apply(config)
					require.False(t, diags.HasError(), diags.Text())
					assert.Equal(t, before, asked(t, env))

					require.Empty(t, survey.Refresh().Errors())
					assert.True(t, survey.IsEmpty(survey.Plan(config)))
				})
			}
		}
	}
}

// An import counts as an apply: a teammate may edit the survey before the first apply that changes it.
func TestA3UIEditsKeepImportedQuestionIDs(t *testing.T) {
	t.Parallel()
	for name, edit := range uiEdits {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t)
			created := env.CreateSurvey(testserver.Object{"project_id": "1", "name": "NPS", "type": "popover", "questions": []any{
				object{"id": "first", "type": "open", "question": "What disappointed you?"},
				object{"id": "second", "type": "open", "question": "Anything else?"},
			}})
			survey := env.Resource(t, "posthog_survey")
			require.Empty(t, survey.Import("1/"+created["id"].(string)).Text())
			config := merged(asking(open(object{"question": "What disappointed you?"}), open(object{"question": "Anything else?"})), object{"name": "NPS"})
			before := asked(t, env)

			editQuestions(t, env, edit)
			require.Empty(t, survey.Refresh().Errors())
			diags := survey.Apply(config)
			require.False(t, diags.HasError(), diags.Text())
			assert.Equal(t, before, asked(t, env))
		})
	}
}

// After edits in PostHog are copied into the configuration, the plan is empty, and a question that was added in
// PostHog keeps its ID.
func TestA3AdoptedUIEditsAreNoChange(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	env.Differential(t)
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Apply(asking(open(object{"question": "A"}), open(object{"question": "B"}))).Text())
	editQuestions(t, env, func(stored []any) []any {
		stored[0].(object)["question"] = "X"
		return append(stored, object{"id": "theirs", "type": "open", "question": "A"})
	})
	after := asked(t, env)
	require.Empty(t, survey.Refresh().Errors())
	adopted := []any{open(object{"question": "X"}), open(object{"question": "B"}), open(object{"question": "A"})}
	assert.True(t, survey.IsEmpty(survey.Plan(asking(adopted...))))

	adopted[0].(object)["optional"] = true
	require.Empty(t, survey.Apply(asking(adopted...)).Errors())
	assert.Equal(t, after, asked(t, env))
}

// A question that is reworded in the configuration while a teammate edits the survey stays the same question, and is
// never matched with one that was added in PostHog.
func TestA3RewordedQuestionsKeepTheirIDs(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Apply(asking(open(object{"id": "a", "question": "What disappointed you?"}), open(object{"id": "b", "question": "Anything else?"}))).Text())
	editQuestions(t, env, func(stored []any) []any {
		return slices.Insert(stored, 0, any(object{"id": "theirs", "type": "open", "question": "How did you hear about us?"}))
	})
	require.Empty(t, survey.Refresh().Errors())
	config := asking(open(object{"question": "New in code"}), open(object{"question": "What disappointed you most?"}), open(object{"question": "Anything else?"}))
	require.Empty(t, survey.Apply(config).Errors())
	stored := asked(t, env)
	assert.NotContains(t, stored[0], "theirs")
	assert.Equal(t, []string{"a open What disappointed you most?", "b open Anything else?"}, stored[1:])
}

// An id of "" is treated as omitted: PostHog assigns an ID, the question keeps it, and the plan is empty.
func TestA6EmptyIDCountsAsLeftOut(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Profile(profile))
			env.Differential(t)
			survey := env.Resource(t, "posthog_survey")
			q := func(text string) object { return object{"id": "", "type": "open", "question": text} }
			config := asking(q("a"), q("b"))
			require.Empty(t, survey.Apply(config).Text())
			before := asked(t, env)
			ids := questionIDs(t, only(t, env))
			require.NotEqual(t, ids[0], ids[1])

			assert.True(t, survey.IsEmpty(survey.Plan(config)), "the plan before a refresh must be empty")
			require.Empty(t, survey.Refresh().Text())
			assert.Equal(t, ids[0], survey.State("questions").([]any)[0].(object)["id"])
			assert.True(t, survey.IsEmpty(survey.Plan(config)))

			for _, refresh := range []bool{true, false} {
				config = asking(append([]any{q(fmt.Sprint("new ", refresh))}, config["questions"].([]any)...)...)
				diags := survey.Apply(config)
				require.False(t, diags.HasError(), diags.Text())
				assert.Equal(t, before, asked(t, env)[1:])
				before = asked(t, env)
				if refresh {
					require.Empty(t, survey.Refresh().Text())
				}
			}
		})
	}
}

// Two questions can't have the same ID.
func TestA6EqualIDsAreRefused(t *testing.T) {
	t.Parallel()
	survey := acctest.Start(t).Resource(t, "posthog_survey")
	found := survey.Plan(asking(open(object{"id": "a"}), open(object{"id": "a", "question": "Else?"}))).Diagnostics
	assert.True(t, found.HasError())
	assert.Contains(t, found.Text(), "questions[1].id")
}
