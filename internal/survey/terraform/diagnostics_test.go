package terraform_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// N9: Terraform shows only one of several warnings with the same title, so each warning has its own title.
func TestN9WarningsAreNotFolded(t *testing.T) {
	t.Parallel()
	four := worded("a b c d")
	retyped := worded("a b c d")
	for _, q := range retyped {
		q.(object)["type"] = "link"
	}
	unreachable := worded("a b c d")
	unreachable[0].(object)["branching"] = object{"type": "end"}

	found := map[string]acctest.Diagnostics{
		"removed": changed(t, "running", append(worded("x"), worded("a b c d")...), worded("x")), "retyped": changed(t, "running", four, retyped),
		"unreachable": changed(t, "draft", four, unreachable),
	}
	for name, about := range map[string]string{"launched": "draft", "deleted": "running"} {
		env := acctest.Start(t)
		for i, survey := range env.Resources(t, "posthog_survey", 4) {
			config := object{"name": fmt.Sprint("Survey ", i), "type": "popover", "status": about}
			require.Empty(t, survey.Apply(config).Errors().Text())
			plan := survey.PlanDestroy()
			if name == "launched" {
				config["status"] = "running"
				plan = survey.Plan(config)
			}
			found[name] = append(found[name], plan.Diagnostics...)
		}
	}

	for name, all := range found {
		titles := map[string]bool{}
		for _, one := range all {
			assert.False(t, titles[one.Summary], "%s: %s", name, one.Summary)
			titles[one.Summary] = true
		}
		assert.GreaterOrEqual(t, len(titles), 3, "%s: %s", name, all.Text())
	}
}

// A question that was deleted and added again in PostHog changes no type. The plan restores its ID,
// with a warning only if there are answers under that ID.
func TestN20PlanRestoresTheIDOfAQuestion(t *testing.T) {
	t.Parallel()
	for name, responses := range map[string]int{"no answers": 0, "answers": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Profile(testserver.Hosted))
			survey := env.Resource(t, "posthog_survey")
			config := merged(asking(open(nil)), object{"status": "running"})
			require.Empty(t, survey.Apply(config).Errors().Text())
			before := questionIDs(t, only(t, env))
			id, _ := survey.State("id").(string)
			env.AddResponses(id, responses)

			env.PatchSurvey(id, testserver.Object{"questions": []any{open(object{"id": "added again"})}})
			require.Empty(t, survey.Refresh().Errors().Text())
			plan := survey.Plan(config)
			if responses == 0 {
				assert.Empty(t, plan.Diagnostics.Text(), "no answers are detached")
			} else {
				assert.Contains(t, plan.Diagnostics.Text(),
					fmt.Sprintf(`questions[0] "Why?": detached answers (at most %d answers under the old ID %s, no answers under the new ID added again)`, responses, before[0]))
				assert.NotContains(t, plan.Diagnostics.Text(), "goes from")
			}
			require.Empty(t, survey.ApplyPlan(plan).Errors().Text())
			assert.Equal(t, before, questionIDs(t, only(t, env)))
		})
	}
}

// B4: changing start_date doesn't launch a running survey again.
func TestB4StartDateOfARunningSurvey(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Apply(with(object{"start_date": "2025-01-01T00:00:00Z"})).Errors().Text())
	warnings := survey.Plan(with(object{"start_date": "2031-01-01T00:00:00Z"})).Diagnostics.Text()
	assert.Contains(t, warnings, "is already running and keeps running")
	assert.NotContains(t, warnings, "runs as soon as you apply the plan")
}

// N20: the warning blames the reordered choices, not the questions.
func TestN20ReorderedChoices(t *testing.T) {
	t.Parallel()
	choice := func(choices ...any) object {
		return asking(object{
			"id": "q", "type": "single_choice", "question": "Which?", "choices": choices,
			"branching": object{"type": "response_based", "response_values": object{"0": "end"}},
		}, open(object{"id": "r"}))
	}
	env := acctest.Start(t)
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Apply(choice("a", "b")).Errors().Text())
	warnings := survey.Plan(choice("b", "a")).Diagnostics.Text()
	assert.Contains(t, warnings, "are positions of choices")
	assert.NotContains(t, warnings, "Branching names the place of a question")
}
