package testserver_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/contracttest"
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

// The test calls every operation of the OpenAPI document, and validates success and error responses.
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

// conformance validates responses of an operation against the OpenAPI document.
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

// A validator that accepts everything would prove nothing.
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

// A response contains exactly the documented keys.
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

// The test calls every operation in the hosted profile, too. Responses have the documented form, or the form that the
// document notes for PostHog.
func TestEveryHostedOperationAnswersAsDocumented(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromData(api.Document())
	require.NoError(t, err)

	for _, schema := range doc.Components.Schemas {
		anyMeansNullToo(schema)
	}

	for _, op := range api.Operations() {
		t.Run(op.ID, func(t *testing.T) {
			t.Parallel()
			srv, c := startHosted(t, "")

			survey := c.post(surveys, conformingSurvey).is(http.StatusCreated).object()["id"].(string)
			c.post(apps, `{"plugin_type":"source","name":"App",`+importing+`}`).is(http.StatusCreated)

			body, id := "", survey
			if op.Method == http.MethodPost || op.Method == http.MethodPatch {
				body = strings.ReplaceAll(conformingSurvey, "Conforming", "Another")
			}

			if strings.Contains(op.Path, "pipeline") {
				id = "1"
				body = strings.ReplaceAll(body, body, `{"plugin_type":"source","name":"Another"}`)
			}

			fill := strings.NewReplacer("{project_id}", srv.ProjectID, "{organization_id}", srv.OrganizationID, "{id}", id)
			check := conformance{doc, op}
			a := c.do(op.Method, fill.Replace(op.Path), body)
			operation := doc.Paths.Value(op.Path).GetOperation(op.Method)
			reference, noted := operation.Responses.Status(http.StatusOK), false

			var shape any
			if reference != nil {
				shape, noted = reference.Value.Extensions["x-hosted-body"]
			}

			switch {
			case op.Scope == "":
				check.validate(t, a, false)
			case noted:
				named, err := json.Marshal(shape)
				require.NoError(t, err)
				var ref struct {
					Ref string `json:"$ref"`
				}
				require.NoError(t, json.Unmarshal(named, &ref))
				schema := doc.Components.Schemas[strings.TrimPrefix(ref.Ref, "#/components/schemas/")]
				require.NotNil(t, schema, ref.Ref)
				assert.NoError(t, schema.Value.VisitJSON(plain(t, a)), a.body)
			default:
				check.validate(t, a, true)
			}

			check.validate(t, c.with("Authorization", "").do(op.Method, fill.Replace(op.Path), body), false)
		})
	}
}

// plain decodes a body for validators.
func plain(t *testing.T, a answer) map[string]any {
	t.Helper()
	var o map[string]any
	require.NoError(t, json.Unmarshal([]byte(a.is(http.StatusOK).body), &o), a.body)
	return o
}

// anyMeansNullToo makes keys nullable if a schema does not name them. In the code, their values are raw JSON, but in
// OpenAPI 3.0, a schema without a type does not include null.
func anyMeansNullToo(schema *openapi3.SchemaRef) {
	if schema.Ref == "" && schema.Value.AdditionalProperties.Schema != nil {
		schema.Value.AdditionalProperties.Schema.Value.Nullable = true
	}
	for _, property := range schema.Value.Properties {
		if property.Ref == "" {
			anyMeansNullToo(property)
		}
	}
}

// documents validates responses against the OpenAPI document, by a strict reading of OpenAPI 3.0.3. It validates each
// different response once.
var documents = &documentCheck{seen: map[[sha256.Size]byte]bool{}}

type documentCheck struct {
	mu sync.Mutex
	// seen contains the checksums of validated responses.
	seen map[[sha256.Size]byte]bool
}

// check fails the test if the document does not allow a response. It ignores responses for paths and methods that the
// document does not contain.
func (d *documentCheck) check(t testing.TB, method, path string, response *http.Response, body []byte) {
	t.Helper()
	method = strings.Replace(method, http.MethodHead, http.MethodGet, 1)
	op, known := operationAt(method, path)
	if !known || response.Header.Get("Content-Type") != "application/json" || len(body) == 0 {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	key := sha256.Sum256(fmt.Append(nil, op.ID, response.StatusCode, string(body)))
	if d.seen[key] {
		return
	}
	d.seen[key] = true
	for _, fault := range contracttest.Validate(op, response.StatusCode, response.Header, body) {
		t.Errorf("%s %s: the response with status %d violates the document: %s\n%s", method, path, response.StatusCode, fault, body)
	}
}

// operationAt returns the operation of a request.
func operationAt(method, path string) (api.Operation, bool) {
	segments := strings.Split(strings.Trim(path, "/"), "/")
	var found api.Operation
	for _, op := range api.AllOperations() {
		want := strings.Split(strings.Trim(op.Path, "/"), "/")
		if op.Method != method || len(want) != len(segments) {
			continue
		}
		fits, literal := true, true
		for i := range want {
			parameter := strings.HasPrefix(want[i], "{")
			fits = fits && (parameter || want[i] == segments[i])
			literal = literal && (!parameter || i < 3)
		}
		if fits && (found.ID == "" || literal) {
			found = op
		}
	}
	return found, found.ID != ""
}

// A validator that accepts everything would prove nothing.
func TestDocumentCheckNoticesDeviations(t *testing.T) {
	t.Parallel()
	op, ok := operationAt(http.MethodGet, surveys+"019b0000-0000-7000-8000-0000000000aa/")
	assert.True(t, ok)
	assert.Equal(t, "surveys_retrieve", op.ID)
	header := http.Header{"Content-Type": {"application/json"}}
	for _, body := range []string{
		`{"archived":"no"}`, `{"start_date":"yesterday"}`, `{"questions":{}}`, `[]`, `{"id":5}`, `{"id":null}`,
		`{"type":"full_screen"}`, `{"linked_flag":{"id":null}}`, `{"linked_flag":5}`, `{"created_by":{"email":null}}`,
	} {
		assert.NotEmpty(t, contracttest.Validate(op, http.StatusOK, header, []byte(body)), body)
	}
	for _, body := range []string{
		`{}`, `{"type":null,"schedule":null,"linked_flag":null,"created_by":null}`, `{"conditions":null,"appearance":{}}`,
		`{"linked_flag":{"id":1,"filters":{}}}`, `{"schedule":"once"}`, `{"unheard_of":null}`,
	} {
		assert.Empty(t, contracttest.Validate(op, http.StatusOK, header, []byte(body)), body)
	}
}
