package testserver_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// shownToApps contains fixtures for apps with a running survey. The clock runs, so that events have the current time.
const (
	shownToApps     = "019b0000-0000-7000-8000-0000000000aa"
	captureFixtures = `{"clock":"2026-03-01T12:00:00Z","surveys":[{"id":"` + shownToApps + `","project_id":1,"name":"S","type":"popover",
		"start_date":"2026-02-01T00:00:00Z","created_at":"2026-02-01T00:00:00Z","responses_limit":%s,"questions":[{"id":"q","type":"open","question":"Why?"}]}]}`
)

// captured returns an event as an SDK sends it. properties begins with a comma.
func captured(event, id, properties string) string {
	return fmt.Sprintf(`{"event":%q,"properties":{"token":"phc_test","distinct_id":%q%s}}`, event, id, properties)
}

// ofSurvey returns an event of the running survey.
func ofSurvey(event, id, properties string) string {
	return captured(event, id, `,"$survey_id":"`+shownToApps+`"`+properties)
}

// capture sends a body and expects success.
func (c caller) capture(body string) {
	c.t.Helper()
	assert.JSONEq(c.t, `{"status":1}`, c.post("/e/", body).is(http.StatusOK).body)
}

func gzipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.String()
}

// responsesTo returns the number of responses to a survey.
func (c caller) responsesTo(survey string) int {
	c.t.Helper()
	var counts map[string]int
	require.NoError(c.t, json.Unmarshal([]byte(c.get(surveys+"responses_count/").is(http.StatusOK).body), &counts))
	return counts[survey]
}

// Every path accepts events in every form in which SDKs send them, and each event counts.
func TestCaptureForms(t *testing.T) {
	t.Parallel()
	for profile, srv := range deliveringServers(t, fmt.Sprintf(captureFixtures, "null")) {
		c, sent := app(t, srv), 0
		one := ofSurvey("survey sent", "ann", "")
		batch := `{"api_key":"phc_test","batch":[{"event":"survey sent","distinct_id":"ann","properties":{"$survey_id":"` + shownToApps + `"}}],"sent_at":"2026-03-01T12:00:00Z"}`
		for _, path := range []string{"/e/", "/e", "/i/v0/e/", "/i/v0/e", "/batch/", "/batch", "/capture/", "/capture"} {
			for _, text := range []string{one, "[" + one + "]", batch} {
				packed := base64.StdEncoding.EncodeToString([]byte(text))
				for _, body := range []string{text, gzipped(t, text), packed, "data=" + url.QueryEscape(packed)} {
					assert.JSONEq(t, `{"status":1}`, c.post(path+"?ip=1&ver=1.2&compression=gzip-js", body).is(http.StatusOK).body, path)
					sent++
				}
			}
			assert.Empty(t, c.post(path+"?beacon=1", gzipped(t, one)).is(http.StatusNoContent).body)
			sent++
		}
		assert.Equal(t, sent, call(t, srv).responsesTo(shownToApps), profile)

		last := srv.Journal()[len(srv.Journal())-2]
		assert.Equal(t, "sdk_capture", last.Operation)
		assert.Contains(t, string(last.Body), `"event":"survey sent"`, "the journal must contain the decoded body")
	}
}

