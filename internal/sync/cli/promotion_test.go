package cli

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// A promotion as a whole: eight surveys with flags, filters, and dates. Before it, a reviewer sees who will be asked.
// After it, and after the launch in the second project, the two projects stay the same for a month of nights.
func TestPromotionStaysTheSameForAMonth(t *testing.T) {
	t.Parallel()
	s := newTwoSides(t, testserver.Hosted)
	night := time.Date(2026, 3, 1, 3, 0, 0, 0, time.UTC)
	s.a.SetClock(night)
	s.b.SetClock(night)
	questions := []any{fields{"type": "open", "question": "Why?"}}
	pro := fields{"groups": []any{fields{"properties": []any{fields{"key": "plan", "value": []any{"pro"}, "operator": "exact", "type": "person"}}, "rollout_percentage": 40}}}
	for _, survey := range []fields{
		{"name": "Draft"},
		{"name": "Running", "start_date": "2026-02-01T09:00:00Z"},
		{"name": "Linked", "linked_flag_id": 1, "start_date": "2026-02-01T09:00:00Z"},
		{"name": "Targeted by flag", "targeting_flag_id": 2},
		{"name": "Filtered", "targeting_flag_filters": pro, "start_date": "2026-02-02T09:00:00Z"},
		{"name": "Conditions", "conditions": fields{"url": "/billing", "urlMatchType": "icontains", "seenSurveyWaitPeriodInDays": 30}},
		{"name": "Stopped", "start_date": "2026-01-01T09:00:00Z", "end_date": "2026-02-01T09:00:00Z"},
		{"name": "Limited", "responses_limit": 50, "start_date": "2026-02-03T09:00:00Z"},
	} {
		survey["type"], survey["questions"] = "popover", questions
		postSurvey(t, s.a, survey)
	}

	code, page, stderr := s.run("sync", "live:a", "live:b", "--kind", "surveys", "--dry-run", "--format", "markdown")
	require.Equal(t, codeDifferences, code, stderr)
	for _, text := range []string{"beta", "gamma", "plan", "40 %", "/billing", "30 days"} {
		assert.Contains(t, page, text, "the review must tell who will be asked")
	}

	code, stdout, stderr := s.run("sync", "live:a", "live:b", "--kind", "surveys", "--yes")
	require.Equal(t, codeDone, code, "%s\n%s", stdout, stderr)
	for _, survey := range s.b.Server.Surveys("1") {
		for _, original := range s.a.Server.Surveys("1") {
			if original["name"] == survey["name"] && original["start_date"] != nil { // launched on another day than in a
				s.b.PatchSurvey(survey["id"].(string), fields{"start_date": "2026-02-20T10:00:00Z"})
			}
			if original["name"] == survey["name"] && original["end_date"] != nil {
				s.b.PatchSurvey(survey["id"].(string), fields{"end_date": "2026-02-25T10:00:00Z"})
			}
		}
	}

	for range 30 {
		night = night.AddDate(0, 0, 1)
		s.a.SetClock(night)
		s.b.SetClock(night)
		code, stdout, stderr := s.run("diff", "live:a", "live:b", "--kind", "surveys")
		require.Equal(t, codeDone, code, "%s\n%s\n%s", night, stdout, stderr)
	}
	code, stdout, _ = s.run("diff", "live:a", "live:b", "--kind", "surveys", "--fail-on", "dates")
	assert.Equal(t, codeDifferences, code, stdout)
	assert.Contains(t, stdout, "start_date")
}

