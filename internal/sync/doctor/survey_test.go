package doctor_test

import (
	"encoding/json"
	"errors"
	"iter"
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

// found are the findings about a survey that is shown but for what text says, by check.
func found(t *testing.T, text string, change func(*doctor.Facts)) map[string]doctor.Finding {
	t.Helper()
	facts := doctor.Facts{Now: now, ShowsSurveys: true, IsKnown: true, Responses: func(string) responses.Number { return responses.Number{Counted: 5} }}
	if change != nil {
		change(&facts)
	}
	byCheck := map[string]doctor.Finding{}
	for _, f := range doctor.CheckSurvey(surveyOf(t, text), facts) {
		if f.Check == "conditions" && byCheck["conditions"].Result == doctor.Failed {
			continue
		}
		byCheck[f.Check] = f
	}
	return byCheck
}

// What keeps a survey from being shown fails the check of it, and no other.
func TestWhyASurveyIsNotShown(t *testing.T) {
	t.Parallel()
	const running = `"id": "s", "type": "popover", "start_date": "2026-01-01T00:00:00Z"`
	flag := func(more string) string { return running + `, "linked_flag": {"id": 1, "key": "beta"` + more + `}` }

	for name, c := range map[string]struct {
		text, check string
		code        doctor.Code
		result      doctor.Result
	}{
		"running":        {running, "status", doctor.Running, doctor.OK},
		"draft":          {`"type": "popover"`, "status", doctor.Draft, doctor.Failed},
		"starts later":   {`"type": "popover", "start_date": "2999-01-01T00:00:00Z"`, "status", doctor.StartsLater, doctor.OK},
		"ends later":     {running + `, "end_date": "2999-01-01T00:00:00Z"`, "status", doctor.EndsLater, doctor.Failed},
		"stopped":        {running + `, "end_date": "2026-02-01T00:00:00Z"`, "status", doctor.Stopped, doctor.Failed},
		"archived":       {running + `, "archived": true`, "status", doctor.Archived, doctor.Failed},
		"no type":        {`"start_date": "2026-01-01T00:00:00Z"`, "type", doctor.TypeMissing, doctor.Warning},
		"api":            {`"type": "api", "start_date": "2026-01-01T00:00:00Z"`, "type", doctor.TypeAPI, doctor.Warning},
		"external":       {`"type": "external_survey", "start_date": "2026-01-01T00:00:00Z"`, "project", doctor.ProjectNotAsked, doctor.OK},
		"flag":           {flag(""), "linked flag", doctor.FlagOn, doctor.OK},
		"flag deleted":   {flag(`, "deleted": true`), "linked flag", doctor.FlagDeleted, doctor.Failed},
		"flag off":       {flag(`, "active": false`), "linked flag", doctor.FlagOff, doctor.Failed},
		"flag at zero":   {flag(`, "filters": {"groups": [{"rollout_percentage": 0}, {"rollout_percentage": 0}]}`), "linked flag", doctor.FlagReachesNone, doctor.Failed},
		"flag of nobody": {flag(`, "filters": {"groups": [{"properties": [{"key": "email", "operator": "is_set"}, {"key": "email", "operator": "is_not_set"}]}]}`), "linked flag", doctor.FlagMatchesNobody, doctor.Failed},
		"flag of some":   {flag(`, "filters": {"groups": [{"properties": [{"key": "email", "operator": "is_set"}, {"key": "name", "operator": "is_not_set"}]}]}`), "linked flag", doctor.FlagOn, doctor.OK},
		"flag above":     {flag(`, "filters": {"groups": [{"rollout_percentage": 0}, {"rollout_percentage": 1}]}`), "linked flag", doctor.FlagOn, doctor.OK},
		"internal flag":  {running + `, "internal_targeting_flag": {"id": 2, "key": "x", "active": false}`, "internal flag", doctor.InternalFlagOff, doctor.Failed},
		// An empty list restricts nobody.
		"any device":    {running + `, "conditions": {"deviceTypes": []}`, "status", doctor.Running, doctor.OK},
		"pattern":       {running + `, "conditions": {"url": "(", "urlMatchType": "regex", "selector": ""}`, "conditions", doctor.ConditionsNeeded, doctor.OK},
		"no flag":       {running + `, "conditions": {"linkedFlagVariant": "a"}`, "conditions", doctor.VariantWithoutFlag, doctor.Failed},
		"no variant":    {flag(`, "filters": {"multivariate": {"variants": [{"key": "b"}]}}`) + `, "conditions": {"linkedFlagVariant": "a"}`, "conditions", doctor.VariantUnknown, doctor.Failed},
		"as text":       {running + `, "conditions": "{\"selector\": \"#x\"}"`, "conditions", doctor.ConditionsNeeded, doctor.OK},
		"no conditions": {running + `, "conditions": [1]`, "conditions", doctor.ConditionsUnreadable, doctor.Warning},
		"negative wait": {running + `, "conditions": {"seenSurveyWaitPeriodInDays": -1}`, "conditions", "", ""},
		"limit":         {running + `, "responses_limit": 5`, "limit", doctor.LimitReached, doctor.Failed},
		"below it":      {running + `, "responses_limit": 6`, "limit", doctor.LimitNotReached, doctor.OK},
	} {

		findings := found(t, "{"+c.text+"}", nil)
		assert.Equal(t, c.code, findings[c.check].Code, name)
		assert.Equal(t, c.result, findings[c.check].Result, name)
		for check, f := range findings {
			assert.True(t, check == c.check || f.Result != doctor.Failed, "%s: %s", name, check)
		}
	}
}

// What is not known is a warning, and neither a failure nor all right.
func TestUnknownFacts(t *testing.T) {
	t.Parallel()
	const limited = `{"id": "s", "type": "popover", "start_date": "2026-01-01T00:00:00Z", "responses_limit": 6}`
	unknown := found(t, limited, func(f *doctor.Facts) {
		f.IsKnown = false
		f.Responses = func(string) responses.Number { return responses.Number{Reason: "no scope"} }
	})
	assert.Equal(t, doctor.ProjectUnknown, unknown["project"].Code)
	assert.Equal(t, doctor.LimitUncountable, unknown["limit"].Code)
	assert.Equal(t, doctor.Warning, unknown["limit"].Result)

	off := found(t, limited, func(f *doctor.Facts) { f.ShowsSurveys = false })
	assert.Equal(t, doctor.ProjectOff, off["project"].Code)
}

// A survey is found by its name or id; the most similar name is suggested.
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
