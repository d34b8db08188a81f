package terraform_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

const betaFlag = `{"feature_flags":[{"id":1,"project_id":"1","key":"first"},{"id":3,"project_id":"1","key":"third"},{"id":2,"project_id":"1","key":"beta-users","name":"Beta","active":true,
	"filters":{"groups":[{"properties":[],"rollout_percentage":10}]}}]}`

var tenPercent = object{"targeting_flag_filters": `{"groups":[{"properties":[],"rollout_percentage":10}]}`}

// A1: if a destroy makes PostHog delete a flag, the plan shows the flag's key and ID, and whether it is the survey's
// own flag.
func TestA1DestroyDeletesAFlag(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		config      object
		title, text string
	}{
		"another's flag": {object{"targeting_flag_id": 2}, `PostHog will delete feature flag "beta-users" (id 2)`, "PostHog did not create this flag for the survey"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(betaFlag))
			survey := env.Resource(t, "posthog_survey")
			config := with(c.config)
			require.Empty(t, survey.Apply(config).Errors().Text())

			moved := maps.Clone(config)
			moved["project_id"] = "2"
			for what, plan := range map[string]acctest.Plan{"destroy": survey.PlanDestroy(), "replace": survey.Plan(moved)} {
				text := plan.Diagnostics.Text()
				assert.Equal(t, 1, strings.Count(text, c.title), "%s: %s", what, text)
				assert.Contains(t, text, c.text, what)
				assert.Contains(t, text, survey.State("id"), what)
			}
		})
	}
}

// A1: a replacement that creates a survey with the flag that its destroy deletes is refused, because both would be
// lost.
func TestA1ReplaceLosesFlagAndSurvey(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(betaFlag))
	survey := env.Resource(t, "posthog_survey")
	config := with(object{"targeting_flag_id": 2})
	require.Empty(t, survey.Apply(config).Errors().Text())
	require.Empty(t, survey.Refresh().Text())

	env.NextRun(t, survey)
	assert.Contains(t, survey.PlanReplace(config).Diagnostics.Errors().Text(), "the survey and the flag are both lost")
	assert.Empty(t, survey.PlanReplace(with(object{"targeting_flag_id": 3})).Diagnostics.Errors().Text())

	// A create with any other name replaces nothing.
	other := survey.PlanReplace(with(object{"name": "Another", "targeting_flag_id": 2}))
	assert.NotContains(t, other.Diagnostics.Text(), "both lost")
	assert.Empty(t, survey.Plan(config).Diagnostics.Text(), "a plan that keeps the flag must not cause a warning")
}

// A1: an update that unlinks a flag shows it.
func TestA1UpdateDeletesAFlag(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(betaFlag))
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Apply(with(object{"targeting_flag_id": 2})).Errors().Text())
	assert.Contains(t, survey.Plan(with(nil)).Diagnostics.Text(), `PostHog will delete feature flag "beta-users" (id 2)`)
	assert.Contains(t, survey.Plan(with(tenPercent)).Diagnostics.Text(), `PostHog will delete feature flag "beta-users" (id 2)`)
	assert.Empty(t, survey.Plan(with(object{"targeting_flag_id": 1})).Diagnostics.Text(), "a plan that replaces the flag with another one must not cause a warning, because PostHog keeps the first one")
}

// A8: archive and abandon keep the survey, so its name stays in use. A replacement's plan shows that its create will
// fail.
func TestA8NameStaysTaken(t *testing.T) {
	t.Parallel()
	for _, policy := range []string{"archive", "abandon"} {
		env := acctest.Start(t)
		survey := env.Resource(t, "posthog_survey")
		config := with(object{"deletion_policy": policy, "status": "running"})
		require.Empty(t, survey.Apply(config).Errors().Text())

		assert.Empty(t, survey.PlanDestroy().Diagnostics.Text())
		assert.Contains(t, survey.PlanReplace(config).Diagnostics.Errors().Text(), "The replacement would fail because its name stays taken")
		elsewhere := survey.Plan(with(object{"deletion_policy": policy, "project_id": "2"})).Diagnostics.Text()
		assert.NotContains(t, elsewhere, "its name stays taken", "the name is free in another project")
	}
}

