package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"log"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// oddKey contains the characters that JSON, HTML, and URLs escape.
const oddKey = `phx_<a&b>"c'd+e/f=g%h\i`

// echoes are services that repeat the key, each in a different part of the response.
func echoes(key string) map[string]http.HandlerFunc {
	quoted, err := json.Marshal(key)
	if err != nil {
		panic(err)
	}
	q := string(quoted)

	redirect := func(to string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Location"] = []string{to}
			w.WriteHeader(http.StatusFound)
		}
	}

	return map[string]http.HandlerFunc{
		"error body":    respondJSON(403, `{"type":`+q+`,"code":`+q+`,"detail":"no access for "`+q+`,"attr":`+q+`}`),
		"fields":        respondJSON(403, `{"type":`+q+`,"code":`+q+`,"detail":`+q+`,"attr":`+q+`}`),
		"object":        respondJSON(400, `{`+q+`:[`+q+`]}`),
		"odd detail":    respondJSON(400, `{"detail":{"key":`+q+`}}`),
		"list":          respondJSON(400, `[`+q+`]`),
		"throttled":     respondAs(500, "application/json", `{"detail":`+q+`}`, "Retry-After", key),
		"text":          respondAs(200, "text/plain", "the key "+key+" is unknown"),
		"error text":    respondAs(500, "text/plain", key),
		"title":         respondAs(200, "text/html", "<title>"+key+"</title>"),
		"escaped title": respondAs(502, "text/html", "<title>"+html.EscapeString(key)+"</title>"),
		"html":          respondAs(200, "text/plain", html.EscapeString(key)),
		"content type":  respondAs(200, "text/"+key, "x"),
		"request id":    respondAs(500, "application/json", `{}`, "X-Request-Id", key),
		"string":        respondJSON(200, q),
		"odd object":    respondJSON(200, `{"id":{`+q+`:1}}`),
		"broken":        respondJSON(200, `{`+q+`:`+key),
		"host":          redirect("http://" + url.PathEscape(key) + ".example/"),
		"path":          redirect("/login/" + url.PathEscape(key)),
		"query":         redirect("/login?key=" + url.QueryEscape(key)),
		"as is":         redirect("/" + key),
		"next":          respondJSON(200, `{"id":"x","results":[],"next":"http://evil.example/`+url.QueryEscape(key)+`"}`),
		"next as is":    respondJSON(200, `{"id":"x","results":[],"next":`+q+`}`),
	}
}

// No error and no log line contains the API key, even if the service repeats it.
func TestKeyStaysSecret(t *testing.T) {
	t.Parallel()
	for _, key := range []string{testKey, oddKey} {
		for name, response := range echoes(key) {
			t.Run(key[:8]+"/"+name, func(t *testing.T) {
				t.Parallel()
				s := serve(t, response, response)
				c := s.client(func(o *Options) { o.APIKey = key })
				var log bytes.Buffer
				ctx := tflogtest.RootLogger(t.Context(), &log)
				_, err := c.Surveys("1").Retrieve(ctx, surveyID)
				secret(t, key, err)
				_, err = collect(c.Surveys("1").List(ctx, ListOptions{}))
				require.Error(t, err)
				secret(t, key, err)
				assert.Equal(t, 2, strings.Count(log.String(), "request to PostHog"))
				assert.NotContains(t, log.String(), key)
			})
		}
	}
}

// secret fails if any way of printing an error, or what it wraps, shows the key.
func secret(t *testing.T, key string, err error) {
	t.Helper()
	forms := []string{key, url.QueryEscape(key), url.PathEscape(key), html.EscapeString(key)}
	for ; err != nil; err = errors.Unwrap(err) {
		for _, format := range []string{"%v", "%+v", "%#v"} {
			for _, form := range forms {
				assert.NotContains(t, fmt.Sprintf(format, err), form)
			}
		}
	}
}

