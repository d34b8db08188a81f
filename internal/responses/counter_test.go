package responses_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// The response count of a survey without counted responses depends on the survey's history, and on the API key's
// scopes.
func TestNumberOfAnUncountedSurvey(t *testing.T) {
	t.Parallel()
	noStats := testserver.Fault{Operation: "surveys_stats_retrieve", Status: 404}
	noTotal := testserver.Fault{Operation: "surveys_all_stats_retrieve", Status: 404}
	noFeed := testserver.Fault{Operation: "surveys_activity_retrieve", Status: 403}
	draft := []step{{"create", 0}}
	again := []step{{"create running", 0}, {"draft", 0}}
	relaunched := append(again[:2:2], step{"launch", 0})

	for name, c := range map[string]struct {
		script []step
		faults []testserver.Fault
		want   string
		reason string
	}{
		"never launched":                           {draft, nil, "0 responses", ""},
		"never launched, by the feed":              {draft, []testserver.Fault{noStats, noTotal}, "0 responses", ""},
		"never launched, by nothing":               {draft, []testserver.Fault{noStats, noTotal, noFeed}, "an unknown number of responses", "add the scope activity_log:read to the API key"},
		"never launched, by all statistics":        {draft, []testserver.Fault{noStats, noFeed}, "0 responses", ""},
		"a draft again, by its statistics":         {again, nil, "1 response", ""},
		"a draft again, by the feed":               {again, []testserver.Fault{noStats}, "an unknown number of responses", "a survey of the project has a start_date, and this survey was launched at 2026-05-01T00:00:00Z"},
		"launched again":                           {relaunched, nil, "at least 1 response", "since the earliest start_date in the project (2026-05-01T00:02:00Z), and this survey was launched at 2026-05-01T00:00:00Z"},
		"launched again, without the feed":         {relaunched, []testserver.Fault{noFeed}, "at least 1 response", "activity_log:read"},
		"launched once, as a draft before":         {[]step{{"create", 0}, {"launch", 0}}, nil, "1 response", ""},
		"launched once, without the feed":          {[]step{{"create", 0}, {"launch", 0}}, []testserver.Fault{noFeed}, "at least 1 response", "the scope activity_log:read"},
		"younger than the counting":                {[]step{{"create running", 0}, {"create", 1}}, []testserver.Fault{noFeed, noStats}, "0 responses", ""},
		"the counts cannot be read":                {draft, []testserver.Fault{{Operation: "surveys_responses_count_retrieve", Status: 403}}, "an unknown number of responses", "could not read its number of responses: "},
		"the counts are not available":             {draft, []testserver.Fault{{Operation: "surveys_responses_count_retrieve", Status: 200}}, "an unknown number of responses", "PostHog does not return"},
		"the feed is no feed":                      {draft, []testserver.Fault{noStats, noTotal, {Operation: "surveys_activity_retrieve", Status: 200, Body: map[string]any{}}}, "an unknown number of responses", "its activity feed has an unexpected format"},
		"the feed is empty":                        {draft, []testserver.Fault{noStats, noTotal, {Operation: "surveys_activity_retrieve", Status: 200}}, "an unknown number of responses", "does not go back to its creation"},
		"the list of surveys cannot be read":       {draft, []testserver.Fault{{Operation: "surveys_list", Status: 403}}, "an unknown number of responses", "could not read its number of responses: "},
		"stopped, then a draft again, by the feed": {append(again[:1:1], step{"stop", 0}, step{"draft", 0}), []testserver.Fault{noStats}, "an unknown number of responses", "was launched at"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			document, _ := live(t, testserver.Hosted, c.script, `{}`).fixtures(t, func(int) bool { return true })
			l := live(t, testserver.Hosted, c.script, document)
			l.srv.SetFaults(c.faults...)

			number := responses.NewCounter(l.client.Surveys("1"), nil).Of(t.Context(), l.ids[len(l.ids)-1])
			assert.Equal(t, c.want, number.String(), number.Reason)
			assert.Contains(t, number.Reason, c.reason)
			assert.Equal(t, c.reason == "", number.IsKnown())
			assert.Equal(t, c.want == "0 responses", number.IsNone())
			wasLaunched := strings.Contains(number.Reason, "this survey was launched at")
			assert.Equal(t, wasLaunched, number.WasLaunched)
			assert.Equal(t, number.Counted > 0 || wasLaunched, number.MayBeSome(true))
			assert.Equal(t, !number.IsNone(), number.MayBeSome(false))
		})
	}
}

// A launching program's clock may be ahead. A start_date a few seconds after the feed's entry belongs to the same
// launch.
func TestClockOfALaunchMayBeAhead(t *testing.T) {
	t.Parallel()
	for ahead, want := range map[string]string{"2026-05-01T00:01:20Z": "0 responses", "2026-05-01T02:00:00Z": "an unknown number of responses"} {
		l := live(t, testserver.Hosted, []step{{"create", 0}, {"rename", 0}}, `{}`)
		l.srv.SetClock(begin.Add(60e9))
		l.srv.PatchSurvey(l.ids[0], testserver.Object{"start_date": ahead})
		number := responses.NewCounter(l.client.Surveys("1"), nil).Of(t.Context(), l.ids[len(l.ids)-1])
		require.Equal(t, want, number.String(), number.Reason)
	}
}

// If PostHog refuses to count, the counter asks it only once.
func TestRefusedCountIsReadOnce(t *testing.T) {
	t.Parallel()
	l := live(t, testserver.Hosted, []step{{"create", 0}, {"create", 1}}, `{}`)
	l.srv.SetFaults(testserver.Fault{Operation: "surveys_responses_count_retrieve", Status: 403})
	l.srv.ResetJournal()
	counter := responses.NewCounter(l.client.Surveys("1"), nil)
	for _, id := range l.ids {
		assert.Error(t, counter.Of(t.Context(), id).Err)
	}
	assert.Len(t, l.srv.Journal(), 1)
}

// Again counts responses that arrived after a survey was found to have none.
func TestAgain(t *testing.T) {
	t.Parallel()
	script := []step{{"create running", 0}, {"rename", 0}}
	document, _ := live(t, testserver.Hosted, script, `{}`).fixtures(t, func(int) bool { return true })
	l := live(t, testserver.Hosted, script, document)
	surveys := l.client.Surveys("1")
	assert.Equal(t, int64(2), responses.Again(t.Context(), surveys, l.ids[0]).Counted)

	l.srv.SetFaults(testserver.Fault{Operation: "surveys_responses_count_retrieve", Status: 200})
	assert.False(t, responses.Again(t.Context(), surveys, l.ids[0]).IsKnown())
	l.srv.SetFaults(testserver.Fault{Operation: "surveys_responses_count_retrieve", Status: 403})
	assert.Error(t, responses.Again(t.Context(), surveys, l.ids[0]).Err)
}