// The server refuses invalid events. App pages can read every response.
func TestCaptureRefuses(t *testing.T) {
	t.Parallel()
	large := captured("e", "a", `,"x":"`+strings.Repeat("x", 1<<20)+`"`)
	for _, srv := range deliveringServers(t, fmt.Sprintf(captureFixtures, "null")) {
		c := app(t, srv)
		for body, want := range map[string]struct {
			status int
			text   string
		}{
			`{"event":"e","distinct_id":"a"}`: {401, "event submitted without an api_key"},
			``:                                {401, "event submitted without an api_key"},
			`{"api_key":"a.b","event":"e","distinct_id":"a"}`: {401, "API key is not valid"},
			`{"api_key":"phc_test","batch":[]}`:               {400, "empty batch"},
			`{"api_key":"phc_test"}`:                          {400, "event submitted with an empty event name"},
			`{"api_key":"phc_test","event":"e"}`:              {400, "event submitted without a distinct_id"},
			`[` + captured("e", "a", "") + `,{"event":"e"}]`:  {400, "batch submitted with inconsistent api_key values"},
			"not json": {400, "the body is neither JSON nor base64"},
			`{"api_key":"phc_test","x":` + strings.Repeat("[", 1e5): {400, "JSON is nested more than 900 levels deep"},
			gzipped(t, strings.Repeat(" ", 21<<20)):                 {413, "the request is too large after decompression"},
			gzipped(t, large):                                       {413, "maximum event size exceeded"},
		} {
			a := c.post("/e/", body).is(want.status)
			assert.Contains(t, a.body, want.text)
			assert.Equal(t, "http://localhost:3000", a.header.Get("Access-Control-Allow-Origin"))
		}
		c.get("/e/").is(http.StatusMethodNotAllowed)
		c.do(http.MethodOptions, "/batch", "").is(http.StatusNoContent)

		call(t, srv).put(control+"faults", `{"rules":[{"operation":"sdk_capture","status":503}]}`).is(http.StatusNoContent)
		c.post("/e/", ofSurvey("survey sent", "ann", "")).is(http.StatusServiceUnavailable)
		assert.Zero(t, call(t, srv).responsesTo(shownToApps), "an event whose request gets a fault must not count")
	}
}

// In the documented profile, the server captures events only with the option Delivery.
func TestDocumentedProfileCapturesOnRequest(t *testing.T) {
	t.Parallel()
	c := call(t, testserver.Start(t)).undocumentedAnswers()
	c.post("/e/", ofSurvey("survey sent", "ann", "")).is(http.StatusNotFound)
}

// Events of surveys outside of the token's project don't count in any project.
func TestCaptureCountsOwnSurveys(t *testing.T) {
	t.Parallel()
	fixtures := `{"projects":[{"id":1},{"id":2,"api_token":"phc_two"}],` + fmt.Sprintf(captureFixtures, "null")[1:]
	for _, srv := range deliveringServers(t, fixtures) {
		c := app(t, srv)
		sent := ofSurvey("survey sent", "ann", "")
		for _, token := range []string{"phc_two", "phc_none", "phc_test_w"} {
			c.capture(strings.Replace(sent, "phc_test", token, 1))
		}
		for _, id := range []string{strings.ToUpper(shownToApps), "{" + shownToApps + "}", "019b0000-0000-7000-8000-0000000000ab", "x"} {
			c.capture(strings.Replace(sent, shownToApps, id, 1))
		}
		c.capture(captured("survey sent", "ann", ""))
		c.capture(captured("$pageview", "ann", ""))
		assert.Zero(t, call(t, srv).responsesTo(shownToApps))
		c.capture(sent)
		assert.Equal(t, 1, call(t, srv).responsesTo(shownToApps))

		world, err := srv.Server.World("w")
		require.NoError(t, err)
		c.capture(strings.Replace(sent, "phc_test", "phc_test_w", 1))
		assert.Equal(t, 1, call(t, srv).responsesTo(shownToApps), "the event must count in the world of its token")
		assert.Contains(t, dumpOf(t, world), `"event":"survey sent"`)
	}
}

func dumpOf(t *testing.T, s *testserver.Server) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, s.Dump(&b))
	return b.String()
}

// A repeated event counts once. Of the events in a submission, the latest counts.
func TestCaptureCountsOnce(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, fmt.Sprintf(captureFixtures, "null")) {
		c := app(t, srv)
		again := `{"uuid":"019b0000-0000-7000-8000-0000000000e1",` + ofSurvey("survey sent", "ann", "")[1:]
		c.capture("[" + again + "," + again + "]")
		c.capture(again)
		assert.Equal(t, 1, call(t, srv).responsesTo(shownToApps))

		for i := range 3 {
			c.capture(ofSurvey("survey sent", "bob", fmt.Sprintf(`,"$survey_submission_id":"s","$survey_completed":%t`, i == 2)))
		}
		assert.Equal(t, 2, call(t, srv).responsesTo(shownToApps))
		c.capture(ofSurvey("survey shown", "cy", ""))
		c.capture(ofSurvey("survey dismissed", "cy", `,"$survey_partially_completed":false`))
		c.capture(ofSurvey("survey abandoned", "cy", ""))
		assert.Equal(t, 2, call(t, srv).responsesTo(shownToApps), "a survey that was closed without answers must not count")
		c.capture(ofSurvey("survey abandoned", "cy", `,"$survey_submission_id":"s2","$survey_partially_completed":true`))
		assert.Equal(t, 3, call(t, srv).responsesTo(shownToApps))
	}
}

