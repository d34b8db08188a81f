package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Each of the 8 combinations of missing, extra, and changed has its own exit code and report, in all three formats,
// from both diff and sync.
func TestCombinations(t *testing.T) {
	t.Parallel()
	s := newTwoSides(t, testserver.Hosted)
	for n := range 8 {
		missing, extra, changed := n&1, n>>1&1, n>>2&1
		s.a.SetFixtures(fixturesOfA)
		s.b.SetFixtures(fixturesOfB)
		for _, srv := range []*testserver.Instance{s.a, s.b} {
			srv.CreateSurvey(testserver.Object{"name": "Same", "type": "popover"})
		}
		if missing > 0 {
			s.a.CreateSurvey(testserver.Object{"name": "Missing", "type": "popover"})
		}
		if extra > 0 {
			s.b.CreateSurvey(testserver.Object{"name": "Extra", "type": "popover"})
		}
		if changed > 0 {
			s.a.CreateSurvey(testserver.Object{"name": "Changed", "type": "popover", "description": "a"})
			s.b.CreateSurvey(testserver.Object{"name": "Changed", "type": "popover", "description": "b"})
		}

		summary := fmt.Sprintf("%d missing, %d extra, %d changed, 1 the same.", missing, extra, changed)
		for _, format := range []string{formatText, formatMarkdown, formatJSON} {
			what := fmt.Sprint(summary, " ", format)
			code, stdout, stderr := s.run("diff", "live:a", "live:b", "--format", format)
			assert.Equal(t, codeOf(missing+extra+changed), code, what)
			assert.Equal(t, code != codeDone, strings.Contains(stderr, "live:a and live:b differ"), what)
			checkNames(t, stdout, what, missing, extra, changed)
			if format == formatJSON {
				var report diffReport
				require.NoError(t, json.Unmarshal([]byte(stdout), &report))
				assert.Equal(t, reconcile.Summary{Missing: missing, Extra: extra, Changed: changed, Same: 1}, report.Summary)
			} else {
				assert.Contains(t, stdout, summary)
			}

			code, stdout, stderr = s.run("sync", "live:a", "live:b", "--dry-run", "--format", format)
			assert.Equal(t, codeOf(missing+changed), code, what)
			assert.Equal(t, code != codeDone, strings.Contains(stderr, "none carried out"), what)
			checkNames(t, stdout, what, missing, extra, changed)
			if format == formatJSON {
				report := syncReportOf(t, stdout)
				assert.Len(t, report.Actions, missing+changed)
				assert.Len(t, report.Skipped, extra)
				assert.Equal(t, 1, report.Same)
			}
		}
	}
	s.requireOnlyReads()
}

// checkNames checks the object names in a report.
func checkNames(t *testing.T, report, what string, missing, extra, changed int) {
	t.Helper()
	for name, n := range map[string]int{"Missing": missing, "Extra": extra, "Changed": changed} {
		assert.Equal(t, n > 0, strings.Contains(report, name), "%s: %s", what, name)
	}
}
