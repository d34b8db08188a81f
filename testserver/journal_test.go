package testserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// The journal contains every API request, even if a fault responded.
func TestJournal(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)
	c.post(surveys, "{ \"name\": \"<S>\",\n \"type\": \"api\", \"n\": 9007199254740993 }").is(http.StatusCreated)
	c.get(surveys + "?limit=5&search=a%20b").is(http.StatusOK)
	c.with("Authorization", "Bearer phx_secret").post(surveys, "not json").is(http.StatusUnauthorized)
	c.get("/nowhere").is(http.StatusNotFound)
	c.put(apps, `[1]`).is(http.StatusMethodNotAllowed)
	srv.SetFaults(testserver.Fault{Status: 503})
	c.patch(apps+"1/", "").is(http.StatusServiceUnavailable)
	srv.SetClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.FixedZone("", 3600)))
	c.delete(apps + "1/").is(http.StatusServiceUnavailable)

	at := time.Date(2026, 1, 2, 3, 4, 5, 678901000, time.UTC)
	none := json.RawMessage(`null`)
	want := []testserver.Request{
		{Time: at, Method: "POST", Path: surveys, Operation: "surveys_create", Status: 201, Body: json.RawMessage(`{"name":"<S>","type":"api","n":9007199254740993}`)},
		{Time: at, Method: "GET", Path: surveys, Query: "limit=5&search=a%20b", Operation: "surveys_list", Status: 200, Body: none},
		{Time: at, Method: "POST", Path: surveys, Operation: "surveys_create", Status: 401, Body: json.RawMessage(`"not json"`)},
		{Time: at, Method: "GET", Path: "/nowhere", Status: 404, Body: none},
		{Time: at, Method: "PUT", Path: apps, Status: 405, Body: json.RawMessage(`[1]`)},
		{Time: at, Method: "PATCH", Path: apps + "1/", Operation: "pipeline_import_apps_partial_update", Status: 503, Body: none},
		{Time: time.Date(2029, 12, 31, 23, 0, 0, 0, time.UTC), Method: "DELETE", Path: apps + "1/", Operation: "pipeline_import_apps_destroy", Status: 503, Body: none},
	}
	journal := srv.Journal()
	assert.Equal(t, want, withoutAnswers(journal))

	// The control interface returns the same journal, which omits control requests.
	over := c.get(control + "requests").is(http.StatusOK)
	var got []testserver.Request
	require.NoError(t, json.Unmarshal([]byte(over.body), &got))
	assert.Equal(t, journal, got)
	assert.NotContains(t, over.body, "phx_")
	srv.SetFixtures(`{}`)
	srv.Reset()
	assert.Len(t, srv.Journal(), len(want), "fixtures and a reset must keep the journal")

	c.delete(control + "requests").is(http.StatusNoContent)
	assert.Empty(t, srv.Journal())
	assert.Equal(t, "[]\n", c.get(control+"requests").body)
	c.get(surveys).is(http.StatusServiceUnavailable)
	assert.Len(t, srv.Journal(), 1, "fixtures and a reset must keep the faults")
	srv.ResetJournal()
	assert.Empty(t, srv.Journal())
}

// withoutAnswers reduces journal entries to what is known when a request arrives.
func withoutAnswers(journal []testserver.Request) []testserver.Request {
	var requests []testserver.Request
	for _, r := range journal {
		requests = append(requests, testserver.Request{
			Time: r.Time, Method: r.Method, Path: r.Path, Query: r.Query, Operation: r.Operation, Status: r.Status, Body: r.Body,
		})
	}
	return requests
}

