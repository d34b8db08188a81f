package client

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// retrieve requests a survey from a service and returns the error.
func retrieve(t *testing.T, s *service) error {
	t.Helper()
	_, err := s.client().Surveys("1").Retrieve(t.Context(), surveyID)
	return err
}

const tried1 = "GET " + prefix + "/api/projects/1/surveys/" + surveyID + "/ (surveys_retrieve): "

// A refused request's error contains the attempted operation, PostHog's explanation, and PostHog's error fields.
func TestRefusal(t *testing.T) {
	t.Parallel()
	s := serve(t, respondAs(400, "application/json",
		`{"type":"validation_error","code":"unique","detail":"There is already a survey\n with this name.","attr":"name","extra":1}`,
		"X-Request-Id", "r-17"))
	err := retrieve(t, s)
	var e *Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, &Error{
		Request: Request{Operation: "surveys_retrieve", Method: "GET", Path: prefix + "/api/projects/1/surveys/" + surveyID + "/"},
		Status:  400, Type: "validation_error", Code: "unique", Detail: "There is already a survey with this name.",
		Attr: "name", RequestID: "r-17",
	}, e)
	assert.EqualError(t, err, tried1+"400 Bad Request: There is already a survey with this name."+
		" [type validation_error, code unique, attr name, request id r-17]")
}

// Callers classify a refusal with these predicates.
func TestPredicates(t *testing.T) {
	t.Parallel()

	predicates := map[string]func(error) bool{
		"NotFound": IsNotFound, "ParentNotFound": IsParentNotFound, "Unauthorized": IsUnauthorized,
		"Forbidden": IsForbidden, "Validation": IsValidation, "UniqueName": IsUniqueName, "Throttled": IsThrottled,
	}

	for name, c := range map[string]struct {
		response http.HandlerFunc
		want     string
	}{
		"object":              {refuse(404, "invalid_request", "not_found", "Not found."), "NotFound"},
		"object, less said":   {respondJSON(404, `{"detail":"Not found."}`), "NotFound"},
		"object, other words": {refuse(404, "invalid_request", "not_found", "No Survey matches the given query."), "NotFound"},
		"project":             {refuse(404, "invalid_request", "not_found", "Project not found."), "ParentNotFound"},
		"organization":        {refuse(404, "invalid_request", "not_found", "Organization not found."), "ParentNotFound"},
		"path":                {refuse(404, "invalid_request", "not_found", "Endpoint not found."), ""},
		"404 of a gateway":    {respondJSON(404, `{"message":"no Route matched with those values"}`), ""},
		"404 page":            {respondAs(404, "text/html", "<html><title>Not Found</title></html>"), ""},
		"404 text":            {respondAs(404, "text/plain", "404 page not found"), ""},
		"404 of nothing":      {respondAs(404, "", ""), ""},
		"404 cut off":         {respondJSON(404, `{"type":"invalid_request","code":"not_found","det`), ""},
		"key":                 {refuse(401, "authentication_error", "authentication_failed", "Personal API key found in request Authorization header is invalid."), "Unauthorized"},
		"scope":               {refuse(403, "authentication_error", "permission_denied", "API key missing required scope 'survey:read'"), "Forbidden"},
		"value":               {refuse(400, "validation_error", "invalid_input", "no"), "Validation"},
		"name":                {refuse(400, "validation_error", "unique", "no"), "Validation UniqueName"},
		"conflict":            {refuse(409, "invalid_request", "unique", "no"), ""},
		"fault":               {refuse(500, "server_error", "error", "A server error occurred."), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			err := retrieve(t, serve(t, c.response))
			require.Error(t, err)

			for name, is := range predicates {
				want := strings.Contains(" "+c.want+" ", " "+name+" ")
				assert.Equal(t, want, is(err), "%s of %v", name, err)
				assert.Equal(t, want, is(fmt.Errorf("wrapped: %w", err)), name)
				assert.False(t, is(nil), name)
			}
		})
	}
}

