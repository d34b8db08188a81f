package terraform_test

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

// manySurveys starts the server with n surveys named Survey 000 and so on: every second
// one a widget, every tenth archived.
func manySurveys(n int) acctest.Option {
	surveys := make([]any, n)
	for i := range surveys {
		kind := "popover"
		if i%2 == 1 {
			kind = "widget"
		}
		surveys[i] = map[string]any{
			"project_id": "1", "id": fmt.Sprintf("00000000-0000-4000-8000-%012d", i), "name": fmt.Sprintf("Survey %03d", i),
			"type": kind, "archived": i%10 == 0, "created_at": time.Date(2026, 1, 1, 0, 0, i, 0, time.UTC).Format(time.RFC3339),
			"questions": []any{map[string]any{"type": "open", "question": fmt.Sprintf("Why %d?", i)}},
		}
	}

	document, err := json.Marshal(map[string]any{"surveys": surveys})
	if err != nil {
		panic(err) // plain maps always encode
	}
	return acctest.Fixtures(string(document))
}
