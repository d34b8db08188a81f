package source

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

func TestWhatIsShelvedComesBackWhole(t *testing.T) {
	t.Parallel()
	var response api.Survey
	require.NoError(t, json.Unmarshal([]byte(`{"id": "0190d6a4-0000-7000-8000-000000000001", "name": "A <b>",
		"type": "popover", "schedule": null, "questions": [{"id": "q", "type": "rating", "question": "How?", "scale": 10, "new": 1.50}],
		"conditions": {"url": "x", "seenSurveyWaitPeriodInDays": 30}, "of_a_later_version": [1, null]}`), &response))
	live, err := FromSurvey(t.Context(), response, "1")
	require.NoError(t, err)
	compact, err := json.Marshal(live.SurveyResponse)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(compact, live.SurveyResponse))
	planned := Object{
		Kind: Survey, Name: "(sensitive value 1)", Address: "posthog_survey.a", Unknown: []string{"id"},
		Attributes: map[string]any{
			"name": Secret{1, "A"}, "questions": []any{map[string]any{"choices": Secret{2, []any{"x", json.Number("1")}}, "type": "open"}}, "archived": false,
		},
	}
	app := Object{Kind: App, ID: "1", Attributes: map[string]any{"url": "x"}}

	for _, object := range []Object{live, planned, app} {
		shelved := object.Shelved()
		require.Equal(t, object.Name, shelved.Name)
		require.Equal(t, object.Attributes["name"], shelved.Attributes["name"])
		require.Equal(t, object, shelved.Whole())
		require.Equal(t, object, object.Whole())
	}
	require.Len(t, live.Shelved().Attributes, 1)
	require.Nil(t, live.Shelved().SurveyResponse)
}
