package framework

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

const surveyID = "018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d"

func TestTitle(t *testing.T) {
	t.Parallel()
	for want, a := range map[string]Attempt{
		`Could not create survey "S"`: {Verb: "create", Noun: "survey", Name: "S", ID: "7"},
		`Could not read survey 7`:     {Verb: "read", Noun: "survey", ID: "7"},
		`Could not list surveys`:      {Verb: "list", Noun: "surveys"},
	} {
		assert.Equal(t, want, a.Title())
	}
}

// An error contains the attempted operation, the object, PostHog's response, and what to do next.
func TestDiagnosticNamesObjectResponseAndNextStep(t *testing.T) {
	t.Parallel()
	attempt := Attempt{Verb: "update", Noun: "survey", Type: "posthog_survey", Name: "S", ID: surveyID, Parent: "project 1"}

	for name, c := range map[string]struct {
		answers answers
		next    string
	}{
		"unknown key":       {answers{401, `{"detail":"Invalid."}`}, "Check the API key"},
		"missing scope":     {answers{403, `{"detail":"API key missing required scope 'survey:write'"}`}, "Use an API key that has the scope in the message above"},
		"other project":     {answers{403, `{"detail":"API key does not have access to the requested project: ID 7."}`}, "access to the project"},
		"no member":         {answers{403, `{"detail":"You don't have access to the project."}`}, "access to the project"},
		"project key":       {answers{403, `{"detail":"API keys with scoped projects are only supported on project-based endpoints."}`}, "Use a key without that limit."},
		"no scope named":    {answers{403, `{"detail":"You do not have permission to perform this action."}`}, "its user must be a member with this permission"},
		"no reason":         {answers{403, `{}`}, "its user must be a member with this permission"},
		"sessions alone":    {answers{403, `{"detail":"This action does not support personal API key access"}`}, "only for signed-in users"},
		"unknown project":   {answers{404, `{"detail":"Project not found."}`}, "Check the ID of the project"},
		"deleted":           {answers{404, `{"code":"not_found","detail":"Not found."}`}, "was deleted, or belongs to another project"},
		"404 of a proxy":    {answers{404, `{"detail":"no route"}`}, "any proxy in front of PostHog"},
		"awaiting approval": {answers{409, `{"code":"approval_required","detail":"Approval required."}`}, "Have the change request approved"},
		"name taken":        {answers{400, nameTaken}, "import the existing object with an import block"},
		"refused value":     {answers{400, `{"code":"invalid_input","detail":"No."}`}, "Change the configuration to values that PostHog accepts"},
		"other refusal":     {answers{418, `{"detail":"No tea."}`}, "The response contains no further details"},
		"not JSON":          {answers{200, `hello`}, "Check that base_url (POSTHOG_BASE_URL)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := c.answers.client(t).Surveys("1").Update(t.Context(), surveyID, api.SurveyRequest{})
			require.Error(t, err)

			d := attempt.Diagnostic(err, nil)

			assert.Equal(t, diag.SeverityError, d.Severity())
			assert.Equal(t, `Could not update survey "S"`, d.Summary())
			assert.Contains(t, d.Detail(), `Tried to update the survey "S" with id `+surveyID+" in project 1.")
			assert.Contains(t, d.Detail(), err.Error())
			assert.Contains(t, d.Detail(), c.next)
		})
	}
}

// An import ID with two parts is not a survey ID.
func TestDiagnosticOfAnInvalidID(t *testing.T) {
	t.Parallel()
	_, err := answers{200, `{}`}.client(t).Surveys("1").Retrieve(t.Context(), "1/"+surveyID)
	require.Error(t, err)

	d := Attempt{Verb: "read", Noun: "survey", ID: "1/" + surveyID, Parent: "project 1"}.Diagnostic(err, nil)
	assert.Contains(t, d.Detail(), "The ID of its project is a separate argument")
	assert.NotContains(t, d.Detail(), "base_url")
}

// An error about a request field, or an element of one, is reported on its attribute.
func TestDiagnosticOfAField(t *testing.T) {
	t.Parallel()
	_, err := answers{400, `{"code":"invalid_input","detail":"No.","attr":"questions__0"}`}.client(t).
		Surveys("1").Update(t.Context(), surveyID, api.SurveyRequest{})

	at := path.Root("questions")
	d := Attempt{Verb: "update", Noun: "survey", ID: surveyID}.Diagnostic(err, map[string]path.Path{"questions": at})

	onAttribute, ok := d.(diag.DiagnosticWithPath)
	require.True(t, ok, "%T", d)
	assert.Equal(t, at, onAttribute.Path())
	assert.Contains(t, d.Detail(), "questions: No.")
}

// The first error that all objects share is reported in full. In a refresh, the others are warnings, which Terraform
// shows as one.
func TestCommonErrorIsGivenInFullOnce(t *testing.T) {
	t.Parallel()
	c := answers{401, `{"detail":"Invalid."}`}.client(t)
	attempt := Attempt{Verb: "update", Noun: "survey", ID: surveyID}

	var diags diag.Diagnostics
	for range 2 {
		_, err := c.Surveys("1").Update(t.Context(), surveyID, api.SurveyRequest{})
		diags.Append(attempt.Diagnostic(err, nil), attempt.Refresh(err))
	}

	require.Len(t, diags, 3, "two equal errors must appear once, with all details")
	assert.Contains(t, diags[0].Detail(), "Check the API key")
	assert.Equal(t, attempt.Title()+": PostHog rejected the API key (401)", diags[1].Summary())
	assert.Empty(t, diags[1].Detail())
	assert.Equal(t, diag.SeverityWarning, diags[2].Severity())
	assert.Equal(t, "Not refreshed: PostHog rejected the API key (401)", diags[2].Summary())
}

