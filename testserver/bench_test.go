package testserver_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// many returns a stream of a fixtures document with n surveys in project 1.
func many(n int) io.Reader {
	reader, writer := io.Pipe()
	go func() {
		separator := `{"surveys":[`
		for i := range n {
			_, err := fmt.Fprintf(writer, `%s{"project_id":1,"id":%q,"name":"Survey %d","type":"popover",
"description":"How did it go?","start_date":"2026-01-01T00:00:00Z","questions":[
{"id":"a","type":"rating","question":"How likely are you to recommend us?","display":"number","scale":10,"lowerBoundLabel":"not at all","upperBoundLabel":"certainly"},
{"id":"b","type":"single_choice","question":"Where did you hear of us?","choices":["A friend","The press","Elsewhere"],"hasOpenChoice":true},
{"id":"c","type":"open","question":"What should be better?","description":"Tell us all","optional":true}],
"conditions":{"url":"https://example.com/pricing","urlMatchType":"icontains","seenSurveyWaitPeriodInDays":30},
"appearance":{"backgroundColor":"#eeeded","position":"right","displayThankYouMessage":true,"thankYouMessageHeader":"Thank you!"}}`,
				separator, surveyID(i), i)
			if err != nil {
				return
			}
			separator = ",\n"
		}

		_, err := io.WriteString(writer, "]}")
		_ = writer.CloseWithError(err)
	}()

	return reader
}

func surveyID(i int) string { return fmt.Sprintf("019b0000-0000-7000-9000-%012x", i) }

// serveMany returns a server with n surveys.
func serveMany(t testing.TB, n int) *testserver.Server {
	t.Helper()
	server, err := testserver.New(testserver.Options{Fixtures: many(n)})
	require.NoError(t, err)
	return server
}

// sink is a ResponseWriter that discards the response.
type sink struct {
	header http.Header
	status int
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) WriteHeader(status int)      { s.status = status }
func (s *sink) Write(b []byte) (int, error) { return len(b), nil }

// get calls the server without a network.
func get(t testing.TB, server http.Handler, path string) {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("Authorization", "Bearer "+testserver.DefaultAPIKey)
	w := &sink{header: http.Header{}}
	server.ServeHTTP(w, r)
	if w.status != http.StatusOK {
		t.Fatalf("GET %s: status %d", path, w.status)
	}
}

// BenchmarkPage shows that a page far into 100,000 surveys costs as much as the first page.
func BenchmarkPage(b *testing.B) {
	server := serveMany(b, 100_000)
	for _, offset := range []int{0, 90_000} {
		b.Run(fmt.Sprintf("offset=%d", offset), func(b *testing.B) {
			b.ReportAllocs()
			path := fmt.Sprintf("/api/projects/1/surveys/?limit=100&offset=%d", offset)
			for b.Loop() {
				get(b, server, path)
			}
		})
	}
}

// BenchmarkLoad loads a document with 100,000 surveys.
func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		serveMany(b, 100_000)
	}
}

// BenchmarkRetrieve reads a survey over 16 connections, and compares this with a handler that sends the same
// bytes from memory.
func BenchmarkRetrieve(b *testing.B) {
	server := serveMany(b, 1000)
	path := "/api/projects/1/surveys/" + surveyID(500) + "/"
	recorder := httptest.NewRecorder()

	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("Authorization", "Bearer "+testserver.DefaultAPIKey)
	server.ServeHTTP(recorder, r)
	body := recorder.Body.Bytes()
	require.True(b, json.Valid(body))

	static := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = w.Write(body)
	})

	for name, handler := range map[string]http.Handler{"server": server, "static": static} {
		b.Run(name, func(b *testing.B) {
			listener := httptest.NewServer(handler)
			defer listener.Close()

			transport := &http.Transport{MaxIdleConnsPerHost: 16, MaxConnsPerHost: 16}
			defer transport.CloseIdleConnections()

			b.SetParallelism(8)
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					r, err := http.NewRequest(http.MethodGet, listener.URL+path, nil)
					if err != nil {
						b.Error(err)
						return
					}
					r.Header.Set("Authorization", "Bearer "+testserver.DefaultAPIKey)
					response, err := transport.RoundTrip(r)
					if err != nil {
						b.Error(err)
						return
					}
					_, _ = io.Copy(io.Discard, response.Body)
					_ = response.Body.Close()
				}
			})
		})
	}
}

// BenchmarkSearch searches for a misspelled word in a description of 100 kB.
func BenchmarkSearch(b *testing.B) {
	server, err := testserver.New(testserver.Options{Profile: testserver.Hosted})
	require.NoError(b, err)
	description := strings.Repeat("How likely are you to recommend the new onboarding to a colleague? ", 1500)
	_, err = server.CreateSurvey(testserver.Object{"name": "Long", "type": "api", "description": description})
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		get(b, server, "/api/projects/1/surveys/?search=onbording")
	}
}

// BenchmarkCreate creates surveys without a network.
func BenchmarkCreate(b *testing.B) {
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		b.Run(string(profile), func(b *testing.B) {
			server, err := testserver.New(testserver.Options{Profile: profile})
			require.NoError(b, err)

			b.ReportAllocs()
			n := 0
			for b.Loop() {
				n++

				body := fmt.Sprintf(`{"name":"Survey %d","type":"popover","questions":[{"type":"open","question":"Why?"}],"conditions":{"url":"x"}}`, n)
				r := httptest.NewRequest(http.MethodPost, "/api/projects/1/surveys/", strings.NewReader(body))
				r.Header.Set("Authorization", "Bearer "+testserver.DefaultAPIKey)
				r.Header.Set("Content-Type", "application/json")
				w := &sink{header: http.Header{}}
				server.ServeHTTP(w, r)

				if w.status != http.StatusCreated {
					b.Fatalf("POST: status %d", w.status)
				}
			}
		})
	}
}

// BenchmarkRequests measures the server's work for a request, without the network and without parsing the
// request. It shows the cost of the journal, worlds, and the report.
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
					b.Fatalf("%s %s: status %d", method, path, w.status)
				}
			}
		})
	}
}

// benchSurvey contains a survey with three questions, but without a name.
const benchSurvey = `"type":"popover","description":"How people see the current release","questions":[
{"type":"rating","question":"How likely are you to recommend us?","display":"number","scale":10,"lowerBoundLabel":"Not at all",
"branching":{"type":"response_based","responseValues":{"detractors":2,"promoters":"end"}}},
{"type":"single_choice","question":"Where did you hear of us?","choices":["From a friend","In the press","Elsewhere"],"hasOpenChoice":true},
{"type":"open","question":"What should be better?","description":"A word is enough.","optional":true}],
"conditions":{"url":"https://example.com/pricing","urlMatchType":"icontains","seenSurveyWaitPeriodInDays":30},
"appearance":{"backgroundColor":"#eeeded","position":"right","displayThankYouMessage":true,"thankYouMessageHeader":"Thank you!"}`

// requestOf returns a request in the form in which net/http passes it to a handler.
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