// A survey that reaches its limit stops and leaves the feed. Later events are still responses, and a continued
// submission does not count twice.
func TestCaptureStopsAtTheLimit(t *testing.T) {
	t.Parallel()
	for profile, srv := range deliveringServers(t, fmt.Sprintf(captureFixtures, "2")) {
		c, survey := app(t, srv), surveys+shownToApps+"/"
		part := func(id string) string { return ofSurvey("survey sent", id, `,"$survey_submission_id":"`+id+`"`) }
		c.capture(part("ann"))
		c.capture(part("ann"))
		c.capture(ofSurvey("survey dismissed", "cy", `,"$survey_partially_completed":true`))
		assert.Contains(t, c.feed("phc_test"), `"S"`, "answers of a respondent who closed the survey must not count toward the limit")
		c.capture(part("bob"))
		assert.Empty(t, c.feed("phc_test"), profile)
		assert.Equal(t, `"2026-03-01T12:00:00Z"`, call(t, srv).get(survey).raw("end_date"))

		c.capture(part("bob"))
		c.capture(part("dan"))
		assert.Equal(t, 4, call(t, srv).responsesTo(shownToApps))
	}
}

// Events of an archived survey still count. Events of a deleted survey don't.
func TestCaptureOfArchivedAndDeletedSurveys(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, fmt.Sprintf(captureFixtures, "null")) {
		c, survey := app(t, srv), surveys+shownToApps+"/"
		call(t, srv).patch(survey, `{"archived":true}`).is(http.StatusOK)
		c.capture(ofSurvey("survey sent", "ann", ""))
		assert.Equal(t, 1, call(t, srv).responsesTo(shownToApps))
		call(t, srv).delete(survey).is(http.StatusNoContent)
		c.capture(ofSurvey("survey sent", "ann", ""))
		assert.Equal(t, 1, strings.Count(srv.Dump(), `"survey_id":"`+shownToApps+`","event":"survey sent"`))
	}
}

// sentEvent is an event of the running survey, with the properties that determine the counts.
type sentEvent struct {
	uuid, name, person, submission string
	isPartial                      bool
	// minute is the time of the event.
	minute int
}

func (e sentEvent) isResponse() bool {
	return e.name == "survey sent" || e.isPartial && (e.name == "survey dismissed" || e.name == "survey abandoned")
}

// json returns the event as an SDK sends it.
func (e sentEvent) json() string {
	properties := fmt.Sprintf(`,"$survey_partially_completed":%t`, e.isPartial)
	if e.submission != "" {
		properties += fmt.Sprintf(`,"$survey_submission_id":%q`, e.submission)
	}
	at := time.Date(2026, 2, 10, 0, e.minute, 0, 0, time.UTC).Format(time.RFC3339)
	return fmt.Sprintf(`{"uuid":%q,"timestamp":%q,`, e.uuid, at) + ofSurvey(e.name, e.person, properties)[1:]
}

// slowCounts computes PostHog's counts from their definition, event by event and person by person.
type slowCounts struct {
	events []sentEvent
	// groups are the distinct IDs of each person. known are the IDs that the server has seen, and identified are
	// the IDs of persons whom an app has identified.
	groups            [][]string
	known, identified map[string]bool
}

func (s *slowCounts) groupOf(id string) int {
	i := slices.IndexFunc(s.groups, func(ids []string) bool { return slices.Contains(ids, id) })
	if i < 0 {
		s.groups = append(s.groups, []string{id})
		return len(s.groups) - 1
	}
	return i
}

// identify merges an anonymous person into another person.
func (s *slowCounts) identify(id, anonymous string) {
	into, other := s.groupOf(id), s.groupOf(anonymous)
	isNamed := slices.ContainsFunc(s.groups[other], func(id string) bool { return s.identified[id] })
	isRefused := isNamed && s.known[id] && s.known[anonymous]
	s.identified[id], s.known[id], s.known[anonymous] = true, true, true
	if into == other || isRefused {
		return
	}
	s.groups[into] = append(s.groups[into], s.groups[other]...)
	s.groups = slices.Delete(s.groups, other, other+1)
}

