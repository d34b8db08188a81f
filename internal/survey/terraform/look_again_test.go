package terraform_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// editDuringWait has an operation wait for a 429, and somebody edit the survey meanwhile.
func editDuringWait(operation string, edit object) []testserver.Fault {
	return []testserver.Fault{
		{Operation: operation, To: 1, RetryAfter: "4"},
		{Operation: "surveys_retrieve", From: 2, To: 2, Edit: testserver.Object(edit)},
	}
}

// L11: what somebody does while a write waits is seen by every writer, and nothing is written
// over it.
func TestL11WritersLookAgainAfterAWait(t *testing.T) {
	t.Parallel()
	const update, destroy = "surveys_partial_update", "surveys_destroy"
	for name, c := range map[string]struct {
		config    object
		operation string
		edit      object
		write     func(env *acctest.Env, survey *acctest.Resource) acctest.Diagnostics
		says      string
	}{
		"update": {
			object{"description": "a"}, update, object{"description": "theirs"},
			func(_ *acctest.Env, survey *acctest.Resource) acctest.Diagnostics {
				return survey.Apply(with(object{"description": "b"}))
			},
			`description: "a" -> "theirs"`,
		},
		"destroy": {
			nil, destroy, object{"start_date": "2025-05-01T00:00:00Z"},
			func(_ *acctest.Env, survey *acctest.Resource) acctest.Diagnostics { return survey.Destroy() }, `status: "draft" -> "running"`,
		},
		"archive": {
			object{"deletion_policy": "archive"}, update, object{"start_date": "2025-05-01T00:00:00Z"},
			func(_ *acctest.Env, survey *acctest.Resource) acctest.Diagnostics { return survey.Destroy() }, `status: "draft" -> "running"`,
		},
		"launch": {
			nil, update, object{"archived": true},
			func(env *acctest.Env, survey *acctest.Resource) acctest.Diagnostics {
				_, diags := env.Invoke(t, "posthog_survey_launch", object{"survey_id": survey.State("id")})
				return diags
			}, "The survey is archived",
		},
	} {
		for _, profile := range profiles {
			t.Run(string(profile)+" "+name, func(t *testing.T) {
				t.Parallel()
				env := acctest.Start(t, acctest.Profile(profile))
				survey := env.Resource(t, "posthog_survey")
				require.Empty(t, survey.Apply(with(c.config)).Errors().Text())

				env.ResetJournal()
				env.SetFaults(editDuringWait(c.operation, c.edit)...)
				assert.Contains(t, c.write(env, survey).Errors().Text(), c.says)
				assert.Equal(t, map[string]int{"surveys_retrieve": 2, c.operation: 1}, withoutActivity(env.Operations()))
				require.Len(t, env.Surveys(t), 1)
				for field, value := range c.edit {
					assert.Equal(t, value, only(t, env)[field])
				}
			})
		}
	}
}

func withoutActivity(operations map[string]int) map[string]int {
	delete(operations, "surveys_activity_retrieve")
	return operations
}

// L11: answers that come in while a delete_unanswered waits are counted.
func TestL11AnswersDuringAWait(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, withResponses(0))
	survey := unansweredOnly(t, env)
	env.SetFaults(
		testserver.Fault{Operation: "surveys_destroy", To: 1, RetryAfter: "4"},
		testserver.Fault{Operation: "surveys_responses_count_retrieve", From: 2, Status: http.StatusOK, Body: map[string]int{surveyID: 9}},
	)
	assert.Contains(t, survey.Destroy().Errors().Text(), "it has 9 responses.")
	assert.Len(t, env.Surveys(t), 1)
	assert.Equal(t, 1, env.Operations()["surveys_destroy"])
}

// An edit of something else is no reason to refuse, and an attempt that was carried out without
// an answer is no edit.
func TestL11WaitsThatLoseNothing(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		env := acctest.Start(t, acctest.Profile(profile))
		survey := env.Resource(t, "posthog_survey")
		require.Empty(t, survey.Apply(with(object{"description": "a"})).Errors().Text())
		env.SetFaults(editDuringWait("surveys_partial_update", object{"responses_limit": 9})...)
		require.Empty(t, survey.Apply(with(object{"description": "b"})).Errors().Text())
		assert.Equal(t, "9", fmt.Sprint(only(t, env)["responses_limit"]))
		require.Empty(t, survey.Refresh().Errors().Text())

		env.ResetJournal()
		env.SetFaults(testserver.Fault{Operation: "surveys_partial_update", Drop: "after"})
		config := asking(open(object{"question": "Why not?"}))
		config["responses_limit"] = 9
		require.Empty(t, survey.Apply(config).Errors().Text())
		assert.Equal(t, 2, env.Operations()["surveys_retrieve"])
		env.SetFaults()
		assert.True(t, survey.IsEmpty(survey.Plan(config)))
	}
}

// The same with a real Terraform: the apply fails, and the plan after it shows the edit.
func TestAccL11UpdateLooksAgainAfterAWait(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	cli := env.CLI(t)
	configuration := func(text string) string {
		return ownProvider + `
resource "posthog_survey" "nps" {
  name      = "NPS"
  type      = "popover"
  questions = [{ type = "open", question = "` + text + `" }]
}
`
	}
	cli.Write("main.tf", configuration("Why?"))
	cli.Run("apply", "-auto-approve")

	theirs := open(object{"question": "Theirs?", "id": "018f2a3b-0000-4000-8000-0000000000ee"})
	faults := editDuringWait("surveys_partial_update", object{"questions": []any{theirs}})
	faults[0].RetryAfter = "2"
	faults[1].From, faults[1].To = 3, 3 // a refresh reads the survey, too
	env.SetFaults(faults...)
	cli.Write("main.tf", configuration("Why not?"))
	output, code := cli.Exit("apply", "-auto-approve")
	assert.Equal(t, 1, code)
	assert.Contains(t, output, "It was changed on the service after this plan was made")
	assert.Contains(t, output, "Theirs?")
	assert.Len(t, env.RequestBodies(t, http.MethodPatch), 1)
	assert.Contains(t, cli.Run("plan"), "1 to change")
}
