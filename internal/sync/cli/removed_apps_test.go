package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// After PostHog removes import apps, all sources omit them, with one warning. They do not count as deleted, even if
// deletions are allowed, and surveys work as before.
func TestL15VerbsWithoutRemovedApps(t *testing.T) {
	t.Parallel()
	for _, profile := range bothProfiles {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			srv := testserver.Start(t, testserver.Options{Profile: profile})
			srv.CreateSurvey(testserver.Object{"name": "NPS", "type": "popover"})
			srv.CreateApp(testserver.Object{"name": "Orders", "capabilities": map[string]any{"methods": []any{"runEveryHour"}}})
			dir := t.TempDir()
			before, after, code := filepath.Join(dir, "before.json"), filepath.Join(dir, "after.json"), filepath.Join(dir, "code")
			require.NoError(t, os.Mkdir(code, 0o700))
			run := func(args ...string) (exit int, stdout, stderr string) {
				return runProgram(t, t.Context(), testProgram(t, srv), srv, args...)
			}
			must := func(args ...string) (stdout, stderr string) {
				t.Helper()
				exit, stdout, stderr := run(args...)
				require.Equal(t, codeDone, exit, "%s: %s%s", args, stdout, stderr)
				return stdout, stderr
			}
			must("snapshot", before)
			must("export", code)
			exported, err := os.ReadFile(filepath.Join(code, "pipeline_import_apps.tf"))
			require.NoError(t, err)

			srv.SetRemoved(testserver.RemovedImportApps)
			for _, args := range [][]string{
				{"snapshot", after}, {"export", code}, {"diff", "live", "file:" + before}, {"diff", "file:" + before, "live"},
				{"sync", "file:" + before, "live", "--yes"}, {"sync", "live", "live", "--allow-delete", "--yes"}, {"doctor"},
			} {
				stdout, stderr := must(args...)
				assert.Equal(t, 1, strings.Count(stderr, "Warning: PostHog has removed import apps"), "%s: %s", args, stderr)
				assert.NotContains(t, stdout, "Orders", "%s", args)
			}
			kept, err := os.ReadFile(filepath.Join(code, "pipeline_import_apps.tf"))
			require.NoError(t, err)
			assert.Equal(t, string(exported), string(kept))

			// A document from that time does not contain apps, so a later sync from it deletes no apps.
			text, err := os.ReadFile(after)
			require.NoError(t, err)
			assert.Contains(t, string(text), `"removed"`)
			srv.SetRemoved()
			exit, stdout, stderr := run("sync", "file:"+after, "live", "--allow-delete", "--yes")
			assert.Equal(t, codeDone, exit, "%s%s", stdout, stderr)
			assert.Len(t, srv.Apps(srv.OrganizationID), 1)
			require.NoError(t, srv.Server.SetFixtures(strings.NewReader(string(text))), "the test server must accept the snapshot as fixtures")
		})
	}
}
