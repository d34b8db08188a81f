package reconcile_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// A 404 for a delete is not proof, because a proxy or a wrong project returns 404 for every request. A separate read
// must also return 404, and the list must be readable.
func TestGoneIsProvedTwice(t *testing.T) {
	t.Parallel()
	const retrieved, listed = "surveys_retrieve", "surveys_list"
	for name, c := range map[string]struct {
		faults []testserver.Fault
		want   reconcile.Outcome
	}{
		"deleted, and the response was lost": {[]testserver.Fault{{Method: http.MethodDelete, From: 1, To: 1, Drop: "after"}}, reconcile.Done},
		"a 404 for the delete alone":         {[]testserver.Fault{{Method: http.MethodDelete, Status: http.StatusNotFound}}, reconcile.Failed},
		"a 404 for the object, and no list": {[]testserver.Fault{
			{Method: http.MethodDelete, Status: http.StatusNotFound}, {Operation: retrieved, From: 2, Status: http.StatusNotFound},
			{Operation: listed, Status: http.StatusForbidden},
		}, reconcile.Failed},
		"a 404 for the object, and a list": {[]testserver.Fault{
			{Method: http.MethodDelete, Status: http.StatusNotFound}, {Operation: retrieved, From: 2, Status: http.StatusNotFound},
		}, reconcile.Done},
	} {
		s := newTarget(t, testserver.Documented)
		s.srv.CreateSurvey(testserver.Object{"name": "NPS", "type": "popover"})
		plan := s.plan()

		s.srv.SetFaults(c.faults...)
		s.run(&plan)
		require.Len(t, plan.Actions, 1, name)
		assert.Equal(t, c.want, plan.Actions[0].Outcome, "%s: %v", name, plan.Actions[0].Reason)
		s.srv.SetFaults()
	}
}

// Run counts responses again immediately before it deletes a survey without responses or removes a question from it.
// If responses arrived, or if the count is unknown, the survey stays unchanged.
func TestRespondedSinceThePlan(t *testing.T) {
	t.Parallel()
	const counted = "surveys_responses_count_retrieve"
	for name, c := range map[string]struct {
		meanwhile func(id string) []testserver.Fault
		want      reconcile.Outcome
		reason    string
	}{
		"none": {func(string) []testserver.Fault { return nil }, reconcile.Done, ""},
		"some": {func(id string) []testserver.Fault {
			return []testserver.Fault{{Operation: counted, Status: http.StatusOK, Body: testserver.Object{id: 3}}}
		}, reconcile.Skipped, "3 responses arrived after the plan; run again"},
		"unreadable": {func(string) []testserver.Fault {
			return []testserver.Fault{{Operation: counted, Status: http.StatusInternalServerError}}
		}, reconcile.Failed, "d, because its responses cannot be counted"},
		"no such count": {func(string) []testserver.Fault {
			return []testserver.Fault{{Operation: counted, Status: http.StatusNotFound}}
		}, reconcile.Failed, "d, because its responses cannot be counted"},
		"untold": {func(string) []testserver.Fault {
			return []testserver.Fault{{Operation: counted, Status: http.StatusOK, Body: ""}}
		}, reconcile.Failed, "d: PostHog does not return"},
	} {
		for verb, desired := range map[reconcile.Verb][]source.Object{
			reconcile.Delete: nil,
			reconcile.Update: {wanted(t, `"name": "NPS", "questions": [{"type": "rating", "question": "How likely?"}]`)},
		} {
			s := newTarget(t, testserver.Documented)
			id, _ := s.srv.CreateSurvey(testserver.Object{
				"name": "NPS", "type": "popover", "start_date": "2026-01-01T00:00:00Z",
				"questions": []any{testserver.Object{"type": "open", "question": "Why?"}},
			})["id"].(string)
			plan := s.plan(desired...)
			require.Len(t, plan.Actions, 1, name)
			action := &plan.Actions[0]
			require.Equal(t, verb, action.Verb)
			require.Equal(t, reconcile.Planned, action.Outcome, "%s: %v", name, action.Reason)

			s.srv.SetFaults(c.meanwhile(id)...)
			requests := s.run(&plan)
			s.srv.SetFaults()

			assert.Equal(t, c.want, action.Outcome, "%s: %v", name, action.Reason)
			assert.Contains(t, action.Reason, c.reason, name)
			isWritten := slices.ContainsFunc(requests, func(r testserver.Request) bool { return r.Method != http.MethodGet })
			assert.Equal(t, c.want == reconcile.Done, isWritten, name)
		}
	}
}
