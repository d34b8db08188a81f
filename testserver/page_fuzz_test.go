package testserver_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// FuzzPage looks at the page of surveys that hold anything, at any address and after any
// form: it is always a whole page, with no element that a text has brought in.
func FuzzPage(f *testing.F) {
	servers := []fuzzed{newFuzzed(f, testserver.Documented), newFuzzed(f, testserver.Hosted)}
	hostile, err := json.Marshal(hostileMarkup)
	require.NoError(f, err)

	for _, questions := range []string{
		`[]`, `null`, `7`, `[null, 7, "x", [], {}]`, strings.ReplaceAll(`[{"type": $, "question": $, "choices": [$, null], "scale": $}]`, "$", string(hostile)),
		`[{"type":"rating","scale":10,"branching":{"type":"response_based","responseValues":{"promoters":99,"detractors":-7,"x":1e400}}},{"branching":{"type":"specific_question","index":-1}}]`,
		`[{"type":"single_choice","choices":["a","a"],"branching":{"type":"response_based","responseValues":{"0":0,"1":"end","9":1.5}}}]`,
	} {
		f.Add("survey="+pageSurvey+"&request=1", questions, "faults", "preset=503&times=1")
	}
	f.Add("world=a&operation=x&status=9xx&search=%zz&request=99999999999999999999", `[]`, "clock", "set=time&time=9999-12-31T23:59:59")
	f.Add("app=1&status=x&done=%3Cscript%3E", `[]`, "faults", `rule={"status":1}&remove=1&back=%3Fsurvey=x`)
	f.Add("status=", `[]`, "clock", "set=9999999h")

	f.Fuzz(func(t *testing.T, query, questions, action, form string) {
		for _, server := range servers {
			server.Reset()
			server.ResetJournal()
			require.NoError(t, server.SetFaults())
			_, err := server.CreateSurvey(testserver.Object{"id": pageSurvey, "name": hostileMarkup, "type": "popover"})
			require.NoError(t, err)
			body := `{"questions":` + questions + `}`
			server.serve(t, fmt.Sprintf("PATCH %s%s/ HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
				surveys, pageSurvey, testserver.DefaultAPIKey, len(body), body))

			server.page(t, "GET /?"+query+" HTTP/1.1\r\nHost: h\r\n\r\n")
			server.page(t, "GET /?survey="+pageSurvey+" HTTP/1.1\r\nHost: h\r\n\r\n")
			server.page(t, fmt.Sprintf("POST /_testserver/page/%s HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s", action, len(form), form))
		}
	})
}

// pageSurvey is the survey whose page is fuzzed, hostileMarkup its name.
const (
	pageSurvey    = "019b0000-0000-7000-8000-0000000000aa"
	hostileMarkup = `"'></script></title></textarea><script>alert(1)</script><img src=x>{{.}}`
)

// page asks for a page.
func (f fuzzed) page(t *testing.T, raw string) {
	t.Helper()
	w, ok := f.serve(t, raw)
	if !ok || w.Header().Get("Content-Type") != "text/html; charset=utf-8" {
		return
	}
	html := w.Body.String()
	require.NotEqual(t, http.StatusInternalServerError, w.Code, "%q is answered with %q", raw, html)
	require.True(t, strings.HasSuffix(html, "</html>"), "%q is answered with a part of a page: %q", raw, html)
	require.Equal(t, 1, strings.Count(html, "<script"), html)
	require.NotContains(t, html, "<img")
}
