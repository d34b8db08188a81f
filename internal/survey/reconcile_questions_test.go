package survey

import (
	"encoding/json"
	"testing"

	"github.com/oapi-codegen/nullable"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

func readQuestions(t *testing.T, prior Questions, a *attribute.Response, raws ...string) Questions {
	t.Helper()
	wire := make([]json.RawMessage, len(raws))
	for i, raw := range raws {
		wire[i] = json.RawMessage(raw)
	}
	list, err := questionsFromAPI(nullable.NewNullableWithValue(wire), prior, a)
	require.NoError(t, err)
	return list
}

// What the service made of questions is named in one order, however often it is asked.
func TestChangedQuestionsInOneOrder(t *testing.T) {
	t.Parallel()
	planned := readQuestions(t, Questions{}, &attribute.Response{},
		`{"id":"a","type":"open","question":"x ","description":"x ","buttonText":"x ","lowerBoundLabel":"x ","upperBoundLabel":"x "}`)
	for range 50 {
		a := &attribute.Response{IsWrite: true}
		readQuestions(t, planned, a, `{"id":"a","type":"open","question":"x","description":"x","buttonText":"x","lowerBoundLabel":"x","upperBoundLabel":"x"}`)
		assert.Equal(t, []string{
			"questions/a/question", "questions/a/description", "questions/a/button_text", "questions/a/lower_bound_label", "questions/a/upper_bound_label",
		}, a.Changed)
	}
}

// Questions of a service that gives no ids are identified by their places: what is
// remembered of one is no memory of another.
func TestQuestionsWithoutIDs(t *testing.T) {
	t.Parallel()
	planned := readQuestions(t, Questions{}, &attribute.Response{},
		`{"type":"open","question":" first"}`, `{"type":"open","question":" second"}`)
	writing := &attribute.Response{IsWrite: true}
	stored := []string{`{"type":"open","question":"first"}`, `{"type":"open","question":"second"}`}
	assert.Equal(t, planned, readQuestions(t, planned, writing, stored...))
	reading := &attribute.Response{Memory: writing.Remembered}
	assert.Equal(t, planned, readQuestions(t, planned, reading, stored...), "what the user wrote stays")
	assert.Equal(t, writing.Remembered, reading.Remembered)
}
