package cli

import (
	"fmt"
	"maps"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// ownFlagsOn returns whether each survey's own flags are active on a server, by survey.
func ownFlagsOn(srv *testserver.Instance) map[string][]any {
	on := map[string][]any{}
	for _, survey := range srv.Server.Surveys("1") {
		for _, name := range []string{"internal_targeting_flag", "targeting_flag"} {
			if flag, ok := survey[name].(map[string]any); ok {
				on[fmt.Sprint(survey["name"])] = append(on[fmt.Sprint(survey["name"])], flag["active"])
			}
		}
	}
	return on
}

// launchedInA adds a survey in each status to a. Each survey targets a tenth of all persons.
func launchedInA(s *twoSides) {
	s.t.Helper()
	filters := fields{"groups": []any{fields{"properties": []any{}, "rollout_percentage": 10}}}
	for name, dates := range map[string]fields{
		"Draft": {}, "Running": {"start_date": "2025-01-01T00:00:00Z"},
		"Completed": {"start_date": "2025-01-01T00:00:00Z", "end_date": "2025-02-01T00:00:00Z"},
		"Archived":  {"start_date": "2025-01-01T00:00:00Z", "archived": true},
	} {
		body := fields{"name": name, "type": "popover", "targeting_flag_filters": filters}
		maps.Copy(body, dates)
		postSurvey(s.t, s.a, body)
	}
}

// launched copies running surveys with filters.
func launched(s *twoSides) syncScenario {
	s.t.Helper()
	launchedInA(s)
	return syncScenario{name: "launched", args: []string{"sync", "live:a", "live:b", "--keep-schedule"}, before: s.b.Dump(), writes: 5}
}

// L16: the flags of surveys that sync creates or changes match the surveys' status. A running survey needs a second
// request.
func TestL16SyncLaunches(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		for _, statuses := range []map[string]fields{
			nil, // b does not have these surveys
			{"Running": {}}, {"Running": {"start_date": "2025-01-01T00:00:00Z", "end_date": "2025-02-01T00:00:00Z"}},
			{"Running": {"start_date": "2025-01-01T00:00:00Z", "archived": true}}, {"Completed": {"start_date": "2025-01-01T00:00:00Z"}},
		} {
			s := newTwoSides(t, profile)
			launchedInA(s)
			for name, dates := range statuses {
				body := fields{"name": name, "type": "popover"}
				maps.Copy(body, dates)
				postSurvey(t, s.b, body)
			}
			s.sync(codeDone, "--yes", "--keep-schedule")
			assert.Equal(t, map[string][]any{
				"Draft": {false, false}, "Running": {true, true}, "Completed": {false, false}, "Archived": {false, false},
			}, ownFlagsOn(s.b), "%s %v", profile, statuses)
			assert.Empty(t, s.sync(codeDone, "--dry-run", "--keep-schedule").Actions)
		}
	}
}

// sync reports the ID of a survey whose launch failed, and the next run launches the survey.
func TestL16SyncLaunchFails(t *testing.T) {
	t.Parallel()
	s := newTwoSides(t, testserver.Hosted)
	launchedInA(s)
	s.b.SetFaults(testserver.Fault{Operation: "surveys_partial_update", Status: http.StatusForbidden})
	report := s.sync(codeError, "--yes", "--keep-schedule", "--select", "Running")
	require.Len(t, report.Actions, 1)
	assert.Equal(t, reconcile.Failed, report.Actions[0].Outcome)
	id := fmt.Sprint(s.b.Server.Surveys("1")[0]["id"])
	assert.Contains(t, report.Actions[0].Reason, "it was created with ID "+id+" as a draft, but not launched; run again: PATCH ")

	s.b.SetFaults()
	s.sync(codeDone, "--yes", "--keep-schedule", "--select", "Running")
	assert.Equal(t, map[string][]any{"Running": {true, true}}, ownFlagsOn(s.b))
}