func TestControlPaths(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv).with("Authorization", "")
	c.get(control+"nothing").fails(http.StatusNotFound, "not_found", "", "The control interface has clock, events, faults, fixtures, health, jobs, openapi.yaml, people, removed, report, requests, reset, surveys/{id}/people and worlds.")
	a := c.get(control + "reset")
	a.fails(http.StatusMethodNotAllowed, "method_not_allowed", "", `Method "GET" not allowed.`)
	assert.Equal(t, "POST", a.header.Get("Allow"))
	c.post(control+"fixtures", `{}`).is(http.StatusMethodNotAllowed)
	for body, complaint := range map[string]string{
		`{`:                `clock: the body must be JSON, such as {"clock": "2026-01-31T12:00:00Z"}`,
		`{}`:               `clock: the key "clock" is missing`,
		`{"clok":1}`:       `clock: clok: unknown key, did you mean "clock"?`,
		`{"clock":5}`:      `clock: clock: must be a string, not a number`,
		`{"clock":"noon"}`: `clock: clock: must be an RFC 3339 date-time such as 2026-01-31T12:00:00Z, not "noon"`,
	} {
		c.put(control+"clock", body).fails(http.StatusBadRequest, "invalid_input", "", complaint)
	}
}

func TestClock(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)

	created := func(name string) (answer, string) {
		a := c.post(surveys, `{"name":"`+name+`","type":"api"}`).is(http.StatusCreated)
		return a, a.raw("created_at")
	}

	_, at := created("start")
	assert.Equal(t, `"2026-01-02T03:04:05.678901Z"`, at)

	c.put(control+"clock", `{"clock":"2026-03-01T12:00:00+02:00"}`).is(http.StatusNoContent)
	a, at := created("set")
	assert.Equal(t, `"2026-03-01T10:00:00Z"`, at)
	assert.Equal(t, "Sun, 01 Mar 2026 10:00:00 GMT", a.header.Get("Date"))
	assert.Equal(t, "Sun, 01 Mar 2026 10:00:00 GMT", c.get(control+"requests").header.Get("Date"))

	srv.SetClock(time.Date(2026, 4, 1, 0, 0, 0, 1500, time.UTC))
	_, at = created("again")
	assert.Equal(t, `"2026-04-01T00:00:00.000001Z"`, at)

	c.put(control+"clock", `{"clock":null}`).is(http.StatusNoContent)
	_, at = created("running")
	assert.Equal(t, `"2026-01-02T03:04:05.678901Z"`, at)

	assert.Equal(t, []string{"again", "set", "running", "start"}, c.get(surveys).names())
}

// ticking returns a clock that advances by a millisecond at each call.
func ticking() func() time.Time {
	var reads atomic.Int64
	return func() time.Time {
		return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).Add(time.Duration(reads.Add(1)) * time.Millisecond)
	}
}

// An entry contains the request and the response, without API keys.
func TestJournalAnswers(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Clock: ticking()})
	c := call(t, srv).with("X-Own", "yes").with("Cookie", "session=secret")
	created := c.post(surveys, `{"name":"S","type":"api"}`).is(http.StatusCreated)
	c.delete(surveys + created.object()["id"].(string) + "/").is(http.StatusNoContent)
	c.with("Authorization", "").get(surveys + "?limit=1&personal_api_key=phx_test").is(http.StatusUnauthorized)
	c.with("Authorization", "").post(surveys, `{"name":"T","type":"api","personal_api_key":"phx_test"}`).is(http.StatusUnauthorized)
	c.with("Authorization", "phx_test").get(surveys).is(http.StatusUnauthorized)

	journal := srv.Journal()
	require.Len(t, journal, 5)
	first := journal[0]
	assert.Equal(t, int64(1), first.Sequence)
	assert.Positive(t, first.DurationMS)
	assert.Equal(t, []string{"Bearer [redacted]"}, first.Headers["Authorization"])
	assert.Equal(t, []string{"[redacted]"}, first.Headers["Cookie"])
	assert.Equal(t, []string{"[redacted]"}, first.Headers["X-Own"], "an unknown header may contain a secret")
	assert.Equal(t, []string{"application/json"}, first.Headers["Content-Type"])
	assert.Equal(t, 25, first.BodySize)
	assert.Empty(t, first.Faults)

	require.NotNil(t, first.Answer)
	assert.JSONEq(t, created.body, string(first.Answer.Body))
	assert.Equal(t, len(created.body), first.Answer.Size)
	assert.False(t, first.Answer.Omitted)
	for _, name := range []string{"Content-Type", "Date", "X-Request-Id"} {
		assert.Equal(t, created.header[name], first.Answer.Headers[name], name)
	}

	assert.Equal(t, `null`, string(journal[1].Answer.Body))
	assert.Zero(t, journal[1].Answer.Size)
	assert.Equal(t, "limit=1&personal_api_key=%5Bredacted%5D", journal[2].Query)
	assert.JSONEq(t, `{"name":"T","type":"api","personal_api_key":"[redacted]"}`, string(journal[3].Body))
	assert.Equal(t, []string{"[redacted]"}, journal[4].Headers["Authorization"])

	all := c.get(control + "requests").is(http.StatusOK).body
	assert.NotContains(t, all, "phx_test")
	assert.NotContains(t, all, "secret")
}

