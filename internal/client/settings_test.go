package client

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// memory passes requests to a function.
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

// Invalid settings are refused before anything is sent, and no error repeats a value that could be the key.
func TestRefusedOptions(t *testing.T) {
	t.Parallel()

	const url = "https://us.posthog.com"

	for name, c := range map[string]struct {
		options Options
		want    string
	}{
		"no address":       {Options{APIKey: testKey}, "base_url is not a whole URL"},
		"swapped":          {Options{BaseURL: testKey, APIKey: url}, "base_url is not a whole URL"},
		"host alone":       {Options{BaseURL: "us.posthog.com", APIKey: testKey}, "base_url is not a whole URL"},
		"host and port":    {Options{BaseURL: "localhost:8000", APIKey: testKey}, "base_url is not a whole URL"},
		"path alone":       {Options{BaseURL: "/api", APIKey: testKey}, "base_url is not a whole URL"},
		"no scheme":        {Options{BaseURL: "//us.posthog.com", APIKey: testKey}, "base_url is not a whole URL"},
		"no host":          {Options{BaseURL: "https:///api", APIKey: testKey}, "base_url is not a whole URL"},
		"no URL":           {Options{BaseURL: "http://[" + testKey, APIKey: testKey}, "base_url is not a whole URL"},
		"other scheme":     {Options{BaseURL: "ftp://h", APIKey: testKey}, "base_url is not a whole URL"},
		"password":         {Options{BaseURL: "https://me:" + testKey + "@h", APIKey: testKey}, "base_url contains a user name"},
		"query":            {Options{BaseURL: url + "?personal_api_key=" + testKey, APIKey: testKey}, "a part after ? or #"},
		"bare query":       {Options{BaseURL: url + "?", APIKey: testKey}, "a part after ? or #"},
		"fragment":         {Options{BaseURL: url + "#a", APIKey: testKey}, "a part after ? or #"},
		"no key":           {Options{BaseURL: url}, "the API key is empty"},
		"key and newline":  {Options{BaseURL: url, APIKey: testKey + "\n"}, "a space, a line break"},
		"key with blank":   {Options{BaseURL: url, APIKey: "Bearer " + testKey}, "a space, a line break"},
		"key with letters": {Options{BaseURL: url, APIKey: testKey + "é"}, "a space, a line break"},
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

// An ID that would turn the request into a different one is refused, and nothing is sent.
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
		assert.ErrorContains(t, err, "is not an ID, but the name of surveys_")
	}
	assert.Empty(t, s.requests())
}

// IDs with unusual characters remain one segment of the path.
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

// No operation sends a request about a project or an organization that is not allowed.
func TestNothingIsSentAboutOthers(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := s.client(func(o *Options) {
		o.Allowed = Allowed{ProjectIDs: []string{"1", "2"}, OrganizationIDs: []string{orgID}}
	})

	about := 0
	for _, operation := range api.AllOperations() {
		r := routes()[operation.ID]
		for parameter, want := range map[string]string{
			"{project_id}":      "project 7 is not in allowed_project_ids (POSTHOG_ALLOWED_PROJECT_IDS), which contains 1, 2",
			"{organization_id}": "organization 7 is not in allowed_organization_ids (POSTHOG_ALLOWED_ORGANIZATION_IDS), which contains " + orgID,
		} {
			if !strings.Contains(operation.Path, parameter) {
				continue
			}
			about++
			path := strings.NewReplacer("{project_id}", "7", "{organization_id}", "7", "{id}", "9").Replace(operation.Path)
			err := c.checkRoute(operation.ID, c.base.JoinPath(path))
			var refused *NotAllowedError
			require.ErrorAs(t, err, &refused, operation.ID)
			assert.EqualError(t, err, operation.ID+": not sent, because "+want)
			assert.Len(t, r.segments, len(strings.Split(strings.Trim(operation.Path, "/"), "/")))
		}
	}
	assert.Greater(t, about, 20)

	_, err := c.Surveys("7").CreateOnce(t.Context(), surveyBody)
	require.ErrorContains(t, err, "surveys_create: not sent, because project 7 is not in")
	assert.Empty(t, s.requests())
}

// A click in PostHog changes a user's current project, so "@current" is never allowed.
func TestOpenProjectIsNotAllowed(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := s.client(func(o *Options) { o.Allowed = Allowed{ProjectIDs: []string{"1", "@current"}} })
	_, err := c.Surveys("@current").Retrieve(t.Context(), surveyID)
	require.ErrorContains(t, err, "@current stands for the current project of the API key's user")
	assert.Empty(t, s.requests())
}

// The client sends requests about allowed projects and organizations, and requests that concern neither.
func TestAllowedIsSent(t *testing.T) {
	t.Parallel()
	s := serve(t, found, found)
	c := s.client(func(o *Options) {
		o.Allowed = Allowed{ProjectIDs: []string{"1"}, OrganizationIDs: []string{strings.ToUpper(orgID)}}
	})
	_, err := c.Surveys("1").Retrieve(t.Context(), surveyID)
	require.NoError(t, err)
	assert.NoError(t, c.checkRoute("users_me_retrieve", c.base.JoinPath("api/users/@me/")))
	assert.NoError(t, c.checkRoute("pipeline_import_apps_list", c.base.JoinPath("api/organizations", orgID, "pipeline_import_apps/")))
}

func TestParseIDs(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []string{"1", "2"}, ParseIDs(" 1,, 2 ,"))
	assert.Empty(t, ParseIDs(" "))
}

