package testserver_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// A dump with persons and events gives the same dump again, in both profiles, and in a world.
func TestDumpOfEvents(t *testing.T) {
	t.Parallel()
	fixtures := observed(`null`,
		event(ran, "survey shown", "2026-02-02T01:00:00+01:00", by("ann", `"$survey_id":"`+ran+`","nested":{"a":[1]}`)),
		event(ran, "survey sent", "2026-02-02T00:00:00.123456Z", `"uuid":"019b0000-0000-7000-8000-0000000000a1","archived":true,`+by("ann", ``)),
		event(archived, "survey dismissed", "2026-02-02T00:00:00Z", `"count":3`),
		`{"survey_id":"`+ran+`","event":"survey abandoned","distinct_id":"now"}`,
		`{"survey_id":"019b0000-0000-7000-8000-000000000009","project_id":1,"event":"survey sent","distinct_id":"gone","at":null}`,
	)
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		srv := testserver.Start(t, testserver.Options{Profile: profile, Fixtures: strings.NewReader(fixtures), Worlds: true})
		dump := srv.Dump()
		for _, line := range []string{
			`{"project_id":1,"distinct_ids":["ann","ann-phone"],"properties":{"plan":"pro"}}`,
			`"survey_id":"` + ran + `","event":"survey shown","at":"2026-02-02T00:00:00Z","distinct_id":"ann","properties":{"$survey_id":"` + ran + `","nested":{"a":[1]}}}`,
			`{"uuid":"019b0000-0000-7000-8000-0000000000a1","project_id":1,"survey_id":"` + ran + `","event":"survey sent","at":"2026-02-02T00:00:00.123456Z","distinct_id":"ann","properties":{},"archived":true}`,
			`"event":"survey dismissed","at":"2026-02-02T00:00:00Z","count":3,"properties":{}}`,
			`"event":"survey abandoned","at":"2026-03-01T00:00:00Z","distinct_id":"now"`,
		} {
			assert.Contains(t, dump, line, profile)
		}

		srv.SetFixtures(dump)
		assert.Equal(t, dump, srv.Dump(), profile)
		world, err := srv.Server.World("a")
		require.NoError(t, err)
		var copied strings.Builder
		require.NoError(t, world.Dump(&copied))
		assert.Equal(t, dump, copied.String(), profile)

		counts := call(t, srv).get(surveys + "responses_count/").is(http.StatusOK).body
		assert.JSONEq(t, `{"`+ran+`":1,"019b0000-0000-7000-8000-000000000009":1}`, counts, profile)
	}
}

