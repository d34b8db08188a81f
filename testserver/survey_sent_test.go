package testserver_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// TestReportNamesLostAnswers sends events of an app with its own form, of surveys that recur and that do not.
func TestReportNamesLostAnswers(t *testing.T) {
	t.Parallel()
	const once, recurring = "019b0000-0000-7000-8000-000000000001", "019b0000-0000-7000-8000-000000000002"
	const fixtures = `{"surveys":[{"project_id":1,"id":"` + once + `","name":"Once","type":"popover","start_date":"2026-01-01T00:00:00Z"},
		{"project_id":1,"id":"` + recurring + `","name":"Recurring","type":"popover","start_date":"2026-01-01T00:00:00Z","schedule":"recurring",
		 "iteration_count":3,"iteration_frequency_days":7,"current_iteration":2},
		{"project_id":1,"id":"019b0000-0000-7000-8000-000000000003","name":"Always","type":"popover","start_date":"2026-01-01T00:00:00Z","schedule":"always"}]}`
	again := func(property string) string {
		return `PostHog offers the survey to this person again: send "survey sent" with $set: {"` + property + `": true}`
	}
	answer := func(survey, more string) string {
		return `"$survey_id":"` + survey + `","$survey_response_q":"x"` + more
	}

	for _, row := range []struct {
		properties, problem string
		isLost              bool
	}{
		{answer(once, `,"$set":{"$survey_responded/`+once+`":true}`), "", false},
		{answer(recurring, `,"$set":{"$survey_responded/`+recurring+`/2":true}`), "", false},
		{answer("019b0000-0000-7000-8000-000000000003", ""), "", false},
		{answer(once, `,"$process_person_profile":false`), "", false},
		{answer(once, ""), again("$survey_responded/" + once), false},
		{answer(recurring, `,"$set":{"$survey_responded/`+recurring+`":true}`), again("$survey_responded/" + recurring + "/2"), false},
		{`"$survey_response_q":"x"`, "it has no $survey_id: set it to the ID of the survey", true},
		{`"survey_id":"` + once + `","$survey_response_q":"x"`, "it has survey_id: rename the property to $survey_id", true},
		{answer("019b0000-0000-7000-8000-0000000000ff", ""), "the project has no survey with this $survey_id", true},
		{`"$survey_id":"` + once + `"`, "it has no answer: set $survey_response_QUESTION_ID", true},
		{`"$survey_id":"` + once + `","survey_response_q":"x"`, "its answers have no $ at the beginning: name them $survey_response_QUESTION_ID", true},
	} {
		srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(fixtures)})
		c := call(t, srv).undocumentedAnswers()
		for range 2 {
			c.post("/i/v0/e/", fmt.Sprintf(`{"api_key":"phc_test","event":"survey sent","distinct_id":"ann","properties":{%s}}`, row.properties)).is(200)
		}

		report := srv.Server.Report()
		if row.problem == "" {
			assert.Empty(t, report.SurveyEvents, row.properties)
			continue
		}
		require.Len(t, report.SurveyEvents, 1, row.properties)
		found := report.SurveyEvents[0]
		assert.Equal(t, row.problem, found.Problem, row.properties)
		assert.Equal(t, row.isLost, found.IsLost, row.properties)
		assert.Equal(t, int64(2), found.Times, row.properties)
		assert.Equal(t, map[bool]int{true: 1, false: 0}[row.isLost], report.Findings(), row.properties)
		assert.Contains(t, report.String(), row.problem)
	}
}

func TestPeopleNamesWhoIsAskedAgain(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(
		`{"surveys":[{"project_id":1,"id":"` + ran + `","name":"S","type":"popover","start_date":"2026-01-01T00:00:00Z"}]}`)})
	c := call(t, srv).undocumentedAnswers()
	for person, more := range map[string]string{"ann": "", "bob": `,"$set":{"$survey_responded/` + ran + `":true}`} {
		c.post("/i/v0/e/", `{"api_key":"phc_test","event":"survey sent","distinct_id":"`+person+`","properties":{"$survey_id":"`+ran+`","$survey_response_q":"x"`+more+`}}`).is(200)
	}
	people := srv.SurveyPeople(ran, "ann", "bob", "eve")
	assert.Equal(t, []string{`this person has answered, and PostHog offers the survey again: send "survey sent" with $set: {"$survey_responded/` + ran + `": true}`}, people[0].Warnings)
	assert.True(t, people[0].Offered)
	assert.Empty(t, people[1].Warnings)
	assert.Empty(t, people[2].Warnings)
}
