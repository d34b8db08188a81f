package doctor_test

import (
	"encoding/json"
	"errors"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/doctor"
)

var now = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func surveyOf(t *testing.T, text string) api.Survey {
	t.Helper()
	var survey api.Survey
	require.NoError(t, json.Unmarshal([]byte(text), &survey))
	return survey
}

// found returns the findings by check for a survey that is shown, apart from the given problem.
func found(t *testing.T, text string, change func(*doctor.Facts)) map[string]string {
	t.Helper()
	facts := doctor.Facts{Now: now, ShowsSurveys: true, IsKnown: true, Responses: func(string) responses.Number { return responses.Number{Counted: 5} }}
	if change != nil {
		change(&facts)
	}
	return results(doctor.CheckSurvey(surveyOf(t, text), facts))
}

// Each problem of a survey causes only its own check to fail.
func TestWhyASurveyIsNotShown(t *testing.T) {
	t.Parallel()
	const running = `"id": "s", "type": "popover", "start_date": "2026-01-01T00:00:00Z"`
	flag := func(more string) string { return running + `, "linked_flag": {"id": 1, "key": "beta"` + more + `}` }

	for name, c := range map[string]struct{ text, check, want string }{
		"running":        {running, "status", "ok: it has been running since"},
		"draft":          {`"type": "popover"`, "status", "failed: it is a draft"},
		"starts later":   {`"type": "popover", "start_date": "2999-01-01T00:00:00Z"`, "status", "ok: it is running, although"},
		"ends later":     {running + `, "end_date": "2999-01-01T00:00:00Z"`, "status", "failed: it is completed, although"},
		"archived":       {running + `, "archived": true`, "status", "failed: it is archived"},
		"no type":        {`"start_date": "2026-01-01T00:00:00Z"`, "type", "warning: it has none"},
		"api":            {`"type": "api", "start_date": "2026-01-01T00:00:00Z"`, "type", "warning: an api survey"},
		"external":       {`"type": "external_survey", "start_date": "2026-01-01T00:00:00Z"`, "project", "ok: the public page of an external_survey"},
		"flag":           {flag(""), "linked flag", `ok: feature flag "beta" is on`},
		"flag deleted":   {flag(`, "deleted": true`), "linked flag", `failed: feature flag "beta" is deleted`},
		"flag off":       {flag(`, "active": false`), "linked flag", `failed: feature flag "beta" is switched off`},
		"flag at zero":   {flag(`, "filters": {"groups": [{"rollout_percentage": 0}]}`), "linked flag", `failed: feature flag "beta" is rolled out to 0 %`},
		"flag above":     {flag(`, "filters": {"groups": [{"rollout_percentage": 0}, {"rollout_percentage": 1}]}`), "linked flag", `ok: feature flag "beta" is on`},
		"flag of nobody": {running + `, "targeting_flag": {"id": 1, "key": "t", "filters": {"groups": []}}`, "targeting", `failed: feature flag "t" has no condition set`},
		"internal flag":  {running + `, "internal_targeting_flag": {"id": 2, "key": "x", "active": false}`, "internal flag", `failed: PostHog's own feature flag "x" is off`},
		"conditions":     {running + `, "conditions": {"selector": "#x"}`, "conditions", "ok: shown only when an element matches #x"},
		"as text":        {running + `, "conditions": "{\"selector\": \"#x\"}"`, "conditions", "ok: shown only when"},
		"unreadable":     {running + `, "conditions": [1]`, "conditions", "warning: cannot be read"},
		"widget":         {`"type": "widget", "start_date": "2026-01-01T00:00:00Z", "appearance": {"widgetType": "selector"}`, "display", "failed: appearance.widgetType"},
		"limit":          {running + `, "responses_limit": 5`, "limit", "failed: responses_limit is 5, and the survey has 5 responses"},
		"below it":       {running + `, "responses_limit": 6`, "limit", "ok: 5 responses, of 6"},
	} {
		findings := found(t, "{"+c.text+"}", nil)
		assert.True(t, strings.HasPrefix(findings[c.check], c.want), "%s: %s", name, findings[c.check])
		for check, text := range findings {
			assert.True(t, check == c.check || !strings.HasPrefix(text, "failed"), "%s: %s", name, check)
		}
	}
}

// An unknown fact causes a warning, not a failure or a success.
func TestUnknownFacts(t *testing.T) {
	t.Parallel()
	const limited = `{"id": "s", "type": "popover", "start_date": "2026-01-01T00:00:00Z", "responses_limit": 6}`
	unknown := found(t, limited, func(f *doctor.Facts) {
		f.IsKnown = false
		f.Responses = func(string) responses.Number { return responses.Number{Reason: "no scope"} }
	})
	assert.Contains(t, unknown["project"], "warning: could not read whether the project shows surveys")
	assert.Equal(t, "warning: responses_limit is 6, and the survey has an unknown number of responses: no scope", unknown["limit"])

	off := found(t, limited, func(f *doctor.Facts) { f.ShowsSurveys = false })
	assert.Contains(t, off["project"], "failed: surveys are switched off")
}

// FindSurvey finds a survey by name or ID. For a misspelled name, it suggests the most similar name.
func TestFindSurvey(t *testing.T) {
	t.Parallel()
	list := func(err error) iter.Seq2[api.Survey, error] {
		return func(yield func(api.Survey, error) bool) {
			for _, text := range []string{`{"id": "a", "name": "NPS"}`, `{"id": "b", "name": "Quarterly"}`, `{"id": "c"}`} {
				if !yield(surveyOf(t, text), nil) {
					return
				}
			}
			if err != nil {
				yield(api.Survey{}, err)
			}
		}
	}
	for name, id := range map[string]string{"NPS": "a", "b": "b", "Quarterly": "b"} {
		survey, isFound, _, err := doctor.FindSurvey(list(nil), name)
		require.NoError(t, err)
		assert.True(t, isFound)
		assert.Equal(t, id, *survey.ID)
	}
	_, isFound, nearest, err := doctor.FindSurvey(list(nil), "Qarterly")
	require.NoError(t, err)
	assert.False(t, isFound)
	assert.Equal(t, "Quarterly", nearest)

	failure := errors.New("503")
	_, _, _, err = doctor.FindSurvey(list(failure), "Qarterly")
	assert.ErrorIs(t, err, failure)
}