// Two keys with the scopes of the guide are enough for a promotion. Without one of the scopes, the error names it.
func TestPromotionNamesTheMissingScope(t *testing.T) {
	t.Parallel()
	reads, writes := []string{"survey:read", "feature_flag:read"}, []string{"survey:write", "feature_flag:read"}
	for missing, c := range map[string]struct{ a, b []string }{
		"":                  {reads, writes},
		"survey:read":       {reads[1:], writes},
		"feature_flag:read": {reads, writes[:1]},
		"survey:write":      {reads, reads},
	} {
		t.Run(missing, func(t *testing.T) {
			t.Parallel()
			s := newTwoSides(t, testserver.Hosted)
			postSurvey(t, s.a, fields{"name": "Linked", "type": "popover", "linked_flag_id": 1})
			postSurvey(t, s.a, fields{"name": "Filtered", "type": "popover", "targeting_flag_filters": fields{"groups": []any{fields{"rollout_percentage": 40}}}})
			for side, scopes := range map[*testserver.Instance][]string{s.a: c.a, s.b: c.b} {
				state := side.Dump()
				var document map[string]any
				require.NoError(t, json.Unmarshal([]byte(state), &document))
				document["api_keys"] = []any{fields{"key": side.APIKey, "scopes": scopes}}
				text, err := json.Marshal(document)
				require.NoError(t, err)
				side.SetFixtures(string(text))
			}

			code, stdout, stderr := s.run("sync", "live:a", "live:b", "--kind", "surveys", "--yes")
			assert.Equal(t, missing == "", code == codeDone, "%s\n%s", stdout, stderr)
			assert.Contains(t, stdout+stderr, missing)
		})
	}
}

// PostHog stops a survey of the second project at its responses_limit, and removes the limit. The two projects then stay
// as they are: the comparison explains this, and a promotion does not launch the survey again.
func TestPromotedSurveyStaysStoppedAtItsLimit(t *testing.T) {
	t.Parallel()
	s := newTwoSides(t, testserver.Hosted)
	postSurvey(t, s.a, fields{
		"name": "Limited", "type": "popover", "questions": []any{fields{"type": "open", "question": "Why?"}},
		"responses_limit": 2, "start_date": "2026-02-03T09:00:00Z",
	})
	code, stdout, stderr := s.run("sync", "live:a", "live:b", "--kind", "surveys", "--yes")
	require.Equal(t, codeDone, code, "%s\n%s", stdout, stderr)
	id := s.b.Server.Surveys("1")[0]["id"].(string)
	s.b.PatchSurvey(id, fields{"start_date": "2026-01-02T03:04:05Z"})
	s.b.AddResponses(id, 2)
	s.b.PatchSurvey(id, fields{"end_date": "2026-02-25T10:00:00Z", "responses_limit": nil})

	for range 2 {
		code, stdout, stderr = s.run("diff", "live:a", "live:b", "--kind", "surveys")
		assert.Equal(t, codeDone, code, "%s\n%s", stdout, stderr)
		assert.Contains(t, stdout, `survey "Limited" is not running: it has reached responses_limit. To run it again, raise the limit.`)
		code, stdout, stderr = s.run("sync", "live:a", "live:b", "--kind", "surveys", "--yes")
		assert.Equal(t, codeDone, code, "%s\n%s", stdout, stderr)
		assert.Contains(t, stdout, "it has reached responses_limit")
		code, stdout, stderr = s.run("sync", "live:a", "live:b", "--kind", "surveys", "--keep-schedule", "--yes")
		assert.Equal(t, codeDone, code, "%s\n%s", stdout, stderr)
	}
	assert.Nil(t, s.b.Server.Survey(id)["responses_limit"])
	assert.NotNil(t, s.b.Server.Survey(id)["end_date"], "a sync must not launch the survey again, without its limit")

	code, stdout, _ = s.run("diff", "live:a", "live:b", "--kind", "surveys", "--fail-on", "dates")
	assert.Equal(t, codeDifferences, code, stdout)
	s.a.PatchSurvey(s.a.Server.Surveys("1")[0]["id"].(string), fields{"responses_limit": 5})
	code, stdout, _ = s.run("diff", "live:a", "live:b", "--kind", "surveys")
	assert.Equal(t, codeDifferences, code, stdout)
	assert.NotContains(t, stdout, "reached responses_limit")
	s.a.PatchSurvey(s.a.Server.Surveys("1")[0]["id"].(string), fields{"responses_limit": 2, "start_date": nil})
	code, stdout, _ = s.run("diff", "live:a", "live:b", "--kind", "surveys")
	assert.Equal(t, codeDifferences, code, "a draft must differ from a stopped survey\n%s", stdout)
}
