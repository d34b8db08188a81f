package review_test

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/tfplan"
)

// Every change that respondents notice is a row: who sees the survey, where, how often, and what a question means
// after the change.
func TestPlanShowsWhatReachesPeople(t *testing.T) {
	t.Parallel()
	group := func(rollout int) object {
		return object{"groups": []any{object{"rollout_percentage": rollout}}}
	}

	for name, c := range map[string]struct {
		before, after object
		path, meaning string
	}{
		"rollout":   {object{"targeting_flag_filters": group(10)}, object{"targeting_flag_filters": group(90)}, "targeting_flag_filters.groups[0].rollout_percentage", "a different share of people is asked"},
		"url":       {object{"conditions": object{"url": "/pricing"}}, object{"conditions": object{"url": "/checkout"}}, "conditions.url", "shown in different places"},
		"device":    {object{"conditions": object{"deviceTypes": []any{"Mobile"}}}, object{"conditions": object{"deviceTypes": []any{"Desktop"}}}, "conditions.deviceTypes[0]", "different conditions"},
		"wait":      {object{"conditions": object{"seenSurveyWaitPeriodInDays": 30}}, object{"conditions": object{}}, "conditions.seenSurveyWaitPeriodInDays", "sooner or later"},
		"schedule":  {object{"schedule": "once"}, object{"schedule": "always"}, "schedule", "asked again"},
		"limit":     {object{"responses_limit": 100}, object{"responses_limit": 5000}, "responses_limit", "a different number of responses"},
		"iteration": {object{"iteration_count": 1}, object{"iteration_count": 4}, "iteration_count", "asked again"},
		"type":      {object{"type": "popover"}, object{"type": "widget"}, "type", "different form"},
		"rename":    {object{"name": "NPS"}, object{"name": "CSAT"}, "name", "renamed"},
		"flag":      {object{"linked_flag_id": 1}, object{"linked_flag_id": 2}, "linked_flag_id", "different people"},
		"looks":     {object{"appearance": object{"position": "left"}}, object{"appearance": object{"position": "right"}}, "appearance.position", "looks"},
	} {
		before, after := survey("running"), survey("running")
		maps.Copy(before.Attributes, c.before)
		maps.Copy(after.Attributes, c.after)
		surveys, err := review.Plan([]tfplan.Change{{Before: before, After: after}}, nil)
		require.NoError(t, err)
		require.Len(t, surveys[0].Changes, 1, name)
		assert.Equal(t, c.path, surveys[0].Changes[0].Path, name)
		assert.Contains(t, surveys[0].Changes[0].Meaning, c.meaning, name)
	}

	unseen, err := review.Plan([]tfplan.Change{{Before: survey("running"), After: unknown(survey("running"), "conditions")}}, nil)
	require.NoError(t, err)
	require.Len(t, unseen[0].Changes, 1)
	assert.Equal(t, review.KnownAfterApply, unseen[0].Changes[0].After)
}

// A new survey has the same rows as an updated survey. A draft shows its audience after the launch.
func TestPlanShowsWhomANewSurveyAsks(t *testing.T) {
	t.Parallel()
	created := survey("draft")
	maps.Copy(created.Attributes, object{
		"linked_flag_id": json.Number("7"), "linked_flag": object{"key": "beta"}, "responses_limit": json.Number("50"),
		"type": "popover", "schedule": "once", "archived": false, "description": "For us", "appearance": object{"position": "left"},
	})
	surveys, err := review.Plan([]tfplan.Change{{After: created}}, nil)
	require.NoError(t, err)
	assert.Equal(t, "everybody, if feature flag beta is on for them, on every page, once a person, until there are 50 responses", surveys[0].OnceLaunched)
	var paths []string
	for _, row := range surveys[0].Changes {
		paths = append(paths, row.Path)
		assert.Nil(t, row.Before)
	}
	assert.Equal(t, []string{"appearance", "linked_flag_id", "responses_limit", "type"}, paths)
	page := review.Page(surveys, 10_000)
	assert.Contains(t, page, "Once launched, it asks everybody")

	// Terraform does not know what PostHog uses for an omitted attribute, but the reader does.
	created.Unknown = []string{"base_language", "enable_partial_responses", "linked_flag_id", "response_sampling_interval_type", "schedule"}
	delete(created.Attributes, "linked_flag_id")
	surveys, err = review.Plan([]tfplan.Change{{After: created}}, nil)
	require.NoError(t, err)
	assert.Contains(t, surveys[0].Changes, review.Row{Path: "linked_flag_id", After: review.KnownAfterApply})
	assert.Len(t, surveys[0].Changes, len(paths), "an attribute that the configuration omits must not have a row")

	running, err := review.Plan([]tfplan.Change{{After: unknown(survey("running"), "conditions")}}, nil)
	require.NoError(t, err)
	assert.Empty(t, running[0].OnceLaunched, "a survey that the plan launches must not have effects at a later launch")
	assert.Contains(t, running[0].Changes, review.Row{Path: "conditions", After: review.KnownAfterApply})
}

