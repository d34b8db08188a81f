package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// companySurvey is a line in surveys.jsonl. It contains a survey that one of three companies created over the years.
// Most of the surveys are completed.
type companySurvey struct {
	Project int `json:"project"`
	// State is draft, running, completed, or archived.
	State string `json:"state"`
	// Web is set if the survey was created in PostHog's interface, which stores default values.
	Web    bool           `json:"web"`
	Survey map[string]any `json:"survey"`
}

// created returns a survey's create request.
func (c companySurvey) created() map[string]any {
	survey := map[string]any{}
	if c.Web {
		survey["schedule"], survey["enable_partial_responses"] = "once", true
		survey["appearance"], survey["conditions"] = webAppearance(), webConditions()
	}
	for key, value := range c.Survey {
		defaults, _ := survey[key].(map[string]any)
		changed, _ := value.(map[string]any)
		if defaults == nil || changed == nil {
			survey[key] = value
			continue
		}
		maps.Copy(defaults, changed)
	}

	if c.State != "draft" {
		survey["start_date"] = "2026-10-01T09:00:00Z"
	}
	if c.State == "completed" || c.State == "archived" {
		survey["end_date"] = "2026-10-15T09:00:00Z"
	}
	survey["archived"] = c.State == "archived"
	return survey
}

func webAppearance() map[string]any {
	return map[string]any{
		"backgroundColor": "#eeeded", "borderColor": "#c9c6c6", "submitButtonColor": "black", "submitButtonTextColor": "white", "ratingButtonColor": "white",
		"ratingButtonActiveColor": "black", "placeholder": "Start typing...", "fontFamily": "inherit", "maxWidth": "300px", "boxPadding": "20px 24px",
		"boxShadow": "0 4px 12px rgba(0, 0, 0, 0.15)", "borderRadius": "10px", "zIndex": "2147482647", "disabledButtonOpacity": "0.6", "position": "right",
		"tabPosition": "right", "widgetType": "tab", "widgetLabel": "Feedback", "widgetColor": "black", "whiteLabel": false, "displayThankYouMessage": true,
		"thankYouMessageHeader": "Thank you for your feedback!", "shuffleQuestions": false, "surveyPopupDelaySeconds": nil,
	}
}

func webConditions() map[string]any {
	return map[string]any{
		"url": "", "events": map[string]any{"values": []any{}, "repeatedActivation": false}, "actions": map[string]any{"values": []any{}},
	}
}

// findings.txt contains all findings about the surveys of three companies. Each finding must be useful to the
// survey's owner; a rule that adds other findings is too noisy.
func TestLintOfCompanies(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		text, err := os.ReadFile("testdata/companies/" + name)
		require.NoError(t, err)
		return string(text)
	}
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted})
	srv.SetFixtures(strings.Replace(read("fixtures.json"), "{", `{"api_keys": [{"key": "`+srv.APIKey+`"}],`, 1))

	count := 0
	for lines := bufio.NewScanner(strings.NewReader(read("surveys.jsonl"))); lines.Scan(); count++ {
		var survey companySurvey
		require.NoError(t, json.Unmarshal(lines.Bytes(), &survey))
		post(t, srv, fmt.Sprintf("/api/projects/%d/surveys/", survey.Project), survey.created())
	}
	require.Greater(t, count, 290)

	var found strings.Builder
	for _, project := range []string{"1", "2", "3"} {
		p := testProgram(t, srv)
		getenv := p.getenv
		p.getenv = func(name string) string {
			if name == "POSTHOG_PROJECT_ID" {
				return project
			}
			return getenv(name)
		}
		code, stdout, stderr := runProgram(t, t.Context(), p, srv, "lint")
		require.Equal(t, codeDone, code, stderr)
		found.WriteString(stdout)
	}
	assert.Equal(t, read("findings.txt"), found.String())
}