// The entry contains the rules that affected the request, and the response that they left.
func TestJournalFaults(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv).undocumentedAnswers()
	srv.SetFaults(
		testserver.Fault{Operation: "surveys_list", To: 1, Status: 503, RetryAfter: "7"},
		testserver.Fault{Operation: "surveys_list", From: 2, To: 2, CutBody: new(4)},
		testserver.Fault{Operation: "surveys_create", Drop: "after"},
		testserver.Fault{Path: apps, Throttle: &testserver.Throttle{Requests: 1, PerSeconds: 60}},
		testserver.Fault{Method: "DELETE", Status: 500},
	)

	c.get(surveys).is(http.StatusServiceUnavailable)
	_, err := c.try(http.MethodGet, surveys, "")
	require.Error(t, err)
	_, err = c.try(http.MethodPost, surveys, `{"name":"S","type":"api"}`)
	require.Error(t, err)
	c.get(apps).is(http.StatusOK)
	c.get(apps).is(http.StatusTooManyRequests)

	journal := srv.Journal()
	require.Len(t, journal, 5)
	assert.Equal(t, `{"operation":"surveys_list","to":1,"status":503,"retry_after":"7"}`, string(journal[0].Faults[0]))
	assert.Equal(t, []string{"7"}, journal[0].Answer.Headers["Retry-After"])
	assert.Equal(t, `"{\"co"`, string(journal[1].Answer.Body), "the journal must contain the part of the response that was sent")
	assert.Equal(t, 4, journal[1].Answer.Size)
	assert.Nil(t, journal[2].Answer)
	assert.Zero(t, journal[2].Status)
	assert.Equal(t, `{"operation":"surveys_create","drop":"after"}`, string(journal[2].Faults[0]))
	assert.Empty(t, journal[3].Faults, "a request within the limit must not have a fault")
	assert.Len(t, journal[4].Faults, 1)

	var counted []string
	for _, f := range srv.Server.Faults() {
		counted = append(counted, fmt.Sprint(f.Matches, f.Hits))
	}
	assert.Equal(t, []string{"2 1", "2 1", "1 1", "2 1", "0 0"}, counted)

	var over []testserver.FaultState
	require.NoError(t, json.Unmarshal([]byte(c.get(control+"faults").is(http.StatusOK).body), &over))
	for i, f := range srv.Server.Faults() {
		f.Number = 0 // only the page uses the number
		assert.Equal(t, f, over[i])
	}
}

// The journal contains a waiting request. After it is emptied, the numbers continue.
func TestJournalOfWaitingRequests(t *testing.T) {
	t.Parallel()
	arrived, release := make(chan bool), make(chan bool)
	srv := testserver.Start(t, testserver.Options{Sleep: func(context.Context, time.Duration) { arrived <- true; <-release }})
	c := call(t, srv)
	srv.SetFaults(testserver.Fault{DelayMS: 1})
	var client sync.WaitGroup
	client.Go(func() { c.get(surveys).is(http.StatusOK) })
	<-arrived
	entry, ok := srv.Server.JournalEntry(1)
	assert.True(t, ok)
	assert.Nil(t, entry.Answer)
	close(release)
	client.Wait()
	assert.Equal(t, http.StatusOK, srv.Journal()[0].Status)

	srv.ResetJournal()
	srv.SetFaults()
	for _, sequence := range []int64{0, 1, 2} {
		_, ok = srv.Server.JournalEntry(sequence)
		assert.False(t, ok)
	}
	c.get(surveys).is(http.StatusOK)
	assert.Equal(t, int64(2), srv.Journal()[0].Sequence)
}