// Every request contains the extra headers, and no error contains their values, even if the service repeats them.
func TestHeaders(t *testing.T) {
	t.Parallel()
	const token = `tok"en<&/0123456789`
	s := serve(t, found, refuse(403, "permission_denied", "denied", "You sent "+token+" and Bearer "+token+"."))
	c := s.client(func(o *Options) { o.Headers = map[string]string{"x-access-token": "Bearer " + token, "X-Zone": "eu"} })
	_, err := c.Surveys("1").Retrieve(t.Context(), surveyID)
	require.NoError(t, err)
	_, err = c.Surveys("1").Retrieve(t.Context(), surveyID)
	require.ErrorContains(t, err, "You sent [header value] and")
	assert.NotContains(t, err.Error(), "0123456789")
	assert.NotContains(t, fmt.Sprintf("%+v %#v", c, c.credential), token)
	for _, r := range s.requests() {
		assert.Equal(t, "Bearer "+token, r.header.Get("X-Access-Token"))
		assert.Equal(t, "eu", r.header.Get("X-Zone"))
		assert.Equal(t, "Bearer "+testKey, r.header.Get("Authorization"))
	}
}

func TestCheckHeaders(t *testing.T) {
	t.Parallel()

	for name, want := range map[string]string{
		"":                           "empty name",
		"X-Token: s3cr3t-value":      `starts with "X-Token"`,
		"authorization":              "Authorization cannot be set",
		"HOST":                       "Host cannot be set",
		"content-length":             "Content-Length cannot be set",
		"Proxy-Authorization":        "Proxy-Authorization cannot be set",
		"Transfer-Encoding":          "Transfer-Encoding cannot be set",
		"X-Umlaut-\u00e4":            "contains an invalid character",
		"X-Fine_1.0~":                "",
		"Cookie":                     "",
		"CF-Access-Client-Secret":    "",
		http.CanonicalHeaderKey("x"): "",
	} {
		err := CheckHeaders(map[string]string{name: "s3cr3t-value"})
		if want == "" {
			assert.NoError(t, err, name)
			continue
		}

		require.ErrorContains(t, err, want, name)
		assert.NotContains(t, err.Error(), "s3cr3t")
	}

	for _, value := range []string{"", " s3cr3t", "s3cr3t\n", "s3cr3t\r\nX: y", "s3cr3t\u00e4"} {
		err := CheckHeaders(map[string]string{"X-Token": value})
		require.ErrorContains(t, err, "the value of the header X-Token")
		assert.NotContains(t, err.Error(), "s3cr3t")
	}

	assert.ErrorContains(t, CheckHeaders(map[string]string{"X-A": "1", "x-a": "2"}), "set twice")
}

func TestParseHeaders(t *testing.T) {
	t.Parallel()
	headers, err := ParseHeaders(` {"X-Token": "s3cr3t"} `)
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"X-Token": "s3cr3t"}, headers)
	headers, err = ParseHeaders(" ")
	require.NoError(t, err)
	assert.Empty(t, headers)
	for _, wrong := range []string{"X-Token: s3cr3t", `["s3cr3t"]`, `{"X-Token": 1}`, `{"X-Token": "s3cr3t"} more`, `{"Host": "s3cr3t"}`} {
		_, err = ParseHeaders(wrong)
		require.Error(t, err, wrong)
		assert.NotContains(t, err.Error(), "s3cr3t")
	}
}

// asChild turns the test program into a program that uses the client: it retrieves a survey from the URL in this
// variable and prints the outcome. net/http reads the proxy variables once per process, so they need a separate
// process.
const asChild = "CLIENT_TEST_BASE_URL"

func TestMain(m *testing.M) {
	base, ok := os.LookupEnv(asChild)
	if !ok {
		os.Exit(m.Run())
	}
	c, err := New(Options{BaseURL: base, APIKey: testKey})
	if err == nil {
		c.retry = oneFailure
		_, err = c.Surveys("1").Retrieve(context.Background(), surveyID)
	}
	fmt.Print(err)
}

// The client's default transport honors HTTP_PROXY, HTTPS_PROXY, and NO_PROXY.
func TestProxyFromEnvironment(t *testing.T) {
	t.Parallel()

	var mu sync.Mutex
	var asked []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, r.Method+" "+r.Host)

		if r.Method == http.MethodConnect {
			assert.Empty(t, r.Header.Get("Authorization"), "only PostHog may receive the API key")
			w.WriteHeader(http.StatusForbidden)
			return
		}

		found(w, r)
	}))
	t.Cleanup(proxy.Close)

	for name, c := range map[string]struct{ base, proxy, noProxy, want string }{
		"http":     {"http://posthog.invalid", proxy.URL, "", "^<nil>$"},
		"https":    {"https://posthog.invalid", proxy.URL, "", `cannot reach posthog.invalid \(through the proxy 127.0.0.1:\d+\): Forbidden`},
		"no proxy": {"http://0.0.0.0:1", proxy.URL, "0.0.0.0", "cannot reach 0.0.0.0:1: connection refused"},
	} {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), asChild+"="+c.base, "HTTP_PROXY="+c.proxy, "HTTPS_PROXY="+c.proxy, "NO_PROXY="+c.noProxy,
			"http_proxy=", "https_proxy=", "no_proxy=", "REQUEST_METHOD=")

		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		assert.Regexp(t, c.want, string(out), name)
	}

	assert.ElementsMatch(t, []string{"GET posthog.invalid", "CONNECT posthog.invalid:443"}, asked)
}
