package testserver_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// BenchmarkRequests is the work of the server on one request, without a network and
// without parsing the request: what the journal, worlds and the report cost shows here.
func BenchmarkRequests(b *testing.B) {
	for name, request := range map[string]func(i int) (method, path, body string){
		"retrieve": func(i int) (method, path, body string) {
			return http.MethodGet, surveys + surveyID(i%1000) + "/", ""
		},
		"list": func(int) (method, path, body string) {
			return http.MethodGet, surveys + "?limit=100", ""
		},
		"create": func(i int) (method, path, body string) {
			return http.MethodPost, surveys, fmt.Sprintf(`{"name":"Created %d",%s}`, i, benchSurvey)
		},
	} {
		b.Run(name, func(b *testing.B) {
			server := serveMany(b, 1000)
			header := http.Header{"Authorization": {"Bearer " + testserver.DefaultAPIKey}, "Content-Type": {"application/json"}}

			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				method, path, body := request(i)
				w := sink{header: http.Header{}}
				server.ServeHTTP(&w, requestOf(method, path, body, header))
				if w.status >= http.StatusMultipleChoices {
					b.Fatalf("%s %s: %d", method, path, w.status)
				}
			}
		})
	}
}

// benchSurvey is a survey with three questions, but for its name.
const benchSurvey = `"type":"popover","description":"How people see the current release","questions":[
{"type":"rating","question":"How likely are you to recommend us?","display":"number","scale":10,"lowerBoundLabel":"Not at all",
"branching":{"type":"response_based","responseValues":{"detractors":2,"promoters":"end"}}},
{"type":"single_choice","question":"Where did you hear of us?","choices":["From a friend","In the press","Elsewhere"],"hasOpenChoice":true},
{"type":"open","question":"What should be better?","description":"A word is enough.","optional":true}],
"conditions":{"url":"https://example.com/pricing","urlMatchType":"icontains","seenSurveyWaitPeriodInDays":30},
"appearance":{"backgroundColor":"#eeeded","position":"right","displayThankYouMessage":true,"thankYouMessageHeader":"Thank you!"}`

// requestOf is a request as a server of the standard library hands it to its handler.
func requestOf(method, path, body string, header http.Header) *http.Request {
	path, query, _ := strings.Cut(path, "?")
	r := &http.Request{
		Method: method, URL: &url.URL{Path: path, RawQuery: query}, Proto: "HTTP/1.1", Host: "localhost",
		Header: header, Body: http.NoBody, ContentLength: int64(len(body)), RequestURI: path,
	}
	if body != "" {
		r.Body = io.NopCloser(strings.NewReader(body))
	}
	return r
}