// send sends a request without a network.
func send(server http.Handler, method, path, body string) {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+testserver.DefaultAPIKey)
	r.Header.Set("Content-Type", "application/json")
	server.ServeHTTP(&sink{header: http.Header{}}, r)
}

// A server that runs for weeks keeps the newest requests, and only the sizes of older bodies.
//
//nolint:paralleltest // it measures the heap of the process
func TestJournalIsBounded(t *testing.T) {
	server, err := testserver.New(testserver.Options{})
	require.NoError(t, err)

	// 40 bodies of 1 MiB exceed the limit. The server refuses them at their first character.
	large := strings.Repeat("x", 1<<20)
	for range 40 {
		send(server, http.MethodPost, surveys, large)
	}
	journal := server.Journal()
	require.Len(t, journal, 40)
	assert.True(t, journal[0].BodyOmitted)
	assert.Equal(t, `null`, string(journal[0].Body))
	assert.Equal(t, len(large), journal[0].BodySize)
	assert.True(t, journal[0].Answer.Omitted)
	assert.Positive(t, journal[0].Answer.Size)
	assert.False(t, journal[39].BodyOmitted)
	assert.Equal(t, strconv.Quote(large), string(journal[39].Body))

	// Nothing else references the omitted bodies.
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	server.ResetJournal()
	runtime.GC()
	runtime.ReadMemStats(&after)
	assert.Less(t, int64(before.HeapAlloc)-int64(after.HeapAlloc), int64(64<<20))
}

// The journal never stores large responses, because copying them would cost the client time.
func TestJournalLeavesOutLargeAnswers(t *testing.T) {
	t.Parallel()
	server := serveMany(t, 100)
	send(server, http.MethodGet, surveys+"?limit=100", "")
	send(server, http.MethodGet, surveys+"?limit=10", "")
	journal := server.Journal()
	assert.True(t, journal[0].Answer.Omitted)
	assert.Greater(t, journal[0].Answer.Size, 64<<10)
	assert.False(t, journal[1].Answer.Omitted)
	assert.NotEqual(t, `null`, string(journal[1].Answer.Body))
}

// secretKeys are API keys of a server, in PostHog's form and in other forms.
var secretKeys = []string{"phx_" + strings.Repeat("Aa1", 15), "k9-secret.+/=~", "key with blanks"}

// Neither the journal nor the page shows an API key, wherever a client puts it and however it is encoded.
func TestJournalHidesKeys(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		for _, key := range append(secretKeys, "not-a-key-of-the-server") {
			t.Run(string(profile)+" "+key, func(t *testing.T) {
				t.Parallel()
				srv := testserver.Start(t, testserver.Options{Profile: profile})
				srv.SetFixtures(`{"api_keys":[{"key":"` + strings.Join(secretKeys, `"},{"key":"`) + `"}]}`)
				c := call(t, srv).undocumentedAnswers().with("Authorization", "Bearer "+key)
				hideEverywhere(c, key)

				shown := c.get(control+"requests").is(http.StatusOK).body + journalOf(c.get("/").body)
				for _, r := range srv.Journal() {
					entry, _ := srv.Server.JournalEntry(r.Sequence)
					assert.Equal(t, r, entry)
					shown += journalOf(c.get("/?request=" + strconv.FormatInt(r.Sequence, 10)).is(http.StatusOK).body)
				}
				for name, spelled := range spellingsOf(key) {
					if i := strings.Index(shown, spelled); i >= 0 {
						t.Errorf("%s: the output contains a secret: %s", name, shown[max(i-200, 0):i+len(spelled)])
					}
				}
				assert.NotContains(t, shown, "s3cret")
				assert.Contains(t, shown, "shown-value")
			})
		}
	}
}

