package service_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/fixtures"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
)

// withFeatures returns fixtures in which the organization has the given features.
func withFeatures(features, more string) string {
	return `{"organizations":[{"id":"` + fixtures.DefaultOrganizationID + `","features":[` + features + `]}]` + more + `}`
}

func TestHostedFlagLimit(t *testing.T) {
	t.Parallel()
	// flags contains two flags: one for the survey, and one for the limit.
	const flags = `,"feature_flags":[{"id":1,"project_id":1,"key":"a"}]`
	_, c := startHosted(t, withFeatures(`{"key":"feature_flag_limit","limit":2}`, flags))
	const detail = "Maximum of 2 feature flags allowed per team. Please delete unused flags or contact support to increase this limit."
	_, path := c.make("")
	c.post(surveys, `{"name":"T","type":"api","targeting_flag_filters":`+tenPercent+`}`).fails(http.StatusBadRequest, "invalid_input", "", detail)
	assert.Equal(t, []string{"S"}, c.get(surveys).names(), "C10 a targeting flag over the limit: no survey")
	c.post(surveys, `{"name":"I","type":"api"}`).fails(http.StatusBadRequest, "invalid_input", "", detail)
	assert.Equal(t, []string{"I", "S"}, c.get(surveys).names(), "C10 an internal flag over the limit: the survey stays")
	c.patch(path, `{"description":"x"}`).is(http.StatusOK)

	_, unlimited := startHosted(t, withFeatures(``, flags))
	unlimited.make(`"targeting_flag_filters":` + tenPercent)
}

func TestHostedApprovals(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, features string
		status         int
	}{
		{"C11 no approvals", ``, http.StatusOK},
		{"C11 approvals of flags", `"feature_flag_approvals"`, http.StatusInternalServerError},
	} {
		_, c := startHosted(t, withFeatures(row.features, ""))
		_, path := c.make(`"targeting_flag_filters":` + tenPercent)
		c.patch(path, `{"start_date":"2026-01-01T00:00:00Z"}`).is(http.StatusOK)
		before := c.get(path).body
		a := c.patch(path, `{"description":"x","targeting_flag_filters":{"groups":[{"properties":[],"rollout_percentage":20}]}}`)
		assert.Equal(t, row.status, a.status, row.name)
		assert.Equal(t, row.status == http.StatusOK, before != c.get(path).body, row.name)
	}
}

// The flag routes respond that an edit needs approval, and change nothing.
func TestHostedApprovalsOfFlagRoutes(t *testing.T) {
	t.Parallel()
	const flag = "/api/projects/1/feature_flags/1/"
	_, c := startHosted(t, withFeatures(`"feature_flag_approvals"`, ""))
	before := c.get(flag).body
	for _, row := range []struct{ name, body, code string }{
		{"C11 the first edit", `{"active":false}`, "approval_required"},
		{"C11 the next", `{"deleted":true}`, "change_request_pending"},
	} {
		a := c.patch(flag, row.body).is(http.StatusConflict)
		assert.Equal(t, `"`+row.code+`"`, a.raw("code"), row.name)
		assert.Equal(t, before, c.get(flag).body, row.name)
	}
	c.patch(flag, `{"key":""}`).is(http.StatusBadRequest)
	c.post("/api/projects/1/feature_flags/", `{"key":"new"}`).is(http.StatusCreated)
}

// A project's wait period appears in internal flags if it is longer than the survey's own, but never in
// conditions.
func TestHostedProjectWaitPeriod(t *testing.T) {
	t.Parallel()
	const project = `,"projects":[{"id":1,"survey_config":{"seenSurveyWaitPeriodInDays":14}}]`
	srv, c := startHosted(t, withFeatures(`"survey_project_wait_period"`, project))
	waits := func(path string) string { return c.get(path).flag("internal_targeting_flag", "filters") }
	for _, row := range []struct{ name, own, days string }{
		{"C14 none of its own", `null`, "14d"},
		{"C14 a shorter one", `7`, "14d"},
		{"C14 a longer one", `30`, "30d"},
		{"C14 zero", `0`, "14d"},
		{"C14 text counts as none", `"30"`, "14d"},
		{"C14 a boolean counts as none", `true`, "14d"},
	} {
		created, path := c.make(`"conditions":{"seenSurveyWaitPeriodInDays":` + row.own + `}`)
		assert.Contains(t, waits(path), `"value":"`+row.days+`"`, row.name)
		assert.Equal(t, `{"seenSurveyWaitPeriodInDays":`+row.own+`}`, created.raw("conditions"), "%s: conditions as written", row.name)
		c.delete(path).is(http.StatusNoContent)
	}

	_, path := c.make("")
	_, archived := c.makeNamed("Archived", `"archived":true`)
	srv.SetSurveyWaitPeriod("1", 21)
	assert.Contains(t, waits(path), `"21d"`, "C14 a change rebuilds the flags")
	assert.Contains(t, waits(archived), `"14d"`, "C14 not those of archived surveys")
	assert.Contains(t, srv.Dump(), `"survey_config":{"seenSurveyWaitPeriodInDays":21}`)
	srv.SetSurveyWaitPeriod("1", 0)
	assert.NotContains(t, waits(path), "$last_seen", "C14 none any more")

	_, without := startHosted(t, withFeatures(``, project))
	_, path = without.make("")
	assert.NotContains(t, without.get(path).flag("internal_targeting_flag", "filters"), "$last_seen", "C14 not without the feature")
}

// The server refuses a request that links the flag that it removes, and changes nothing.
func TestLinkOfTheRemovedFlag(t *testing.T) {
	t.Parallel()
	for _, profile := range []string{service.Documented, service.Hosted} {
		srv, c := startProfile(t, profile, "")
		_, path := c.make(`"targeting_flag_filters":` + tenPercent)
		id := c.get(path).flag("targeting_flag", "id")
		before := srv.Dump()
		c.patch(path, `{"remove_targeting_flag":true,"linked_flag_id":`+id+`,"description":"x"}`).
			fails(http.StatusBadRequest, "invalid_input", "", "Feature Flag with this ID does not exist")
		c.patch(path, `{"remove_targeting_flag":true,"targeting_flag_id":`+id+`,"description":"x"}`).
			fails(http.StatusBadRequest, "invalid_input", "", "Targeting Feature Flag with this ID does not exist")
		assert.Equal(t, before, srv.Dump(), profile)
		c.patch(path, `{"linked_flag_id":`+id+`}`).is(http.StatusOK)
	}
}

// Without the key features, an organization in the hosted profile has the features of the newest known
// version of PostHog, and a dump lists them.
func TestHostedHasTheNewestFeatures(t *testing.T) {
	t.Parallel()
	const names = `"features":["survey_list_filters","survey_project_wait_period"]`
	for _, fixtures := range []string{`{}`, `{"organizations":[{"id":"` + fixtures.DefaultOrganizationID + `"}]}`} {
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

	documented, _ := startDocumented(t, "")
	assert.Contains(t, documented.Dump(), `"features":[]`)
	off, _ := startHosted(t, withFeatures(``, ""))
	assert.Contains(t, off.Dump(), `"features":[]`)
}

// A new wait period of a project changes only flags whose groups depend on it.
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

// The keys of the internal flag contain the iteration as soon as the survey has an iteration count.
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

// The response to a launch contains computed values, but the server stores only the date.
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

// The list omits flags that belong to surveys. For every other flag, it contains the surveys that link it.
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