// Refusals without PostHog's error body are still explained.
func TestRefusalWithoutReason(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		response http.HandlerFunc
		want     string
	}{
		"nothing":   {respondAs(500, "", ""), "500 Internal Server Error, with no reason given"},
		"list":      {respondJSON(400, `["a", "b"]`), `400 Bad Request: ["a", "b"]`},
		"fields":    {respondJSON(400, `{"name": ["This field is required."]}`), `400 Bad Request: {"name": ["This field is required."]}`},
		"odd types": {respondJSON(400, `{"detail":{"a":1},"code":7}`), `400 Bad Request: {"a":1} [code 7]`},
		"page": {respondAs(502, "text/html", "<html><head><title>\n502 Bad &amp; sad gateway </title></head></html>"),
			`502 Bad Gateway: the response is an HTML page titled "502 Bad & sad gateway", not JSON`},
		"text":    {respondAs(404, "text/plain", "404 page not found\n"), `404 Not Found: the response is text/plain, not JSON; it starts with "404 page not found": check that base_url is the URL of the API`},
		"cut off": {respondJSON(503, `{"type":"serv`), `503 Service Unavailable: the response was cut off after 13 bytes`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.EqualError(t, retrieve(t, serve(t, c.response)), tried1+c.want)
		})
	}
}

// Each unusable response with a success status is reported accurately.
func TestUnusableAnswer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		response http.HandlerFunc
		want     string
	}{
		"titled page":   {respondAs(200, "text/html", `<!DOCTYPE html><title>Log in</title>`), `the response (200 OK) is an HTML page titled "Log in", not JSON: check that base_url is the URL of the API`},
		"page":          {respondAs(200, "text/html", `<p>hello`), "an HTML page, not JSON"},
		"unmarked page": {respondAs(200, "application/json", "\n<HTML><title>Proxy</title>"), `an HTML page titled "Proxy", not JSON`},
		"text":          {respondAs(200, "text/plain", "OK \x1b[31mred\u202e"), `text/plain, not JSON; it starts with "OK [31mred"`},
		"number first":  {respondAs(200, "text/plain", "404 page"), `it starts with "404 page"`},
		"empty":         {respondAs(200, "application/json", " \n"), "the response (200 OK) is empty, but this operation returns a JSON object"},
		"no content":    {respondAs(204, "", ""), "the response (204 No Content) is empty"},
		"null":          {respondJSON(200, "null"), "not the object that this operation returns"},
		"list":          {respondJSON(200, "[]"), "JSON, but not in the format"},
		"no id":         {respondJSON(200, `{"status":"ok"}`), "without an id"},
		"null id":       {respondJSON(200, `{"id":null}`), "without an id"},
		"wrong type":    {respondJSON(200, `{"id":"x","archived":"yes"}`), "JSON, but not in the format that this operation returns: error reading 'archived'"},
		"more after it": {respondJSON(200, `{"id":"x"} {"id":"y"}`), "invalid JSON at byte 12"},
		"broken":        {respondJSON(200, `{"id":"x",}`), "invalid JSON at byte 11"},
		"ended early":   {respondJSON(200, `{"id":"x","name":"N`), "the response (200 OK) was cut off after 19 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := retrieve(t, serve(t, c.response))

			require.ErrorContains(t, err, c.want)
			assert.True(t, strings.HasPrefix(err.Error(), tried1), err)
			assert.NotContains(t, err.Error(), "\n")
		})
	}
}

// An HTML page instead of the empty response to a DELETE doesn't count as a deletion.
func TestNothingIsNotAPage(t *testing.T) {
	t.Parallel()
	s := serve(t, respondAs(200, "text/html", "<title>Log in</title>"))
	err := s.client().Surveys("1").Delete(t.Context(), surveyID)
	assert.ErrorContains(t, err, `an HTML page titled "Log in", not JSON`)
}

func TestResponsesCount(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]map[string]int64{"": nil, "{}": {}, `{"a":2}`: {"a": 2}} {
		got, err := serve(t, respondJSON(200, body)).client().Surveys("1").ResponsesCount(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	_, err := serve(t, respondJSON(200, `{"a":"2"}`)).client().Surveys("1").ResponsesCount(t.Context())
	assert.ErrorContains(t, err, "JSON, but not in the format")
}

// A response above the size limit is refused, with or without a declared length.
func TestTooBig(t *testing.T) {
	t.Parallel()
	body := `{"id":"` + surveyID + `","name":"` + strings.Repeat("x", 200) + `"}`
	for name, response := range map[string]http.HandlerFunc{
		"announced": respondJSON(200, body),
		"chunked": func(w http.ResponseWriter, _ *http.Request) {
			w.(http.Flusher).Flush()
			_, _ = io.WriteString(w, body)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := serve(t, response).client()
			c.maxResponse = 100

			_, err := c.Surveys("1").Retrieve(t.Context(), surveyID)
			assert.ErrorContains(t, err, "longer than 100 bytes")
		})
	}

	c := serve(t, respondJSON(200, body)).client()
	c.maxResponse = int64(len(body))
	_, err := c.Surveys("1").Retrieve(t.Context(), surveyID)
	assert.NoError(t, err)
}

