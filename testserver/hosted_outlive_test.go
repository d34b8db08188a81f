package testserver_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The survey is saved before its actions are linked and its internal flag is made, so
// it is there after an error.
func TestHostedErrorsThatLeaveTheSurvey(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, conditions string }{
		{"C7 actions are no object", `{"actions":[]}`},
		{"C7 actions are a text", `{"actions":"x"}`},
		{"C7 values are no list", `{"actions":{"values":"x"}}`},
		{"C7 an action is no object", `{"actions":{"values":[3]}}`},
		{"C7 an action's id is no number", `{"actions":{"values":[{"id":"x"}]}}`},
		{"C7 a wait period is text, in July", `{"seenSurveyWaitPeriodInDays":"7"}`},
	} {
		_, c := startHosted(t, withFeatures(``, ","+strings.TrimSuffix(strings.TrimPrefix(actionFixtures, "{"), "}")))
		c.post(surveys, `{"name":"S","type":"api","conditions":`+row.conditions+`}`).
			fails(http.StatusInternalServerError, "error", "", "A server error occurred.")
		assert.Equal(t, []string{"S"}, c.get(surveys).names(), row.name)
		c.post(surveys, `{"name":"S","type":"api"}`).fails(http.StatusBadRequest, "unique", "", "There is already a survey with this name.")

		path := surveys + c.get(surveys).results()[0]["id"].(string) + "/"
		assert.Equal(t, "null", c.get(path).raw("internal_targeting_flag"), "%s: no internal flag", row.name)
		repaired := c.patch(path, `{"conditions":{}}`).is(http.StatusOK)
		assert.NotEqual(t, "null", repaired.raw("internal_targeting_flag"), "%s: made by the next update", row.name)

		c.patch(path, `{"description":"kept","conditions":`+row.conditions+`}`).is(http.StatusInternalServerError)
		assert.Equal(t, `"kept"`, c.get(path).raw("description"), "%s: the change stays", row.name)
	}
}

// Where the values of actions are a number, the survey can't be read any more, and no
// page that it is on.
func TestHostedSurveyThatCannotBeRead(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, "")
	_, path := c.make("")
	c.patch(path, `{"conditions":{"actions":{"values":5}}}`).is(http.StatusInternalServerError)
	for _, p := range []string{path, surveys} {
		a := c.get(p)
		a.fails(http.StatusInternalServerError, "error", "", "A server error occurred.")
		assert.Equal(t, http.StatusInternalServerError, a.status, "C7 a number of actions: %s", p)
	}
	srv.SetFixtures(srv.Dump())
	c.get(path).is(http.StatusInternalServerError)
	c.patch(path, `{"description":"x"}`).is(http.StatusInternalServerError)
	c.patch(path, `{"conditions":null}`).is(http.StatusOK)
	c.get(surveys).is(http.StatusOK)
}

// Edits of the targeting flag come before the survey is saved, and stay when it is not.
func TestHostedFlagEditsThatStay(t *testing.T) {
	t.Parallel()
	const half = `"response_sampling_start_date":"2026-01-02T00:00:00Z"`
	srv, c := startHosted(t, withFeatures(``, ""))
	_, path := c.make(`"targeting_flag_filters":` + tenPercent + `,"start_date":"2026-01-01T00:00:00Z","iteration_count":3,"iteration_frequency_days":7,"current_iteration":2`)
	edit := func(percent string) string {
		return `"targeting_flag_filters":` + strings.ReplaceAll(tenPercent, "10", percent)
	}
	c.patch(path, `{"iteration_count":1,"iteration_frequency_days":7,`+edit("20")+`}`).is(http.StatusBadRequest)
	assert.Contains(t, c.get(path).flag("targeting_flag", "filters"), `"rollout_percentage":20`, "C8 row 44 leaves the edit")
	c.patch(path, `{`+half+`,`+edit("30")+`}`).is(http.StatusInternalServerError)
	assert.Contains(t, c.get(path).flag("targeting_flag", "filters"), `"rollout_percentage":30`, "C8 half of sampling leaves the edit")
	c.patch(path, `{"remove_targeting_flag":true,"targeting_flag_filters":{"groups":[{"variant":5,"properties":[],"rollout_percentage":5}]}}`).is(http.StatusBadRequest)
	assert.Equal(t, "null", c.get(path).raw("targeting_flag"), "C8 a removal stays though the new filters are refused")

	flags := strings.Count(srv.Dump(), `"key":"survey-targeting-`)
	c.post(surveys, `{"name":"Orphan","type":"api",`+half+`,"targeting_flag_filters":`+tenPercent+`}`).is(http.StatusInternalServerError)
	assert.Equal(t, flags+1, strings.Count(srv.Dump(), `"key":"survey-targeting-`), "C8 a flag without a survey")
	assert.Equal(t, []string{"S"}, c.get(surveys).names(), "C8 a flag without a survey")
}
