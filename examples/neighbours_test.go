package examples_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/officialprovider"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// neighbours contains the objects that the stand-in for posthog/posthog creates, as they exist on the server.
const neighbours = `{
  "projects": [{"id": 12345}],
  "feature_flags": [{"id": 41, "project_id": 12345, "key": "new-checkout"}],
  "cohorts": [{"id": 41, "project_id": 12345, "name": "Paying customers"}]
}`

// Surveys refer to flags and cohorts of posthog/posthog, and its destinations refer to the answers.
func TestAccNeighbours(t *testing.T) {
	t.Parallel()
	w := openWorkspace(t, "neighbours")
	w.env = acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(neighbours))

	assert.Contains(t, w.run("plan"), "Plan: 5 to add, 0 to change, 0 to destroy.")
	w.run("apply", "-auto-approve")
	w.run("plan", "-detailed-exitcode")

	// The survey targets persons with the flag who are in the cohort.
	sent := w.env.RequestBodies(t, http.MethodPost)
	require.Len(t, sent, 1)
	var created struct {
		LinkedFlagID int64 `json:"linked_flag_id"`
		Filters      struct {
			Groups []struct {
				Properties []map[string]any `json:"properties"`
			} `json:"groups"`
		} `json:"targeting_flag_filters"`
	}
	require.NoError(t, json.Unmarshal([]byte(sent[0]), &created))
	assert.EqualValues(t, officialprovider.ID, created.LinkedFlagID)
	assert.EqualValues(t, officialprovider.ID, created.Filters.Groups[0].Properties[0]["value"])

	// The destination receives only events of this survey, and reads the properties of its answers.
	survey := w.env.Surveys(t)[0]
	properties := propertiesOf(t, survey)
	resources := w.resources()
	for _, resource := range resources {
		isSurvey := resource.Type == "posthog_survey"
		assert.Equal(t, isSurvey, strings.HasSuffix(resource.ProviderName, "/surveys-as-code/posthog"), resource.Address)
		assert.Equal(t, !isSurvey, strings.HasSuffix(resource.ProviderName, "/"+officialprovider.Source), resource.Address)
	}
	destination := resources["posthog_hog_function.answers"].AttributeValues
	assert.JSONEq(t, `{
	  "url": {"value": "https://hooks.example.com/survey-answers"},
	  "method": {"value": "POST"},
	  "body": {"value": {"score": "{event.properties['`+properties[0]+`']}", "reason": "{event.properties['`+properties[1]+`']}"}}
	}`, destination["inputs_json"].(string))
	assert.JSONEq(t, `{"source": "events", "events": [{"id": "survey sent", "type": "events", "properties": [
	  {"key": "$survey_id", "type": "event", "operator": "exact", "value": "`+survey["id"].(string)+`"},
	  {"key": "`+properties[0]+`", "type": "event", "operator": "is_set", "value": "is_set"}
	]}]}`, destination["filters_json"].(string))

	// A user who rewords a question keeps its answers, so the destination does not change.
	main := strings.Replace(read(t, "neighbours/main.tf"), "What was difficult?", "What was hard to find?", 1)
	require.NoError(t, os.WriteFile(filepath.Join(w.dir, "main.tf"), []byte(main), 0o600))
	assert.Contains(t, w.run("apply", "-auto-approve"), "Resources: 0 added, 1 changed, 0 destroyed.")
	assert.Equal(t, properties, propertiesOf(t, w.env.Surveys(t)[0]))

	w.run("destroy", "-auto-approve")
	assert.Empty(t, w.env.Surveys(t))
}

// propertiesOf returns the event properties with the answers to a survey.
func propertiesOf(t *testing.T, survey map[string]any) []string {
	t.Helper()
	questions, ok := survey["questions"].([]any)
	require.True(t, ok)
	var properties []string
	for _, element := range questions {
		question, ok := element.(map[string]any)
		require.True(t, ok)
		properties = append(properties, "$survey_response_"+question["id"].(string))
	}
	return properties
}

// resources returns the resources in a workspace's state by address.
func (w workspace) resources() map[string]*tfjson.StateResource {
	w.t.Helper()
	var state tfjson.State
	require.NoError(w.t, json.Unmarshal([]byte(w.run("show", "-json")), &state))
	resources := map[string]*tfjson.StateResource{}
	for _, one := range state.Values.RootModule.Resources {
		resources[one.Address] = one
	}
	return resources
}