// If a connection closes during a response, the error shows how much of it arrived.
func TestCutOff(t *testing.T) {
	t.Parallel()
	cut := func(header string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			conn, out, err := w.(http.Hijacker).Hijack()
			if err != nil {
				panic(err)
			}
			size := ""
			if strings.Contains(header, "chunked") {
				size = "8\r\n"
			}

			_, _ = out.WriteString("HTTP/1.1 200 OK\r\nX-Request-Id: r-9\r\n" + header + "\r\n\r\n" + size + `{"id":"x`)
			_ = out.Flush()
			_ = conn.Close()
		}
	}

	for name, c := range map[string]struct{ header, want string }{
		"announced": {"Content-Length: 900", "was cut off after 8 of 900 bytes: the server closed the connection [request id r-9]"},
		"chunked":   {"Transfer-Encoding: chunked", "was cut off after 8 bytes: the server closed the connection [request id r-9]"},
		"until end": {"Connection: close", "was cut off after 8 bytes [request id r-9]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, cut(c.header))
			_, err := s.client().Surveys("1").Create(t.Context(), surveyBody)

			var e *CutOffError
			require.ErrorAs(t, err, &e)
			assert.Equal(t, int64(8), e.Read)
			assert.ErrorContains(t, err, c.want)
			assert.Len(t, s.requests(), 1, "a request that PostHog may have carried out must not be repeated")
		})
	}
}

// The client follows no redirect.
func TestRedirect(t *testing.T) {
	t.Parallel()
	elsewhere := serve(t) // the test fails if this server receives a request
	for name, c := range map[string]struct{ to, want string }{
		"another host":   {elsewhere.URL + prefix + "/x", "a redirect to " + elsewhere.URL + prefix + "/x, where the API key is not sent"},
		"no scheme":      {"//evil.example/", "a redirect to http://evil.example/"},
		"https":          {"https://HOST/x", "set base_url to the URL of the API itself, with https://"},
		"https, no port": {"https://127.0.0.1/x", "a redirect to https://127.0.0.1/x"},
		"login":          {"/login?next=/x", "/login, where the API key is not sent"},
		"nowhere":        {"", "a redirect to "},
		"no URL":         {"http://[", "a redirect without a valid URL"},
	} {
		for _, status := range []int{301, 302, 303, 307, 308} {
			t.Run(fmt.Sprintf("%s/%d", name, status), func(t *testing.T) {
				t.Parallel()
				s := serve(t, func(w http.ResponseWriter, r *http.Request) {
					if c.to != "" {
						w.Header().Set("Location", strings.ReplaceAll(c.to, "HOST", r.Host))
					}
					w.WriteHeader(status)
				})

				_, err := s.client().Surveys("1").Create(t.Context(), surveyBody)

				var e *ResponseError
				require.ErrorAs(t, err, &e)
				assert.Equal(t, status, e.Status)
				assert.ErrorContains(t, err, c.want)
				assert.Len(t, s.requests(), 1)
			})
		}
	}
}

