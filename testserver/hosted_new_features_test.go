package testserver_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Without features in its entry, an organization of the hosted profile has those of the newest
// known version of the service, and a dump names them.
func TestHostedHasTheNewestFeatures(t *testing.T) {
	t.Parallel()
	const names = `"features":["survey_list_filters","survey_project_wait_period"]`
	for _, fixtures := range []string{`{}`, `{"organizations":[{"id":"` + testserver.DefaultOrganizationID + `"}]}`} {
		srv, c := startHosted(t, fixtures)
		_, path := c.make("")
		c.step(t, "D3 filters", func(t *testing.T, c caller) {
			assert.Len(t, c.get(surveys+"?status=draft&created_by=1").names(), 1)
			assert.Empty(t, c.get(surveys+"?status=running").names())
			assert.Empty(t, c.get(surveys+"?created_by=2").names())
			assert.Equal(t, http.StatusBadRequest, c.get(surveys+"?status=over").status)
		})
		c.step(t, "D3 wait period of the project", func(t *testing.T, c caller) {
			srv.SetSurveyWaitPeriod("1", 14)
			assert.Contains(t, c.get(path).flag("internal_targeting_flag", "filters"), `"14d"`)
		})
		c.step(t, "D4 a wait period that is no number is none", func(t *testing.T, c caller) {
			for _, days := range []string{`"30"`, `true`, `0`, `-5`, `{}`} {
				c.patch(path, `{"conditions":{"seenSurveyWaitPeriodInDays":`+days+`}}`).is(http.StatusOK)
				assert.Contains(t, c.get(path).flag("internal_targeting_flag", "filters"), `"14d"`, days)
			}
		})

		dump := srv.Dump()
		assert.Contains(t, dump, names)
		srv.SetFixtures(dump)
		assert.Equal(t, dump, srv.Dump())
	}

	documented := testserver.Start(t)
	assert.Contains(t, documented.Dump(), `"features":[]`)
	off, _ := startHosted(t, withFeatures(``, ""))
	assert.Contains(t, off.Dump(), `"features":[]`)
}

// A changed wait period of a project leaves the flags alone whose groups it does not change.
func TestHostedWaitPeriodTouchesWhatItChanges(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, "")
	_, short := c.make(`"conditions":{"seenSurveyWaitPeriodInDays":7}`)
	_, long := c.makeNamed("Long", `"conditions":{"seenSurveyWaitPeriodInDays":30}`)
	version := func(path string) string { return c.get(path).flag("internal_targeting_flag", "version") }

	srv.SetSurveyWaitPeriod("1", 14)
	assert.Equal(t, "2", version(short), "D3 rebuilt")
	assert.Equal(t, "1", version(long), "D3 longer anyway")
}

// The keys of the internal flag have the iteration as soon as there is a count of them.
func TestHostedInternalFlagOfACountAlone(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	created, path := c.make(`"iteration_count":3`)
	assert.Equal(t, "null", created.raw("iteration_frequency_days"))
	id := path[len(surveys) : len(path)-1]
	assert.Contains(t, c.get(path).flag("internal_targeting_flag", "filters"), `"$survey_responded/`+id+`/1"`, "D5 without a frequency")
	c.patch(path, `{"iteration_count":0}`).is(http.StatusOK)
	assert.Contains(t, c.get(path).flag("internal_targeting_flag", "filters"), `"$survey_responded/`+id+`"`, "D5 none")
}

// A launch answers with what its save computed, and stores the date alone.
func TestHostedLaunchAnswersWhatItComputed(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	_, path := c.make(`"iteration_count":2,"iteration_frequency_days":7`)
	const now, second = `"2026-01-02T03:04:05.678901Z"`, `"2026-01-02T03:04:05Z"`

	for _, verb := range []string{"launch/", "stop/"} {
		answered := c.post(path+verb, "").is(http.StatusOK)
		assert.Equal(t, "1", answered.raw("current_iteration"), "D8 %s", verb)
		assert.Equal(t, now, answered.raw("current_iteration_start_date"), "D8 %s", verb)
		assert.Equal(t, `[`+second+`,"2026-01-09T03:04:05Z"]`, answered.raw("iteration_start_dates"), "D8 %s", verb)

		read := c.get(path)
		assert.Equal(t, now, read.raw("start_date"))
		for _, name := range []string{"current_iteration", "current_iteration_start_date", "iteration_start_dates"} {
			assert.Equal(t, "null", read.raw(name), "D8 the next GET after %s: %s", verb, name)
		}
	}

	again := c.post(path+"stop/", "").is(http.StatusOK)
	assert.Equal(t, "null", again.raw("current_iteration"), "D8 nothing is saved, so nothing is computed")
}

// The list of flags leaves out those that belong to surveys, and says which surveys link the
// others.
func TestHostedFlagListWithoutThoseOfSurveys(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, `{"feature_flags":[{"id":1,"project_id":1,"key":"linked"},{"id":2,"project_id":1,"key":"attached"},{"id":3,"project_id":1,"key":"free"}]}`)
	first := c.newSurvey(`{"name":"First","type":"popover","linked_flag_id":1,"targeting_flag_filters":` + tenPercent + `,
		"response_sampling_start_date":"2026-01-03T00:00:00Z","response_sampling_interval":1,"response_sampling_limit":10}`)
	second := c.newSurvey(`{"name":"Second","type":"popover","linked_flag_id":1,"targeting_flag_id":2}`)
	c.make("")

	linked := map[string][]string{}
	for _, flag := range c.get(flags).is(http.StatusOK).results() {
		paths := []string{}
		for _, survey := range flag["surveys"].([]any) {
			paths = append(paths, surveys+survey.(map[string]any)["id"].(string)+"/")
		}
		linked[flag["key"].(string)] = paths
	}
	assert.Equal(t, map[string][]string{"linked": {first, second}, "free": {}}, linked, "D9")

	var page struct{ Count int }
	assert.NoError(t, json.Unmarshal([]byte(c.get(flags+"?limit=1").body), &page))
	assert.Equal(t, 2, page.Count, "D9 the count, too")
	c.delete(second).is(http.StatusNoContent)
	assert.Len(t, c.get(flags).results()[1]["surveys"], 1, "D9 a deleted survey links nothing")
}