// An error's text doesn't depend on what was reported before.
func TestWordsHaveNoMemory(t *testing.T) {
	t.Parallel()
	attempt := Attempt{Verb: "delete", Noun: "survey", ID: surveyID, Parent: "project 1"}
	for _, refusal := range []answers{
		{401, `{"detail":"Invalid."}`}, {403, `{"detail":"API key missing required scope 'survey:write'"}`}, {404, `{"detail":"Project not found."}`},
	} {
		c := refusal.client(t)
		_, err := c.Surveys("1").Update(t.Context(), surveyID, api.SurveyRequest{})
		require.Error(t, err)

		words := attempt.Words(err)
		assert.Contains(t, words, err.Error())
		attempt.Diagnostic(err, nil)
		attempt.Refresh(err)
		assert.Equal(t, words, attempt.Words(err))
		assert.NotEmpty(t, attempt.Diagnostic(err, nil).Summary())
		assert.Empty(t, attempt.Diagnostic(err, nil).Detail(), "a diagnostic must contain the details only once")
	}
}

// An error about one object is reported in full for each object. An error about a key is reported once for each
// project.
func TestRefusalsOfAKeyAreThoseOfAProject(t *testing.T) {
	t.Parallel()
	full := func(c answers) int {
		client, number := c.client(t), 0
		for _, project := range []string{"1", "1", "2", "2"} {
			_, err := client.Surveys(project).Update(t.Context(), surveyID, api.SurveyRequest{})
			if (Attempt{Verb: "update", Noun: "survey", ID: surveyID}).Diagnostic(err, nil).Detail() != "" {
				number++
			}
		}
		return number
	}
	assert.Equal(t, 1, full(answers{403, `{"detail":"API key missing required scope 'survey:write'"}`}), "a missing scope is an error of the key, so the details must appear once")
	assert.Equal(t, 2, full(answers{403, `{"detail":"You don't have access to the project."}`}), "a project without access is an error of the project, so the details must appear once for each project")
	assert.Equal(t, 2, full(answers{404, `{"detail":"Project not found."}`}), "a missing project is an error of the project, so the details must appear once for each project")
	assert.Equal(t, 4, full(answers{403, `{"detail":"You do not have permission to perform this action."}`}), "an object without access must have its own details")
	assert.Equal(t, 4, full(answers{404, `{"code":"not_found","detail":"Not found."}`}), "a deleted object must have its own details")
}

func TestMissingFieldsNamesAttributes(t *testing.T) {
	t.Parallel()
	d := Attempt{Verb: "write", Noun: "survey", Name: "S"}.MissingFields([]string{"archived", "schedule"})
	assert.Equal(t, diag.SeverityWarning, d.Severity())
	assert.Contains(t, d.Detail(), "the response lacks archived, schedule")
}

// answers is a service that responds to every write in the same way, and lists one survey.
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

// If an object in the same configuration has the name, the advice isn't to import it.
func TestA11AdviceWhereTheNameIsManaged(t *testing.T) {
	t.Parallel()
	taken := answers{400, nameTaken}.client(t).Surveys("1")
	_, err := taken.CreateOnce(t.Context(), api.SurveyRequest{})
	create := Attempt{Verb: "create", Noun: "survey", Type: "posthog_survey", Name: "S", Parent: "project 1"}.Diagnostic(err, nil)
	assert.Contains(t, create.Detail(), `id = "1/018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7e"`)
	assert.Contains(t, create.Detail(), "remove create_before_destroy from its lifecycle block")

	_, err = taken.Update(t.Context(), "018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d", api.SurveyRequest{})
	swap := Attempt{Verb: "update", Noun: "survey", Type: "posthog_survey", Name: "S", Parent: "project 1"}.Diagnostic(err, nil)
	assert.Contains(t, swap.Detail(), "First rename or destroy that object")
}

// The advice for a 403 on an app depends on the cause: the key's scope, the organization's plugin access level, or
// the owner of a global app.
func TestA11AdviceOnAppsThatAreRefused(t *testing.T) {
	t.Parallel()
	const level, owner = "The cause is the plugin access level of the organization", "The app is global, and only its own organization can change it"
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
		assert.NotContains(t, refused.Detail(), "has the scope")
	}
}

// If the timeout ends after a request was sent, the error says that its change may be complete.
func TestAdviceAfterATimeout(t *testing.T) {
	t.Parallel()
	budget, attempt := client.Budget{Operation: "update", Length: time.Minute}, Attempt{Verb: "update", Noun: "survey"}
	assert.Contains(t, attempt.afterTimeout(budget, &client.ConnectionError{Sent: true}), "may have carried it out anyway")
	assert.Contains(t, attempt.afterTimeout(budget, &client.HeldBackError{}), "changed nothing")
}

// Terraform shows only one warning for each title, so warnings about two objects have two titles.
func TestTitlesOfWarningsNameTheObject(t *testing.T) {
	t.Parallel()
	named, numbered, unknown := Attempt{Noun: "survey", Name: "NPS", ID: "7"}, Attempt{Noun: "import app", ID: "7"}, Attempt{Noun: "survey"}
	assert.Equal(t, `The response lacks attributes: survey "NPS"`, named.MissingFields([]string{"x"}).Summary())
	assert.Equal(t, "The response lacks attributes: import app 7", numbered.MissingFields([]string{"x"}).Summary())
	assert.Equal(t, "Unexpected response format: import app 7", numbered.OtherShape(errors.New("x")).Summary())
	assert.Equal(t, "Unexpected response format", unknown.OtherShape(errors.New("x")).Summary())
}
