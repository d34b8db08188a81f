package testserver_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// After each change, whoever makes it, apps get what they get of a server that has just read
// the same store.
func TestFeedIsNeverOutdated(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(deliveryFixtures)})
	c, apps := call(t, srv), app(t, srv)
	const path, feed = surveys + "019b0000-0000-7000-8000-000000000001/", "/api/surveys/?token=phc_test"
	id := idOfSurvey(path)
	var flag testserver.Object

	for i, change := range []func(){
		func() { c.patch(path, `{"name":"later"}`).is(http.StatusOK) },
		func() { c.patch("/api/projects/1/feature_flags/5/", `{"key":"gamma"}`).is(http.StatusOK) },
		func() { c.patch(path, `{"end_date":"2026-01-02T00:00:00Z"}`).is(http.StatusOK) },
		func() { c.patch(path, `{"end_date":null}`).is(http.StatusOK) },
		func() {
			srv.PatchSurvey(id, testserver.Object{"questions": []any{testserver.Object{"type": "open", "question": "New?"}}})
		},
		func() { flag = srv.CreateFlag(testserver.Object{"key": "other"}) },
		func() { srv.PatchSurvey(id, testserver.Object{"linked_flag_id": flag["id"]}) },
		func() {
			number, err := flag["id"].(interface{ Int64() (int64, error) }).Int64()
			require.NoError(t, err)
			srv.DeleteFlag(number)
		},
		func() { c.newSurvey(`{"name":"New","type":"widget","start_date":"2026-01-01T00:00:00Z"}`) },
		func() { c.patch(path, `{"responses_limit":1}`).is(http.StatusOK) },
		func() { apps.capture(captured("survey sent", "a", `,"$survey_id":"`+id+`"`)) },
		func() { srv.SetClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)) },
		func() { srv.DeleteSurvey(id) },
		func() { srv.SetFixtures(strings.ReplaceAll(deliveryFixtures, "Bought", "Sold")) },
		srv.Reset,
	} {
		change()
		fresh := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(srv.Dump())})
		assert.JSONEq(t, app(t, fresh).get(feed).is(http.StatusOK).body, apps.get(feed).is(http.StatusOK).body, "after change %d", i)
	}
}