// A destroy or replacement of a running survey shows its name. Other surveys aren't mentioned.
func TestRunningSurveyIsDeleted(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	survey := env.Resource(t, "posthog_survey")
	running := with(object{"status": "running"})
	require.Empty(t, survey.Apply(running).Errors().Text())
	assert.Contains(t, survey.PlanDestroy().Diagnostics.Text(), "A running survey will be deleted")

	// A tainted survey is read, and then planned as if it didn't exist.
	both := env.Resources(t, "posthog_survey", 2)
	id, _ := survey.State("id").(string)
	require.Empty(t, both[0].Import("1/"+id).Errors().Text())
	assert.Contains(t, both[1].Plan(running).Diagnostics.Text(), "A running survey will be deleted")

	survey.Apply(with(object{"status": "draft"}))
	assert.Empty(t, survey.PlanDestroy().Diagnostics.Text())
}

// A replaced survey is a new one: its questions get new IDs, except those in the configuration, and later edits are
// matched with the new IDs.
func TestReplacedSurveyHasNewQuestions(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		for how, project := range map[string]any{"in its project": nil, "in another project": "2"} {
			t.Run(string(profile)+" "+how, func(t *testing.T) {
				t.Parallel()
				env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(`{"projects":[{"id":1},{"id":2}]}`))
				survey := env.Resource(t, "posthog_survey")
				config := asking(open(nil), open(object{"id": "given", "question": "Else?"}))
				require.Empty(t, survey.Apply(config).Errors().Text())
				before := questionIDs(t, only(t, env))

				config["project_id"] = project
				if project == nil {
					planned, _ := survey.PlanReplace(config).Attribute(t, "questions").([]any)
					require.Len(t, planned, 2)
					assert.Equal(t, tftypes.UnknownValue, planned[0].(object)["id"])
				} else {
					plan := survey.Plan(config)
					assert.NotEmpty(t, plan.RequiresReplace)
				}
				require.Empty(t, survey.Destroy().Errors().Text())
				require.Empty(t, survey.Apply(config).Errors().Text())
				after := questionIDs(t, object{"questions": survey.State("questions")})
				assert.NotEqual(t, before[0], after[0])
				assert.Equal(t, "given", after[1])

				id, _ := survey.State("id").(string)
				env.PatchSurvey(id, object{"questions": []any{open(object{"id": after[0], "question": "Reworded in the web interface"})}})
				require.Empty(t, survey.Refresh().Errors().Text())
				require.Empty(t, survey.Apply(config).Errors().Text())
				assert.Equal(t, after, questionIDs(t, object{"questions": survey.State("questions")}))
			})
		}
	}
}

// A survey that takes the name of one that the same run renames replaces nothing.
func TestNameOfARenamedSurveyIsFree(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	both := env.Resources(t, "posthog_survey", 2)
	old := object{"name": "NPS", "type": "popover", "status": "running", "deletion_policy": "archive"}
	require.Empty(t, both[0].Apply(old).Errors().Text())

	env.NextRun(t, both...)
	require.Empty(t, both[0].Refresh().Text())
	assert.Contains(t, both[1].Plan(object{"name": "NPS", "type": "popover"}).Diagnostics.Errors().Text(), "its name stays taken")

	old["name"] = "NPS of 2025"
	require.Empty(t, both[0].Apply(old).Errors().Text())
	created := both[1].Plan(object{"name": "NPS", "type": "popover"})
	require.Empty(t, created.Diagnostics.Text())
	require.Empty(t, both[1].ApplyPlan(created).Errors().Text())
	assert.Len(t, env.Surveys(t), 2)
}