// hideEverywhere sends requests with the key in each position.
func hideEverywhere(c caller, key string) {
	escaped, quoted := url.QueryEscape(key), `"`+strings.ReplaceAll(key, "e", `\u0065`)+`"`
	c.get(surveys + "?search=shown-value")
	c.with("X-Api-Key", key).with("CF-Access-Client-Secret", "s3cret").with("Cookie", "s3cret").get(surveys)
	c.with("User-Agent", "agent/"+key).with("Referer", "http://x/?token=s3cret").get(surveys)
	c.with("Proxy-Authorization", "s3cret s3cret").get(surveys)
	c.get("/api/" + url.PathEscape(key) + "/surveys/" + url.PathEscape(key))
	c.get(surveys + "?personal_api_key=" + escaped + "&personal%5Fapi%5fkey=" + escaped + "&%zz;personal_api_key=" + escaped)
	c.get(surveys + "?search=" + escaped + "&" + escaped + "=1&token=%" + "zz/" + escaped)

	c.post(surveys, `{"name":"S","type":"api","description":"the key is `+key+`!","personal_api_key":`+quoted+`}`)
	c.post(surveys, `{"name":"S","type":"api","personal\u005fapi_key":`+quoted+`,"personal_api_key":`+quoted+`}`)
	c.post(surveys, `{"name":`+quoted+`,"type":"api","conditions":{"a":[`+quoted+`]}}`)
	c.post(surveys, `{"personal\u005fapi_key":`+quoted+`,`)
	c.post(surveys, "personal_api_key="+escaped)

	form := c.with("Content-Type", "application/x-www-form-urlencoded")
	form.post(surveys, "name=S&type=api&personal%5Fapi_key="+escaped+"&description="+escaped)
	parts := "--b\r\nContent-Disposition: form-data; name=\"%s\"\r\n%s\r\n%s\r\n--b--\r\n"
	multipart := c.with("Content-Type", "multipart/form-data; boundary=b")
	multipart.post(surveys, strings.NewReplacer("%s\"\r\n%s", "personal_api_key\"\r\n", "%s\r\n--b--", key+"\r\n--b--").Replace(parts))
	multipart.post(surveys, strings.NewReplacer("%s\"\r\n%s", "personal_api_key\"\r\nContent-Transfer-Encoding: quoted-printable\r\n",
		"%s\r\n--b--", strings.ReplaceAll(key, "e", "=65")+"\r\n--b--").Replace(parts))
}

// journalOf returns the journal part of a page. The rest of the page contains the key for clients.
func journalOf(page string) string {
	_, journal, _ := strings.Cut(page, `<section id="journal"`)
	return html.UnescapeString(journal)
}

// spellingsOf returns the encodings in which a reader could recognize a key.
func spellingsOf(key string) map[string]string {
	spelled := map[string]string{
		"as it is": key, "in a query": url.QueryEscape(key), "in a path": url.PathEscape(key),
		"escaped": strings.ReplaceAll(key, "e", `\u0065`), "quoted-printable": strings.ReplaceAll(key, "e", "=65"),
	}
	return spelled
}

// The journal recognizes PostHog's keys by their form, even keys that the server does not contain.
func TestJournalHidesForeignKeys(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	for _, prefix := range []string{"phx_", "phs_"} {
		key := prefix + strings.Repeat("Aa1", 15)
		send(srv.Server, http.MethodPost, surveys+"?search="+key, `{"name":"the key is `+key+`!","type":"api"}`)
		entry, _ := srv.Server.JournalEntry(int64(len(srv.Journal())))
		assert.Equal(t, "search="+url.QueryEscape("[redacted]"), entry.Query)
		assert.JSONEq(t, `{"name":"the key is [redacted]!","type":"api"}`, string(entry.Body))
	}
}

// The journal keeps other text, including words that contain a key.
func TestJournalShowsWhatIsNoKey(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv).with("Accept-Language", "de")
	body := `{"name":"phx_test_world is no key","type":"api","description":"my-phx_test"}`
	c.post(surveys, body).is(http.StatusCreated)
	c.get(surveys + "?search=phx_test_world&limit=%20&x")
	journal := srv.Journal()
	assert.Equal(t, body, string(journal[0].Body))
	assert.Equal(t, []string{"de"}, journal[0].Headers["Accept-Language"])
	assert.Equal(t, "search=phx_test_world&limit=%20&x", journal[1].Query)
}