func TestSameOrigin(t *testing.T) {
	t.Parallel()
	for pair, want := range map[[2]string]bool{
		{"https://h/a", "https://H:443/b"}: true,
		{"http://h", "http://h:80"}:        true,
		{"http://h", "https://h"}:          false,
		{"https://h", "https://h:80"}:      false,
		{"https://h", "https://h.x"}:       false,
	} {
		a, err := url.Parse(pair[0])
		require.NoError(t, err)
		b, err := url.Parse(pair[1])
		require.NoError(t, err)
		assert.Equal(t, want, sameOrigin(a, b), pair)
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		header, date, detail string
		want                 time.Duration
	}{
		"seconds":            {header: "7", detail: "Expected available in 9 seconds.", want: 7 * time.Second},
		"date":               {header: "Sun, 01 Mar 2026 12:00:05 GMT", want: 5 * time.Second},
		"date by its clock":  {header: "Sun, 01 Mar 2026 13:00:05 GMT", date: "Sun, 01 Mar 2026 13:00:00 GMT", want: 5 * time.Second},
		"date that is over":  {header: "Sun, 01 Mar 2026 11:00:00 GMT", want: 0},
		"text":               {detail: "Request was throttled. Expected available in 42 seconds.", want: 42 * time.Second},
		"text, one second":   {detail: "Request was throttled. Expected available in 1 second.", want: time.Second},
		"unreadable":         {header: "soon", detail: "Request was throttled.", want: 0},
		"unreadable, text":   {header: "-3", detail: "available in 3 seconds", want: 3 * time.Second},
		"text, a fraction":   {detail: "Expected available in 3.7 seconds.", want: 4 * time.Second},
		"text, long":         {detail: "Expected available in 99999999999 seconds.", want: forever},
		"more than anything": {header: "99999999999999999999", want: forever},
		"more than it holds": {header: "99999999999", want: forever},
		"the last date":      {header: "Fri, 31 Dec 9999 23:59:59 GMT", want: forever},
		"nothing":            {},
	} {
		h := http.Header{}
		h.Set("Retry-After", c.header)
		h.Set("Date", c.date)

		assert.Equal(t, c.want, retryAfter(h, c.detail, now), name)
	}
}

// blanks is an endless body.
type blanks struct{}

func (blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// The client stops reading an endless response at the size limit, whatever its form.
func TestAnswerWithoutEnd(t *testing.T) {
	t.Parallel()
	for name, response := range map[string]http.HandlerFunc{
		"blanks": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.Copy(w, blanks{}) // ends when the client closes the connection
		},
		"compressed": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			packed := gzip.NewWriter(w)
			_, _ = io.Copy(packed, io.LimitReader(blanks{}, 1<<30))
			_ = packed.Close()
		},
		"announced alone": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "99999999999")
			_, _ = io.WriteString(w, strings.Repeat(" ", 2<<20))
			panic(http.ErrAbortHandler)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := serve(t, response).client()
			c.maxResponse = 1 << 20

			_, err := c.Surveys("1").Retrieve(t.Context(), surveyID)
			require.ErrorContains(t, err, "longer than 1048576 bytes")
		})
	}
}

// The client sends nothing back that the service provided: no cookie, and no key in a URL.
func TestNothingIsKeptForTheService(t *testing.T) {
	t.Parallel()
	response := respondAs(200, "application/json", `{"id":"`+surveyID+`"}`, "Set-Cookie", "session=1; Path=/", "Location", "/elsewhere", "WWW-Authenticate", "Basic")
	s := serve(t, response, response)
	surveys := s.client().Surveys("1")
	for range 2 {
		_, err := surveys.Retrieve(t.Context(), surveyID)
		require.NoError(t, err)
	}
	for _, asked := range s.requests() {
		assert.Empty(t, asked.header.Values("Cookie"))
		assert.NotContains(t, asked.path+asked.query, testKey)
	}
}

// Invalid UTF-8 and duplicate keys lead to a survey or an error, and never to a crash. An error is one line without
// control characters.
func TestOddAnswers(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"NUL": "{\"id\":\"" + surveyID + "\",\"name\":\"a\x00b\"}", "bad UTF-8": "{\"id\":\"" + surveyID + "\",\"name\":\"\xff\"}",
		"surrogate": `{"id":"` + surveyID + `","name":"\ud800"}`, "twice": `{"id":"x","id":"` + surveyID + `"}`,
		"digits": `{"id":"` + surveyID + `","appearance":{"a":` + strings.Repeat("9", 100_000) + `}}`,
		"levels": `{"id":"` + surveyID + `","appearance":` + strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000) + `}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := serve(t, respondJSON(200, body)).client().Surveys("1").Retrieve(t.Context(), surveyID)
			if err != nil {
				assert.NotRegexp(t, `[\x00-\x1f\x7f]`, err.Error())
				assert.Less(t, len(err.Error()), 4096)
			}
			if name == "digits" || name == "levels" {
				assert.Error(t, err)
			}
		})
	}
}
