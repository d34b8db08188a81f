package testserver_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// mobileFixtures contain surveys in the order in which an app shows them: one for another person, one for a
// web page, and two that the app offers one after the other.
const mobileFixtures = `{
	"persons":[{"project_id":1,"distinct_ids":["ann"],"properties":{"plan":"free"}}],
	"feature_flags":[{"project_id":1,"id":7,"key":"customers","active":true,
		"filters":{"groups":[{"properties":[{"key":"plan","type":"person","operator":"exact","value":["pro"]}],"rollout_percentage":100}]}}],
	"surveys":[
		{"project_id":1,"id":"019b0000-0000-7000-8000-0000000000b1","name":"customers","type":"popover","start_date":"2025-01-01T00:00:00Z","linked_flag_id":7,
			"questions":[{"id":"a","type":"open","question":"For customers?"}]},
		{"project_id":1,"id":"019b0000-0000-7000-8000-0000000000b2","name":"page","type":"popover","start_date":"2025-01-02T00:00:00Z","conditions":{"url":"shop"},
			"questions":[{"id":"b","type":"open","question":"On a page?"}]},
		{"project_id":1,"id":"` + firstSurvey + `","name":"first","type":"popover","start_date":"2025-01-03T00:00:00Z",
			"questions":[{"id":"c","type":"open","question":"First?"}]},
		{"project_id":1,"id":"` + secondSurvey + `","name":"second","type":"popover","start_date":"2025-01-04T00:00:00Z",
			"questions":[{"id":"d","type":"open","question":"Second?"}]}]}`

// answerWithReactNative answers the survey that an app offers to a person, and returns the texts that the app
// shows before and after.
func answerWithReactNative(t *testing.T, srv *testserver.Instance, id, answer string) (shown [][]string) {
	t.Helper()
	command := sdkCommand(t, "posthog-react-native.js", srv, id, answer)
	var complaints bytes.Buffer
	command.Stderr = &complaints
	printed, err := command.Output()
	require.NoError(t, err, complaints.String())

	for line := range strings.Lines(string(printed)) {
		var texts []string
		require.NoError(t, json.Unmarshal([]byte(line), &texts))
		shown = append(shown, texts)
	}
	require.Len(t, shown, 2)
	return shown
}

// TestPosthogReactNativeAnswersSurveys runs the mobile SDK. It shows the survey that the targeting selects,
// and the answer arrives and counts. After a restart without stored data, the app offers the next survey.
func TestPosthogReactNativeAnswersSurveys(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(mobileFixtures)})
	for _, row := range []struct{ survey, question, id, answer string }{
		{firstSurvey, "First?", "c", "One"},
		{secondSurvey, "Second?", "d", "Two"},
	} {
		shown := answerWithReactNative(t, srv, "ann", row.answer)
		assert.Contains(t, shown[0], row.question)
		assert.Contains(t, shown[1], "Thank you for your feedback!")

		sent := srv.WaitEvent(patient(t), testserver.EventFilter{Event: "survey sent", SurveyID: row.survey})
		assert.Equal(t, row.answer, sent.Answer(row.id))
		assert.Equal(t, "posthog-react-native", sent.Properties["$lib"])
		assert.Equal(t, 1, call(t, srv).responsesTo(row.survey))
	}
}
