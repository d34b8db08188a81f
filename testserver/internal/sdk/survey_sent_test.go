package sdk_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/record"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/sdk"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
)

// TestReportNamesLostAnswers sends events of an app with its own form, for recurring and other surveys.
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
		{`"$survey_id":"` + once + `","survey_response_q":"x"`, "its answers do not start with $: rename them to $survey_response_QUESTION_ID", true},
	} {
		for _, srv := range deliveringServers(t, fixtures) {
			collector := record.NewCollector()
			for range 2 {
				sent := app(t, srv).post("/i/v0/e/", fmt.Sprintf(`{"api_key":"phc_test","event":"survey sent","distinct_id":"ann","properties":{%s}}`, row.properties)).is(200)
				collector.Note("w", &record.Entry{Operation: "sdk_capture", Sequence: 7}, sent.call.Found)
			}
			checkProblem(t, collector.Report(), row.properties, row.problem, row.isLost)
		}
	}
	for _, srv := range deliveringServers(t, fixtures) {
		assert.Empty(t, app(t, srv).post("/e/", captured("survey shown", "ann", "")).call.Found.SurveyEvents, "another event")
	}
}

func checkProblem(t *testing.T, report *record.RunReport, properties, problem string, isLost bool) {
	t.Helper()
	if problem == "" {
		assert.Empty(t, report.SurveyEvents, properties)
		return
	}
	require.Len(t, report.SurveyEvents, 1, properties)
	found := report.SurveyEvents[0]
	assert.Equal(t, problem, found.Problem, properties)
	assert.Equal(t, isLost, found.IsLost, properties)
	assert.Equal(t, int64(2), found.Times, properties)
	assert.Equal(t, map[bool]int{true: 1, false: 0}[isLost], report.Findings(), properties)
	assert.Contains(t, report.String(), "first by request 7 of world w: "+problem)
}

func TestPeopleNamesWhoIsAskedAgain(t *testing.T) {
	t.Parallel()
	const ran = "019b0000-0000-7000-8000-000000000001"
	srv := deliveringServers(t, `{"surveys":[{"project_id":1,"id":"`+ran+`","name":"S","type":"popover","start_date":"2026-01-01T00:00:00Z"}]}`)[service.Hosted]
	c := app(t, srv)
	c.post("/e/", captured("survey shown", "eve", `,"$survey_id":"`+ran+`"`)).is(200)
	for person, more := range map[string]string{"ann": "", "bob": `,"$set":{"$survey_responded/` + ran + `":true}`} {
		c.post("/i/v0/e/", `{"api_key":"phc_test","event":"survey sent","distinct_id":"`+person+`","properties":{"$survey_id":"`+ran+`","$survey_response_q":"x"`+more+`}}`).is(200)
	}
	apps := &sdk.Apps{Contents: srv.Contents}
	people, err := apps.People(ran, []string{"ann", "bob", "eve"})
	require.NoError(t, err)
	assert.Equal(t, []string{`this person has answered, and PostHog offers the survey again: send "survey sent" with $set: {"$survey_responded/` + ran + `": true}`}, people[0].Warnings)
	assert.True(t, people[0].Offered)
	assert.Empty(t, people[1].Warnings)
	assert.Empty(t, people[2].Warnings)

	all, err := apps.People(ran, nil)
	require.NoError(t, err)
	assert.Len(t, all, 3, "every person of the project")
	_, err = apps.People("019b0000-0000-7000-8000-0000000000ff", nil)
	require.EqualError(t, err, "survey 019b0000-0000-7000-8000-0000000000ff does not exist")
}
