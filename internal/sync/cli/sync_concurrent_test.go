package cli

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Two syncs run at the same time, and the second one starts between any two requests of the first. No object is
// duplicated or missing, and exactly one sync carried out each action.
func TestTwoSyncsAtOnce(t *testing.T) {
	t.Parallel()
	for _, setUp := range []func(*twoSides) syncScenario{allVerbs, rotated} {
		s := newTwoSides(t, testserver.Hosted)
		scenario := setUp(s)
		t.Run(scenario.name, func(t *testing.T) {
			t.Parallel()
			s.t = t
			args := append(scenario.args, "--yes", "--format", "json")
			for at := range s.requests(scenario) {
				what := fmt.Sprintf("at request %d", at+1)
				var second syncReport
				s.delayed = func() {
					code, stdout, stderr := s.run(args...)
					require.Equal(t, codeDone, code, "%s: %s\n%s", what, stdout, stderr)
					second = syncReportOf(t, stdout)
				}
				s.b.SetFaults(testserver.Fault{From: at + 1, To: at + 1, DelayMS: 1})
				code, stdout, stderr := s.run(args...)
				s.b.SetFaults()
				assert.Contains(t, []int{codeDone, codeDifferences}, code, "%s: %s\n%s", what, stdout, stderr)
				s.requireUniqueNames(what)

				first := syncReportOf(t, stdout)
				for _, action := range first.Actions {
					isSkipped := action.Outcome == reconcile.Skipped || action.Outcome == reconcile.NotRun
					doneByOther := slices.ContainsFunc(second.Actions, func(other reconcile.Action) bool {
						return other.Kind == action.Kind && (other.Name == action.Name || other.ID == action.ID)
					})
					assert.True(t, action.Outcome == reconcile.Done || isSkipped && doneByOther, "%s: %s %q: %s", what, action.Verb, action.Name, action.Reason)
				}

				// Only a temporary name may be left. The first run reported it, and the next run removes it.
				code, stdout, stderr = s.run(args...)
				require.Equal(t, codeDone, code, "%s: %s\n%s", what, stdout, stderr)
				for _, action := range syncReportOf(t, stdout).Actions {
					assert.Equal(t, "name", action.Changes[0].Path, what)
					assert.True(t, slices.ContainsFunc(first.Actions, func(other reconcile.Action) bool {
						return other.ID == action.ID && isOpen(other)
					}), "%s: %s %q was not reported", what, action.Verb, action.Name)
				}
				_, stdout, stderr = s.run(append(scenario.args, "--dry-run", "--format", "json")...)
				require.NotEmpty(t, stdout, stderr)
				assert.Empty(t, syncReportOf(t, stdout).Actions, what)
				s.b.SetFixtures(scenario.before)
			}
		})
	}
}
