package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

const key = "phx_secretOfTheComparison"

// otherService is a test server that replaces one word in requests or responses.
type otherService struct {
	server            http.Handler
	request, response [2]string
}

// ServeHTTP implements http.Handler.
func (o otherService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	body = bytes.ReplaceAll(body, []byte(o.request[0]), []byte(o.request[1]))
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	recorder := httptest.NewRecorder()
	o.server.ServeHTTP(recorder, r)
	w.Header().Set("Content-Type", recorder.Header().Get("Content-Type"))
	w.WriteHeader(recorder.Code)
	_, _ = w.Write(bytes.ReplaceAll(recorder.Body.Bytes(), []byte(o.response[0]), []byte(o.response[1]))) // an error means that the client has disconnected
}

// compared runs a comparison with a server that represents PostHog.
func compared(t *testing.T, o otherService, fixtures string, c comparison) (report string, differences int, err error) {
	t.Helper()
	server, err := testserver.New(testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(fixtures)})
	require.NoError(t, err)
	o.server = server
	var printed bytes.Buffer
	c.service = &target{client: &http.Client{Transport: inProcess{o}}, url: "http://service.invalid", key: key, project: "7"}
	c.folder, c.out = filepath.FromSlash("../../../testserver/testdata/service"), &printed
	differences, err = c.run(t.Context())
	for _, left := range server.Surveys("7") {
		assert.NotContains(t, left["name"], "compare-", "the comparison must delete its surveys")
	}
	assert.NotContains(t, printed.String(), key)
	return printed.String(), differences, err
}

const project = `{"projects":[{"id":7}],"api_keys":[{"key":"` + key + `"}],"surveys":[]}`

// A comparison of the test server with itself finds no differences. A comparison with another server finds every
// difference.
func TestCompare(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		service otherService
		steps   int
		says    string
	}{
		"the same":        {otherService{}, 0, "0 of 159 steps differ"},
		"a rule changed":  {otherService{request: [2]string{"ftp://x", "https://example.com/x"}}, 1, "status: service 201, test server 400"},
		"a field dropped": {otherService{response: [2]string{`"enable_partial_responses":false,`, ""}}, 47, "body.enable_partial_responses: test server false, not at the service"},
		"a text reworded": {otherService{response: [2]string{"Question choices cannot be empty", "Choices are missing"}}, 2, `body.detail: service "Choices are missing", test server "Question choices cannot be empty"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report, differences, err := compared(t, row.service, project, comparison{in: strings.NewReader("y\n")})
			require.NoError(t, err)
			assert.Equal(t, row.steps, differences, report)
			assert.Contains(t, report, row.says)
			assert.Contains(t, report, "Not covered: ")
		})
	}
}

// Without confirmation, or in a project with running surveys, the command creates nothing.
func TestConsent(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"n\n", "yeah\n", "\n", ""} {
		_, _, err := compared(t, otherService{}, project, comparison{in: strings.NewReader(answer)})
		require.ErrorContains(t, err, "not begun", "%q", answer)
	}

	live := strings.Replace(project, `"surveys":[]`, `"surveys":[{"id":"019b0000-0000-7000-9000-0000000000aa","project_id":7,"name":"Live","type":"popover","start_date":"2026-01-01T00:00:00Z"}]`, 1)
	_, _, err := compared(t, otherService{}, live, comparison{in: strings.NewReader("y\n")})
	require.ErrorContains(t, err, "has 1 running surveys")
	_, differences, err := compared(t, otherService{}, live, comparison{in: strings.NewReader("Yes\n"), running: true})
	require.NoError(t, err)
	assert.Zero(t, differences)
}