// add adds an event unless it was already added.
func (s *slowCounts) add(e sentEvent) {
	s.known[e.person] = true
	if !slices.ContainsFunc(s.events, func(known sentEvent) bool { return known.uuid == e.uuid }) {
		s.events = append(s.events, e)
	}
}

// counts returns the numbers of events and persons for each survey event.
func (s *slowCounts) counts() map[string][2]int64 {
	persons := map[string]map[int]bool{"survey shown": {}, "survey dismissed": {}, "survey sent": {}}
	totals, responded := map[string]int64{}, map[int]bool{}
	count := func(name string, e sentEvent) {
		totals[name]++
		persons[name][s.groupOf(e.person)] = true
	}
	for _, e := range s.events {
		isLatest := e.submission == "" || !slices.ContainsFunc(s.events, func(other sentEvent) bool {
			return other.isResponse() && other.submission == e.submission && (other.minute > e.minute || other.minute == e.minute && other.uuid > e.uuid)
		})
		switch {
		case e.isResponse():
			responded[s.groupOf(e.person)] = true
			if isLatest {
				count("survey sent", e)
			}
		case e.name != "survey abandoned":
			count(e.name, e)
		}
	}

	for person := range responded {
		delete(persons["survey dismissed"], person)
	}
	numbers := map[string][2]int64{}
	for name, who := range persons {
		numbers[name] = [2]int64{totals[name], int64(len(who))}
	}
	return numbers
}

// drawEvent draws an event. There are few persons, submissions, and times, so that events share them.
func drawEvent(t *rapid.T) sentEvent {
	return sentEvent{
		uuid:   fmt.Sprintf("019b0000-0000-7000-8000-0000000000%02x", rapid.IntRange(0, 40).Draw(t, "uuid")),
		name:   rapid.SampledFrom([]string{"survey shown", "survey sent", "survey dismissed", "survey abandoned"}).Draw(t, "name"),
		person: fmt.Sprintf("p%d", rapid.IntRange(0, 6).Draw(t, "person")), submission: rapid.SampledFrom([]string{"", "", "s1", "s2", "s3"}).Draw(t, "submission"),
		isPartial: rapid.Bool().Draw(t, "partial"), minute: rapid.IntRange(0, 3).Draw(t, "minute"),
	}
}

// For any events in any order and form, the counts equal those of the definition, and a dump preserves them.
func TestCaptureCountsAsDefined(t *testing.T) {
	t.Parallel()
	shared := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
	c, api := app(t, shared), call(t, shared)
	rapid.Check(t, func(rt *rapid.T) {
		shared.Server.Reset()
		slow := &slowCounts{known: map[string]bool{}, identified: map[string]bool{}}
		for range rapid.IntRange(1, 6).Draw(rt, "requests") {
			var batch []string
			for range rapid.IntRange(1, 8).Draw(rt, "events") {
				if rapid.IntRange(0, 4).Draw(rt, "kind") == 0 {
					id, anonymous := drawEvent(rt).person, drawEvent(rt).person
					batch = append(batch, captured("$identify", id, fmt.Sprintf(`,"$anon_distinct_id":%q`, anonymous)))
					if slow.known[id] = slow.known[id] || id == anonymous; id != anonymous {
						slow.identify(id, anonymous)
					}
					continue
				}
				e := drawEvent(rt)
				batch = append(batch, e.json())
				slow.add(e)
			}
			body := "[" + strings.Join(batch, ",") + "]"
			if rapid.Bool().Draw(rt, "packed") {
				body = gzipped(t, body)
			}
			c.capture(body)
		}

		want := slow.counts()
		for _, reloaded := range []bool{false, true} {
			if reloaded {
				shared.SetFixtures(shared.Dump())
			}
			got := map[string][2]int64{}
			for name, numbers := range api.statsOf(surveys + shownToApps + "/stats/") {
				got[name] = [2]int64{numbers.Total, numbers.Persons}
			}
			if !assert.ObjectsAreEqual(want, got) {
				rt.Fatalf("after a reload: %t\ngot  %v\nwant %v", reloaded, want, got)
			}
			if responses := api.responsesTo(shownToApps); int64(responses) != want["survey sent"][0] {
				rt.Fatalf("got %d responses, want %d", responses, want["survey sent"][0])
			}
		}
	})
}