func TestFixturesRefuseEvents(t *testing.T) {
	t.Parallel()
	const in = `"survey_id":"` + ran + `","event":"survey sent"`
	for events, complaint := range map[string]string{
		`{"event":"survey sent","distinct_id":"a"}`: `events[0]: needs the key "survey_id"`,
		`{` + in + `}`: `events[0]: needs one of the keys "distinct_id" and "count"`,
		`{` + in + `,"distinct_id":"a","count":2}`:                                                            `events[0]: needs one of the keys "distinct_id" and "count"`,
		`{` + in + `,"distinct_id":""}`:                                                                       `events[0].distinct_id: must not be empty`,
		`{` + in + `,"count":0}`:                                                                              `events[0].count: must be above 0, is 0`,
		`{` + in + `,"distinct_id":"a","at":"soon"}`:                                                          `events[0].at: must be a date-time, is "soon"`,
		`{` + in + `,"distinct_id":"a","properties":[]}`:                                                      `events[0].properties: must be an object, is an array`,
		`{` + in + `,"distinct_id":"a","properties":{"$survey_id":"x"}}`:                                      `events[0].properties.$survey_id: differs from survey_id`,
		`{` + in + `,"distinct_id":"a","time":"x"}`:                                                           `events[0].time: unknown key; there are uuid, project_id, survey_id, event, at, distinct_id, count, properties, archived`,
		`{"survey_id":"` + ran + `","event":"survey seen","distinct_id":"a"}`:                                 `events[0].event: must be one of ["survey shown" "survey dismissed" "survey sent" "survey abandoned"], is "survey seen"`,
		`{` + in + `,"distinct_id":"a"},{` + in + `,"distinct_id":"a","project_id":2}`:                        `events[1].project_id: survey ` + ran + ` belongs to project 1`,
		`{"survey_id":"019b0000-0000-7000-8000-00000000000c","event":"survey sent","distinct_id":"a"}`:        `events[0].survey_id: there is no survey 019b0000-0000-7000-8000-00000000000c; events of a deleted one need a project_id`,
		`{"survey_id":"019b0000-0000-7000-8000-00000000000c","event":"survey sent","count":1,"project_id":9}`: `events[0].project_id: there is no project 9`,
	} {
		_, err := testserver.New(testserver.Options{Fixtures: strings.NewReader(observed(`null`, events))})
		require.EqualError(t, err, "fixtures: "+complaint, events)
	}

	for persons, complaint := range map[string]string{
		`{"distinct_ids":["a"]}`:                                                          `persons[0]: needs the key "project_id"`,
		`{"project_id":1,"distinct_ids":[]}`:                                              `persons[0].distinct_ids: must not be empty`,
		`{"project_id":1,"distinct_ids":["a",""]}`:                                        `persons[0].distinct_ids[1]: must not be empty`,
		`{"project_id":1,"distinct_ids":["a","a"]}`:                                       `persons[0].distinct_ids[1]: is there twice`,
		`{"project_id":1,"distinct_ids":[1]}`:                                             `persons[0].distinct_ids[0]: must be a string, is a number`,
		`{"project_id":1,"distinct_ids":["a"],"properties":1}`:                            `persons[0].properties: must be an object, is a number`,
		`{"project_id":9,"distinct_ids":["a"]}`:                                           `persons[0].project_id: there is no project 9`,
		`{"project_id":1,"distinct_ids":["a"]},{"project_id":1,"distinct_ids":["b","a"]}`: `persons[1].distinct_ids[1]: another person of project 1 has it too`,
	} {
		_, err := testserver.New(testserver.Options{Fixtures: strings.NewReader(`{"persons":[` + persons + `]}`)})
		require.EqualError(t, err, "fixtures: "+complaint, persons)
	}
}

// Beyond a number of events the oldest are only counted: the totals stay, the store does not
// grow, and a dump of it gives the same dump again.
func TestEventsBeyondANumberAreCounted(t *testing.T) {
	t.Parallel()
	const most = 40
	var events []string
	for i := range 500 {
		at := time.Date(2026, 2, 2, 0, i, 0, 0, time.UTC).Format(time.RFC3339)
		switch i % 4 {
		case 0:
			events = append(events, event(ran, "survey shown", at, by("ann", ``)))
		case 1:
			submission := fmt.Sprintf(`"$survey_submission_id":"%d"`, i)
			events = append(events, event(ran, "survey sent", at, by("ann", submission)), event(ran, "survey sent", at, by("ann", submission)))
		case 2:
			events = append(events, event(ran, "survey dismissed", at, by("ann", ``)))
		case 3:
			events = append(events, event(archived, "survey abandoned", at, by("ann", `"$survey_partially_completed":true`)))
		}
	}

	options := testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(observed(`null`, events...)), MaxEvents: most}
	srv := testserver.Start(t, options)
	c := call(t, srv)
	dump := srv.Dump()
	assert.LessOrEqual(t, strings.Count(dump, `"event":"`), most+4)

	stats := c.statsOf(surveys + ran + "/stats/")
	assert.Equal(t, int64(125), stats["survey shown"].Total)
	assert.Equal(t, int64(125), stats["survey sent"].Total, "one event of each submission")
	assert.Equal(t, int64(125), stats["survey dismissed"].Total)
	assert.Contains(t, c.get(surveys+"responses_count/").body, `"`+archived+`":125`, "closed surveys that were filled in are still responses")

	srv.SetFixtures(dump)
	assert.Equal(t, dump, srv.Dump())
}