// Neither network errors nor Go's output for a client contain the key.
func TestKeyStaysSecretInside(t *testing.T) {
	t.Parallel()

	c, err := New(Options{BaseURL: "http://posthog.invalid", APIKey: testKey, Transport: memory(
		func(req *http.Request) (*http.Response, error) {
			return nil, fmt.Errorf("sent %v to %s: %w", req.Header, req.URL, http.ErrHandlerTimeout)
		})})
	require.NoError(t, err)
	stop(c)

	var log bytes.Buffer
	_, err = c.Surveys("1").Retrieve(tflogtest.RootLogger(t.Context(), &log), testKey)

	require.ErrorContains(t, err, redacted)
	secret(t, testKey, err)
	assert.NotContains(t, log.String(), testKey)

	err = c.Surveys("..").Delete(t.Context(), testKey)
	require.ErrorContains(t, err, "not sent")
	secret(t, testKey, err)

	for _, v := range []any{c, *c, c.Surveys("1"), *c.Surveys("1"), c.PipelineImportApps("1"), c.credential} {
		for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
			assert.NotContains(t, fmt.Sprintf(format, v), testKey)
		}
	}
}

// The log has one line per request with its outcome, and never a header, query, or body.
func TestLog(t *testing.T) {
	t.Parallel()
	s := serve(t, respondAs(200, "application/json", `{"id":"secret content","results":[]}`, "X-Request-Id", "r-1", "X-Other", "other"))
	var log bytes.Buffer
	_, err := collect(s.client().Surveys("1").List(tflogtest.RootLogger(t.Context(), &log), ListOptions{PageSize: 77}))
	require.NoError(t, err)
	lines, err := tflogtest.MultilineJSONDecode(&log)
	require.NoError(t, err)
	require.Len(t, lines, 1)
	assert.Contains(t, lines[0], "duration_ms")
	delete(lines[0], "duration_ms")
	assert.Equal(t, map[string]any{
		"@level": "debug", "@message": "request to PostHog", "@module": "provider",
		"operation": "surveys_list", "method": "GET", "path": list, "status": 200.0, "request_id": "r-1",
	}, lines[0])
}

// A project API key, which sends events, is refused as a personal API key. The error doesn't repeat it.
func TestKeyOfAProjectIsRefused(t *testing.T) {
	t.Parallel()
	_, err := New(Options{BaseURL: "http://posthog.example", APIKey: "phc_secretOfTheProject"})
	require.ErrorContains(t, err, "it is a project API key")
	assert.NotContains(t, err.Error(), "secretOfTheProject")
}

// However a service repeats a request's sensitive value, no error contains it.
func TestErrorsHideSensitiveValues(t *testing.T) {
	t.Parallel()
	secret := `to"k&n=` + "\u00e9<S>"
	encoded, err := json.Marshal(secret)
	require.NoError(t, err)

	for _, echoed := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret), string(encoded)} {
		detail, err := json.Marshal("Could not fetch https://h/a?private_token=" + echoed)
		require.NoError(t, err)
		s := serve(t, respondJSON(400, fmt.Sprintf(`{"type":"x","code":"y","attr":"url","detail":%s}`, detail)))
		_, err = s.client().PipelineImportApps("1").Hiding(secret).Retrieve(t.Context(), 1)
		require.Error(t, err)
		assert.Contains(t, err.Error(), "[sensitive value]", echoed)
		assert.NotContains(t, err.Error(), "k&n")
	}

	// A value that occurs in ordinary text is not redacted.
	_, err = serve(t, respondJSON(400, `{"detail":"The name is bad"}`)).client().PipelineImportApps("1").Hiding("a", "", "is").Retrieve(t.Context(), 1)
	assert.ErrorContains(t, err, "The name is bad")
}

// net/http logs data that a server sends after the end of a response, including headers that contain the key.
func TestLogWriterHidesKeys(t *testing.T) {
	t.Parallel()
	newCredential("phx_ofTheLogWriter", map[string]string{"CF-Access-Client-Secret": "s3cretOfTheProxy"})

	var written bytes.Buffer
	logger := log.New(LogWriter(&written), "", 0)
	logger.Printf("Unsolicited response received on idle HTTP channel starting with %q; err=%v",
		"Authorization: Bearer phx_ofTheLogWriter\r\nCF-Access-Client-Secret: s3cretOfTheProxy", net.ErrClosed)
	assert.Contains(t, written.String(), "Bearer [API key]")
	assert.NotContains(t, written.String(), "phx_")
	assert.NotContains(t, written.String(), "s3cret")
}