// While many apps send and others read at the same time, no event is lost, and no event counts twice.
func TestCaptureAtTheSameTime(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
	const apps, requests = 8, 12
	var sending sync.WaitGroup
	for i := range apps {
		sending.Go(func() {
			c, api := app(t, srv), call(t, srv)
			for j := range requests {
				id := fmt.Sprintf("p%d-%d", i, j)
				c.capture("[" + ofSurvey("survey shown", "anon-"+id, "") + "," + captured("$identify", id, `,"$anon_distinct_id":"anon-`+id+`"`) +
					"," + ofSurvey("survey sent", id, `,"$survey_submission_id":"`+id+`","$set":{"n":1}`) + "]")
				c.post("/flags/?v=2", `{"token":"phc_test","distinct_id":"`+id+`"}`).is(http.StatusOK)
				api.get(control + "events?distinct_id=" + id).is(http.StatusOK)
			}
		})
	}
	sending.Wait()
	stats := call(t, srv).statsOf(surveys + shownToApps + "/stats/")
	assert.Equal(t, int64(apps*requests), stats["survey shown"].Persons)
	assert.Equal(t, int64(apps*requests), stats["survey sent"].Total)
	assert.Equal(t, int64(0), stats["survey shown"].PersonsSeen)
	assert.Len(t, persons(t, srv), 2*apps*requests)
}

// Ten thousand persons arrive one by one, and a chain of as many aliases merges them into one person.
func TestCaptureOfManyPersons(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted})
	const many = 10_000
	var people, chain []string
	for i := range many {
		people = append(people, captured("$set", fmt.Sprintf("p%d", i), fmt.Sprintf(`,"$set":{"n%d":%d}`, i%50, i)))
		if i > 0 {
			chain = append(chain, captured("$merge_dangerously", fmt.Sprintf("p%d", i), fmt.Sprintf(`,"alias":"p%d"`, i-1)))
		}
	}
	app(t, srv).capture(gzipped(t, "["+strings.Join(people, ",")+"]"))
	assert.Len(t, persons(t, srv), many)
	app(t, srv).capture(gzipped(t, "["+strings.Join(chain, ",")+"]"))

	everyone := persons(t, srv)
	require.Len(t, everyone, many)
	assert.Len(t, everyone["p17"].IDs, many)
	assert.Len(t, everyone["p17"].Properties, 50)
	assert.Equal(t, "9999", string(everyone["p17"].Properties["n49"]), "the properties of the remaining person must take precedence")
}

// The device's clock may be wrong. An event that is ahead of the server's clock counts, but counts toward a limit
// only when its time has come.
func TestCaptureTimes(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, fmt.Sprintf(captureFixtures, "2")) {
		c := app(t, srv)
		at := func(timestamp, id string) string {
			return `{"timestamp":"` + timestamp + `",` + ofSurvey("survey sent", id, "")[1:]
		}
		c.capture(at("2026-03-02T10:00:00Z", "tomorrow"))
		c.capture(at("2039-01-01T00:00:00Z", "as if it were now"))
		assert.Equal(t, 2, call(t, srv).responsesTo(shownToApps))
		assert.Contains(t, c.feed("phc_test"), `"S"`)
		srv.SetClock(time.Date(2026, 3, 3, 0, 0, 0, 0, time.UTC))
		srv.RunJobs()
		assert.Empty(t, c.feed("phc_test"))
	}
}

// personOf is a person in a dump.
type personOf struct {
	IDs        []string                   `json:"distinct_ids"`
	Properties map[string]json.RawMessage `json:"properties"`
	Identified bool                       `json:"is_identified"`
}

