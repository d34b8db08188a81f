package testserver_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// caller sends requests to a server as a client would.
type caller struct {
	t      testing.TB
	url    string
	header http.Header
	http   *http.Client
	// undocumented is true if responses are not checked against the documented schema.
	undocumented bool
}

// surveys and apps are the collection paths of the default fixtures.
const (
	surveys = "/api/projects/" + testserver.DefaultProjectID + "/surveys/"
	apps    = "/api/organizations/" + testserver.DefaultOrganizationID + "/pipeline_import_apps/"
)

// call returns a caller that uses the server's API key.
func call(t testing.TB, srv *testserver.Instance) caller {
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return caller{t: t, url: srv.URL, header: http.Header{
		"Authorization": {"Bearer " + srv.APIKey}, "Content-Type": {"application/json"},
	}, http: &http.Client{Transport: transport}}
}

// with returns a caller with a changed header field. An empty value removes the field.
func (c caller) with(name, value string) caller {
	c.header = c.header.Clone()
	c.header.Del(name)
	if value != "" {
		c.header.Set(name, value)
	}
	return c
}

// undocumentedAnswers returns a caller for responses that the document does not describe: responses of
// faults, fixtures of a newer PostHog, and dates that are invalid in RFC 3339.
func (c caller) undocumentedAnswers() caller {
	c.undocumented = true
	return c
}

// answer is the response to a request.
type answer struct {
	t      testing.TB
	status int
	header http.Header
	body   string
}

// try sends a request. It returns an error only if the connection fails.
func (c caller) try(method, path, body string) (answer, error) {
	c.t.Helper()
	var content io.Reader = http.NoBody
	if body != "" {
		content = strings.NewReader(body)
	}
	r, err := http.NewRequest(method, c.url+path, content)
	require.NoError(c.t, err)
	r.Header = c.header
	response, err := c.http.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	if err == nil && !c.undocumented {
		documents.check(c.t, method, r.URL.Path, response, read)
	}
	return answer{c.t, response.StatusCode, response.Header, string(read)}, err
}

func (c caller) do(method, path, body string) answer {
	c.t.Helper()
	a, err := c.try(method, path, body)
	require.NoError(c.t, err)
	return a
}

func (c caller) get(path string) answer { c.t.Helper(); return c.do(http.MethodGet, path, "") }
func (c caller) post(path, body string) answer {
	c.t.Helper()
	return c.do(http.MethodPost, path, body)
}
func (c caller) put(path, body string) answer { c.t.Helper(); return c.do(http.MethodPut, path, body) }
func (c caller) patch(path, body string) answer {
	c.t.Helper()
	return c.do(http.MethodPatch, path, body)
}
func (c caller) delete(path string) answer { c.t.Helper(); return c.do(http.MethodDelete, path, "") }

// is asserts the status.
func (a answer) is(status int) answer {
	a.t.Helper()
	require.Equal(a.t, status, a.status, a.body)
	return a
}

// fails asserts an error response in PostHog's format. An empty attr stands for null.
func (a answer) fails(status int, code, attr, detail string) {
	a.t.Helper()
	a.is(status)
	var failure struct {
		Type, Code, Detail string
		Attr               *string
		ErrorEventID       string `json:"error_event_id"`
	}
	dec := json.NewDecoder(strings.NewReader(a.body))
	dec.DisallowUnknownFields()
	require.NoError(a.t, dec.Decode(&failure), a.body)
	assert.Equal(a.t, "application/json", a.header.Get("Content-Type"))
	assert.Equal(a.t, code, failure.Code, a.body)
	assert.Equal(a.t, detail, failure.Detail)
	if attr == "" {
		assert.Nil(a.t, failure.Attr, a.body)
	} else if assert.NotNil(a.t, failure.Attr, a.body) {
		assert.Equal(a.t, attr, *failure.Attr)
	}
}

// object decodes the body. Numbers are json.Number.
func (a answer) object() testserver.Object {
	a.t.Helper()
	dec := json.NewDecoder(bytes.NewReader([]byte(a.body)))
	dec.UseNumber()
	var o testserver.Object
	require.NoError(a.t, dec.Decode(&o), a.body)
	return o
}

// raw returns the JSON of one member of the body, or "" if there is none.
func (a answer) raw(name string) string {
	a.t.Helper()
	var o map[string]json.RawMessage
	require.NoError(a.t, json.Unmarshal([]byte(a.body), &o), a.body)
	return string(o[name])
}

// results decodes a page's results.
func (a answer) results() []testserver.Object {
	a.t.Helper()
	var page struct{ Results []testserver.Object }
	require.NoError(a.t, json.Unmarshal([]byte(a.body), &page), a.body)
	return page.Results
}

// names returns the names of the objects on a page.
func (a answer) names() []string {
	a.t.Helper()
	names := []string{}
	for _, o := range a.results() {
		names = append(names, o["name"].(string))
	}
	return names
}

// newSurvey creates a survey and returns its path.
func (c caller) newSurvey(body string) string {
	c.t.Helper()
	return surveys + c.post(surveys, body).is(http.StatusCreated).object()["id"].(string) + "/"
}
