package survey

import (
	"context"
	"encoding/json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/held"
)

// LoggedQuestions are the questions of a log entry of the service, as a state has them.
func LoggedQuestions(ctx context.Context, raw json.RawMessage) ([]any, error) {
	var elements []json.RawMessage
	if err := json.Unmarshal(raw, &elements); err != nil {
		return nil, err
	}

	questions := make([]Question, len(elements))
	for i, element := range elements {
		var err error
		if questions[i], err = QuestionFromAPI(element); err != nil {
			return nil, err
		}
	}

	encoded, err := NewQuestions(questions).ToTerraformValue(ctx)
	list, _ := held.Tree(encoded).([]any)
	return list, err
}