// persons returns the persons of a dump by distinct ID.
func persons(t *testing.T, srv *testserver.Instance) map[string]personOf {
	t.Helper()
	var dump struct{ Persons []personOf }
	require.NoError(t, json.Unmarshal([]byte(srv.Dump()), &dump))
	byID := map[string]personOf{}
	for _, p := range dump.Persons {
		for _, id := range p.IDs {
			_, twice := byID[id]
			assert.False(t, twice, "two persons have the distinct ID %s", id)
			byID[id] = p
		}
	}
	return byID
}

// has returns the properties of a person as one line.
func has(t *testing.T, srv *testserver.Instance, id string) string {
	t.Helper()
	raw, err := json.Marshal(persons(t, srv)[id].Properties)
	require.NoError(t, err)
	return string(raw)
}

// The server stores person properties from events in PostHog's order, and only if the SDK allows it.
func TestCaptureProperties(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, "{}") {
		c := app(t, srv)
		c.capture(captured("$set", "ann", `,"$set":{"plan":"pro","n":1},"$set_once":{"n":2,"first":true}`))
		assert.JSONEq(t, `{"plan":"pro","n":1,"first":true}`, has(t, srv, "ann"))
		c.capture(captured("any", "ann", `,"$set":{"plan":{"name":"free"}},"$set_once":{"n":3},"$unset":["first","none",7]`))
		assert.JSONEq(t, `{"plan":{"name":"free"},"n":1}`, has(t, srv, "ann"))
		c.capture(`{"event":"any","distinct_id":"ann","api_key":"phc_test","$set":{"top":1},"properties":{"$set":{"top":0},"$unset":{"n":1}}}`)
		assert.JSONEq(t, `{"plan":{"name":"free"},"top":1}`, has(t, srv, "ann"))

		c.capture(captured("$pageview", "bob", `,"$browser":"Firefox","$os_name":"iOS","utm_source":"mail","$lib":"web"`))
		c.capture(captured("$pageview", "bob", `,"$browser":"Chrome"`))
		assert.JSONEq(t, `{"$browser":"Chrome","$initial_browser":"Firefox","$os":"iOS","$initial_os":"iOS","utm_source":"mail","$initial_utm_source":"mail"}`, has(t, srv, "bob"))

		for _, event := range []string{
			captured("any", "cy", `,"$process_person_profile":false,"$set":{"a":1}`),
			captured("$identify", "cy", `,"$process_person_profile":false,"$anon_distinct_id":"dan"`),
		} {
			c.capture(event)
		}
		assert.NotContains(t, persons(t, srv), "cy")
		assert.NotContains(t, persons(t, srv), "dan")
		for _, event := range []string{
			captured("$exception", "cy", `,"$set":{"a":1}`), captured("$groupidentify", "cy", `,"$set":{"a":1}`),
			captured("any", "cy", `,"$set":[1],"$set_once":"x","$unset":5`), captured("any", "cy", `,"$unset":["a"]`),
		} {
			c.capture(event)
		}
		assert.JSONEq(t, `{}`, has(t, srv, "cy"))
	}
}

