package keys

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	testify "github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
)

// The sample app in the guide compiles, and its "survey sent" event marks the survey as answered. Otherwise, PostHog
// offers the survey to the same person again.
func TestSampleInTheGuideMarksTheSurveyAsAnswered(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../../docs/guides/keys.md")
	testify.NoError(t, err)
	sample := regexp.MustCompile("(?s)```typescript\n(.*?)```").FindSubmatch(guide)
	testify.NotNil(t, sample, "the guide has no sample in TypeScript")
	const id = "0190d6a4-0000-7000-8000-000000000001"
	surveys := render(t, read(t, []source.Object{{Kind: source.Survey, ID: id, Name: "Quarterly NPS", Attributes: map[string]any{"questions": []any{
		map[string]any{"id": "q1", "type": "rating", "question": "Score", "scale": json.Number("10"), "display": "number"},
		map[string]any{"id": "q2", "type": "single_choice", "question": "Reason", "choices": []any{"Too expensive", "Too slow"}},
	}}}}, nil), TypeScript)
	const client = `
export const events: unknown[] = [];
const posthog = { capture: (event: string, properties: object) => events.push({ event, properties }) };
`
	imports := regexp.MustCompile(`(?m)^import .*\n`)
	app := map[string]string{"app.ts": surveys + client + imports.ReplaceAllString(string(sample[1]), "")}

	assert.Empty(t, browsertest.TypeScriptErrors(t, app))
	assert.JSONEq(t, `[{"event": "survey sent", "properties": {
		"$survey_id": "`+id+`", "$survey_response_q1": 9, "$survey_response_q2": "Too expensive", "$set": {"$survey_responded/`+id+`": true}
	}}]`, string(browsertest.TypeScriptExports(t, app)["app.ts"]["events"]))
}
