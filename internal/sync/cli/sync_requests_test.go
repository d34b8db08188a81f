package cli

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// For 1,000 surveys in both sources, a diff sends at most 30 requests. A sync of 10 changes sends at most 30, plus 2
// for each change.
func TestFewRequestsAtScale(t *testing.T) {
	t.Parallel()
	const changes = 10
	surveys := sized(1000)
	for _, profile := range acctest.Profiles() {
		s := newTwoSides(t, profile)
		for i, srv := range []*testserver.Instance{s.a, s.b} {
			var document fields
			require.NoError(t, json.Unmarshal([]byte([]string{fixturesOfA, fixturesOfB}[i]), &document))
			var list []fields
			for n := range surveys {
				survey := fields{"project_id": 1, "id": fmt.Sprintf("0190d6a4-000%d-7000-8000-%012d", i, n), "name": fmt.Sprint("Survey ", n), "type": "popover", "linked_flag_id": 1 + 10*i}
				if n == changes {
					survey["start_date"] = "2025-01-01T00:00:00Z" // PostHog counts responses from this date
				}
				// Create, update, and delete surveys.
				switch {
				case n < 4 && i == 1 || n >= 8 && n < changes && i == 0:
					continue
				case n >= 4 && n < 8 && i == 1:
					survey["description"] = "Before"
				}
				list = append(list, survey)
			}
			document["surveys"] = list
			text, err := json.Marshal(document)
			require.NoError(t, err)
			srv.SetFixtures(string(text))
		}

		s.diff()
		assert.LessOrEqual(t, s.requestsOfBoth(), 30, profile)
		report := s.sync(codeDone, "--yes", "--allow-delete")
		assert.Equal(t, changes, report.count(reconcile.Done))
		assert.LessOrEqual(t, s.requestsOfBoth(), 30+2*changes, profile)
		s.sync(codeDone, "--yes", "--allow-delete")
		s.requireOnlyReads()
		t.Log(profile, s.requestsOfBoth(), "requests of the second run")
	}
}

// requestsOfBoth returns the number of requests to both servers since the last call.
func (s *twoSides) requestsOfBoth() int {
	n := len(s.a.Journal()) + len(s.b.Journal())
	s.t.Logf("%d requests", n)
	s.a.ResetJournal()
	s.b.ResetJournal()
	return n
}