// Anonymous and identified IDs are merged into one person. Identified persons stay separate. IDs that many
// apps send by mistake merge no one, and chains and loops of aliases end.
func TestCaptureMerges(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, "{}") {
		c := app(t, srv)
		identified := func(id, anonymous string) string {
			return captured("$identify", id, fmt.Sprintf(`,"$anon_distinct_id":%q`, anonymous))
		}
		c.capture(captured("any", "anon", `,"$set":{"a":"anonymous","b":"anonymous"}`))
		c.capture(captured("any", "ann", `,"$set":{"b":"ann","c":"ann"}`))
		c.capture(strings.Replace(identified("ann", "anon"), `"$anon`, `"$set":{"c":"now"},"$anon`, 1))
		assert.JSONEq(t, `{"a":"anonymous","b":"ann","c":"now"}`, has(t, srv, "anon"))
		assert.Equal(t, persons(t, srv)["ann"], persons(t, srv)["anon"])
		assert.True(t, persons(t, srv)["ann"].Identified)

		c.capture(identified("bob", "bob-anon"))
		c.capture(identified("ann", "bob"))
		assert.NotContains(t, persons(t, srv)["ann"].IDs, "bob", "bob is identified, so the persons must not be merged")
		c.capture(captured("$pageview", "eve", ""))
		c.capture(identified("eve", "bob"))
		assert.NotContains(t, persons(t, srv)["bob"].IDs, "eve", "eve is identified, so the persons must not be merged")
		c.capture(captured("$merge_dangerously", "ann", `,"alias":"bob"`))
		assert.ElementsMatch(t, []string{"ann", "anon", "bob", "bob-anon"}, persons(t, srv)["ann"].IDs)

		for _, odd := range []string{"", "zoe"} {
			c.capture(identified("zoe", odd))
			c.capture(captured("$create_alias", odd+"?", fmt.Sprintf(`,"alias":%q`, odd)))
		}
		c.capture(captured("$identify", "zoe", `,"$anon_distinct_id":null`))
		assert.ElementsMatch(t, []string{"zoe", "zoe?"}, persons(t, srv)["zoe"].IDs)

		alias := func(id, other string) string { return captured("$create_alias", id, fmt.Sprintf(`,"alias":%q`, other)) }
		c.capture("[" + alias("x", "y") + "," + alias("y", "z") + "," + alias("z", "x") + "," + alias("x", "y") + "]")
		assert.ElementsMatch(t, []string{"x", "y", "z"}, persons(t, srv)["y"].IDs)
		dump := srv.Dump()
		srv.SetFixtures(dump)
		assert.Equal(t, dump, srv.Dump())
	}
}

// A person who answers before sign-in is the same person after sign-in.
func TestCaptureEventBeforeIdentify(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
	c := app(t, srv)
	c.capture(ofSurvey("survey shown", "anon", ""))
	c.capture(ofSurvey("survey shown", "ann", ""))
	stats := func() int64 { return call(t, srv).statsOf(surveys + shownToApps + "/stats/")["survey shown"].Persons }
	assert.Equal(t, int64(2), stats())
	c.capture(captured("$identify", "ann", `,"$anon_distinct_id":"anon"`))
	assert.Equal(t, int64(1), stats())
}

// The memory of persons is bounded for any events. A change that does not fit leaves the person unchanged.
func TestCapturedPersonsAreBounded(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted})
	c := app(t, srv)
	half := `"` + strings.Repeat("x", 300<<10) + `"`
	c.capture(captured("$set", "ann", `,"$set":{"a":`+half+`}`))
	c.capture(captured("$set", "ann", `,"$set":{"a":1,"b":`+half+`,"c":`+half+`}`))
	assert.Len(t, has(t, srv, "ann"), len(half)+len(`{"a":}`), "a change that exceeds the limit must not be applied in part")
	c.capture(captured("$set", "ann", `,"$set":{"a":1,"b":`+half+`}`))
	assert.Contains(t, has(t, srv, "ann"), `"a":1`)

	c.capture(captured("$set", "bob", `,"$set":{"a":`+half+`,"z":1}`))
	c.capture(captured("$identify", "ann", `,"$anon_distinct_id":"bob"`))
	assert.Less(t, len(has(t, srv, "bob")), 600<<10)

	// Events for this number of persons would contain more JSON than most other tests combined.
	require.NoError(t, srv.Server.KnowPersons(300, half))
	for i := range 3 {
		c.capture(captured("$set", fmt.Sprintf("late%d", i), `,"$set":{"a":`+half+`}`))
	}
	dump := srv.Dump()
	assert.Less(t, len(dump), 70<<20)
	assert.Greater(t, len(dump), 60<<20)
	assert.Contains(t, dump, `"distinct_ids":["ann"`)
	assert.Contains(t, dump, `"distinct_ids":["late2"],"properties":{}`)
}

