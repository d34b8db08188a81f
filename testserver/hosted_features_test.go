package testserver_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// withFeatures are fixtures in which the organization has features.
func withFeatures(features, more string) string {
	return `{"organizations":[{"id":"` + testserver.DefaultOrganizationID + `","features":[` + features + `]}]` + more + `}`
}

func TestHostedFlagLimit(t *testing.T) {
	t.Parallel()
	// Two flags are there: one for the survey, and one that is full.
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

// The routes of flags say that an edit waits for an approval, and change nothing.
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

// The wait period of a project is in the internal flags where it is longer than the
// survey's own, and never in conditions.
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

func TestHostedProjectWaitPeriodThatIsNone(t *testing.T) {
	t.Parallel()
	srv, err := testserver.New(testserver.Options{Profile: testserver.Hosted})
	require.NoError(t, err)
	require.EqualError(t, srv.SetSurveyWaitPeriod("1", 366), "a wait period must be from 0 to 365 days, not 366")
	require.EqualError(t, srv.SetSurveyWaitPeriod("9", 1), "there is no project 9")
	_, err = testserver.New(testserver.Options{Fixtures: strings.NewReader(`{"projects":[{"id":1,"survey_config":{"seenSurveyWaitPeriodInDays":-1}}]}`)})
	require.ErrorContains(t, err, "projects[0].survey_config.seenSurveyWaitPeriodInDays: must be a whole number from 0 to 365")
}

// A request that links the very flag that it removes is refused, and changes nothing.
func TestLinkOfTheRemovedFlag(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		srv := testserver.Start(t, testserver.Options{Profile: profile})
		c := call(t, srv)
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
