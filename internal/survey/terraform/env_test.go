package terraform_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// profiles are those of the test server in which surveys must behave.
var profiles = []testserver.Profile{testserver.Documented, testserver.Hosted}

// only is the one survey on the server.
func only(t *testing.T, env *acctest.Env) map[string]any {
	t.Helper()
	surveys := env.Surveys(t)
	require.Len(t, surveys, 1)
	return surveys[0]
}

// dates says in words what the dates of the one survey are.
func dates(t *testing.T, env *acctest.Env) string {
	t.Helper()
	survey := only(t, env)
	words := "never started"
	if survey["start_date"] != nil {
		words = "started"
	}
	if survey["end_date"] != nil {
		return words + ", ended"
	}
	return words + ", never ended"
}

// questionIDs are the ids of the questions in a survey or in the body of a request.
func questionIDs(t *testing.T, survey any) []string {
	t.Helper()
	raw, err := json.Marshal(survey)
	require.NoError(t, err)
	var read struct{ Questions []struct{ ID string } }
	require.NoError(t, json.Unmarshal(raw, &read))
	ids := []string{}
	for _, question := range read.Questions {
		require.NotEmpty(t, question.ID)
		ids = append(ids, question.ID)
	}
	return ids
}

// deleted deletes the one survey behind Terraform's back.
func deleted(t *testing.T, env *acctest.Env) {
	t.Helper()
	id, _ := only(t, env)["id"].(string)
	require.NoError(t, env.Server.DeleteSurvey(id))
}