// A person who has answered is not asked again: the next request for flags uses the answer, for each of the person's
// IDs.
func TestCapturedAnswersEndTheSurvey(t *testing.T) {
	t.Parallel()
	for profile, srv := range deliveringServers(t, "{}") {
		c, api := app(t, srv), call(t, srv)
		path := api.newSurvey(`{"name":"S","type":"popover","questions":[{"type":"open","question":"Why?"}]}`)
		api.patch(path, `{"start_date":"2026-01-01T00:00:00Z"}`).is(http.StatusOK)
		survey := c.feed("phc_test")[`"S"`]
		var id, key string
		require.NoError(t, json.Unmarshal(survey["id"], &id))
		require.NoError(t, json.Unmarshal(survey["internal_targeting_flag_key"], &key))
		offered := func(person string) bool {
			var reply struct {
				Flags map[string]struct{ Enabled bool }
			}
			body := c.post("/flags/?v=2", fmt.Sprintf(`{"token":"phc_test","distinct_id":%q}`, person)).is(http.StatusOK).body
			require.NoError(t, json.Unmarshal([]byte(body), &reply))
			require.Contains(t, reply.Flags, key)
			return reply.Flags[key].Enabled
		}

		assert.True(t, offered("ann"), profile)
		c.capture(captured("survey sent", "anon", fmt.Sprintf(`,"$survey_id":%q,"$set":{"$survey_responded/%s":true}`, id, id)))
		assert.Equal(t, []bool{true, false, true}, []bool{offered("ann"), offered("anon"), offered("bob")}, profile)
		c.capture(captured("$identify", "ann", `,"$anon_distinct_id":"anon"`))
		c.capture(captured("survey dismissed", "bob", fmt.Sprintf(`,"$survey_id":%q,"$set":{"$survey_dismissed/%s":true}`, id, id)))
		assert.Equal(t, []bool{false, false, false}, []bool{offered("ann"), offered("anon"), offered("bob")}, profile)
	}
}

// Any captured event can be found by name and person, on the page, and after a dump. Other events count for no survey
// and displace no survey event.
func TestCaptureKeepsEveryEvent(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, MaxEvents: 40, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
	c, own := app(t, srv), call(t, srv).undocumentedAnswers()
	const unknown = "019b0000-0000-7000-8000-00000000dead"
	c.capture(ofSurvey("survey sent", "ann", ""))
	c.capture(captured("$feature_flag_called", "ann", `,"$feature_flag":"beta","$feature_flag_response":true`))
	c.capture(captured("survey sent", "ann", `,"$survey_id":"`+unknown+`"`))
	assert.Equal(t, []string{"$feature_flag_called by ann"}, eventsOf(t, own, "event=$feature_flag_called&distinct_id=ann"))
	assert.Equal(t, []string{"survey sent by ann"}, eventsOf(t, own, "survey_id="+shownToApps))
	assert.NotContains(t, own.get(control+"events?event=$feature_flag_called").body, "survey_id")
	found := srv.WaitEvent(patient(t), testserver.EventFilter{Event: "$feature_flag_called"})
	assert.Equal(t, []any{"", "beta"}, []any{found.SurveyID, found.Properties["$feature_flag"]})

	page := own.get("/?tab=events").body
	assert.Contains(t, page, "<td>$feature_flag_called</td><td>ann</td><td></td>")
	assert.Contains(t, page, "<td>survey sent</td><td>ann</td><td>S</td>")

	dump := srv.Dump()
	srv.SetFixtures(dump)
	assert.Equal(t, dump, srv.Dump())
	counts := call(t, srv).get(surveys + shownToApps + "/stats/").body
	for range 100 {
		c.capture(captured("$pageview", "ann", ""))
		c.capture(captured("survey sent", "ann", `,"$survey_id":"`+unknown+`"`))
	}
	assert.Equal(t, counts, call(t, srv).get(surveys+shownToApps+"/stats/").body)
	assert.Equal(t, 1, call(t, srv).responsesTo(shownToApps))
	kept := srv.Events(testserver.EventFilter{})
	assert.LessOrEqual(t, len(kept), 40)
	assert.Equal(t, shownToApps, kept[0].SurveyID, "the oldest event must stay")
	srv.Reset()
	assert.Empty(t, srv.Events(testserver.EventFilter{}))
}

// Above the limit of events, the server still accepts events, and stores the newest.
func TestCaptureBeyondTheLimitOfEvents(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, MaxEvents: 8, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
	for i := range 100 {
		app(t, srv).capture(ofSurvey("survey sent", fmt.Sprint("p", i), ""))
	}
	kept := srv.Events(testserver.EventFilter{})
	assert.LessOrEqual(t, len(kept), 8)
	assert.GreaterOrEqual(t, len(kept), 6)
	assert.Equal(t, "p99", kept[len(kept)-1].DistinctID)
}
