package testserver_test

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

const conformingSurvey = `{"name":"Conforming","type":"popover","description":"d","linked_flag_id":1,
"targeting_flag_filters":{"groups":[{"properties":[],"rollout_percentage":10}]},"remove_targeting_flag":false,
"questions":[{"type":"open","question":"Why?","branching":{"type":"end"}},{"type":"rating","question":"How much?","scale":10,
"branching":{"type":"response_based","responseValues":{"detractors":1,"promoters":"end"}}}],
"conditions":{"url":"https://example.com"},"appearance":{"position":"left"},"start_date":"2026-01-01T00:00:00Z",
"end_date":"2026-02-01T00:00:00Z","archived":false,"responses_limit":5,"iteration_count":2,"iteration_frequency_days":7,
"iteration_start_dates":["2026-01-01T00:00:00Z"],"current_iteration":1,"current_iteration_start_date":"2026-01-01T00:00:00Z"}`

const conformingApp = `{"plugin_type":"local","name":"App","description":"d","url":"https://example.com/app","icon":"i",
"config_schema":[{"key":"k"}],"tag":"t","is_global":false,"capabilities":{"methods":[]},"metrics":{},"public_jobs":{}}`

// Every operation of the document is called, and each answer, success and error,
// is validated against it.
func TestEveryOperationAnswersAsDocumented(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromData(api.Document())
	require.NoError(t, err)
	require.NoError(t, doc.Validate(t.Context()))

	for _, op := range api.Operations() {
		t.Run(op.ID, func(t *testing.T) {
			t.Parallel()
			srv := testserver.Start(t)
			c := call(t, srv)

			survey := c.post(surveys, conformingSurvey).is(http.StatusCreated).object()["id"].(string)
			c.post(apps, conformingApp).is(http.StatusCreated)

			body := ""
			switch {
			case op.Method != http.MethodPost && op.Method != http.MethodPatch:
			case strings.Contains(op.Path, "surveys"):
				body = strings.ReplaceAll(conformingSurvey, "Conforming", "Another")
			default:
				body = conformingApp
			}

			id := survey
			if strings.Contains(op.Path, "pipeline") {
				id = "1"
			}

			fill := func(id string) string {
				return strings.NewReplacer("{project_id}", srv.ProjectID, "{organization_id}", srv.OrganizationID, "{id}", id).Replace(op.Path)
			}

			check := conformance{doc, op}
			check.validate(t, c.do(op.Method, fill(id), body), true)
			check.validate(t, c.with("Authorization", "").do(op.Method, fill(id), body), false)

			if strings.Contains(op.Path, "{id}") {
				check.validate(t, c.do(op.Method, fill("019b0000-0000-7000-8000-00000000dead"), body), false)
			}

			if body != "" {
				check.validate(t, c.do(op.Method, fill(id), `{"name":5}`), false)
				check.validate(t, c.do(op.Method, fill(id), `{`), false)
			}
		})
	}
}

// conformance holds answers against an operation of the document.
type conformance struct {
	doc *openapi3.T
	op  api.Operation
}

func (c conformance) validate(t *testing.T, a answer, success bool) {
	t.Helper()
	assert.Equal(t, success, a.status < 300, "%d %s", a.status, a.body)

	item := c.doc.Paths.Value(c.op.Path)
	request, err := http.NewRequest(c.op.Method, "http://example.com"+c.op.Path, nil)
	require.NoError(t, err)

	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{
			Request: request,
			Route:   &routers.Route{Spec: c.doc, Path: c.op.Path, PathItem: item, Method: c.op.Method, Operation: item.GetOperation(c.op.Method)},
		},
		Status: a.status, Header: a.header, Body: io.NopCloser(strings.NewReader(a.body)),
		Options: &openapi3filter.Options{MultiError: true},
	}

	require.NoError(t, openapi3filter.ValidateResponse(t.Context(), input), a.body)

	documented := item.GetOperation(c.op.Method).Responses.Status(a.status)
	if success && assert.NotNil(t, documented, "status %d is not documented", a.status) && documented.Value.Content == nil {
		assert.Empty(t, a.body)
		if a.status != http.StatusNoContent {
			assert.Equal(t, "0", a.header.Get("Content-Length"))
		}
	}

	assert.NotEmpty(t, a.header.Get("X-Request-Id"))
}

// A validator that lets everything pass would prove nothing.
func TestConformanceNoticesDeviations(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromData(api.Document())
	require.NoError(t, err)
	item := doc.Paths.Value("/api/projects/{project_id}/surveys/{id}/")
	for _, body := range []string{`{"archived":"no"}`, `{"start_date":"yesterday"}`, `{"questions":{}}`, `[]`, `{"id":5}`} {
		input := &openapi3filter.ResponseValidationInput{
			RequestValidationInput: &openapi3filter.RequestValidationInput{
				Request: &http.Request{Method: http.MethodGet},
				Route:   &routers.Route{Spec: doc, PathItem: item, Method: http.MethodGet, Operation: item.Get},
			},
			Status: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
			Body: io.NopCloser(bytes.NewReader([]byte(body))),
		}
		assert.Error(t, openapi3filter.ValidateResponse(t.Context(), input), body)
	}
}

// An answer has every key that the document names for it, and no other.
func TestAnswersHaveTheDocumentedKeys(t *testing.T) {
	t.Parallel()
	c := call(t, testserver.Start(t))

	documented := func(schema string, without ...string) []string {
		keys := []string{}
		hidden := append(api.HostedFields(schema), without...)
		for _, name := range api.Fields(schema) {
			if !slices.Contains(hidden, name) {
				keys = append(keys, name)
			}
		}
		return keys
	}

	targeting := []string{"targeting_flag_id", "targeting_flag_filters", "remove_targeting_flag"}
	created := c.post(surveys, conformingSurvey).is(http.StatusCreated)
	path := surveys + created.object()["id"].(string) + "/"
	app := c.post(apps, conformingApp).is(http.StatusCreated)

	for name, check := range map[string]struct {
		got  testserver.Object
		want []string
	}{
		"create":       {created.object(), documented("Survey")},
		"update":       {c.patch(path, `{}`).object(), documented("Survey")},
		"retrieve":     {c.get(path).object(), documented("Survey", targeting...)},
		"list":         {c.get(surveys).results()[0], documented("Survey", targeting...)},
		"flag":         {c.get(path).object()["internal_targeting_flag"].(testserver.Object), documented("FeatureFlag")},
		"user":         {c.get(path).object()["created_by"].(testserver.Object), documented("User")},
		"app create":   {app.object(), documented("PipelineImportApp")},
		"app update":   {c.patch(apps+"1/", `{}`).object(), documented("PipelineImportApp")},
		"app retrieve": {c.get(apps + "1/").object(), documented("PipelineImportApp")},
		"app list":     {c.get(apps).results()[0], documented("PipelineImportApp")},
	} {
		keys := []string{}
		for key := range check.got {
			keys = append(keys, key)
		}
		assert.ElementsMatch(t, check.want, keys, name)
	}
}