func TestPlanSaysWhatIsEdited(t *testing.T) {
	t.Parallel()
	question := func(extra object) any {
		q := object{"id": "1", "type": "single_choice", "question": "a"}
		maps.Copy(q, extra)
		return q
	}

	for name, c := range map[string]struct {
		before, after object
		want          []string
	}{
		"scale":         {object{"scale": 5}, object{"scale": 10}, []string{"scale: old answers mean something else"}},
		"reworded":      {object{"choices": []any{"A", "B"}}, object{"choices": []any{"A", "C"}}, []string{"choices[1]: reworded: old answers keep the old text"}},
		"removed":       {object{"choices": []any{"A", "B", "C"}}, object{"choices": []any{"B"}}, []string{"choices[0]: removed: old answers fit no choice", "choices[2]: removed: old answers fit no choice"}},
		"added":         {object{"choices": []any{"A"}}, object{"choices": []any{"A", "B"}}, []string{"choices[1]: added"}},
		"reordered":     {object{"choices": []any{"A", "B"}}, object{"choices": []any{"B", "A"}}, []string{"choices: in another order"}},
		"required":      {object{"optional": true}, object{"optional": false}, []string{"optional: an answer is required now"}},
		"not required":  {object{}, object{"optional": true}, []string{"optional: an answer is no longer required"}},
		"type":          {object{}, object{"type": "open"}, []string{"type: old answers have a different form"}},
		"link":          {object{"link": "https://a.example"}, object{"link": "https://b.example"}, []string{"link: it leads elsewhere"}},
		"button":        {object{}, object{"button_text": "Go"}, []string{"button_text: "}},
		"empty or null": {object{"button_text": ""}, object{"button_text": nil}, nil},
	} {
		known := object{"questions": []any{object{"choices": []any{false, false}, "scale": false}}}
		surveys, err := review.Plan([]tfplan.Change{{Before: survey("running", question(c.before)), After: survey("running", question(c.after)), AfterUnknown: known}}, nil)
		require.NoError(t, err)
		require.Len(t, surveys[0].Questions, 1, name)
		var found []string
		for _, row := range surveys[0].Questions[0].Changes {
			found = append(found, row.Path+": "+row.Meaning)
		}
		assert.Equal(t, c.want, found, name)
	}
}

// A running survey is shown again when it is unarchived.
func TestPlanUnarchives(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]review.Event{"running": review.UnarchivedToRun, "draft": review.Unarchived, "completed": review.Unarchived} {
		before, after := survey(status), survey(status)
		before.Attributes["archived"] = true
		surveys, err := review.Plan([]tfplan.Change{{Before: before, After: after}}, nil)
		require.NoError(t, err)
		assert.Equal(t, []review.Event{want}, surveys[0].Events, status)
	}
}

// A launch first shows who sees the survey, where, how often, and until when.
func TestPlanSaysToWhomASurveyIsLaunched(t *testing.T) {
	t.Parallel()
	filters := object{"groups": []any{object{"properties": []any{object{"key": "plan", "type": "person", "operator": "exact", "value": []any{"pro"}}}}}}
	for name, c := range map[string]struct {
		attributes object
		unknown    []string
		want       string
	}{
		"everybody": {object{"type": "popover"}, nil, "everybody, on every page, once a person, without a limit"},
		"always":    {object{"type": "popover", "schedule": "always"}, nil, "everybody, on every page, again and again, even after an answer, without a limit"},
		"limited":   {object{"type": "popover", "responses_limit": json.Number("200")}, nil, "everybody, on every page, once a person, until there are 200 responses"},
		"targeted": {object{"type": "popover", "targeting_flag_filters": filters, "conditions": object{"url": "/pricing"}}, nil,
			`people with "plan" exact ["pro"], only in web apps, when the URL contains "/pricing", once a person, without a limit`},
		"flags": {object{"type": "popover", "targeting_flag_id": json.Number("4"), "linked_flag_id": json.Number("5")}, nil,
			"people for whom feature flag 4 is on, if feature flag 5 is on for them, on every page, once a person, without a limit"},
		"variant": {object{"type": "popover", "linked_flag_id": json.Number("5"), "conditions": object{"linkedFlagVariant": "red"}}, nil,
			"everybody, if feature flag 5 is on for them with variant red, on every page, once a person, without a limit"},
		"any variant": {object{"type": "popover", "linked_flag_id": json.Number("5"), "conditions": object{"linkedFlagVariant": "any"}}, nil,
			"everybody, if feature flag 5 is on for them, on every page, once a person, without a limit"},
		"recurring": {object{"type": "widget", "iteration_count": json.Number("12"), "iteration_frequency_days": json.Number("30")}, nil,
			"everybody, when they open the widget, 12 times, every 30 days, without a limit"},
		"unknown": {object{"type": "api"}, []string{"targeting_flag_filters", "conditions", "responses_limit", "linked_flag_id"},
			"people selected by targeting that is known after apply, if a feature flag that is known after apply is on for them, " +
				"under conditions that are known after apply, once a person, with a limit that is known after apply"},
	} {
		after := survey("running")
		maps.Copy(after.Attributes, c.attributes)
		after.Unknown = c.unknown
		surveys, err := review.Plan([]tfplan.Change{{After: after}}, nil)
		require.NoError(t, err)
		assert.Equal(t, c.want, surveys[0].LaunchedTo, name)
		assert.Equal(t, name == "everybody" || name == "always", surveys[0].IsUnbounded, name)
	}

	surveys, err := review.Plan([]tfplan.Change{{Before: survey("running"), After: survey("running")}, {After: survey("draft")}}, nil)
	require.NoError(t, err)
	assert.Empty(t, surveys[0].LaunchedTo+surveys[1].LaunchedTo)
}
