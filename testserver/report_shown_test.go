package testserver_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// The report lists the surveys that apps got and nobody saw: also those that are deleted at the
// end of a run, and those of worlds that are dropped.
func TestReportOfSurveysNeverShown(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Worlds: true, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
	other := srv.CreateSurvey(testserver.Object{"name": "other\x1b", "type": "popover", "start_date": "2026-02-01T00:00:00Z"})["id"].(string)
	assert.Empty(t, srv.Report().NeverShown, "no app has asked")

	c := app(t, srv)
	c.get("/array/phc_test/config").is(http.StatusOK)
	unseen := testserver.NeverShown{SurveyID: shownToApps, SurveyName: "S"}
	assert.Equal(t, []testserver.NeverShown{unseen, {SurveyID: other, SurveyName: "other\x1b"}}, srv.Report().NeverShown)
	c.capture(strings.Replace(ofSurvey("survey shown", "ann", ""), shownToApps, other, 1))
	srv.DeleteSurvey(shownToApps)

	world, err := srv.Server.World("w")
	require.NoError(t, err)
	c.feed("phc_test_w")
	srv.Server.DropWorld("w")
	require.NotNil(t, world)

	report := srv.Report()
	assert.Equal(t, []testserver.NeverShown{unseen, {World: "w", SurveyID: shownToApps, SurveyName: "S"}}, report.NeverShown)
	assert.Contains(t, report.String(), "surveys that apps got and nobody saw: 2\n  \"S\" ("+shownToApps+")\n  \"S\" ("+shownToApps+") in world w\n")
	assert.Zero(t, report.Findings())
	_, page := getPage(t, srv.URL+"/?tab=report")
	assert.Contains(t, page, "surveys that apps got and nobody saw")
}

// The journal says which events a request has.
func TestPageNamesEvents(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted})
	batch := []string{captured("survey shown", "a", "")}
	for i := range 7 {
		batch = append(batch, captured(fmt.Sprintf("e%d<", i/2), "a", ""))
	}
	app(t, srv).capture("[" + strings.Join(append(batch, captured("x", "a", ""), captured("y", "a", "")), ",") + "]")
	_, page := getPage(t, srv.URL)
	assert.Contains(t, page, "sdk_capture: survey shown, e0&lt; (2), e1&lt; (2), e2&lt; (2), e3&lt;, and 2 others")
}
