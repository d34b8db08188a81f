package terraform_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

// The list of surveys can be filtered by status.
func TestSurveysByStatus(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	for _, status := range []string{"draft", "running", "completed"} {
		require.Empty(t, env.Resource(t, "posthog_survey").Apply(with(object{"name": status, "status": status})).Errors().Text())
	}
	for _, status := range []string{"draft", "running", "completed"} {
		found, diags := env.ReadDataSource(t, "posthog_surveys", object{"status": status})
		require.Empty(t, diags.Text())
		surveys, _ := found["surveys"].([]any)
		require.Len(t, surveys, 1)
		assert.Contains(t, fmt.Sprint(surveys[0]), "name:"+status)
	}
}

// Text that isn't a survey ID is refused before anything is sent.
func TestSurveyIDIsAUUID(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	for _, action := range []string{"posthog_survey_launch", "posthog_survey_stop"} {
		_, diags := env.Invoke(t, action, object{"survey_id": "nope"})
		assert.Contains(t, diags.Errors().Text(), `survey_id is "nope"`, action)
	}
	_, diags := env.ReadDataSource(t, "posthog_survey_activity", object{"survey_id": "nope"})
	assert.Contains(t, diags.Errors().Text(), `survey_id is "nope"`)
	assert.Empty(t, env.Journal())
}

// A list can filter by a type that the provider doesn't know yet.
func TestListOfANewerType(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Fixtures(`{"surveys":[{"project_id":"1","id":"`+surveyID+`","name":"N","type":"full_screen"}]}`))
	found, diags := env.List(t, "posthog_survey", object{"type": "full_screen"}, false, 100)
	require.Empty(t, diags.Errors().Text())
	assert.Len(t, found, 1)
}

// A completed survey must be resumed in PostHog, or in its configuration if it has one.
func TestLaunchOfACompletedSurvey(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Apply(with(object{"status": "completed"})).Errors().Text())

	_, diags := env.Invoke(t, "posthog_survey_launch", object{"survey_id": survey.State("id")})
	assert.Contains(t, diags.Errors().Text(), "actions cannot resume a survey. Resume it in PostHog. If Terraform manages the survey")
	assert.NotNil(t, only(t, env)["end_date"])
}
