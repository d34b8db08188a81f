package diagnose

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// answers is a service that answers every write alike, but lists one survey.
type answers struct {
	status int
	body   string
}

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) {
	status, body := a.status, a.body
	if r.Method == http.MethodGet {
		status, body = http.StatusOK, `{"count":1,"next":null,"results":[{"id":"018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7e","name":""}]}`
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

func (a answers) client(t *testing.T) *client.Client {
	t.Helper()
	c, err := client.New(client.Options{BaseURL: "http://posthog.example", APIKey: "phx_key", Transport: a})
	require.NoError(t, err)
	return c
}

const nameTaken = `{"type":"validation_error","code":"unique","detail":"There is already a survey with this name.","attr":"name"}`

// A name that an object of the same configuration has is not taken over by an import.
func TestA11AdviceWhereTheNameIsManaged(t *testing.T) {
	t.Parallel()
	taken := answers{400, nameTaken}.client(t).Surveys("1")
	_, err := taken.CreateOnce(t.Context(), api.SurveyRequest{})
	create := Attempt{Verb: "create", Noun: "survey", Type: "posthog_survey", Name: "S", Parent: "project 1"}.Diagnostic(err, nil)
	assert.Contains(t, create.Detail(), `id = "1/018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7e"`)
	assert.Contains(t, create.Detail(), "remove create_before_destroy from its lifecycle block")

	_, err = taken.Update(t.Context(), "018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d", api.SurveyRequest{})
	swap := Attempt{Verb: "update", Noun: "survey", Type: "posthog_survey", Name: "S", Parent: "project 1"}.Diagnostic(err, nil)
	assert.Contains(t, swap.Detail(), "as when two swap their names, apply in two steps")
	assert.NotContains(t, swap.Detail(), "create_before_destroy")
}

// What a 403 on an app is about, unless it is the scope of the key: a plugin access level is
// a setting of the organization, and a global app is its owner's.
func TestA11AdviceOnAppsThatAreRefused(t *testing.T) {
	t.Parallel()
	const level, owner = "This is a setting of the organization, not a scope of the API key", "The app is global and belongs to another organization"
	for detail, advice := range map[string]string{
		"Your organization's plugin access level is insufficient.":        level,
		"This organization can't manage global plugins!":                  level,
		"Plugin upgrading is not available for the current organization!": level,
		"This plugin installation is managed by another organization":     owner,
	} {
		body, err := json.Marshal(map[string]any{"type": "authentication_error", "code": "permission_denied", "detail": detail, "attr": nil})
		require.NoError(t, err)
		_, err = answers{403, string(body)}.client(t).PipelineImportApps("018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d").Create(t.Context(), api.PipelineImportAppRequest{})
		refused := Attempt{Verb: "create", Noun: "pipeline import app", Name: "A", Parent: "organization 1"}.Diagnostic(err, nil)
		assert.Contains(t, refused.Detail(), advice)
		assert.NotContains(t, refused.Detail(), "Give the API key the scope")
	}
}

// When the time is over after a request was sent, what it changes may be done.
func TestAdviceAfterATimeout(t *testing.T) {
	t.Parallel()
	const before = "is as it was before"
	for _, verb := range []string{"update", "delete", "launch", "stop", "upgrade"} {
		assert.NotContains(t, Attempt{Verb: verb, Noun: "survey"}.afterStop(false), before, verb)
		assert.Contains(t, Attempt{Verb: verb, Noun: "survey"}.afterStop(true), before, verb)
	}
	assert.Contains(t, Attempt{Verb: "read", Noun: "survey"}.afterStop(false), before)
}
