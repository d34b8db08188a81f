package service_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire/wiretest"
)

// If a question has more distinct answers than PostHog counts separately, the rarest ones are missing.
func TestQuestionsTellManyAnswersApart(t *testing.T) {
	t.Parallel()
	var events []store.Event
	for i := range 205 {
		events = append(events, store.Event{Name: store.Sent, Count: 1, At: start, Properties: wiretest.Decode(t, fmt.Sprintf(`{"$survey_response_q":"%d"}`, i))})
	}
	events = append(events, events[204])
	questions := service.AnsweredQuestions(wiretest.Decode(t, `[null,{"id":"q","type":"rating"}]`), events)
	assert.Len(t, questions, 1, "only an object is a question")
	assert.Equal(t, 1, questions[0].Index)
	assert.Equal(t, int64(201), questions[0].Responses)
	assert.Len(t, questions[0].Distribution, 200)
	assert.Equal(t, service.Answer{Text: "204", Count: 2}, questions[0].Distribution[0])

	none := service.AnsweredQuestions(wiretest.Decode(t, `[{"id":"q","type":"rating"}]`), []store.Event{
		{Name: store.Sent, Count: 1, Properties: wiretest.Decode(t, `{"$survey_response_q":"inf"}`)},
	})
	assert.True(t, math.IsNaN(float64(none[0].Average)))
	assert.Empty(t, service.AnsweredQuestions(wiretest.Decode(t, `"text"`), nil))
}
