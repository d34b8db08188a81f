package testserver_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/fixedseed"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// sentEvent is an event of the survey that runs, as the definition of its numbers needs it.
type sentEvent struct {
	uuid, name, person, submission string
	isPartial                      bool
	// minute is when it happened.
	minute int
}

func (e sentEvent) isResponse() bool {
	return e.name == "survey sent" || e.isPartial && (e.name == "survey dismissed" || e.name == "survey abandoned")
}

// json is the event as an SDK sends it.
func (e sentEvent) json() string {
	properties := fmt.Sprintf(`,"$survey_partially_completed":%t`, e.isPartial)
	if e.submission != "" {
		properties += fmt.Sprintf(`,"$survey_submission_id":%q`, e.submission)
	}
	at := time.Date(2026, 2, 10, 0, e.minute, 0, 0, time.UTC).Format(time.RFC3339)
	return fmt.Sprintf(`{"uuid":%q,"timestamp":%q,`, e.uuid, at) + ofSurvey(e.name, e.person, properties)[1:]
}

// slowCounts is what the service defines, event by event and person by person.
type slowCounts struct {
	events []sentEvent
	// groups are the ids of each person; known are the ids that the service has heard of, and
	// identified those of people who have been named.
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

// identify merges an anonymous person into another one.
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

// add adds an event, unless it has arrived before.
func (s *slowCounts) add(e sentEvent) {
	s.known[e.person] = true
	if !slices.ContainsFunc(s.events, func(known sentEvent) bool { return known.uuid == e.uuid }) {
		s.events = append(s.events, e)
	}
}

// counts are the numbers of events and persons who saw, dismissed and answered the survey.
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

// drawEvent draws an event of few persons, submissions and times, so that they meet.
func drawEvent(t *rapid.T) sentEvent {
	return sentEvent{
		uuid:   fmt.Sprintf("019b0000-0000-7000-8000-0000000000%02x", rapid.IntRange(0, 40).Draw(t, "uuid")),
		name:   rapid.SampledFrom([]string{"survey shown", "survey sent", "survey dismissed", "survey abandoned"}).Draw(t, "name"),
		person: fmt.Sprintf("p%d", rapid.IntRange(0, 6).Draw(t, "person")), submission: rapid.SampledFrom([]string{"", "", "s1", "s2", "s3"}).Draw(t, "submission"),
		isPartial: rapid.Bool().Draw(t, "partial"), minute: rapid.IntRange(0, 3).Draw(t, "minute"),
	}
}

// Whatever apps send in whatever order and form, the numbers are those of the definition; a dump
// keeps them.
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
				rt.Fatalf("after a reload: %t\nwant %v\n got %v", reloaded, want, got)
			}
			if responses := api.responsesTo(shownToApps); int64(responses) != want["survey sent"][0] {
				rt.Fatalf("%d responses, want %d", responses, want["survey sent"][0])
			}
		}
	})
}

// Many apps send at the same time while others read: no event is lost, and none counts twice.
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

// Beyond the number of events that are kept, apps go on and the numbers stay right, however many
// surveys there are.
func TestCaptureBeyondTheLimitOfEvents(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, MaxEvents: 8, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
	ids := []string{shownToApps}
	for i := range 30 {
		survey := srv.CreateSurvey(testserver.Object{"name": fmt.Sprint(i), "type": "popover", "start_date": "2026-02-01T00:00:00Z"})
		ids = append(ids, survey["id"].(string))
	}
	c := app(t, srv)
	for round := range 20 {
		var batch []string
		for _, id := range ids {
			batch = append(batch, strings.ReplaceAll(ofSurvey("survey shown", "p", ""), shownToApps, id),
				strings.ReplaceAll(ofSurvey("survey sent", "p", fmt.Sprintf(`,"$survey_submission_id":"%d"`, round)), shownToApps, id))
		}
		c.capture("[" + strings.Join(batch, ",") + "]")
	}
	assert.Less(t, len(srv.Events(testserver.EventFilter{})), 8+2*len(ids)+1)
	api := call(t, srv)
	for _, id := range ids {
		assert.Equal(t, 20, api.responsesTo(id))
		assert.Equal(t, int64(20), api.statsOf(surveys + id + "/stats/")["survey shown"].Total)
	}
}

// Ten thousand persons come one by one, and a chain of as many aliases makes one of them.
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
	assert.Equal(t, "9999", string(everyone["p17"].Properties["n49"]), "the one who is merged into wins")
}

// The clocks of devices may be wrong. An event that is ahead of the server counts, but for a limit
// only once its time has come.
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
