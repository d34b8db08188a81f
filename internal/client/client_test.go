package client

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// memory carries requests to a function.
type memory func(*http.Request) (*http.Response, error)

func (m memory) RoundTrip(req *http.Request) (*http.Response, error) { return m(req) }

func TestBaseURL(t *testing.T) {
	t.Parallel()

	for given, want := range map[string]string{
		"https://us.posthog.com":     "https://us.posthog.com/",
		"https://us.posthog.com/":    "https://us.posthog.com/",
		"http://127.0.0.1:8000":      "http://127.0.0.1:8000/",
		"http://[::1]:8000/":         "http://[::1]:8000/",
		"https://h/tenants/posthog":  "https://h/tenants/posthog/",
		"https://h/tenants/posthog/": "https://h/tenants/posthog/",
		"https://h/tenants//":        "https://h/tenants/",
		"https://h/a/../b":           "https://h/b/",
		"https://h/a%2Fb":            "https://h/a%2Fb/",
		"https://h/a b":              "https://h/a%20b/",
	} {
		c, err := New(Options{BaseURL: given, APIKey: testKey, Transport: memory(func(req *http.Request) (*http.Response, error) {
			assert.Equal(t, want+"api/projects/1/surveys/"+surveyID+"/", req.URL.String())
			return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(`{"id":"` + surveyID + `"}`))}, nil
		})})
		require.NoError(t, err, given)

		_, err = c.Surveys("1").Retrieve(t.Context(), surveyID)
		assert.NoError(t, err, given)
	}
}

// Settings that can't work are refused before anything is sent, and no error of
// them repeats a value that may be the key.
func TestRefusedOptions(t *testing.T) {
	t.Parallel()

	const url = "https://us.posthog.com"

	for name, c := range map[string]struct {
		options Options
		want    string
	}{
		"no address":       {Options{APIKey: testKey}, "base_url is empty"},
		"swapped":          {Options{BaseURL: testKey, APIKey: url}, "base_url is not a whole URL"},
		"host alone":       {Options{BaseURL: "us.posthog.com", APIKey: testKey}, "base_url is not a whole URL"},
		"host and port":    {Options{BaseURL: "localhost:8000", APIKey: testKey}, "base_url is not a whole URL"},
		"path alone":       {Options{BaseURL: "/api", APIKey: testKey}, "base_url is not a whole URL"},
		"no scheme":        {Options{BaseURL: "//us.posthog.com", APIKey: testKey}, "base_url is not a whole URL"},
		"no host":          {Options{BaseURL: "https:///api", APIKey: testKey}, "base_url is not a whole URL"},
		"no URL":           {Options{BaseURL: "http://[" + testKey, APIKey: testKey}, "base_url is not a whole URL"},
		"other scheme":     {Options{BaseURL: "ftp://h", APIKey: testKey}, "not with another scheme"},
		"password":         {Options{BaseURL: "https://me:" + testKey + "@h", APIKey: testKey}, "holds a user name or password"},
		"query":            {Options{BaseURL: url + "?personal_api_key=" + testKey, APIKey: testKey}, "a part after ? or #"},
		"bare query":       {Options{BaseURL: url + "?", APIKey: testKey}, "a part after ? or #"},
		"fragment":         {Options{BaseURL: url + "#a", APIKey: testKey}, "a part after ? or #"},
		"no key":           {Options{BaseURL: url}, "the API key is empty"},
		"key and newline":  {Options{BaseURL: url, APIKey: testKey + "\n"}, "a blank, a line break"},
		"key with blank":   {Options{BaseURL: url, APIKey: "Bearer " + testKey}, "a blank, a line break"},
		"key with letters": {Options{BaseURL: url, APIKey: testKey + "é"}, "a blank, a line break"},
		"user agent":       {Options{BaseURL: url, APIKey: testKey, UserAgent: "a\r\nX: y"}, "user agent"},
		"timeout":          {Options{BaseURL: url, APIKey: testKey, RequestTimeout: -1}, "request_timeout"},
		"pace":             {Options{BaseURL: url, APIKey: testKey, RequestsPerMinute: -1}, "requests_per_minute"},
	} {
		_, err := New(c.options)
		require.ErrorContains(t, err, c.want, name)
		assert.NotContains(t, err.Error(), testKey, name)
	}
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	c, err := New(Options{BaseURL: "https://us.posthog.com", APIKey: testKey})
	require.NoError(t, err)
	assert.Equal(t, time.Minute, c.timeout)
	assert.Equal(t, int64(64<<20), c.maxResponse)
	assert.Zero(t, c.gate.spacing)
	assert.NotNil(t, c.transport.(*http.Transport).Proxy)
}

// An id that would make another request of it is refused, and nothing is sent.
func TestAim(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := s.client()
	for _, id := range []string{"", ".", "..", "../..", "a/b", `a\b`, "a\nb", " a", "a\u202eb"} {
		assert.ErrorContains(t, c.Surveys("1").Delete(t.Context(), id), "surveys_destroy: not sent", "%q", id)
		_, err := c.Surveys(id).Create(t.Context(), surveyBody)
		assert.ErrorContains(t, err, "surveys_create: not sent", "%q", id)
		_, err = collect(c.PipelineImportApps(id).List(t.Context(), ListOptions{}))
		assert.ErrorContains(t, err, "pipeline_import_apps_list: not sent", "%q", id)
	}
	for _, id := range []string{"activity", "responses_count"} {
		_, err := c.Surveys("1").Retrieve(t.Context(), id)
		assert.ErrorContains(t, err, "is not an id but the name of surveys_")
	}
	assert.Empty(t, s.requests())
}

// Ids with odd characters stay one segment of the path.
func TestOddIDs(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{"@current": "@current", "a b?c#d": "a%20b%3Fc%23d", "50%": "50%25", "é": "%C3%A9"} {
		s := serve(t, found)
		_, err := s.client().Surveys(id).Retrieve(t.Context(), id)
		require.NoError(t, err)
		assert.Equal(t, "/api/projects/"+want+"/surveys/"+want+"/", s.requests()[0].path)
		assert.Empty(t, s.requests()[0].query)
	}
}
