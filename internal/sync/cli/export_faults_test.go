package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// A fault affects each request of an export in turn, once or permanently. The files are unchanged or complete, and
// the error contains the request.
func TestExportUnderFaults(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	srv.SetFixtures(strings.ReplaceAll(scriptFixtures, scriptKey, "phx_faults"))
	dir := t.TempDir()
	before := writtenBefore(t, srv, dir)
	code, _, stderr := commandLine(t, t.Context(), srv, "export", dir)
	require.Equal(t, codeDone, code, stderr)
	after := contents(t, dir)
	require.NotEqual(t, before, after)

	// The export sends the last two operations for each object that an earlier export wrote and that is missing from
	// the lists.
	for _, operation := range []string{"surveys_list", "pipeline_import_apps_list", "surveys_retrieve", "pipeline_import_apps_retrieve"} {
		for name, fault := range snapshotFaults() {
			for _, times := range []int{1, 0} {
				fault.Operation, fault.To = operation, times
				what := fmt.Sprintf("%s %s %d", operation, name, times)
				restore(t, dir, before)
				srv.SetFaults(fault)

				code, stdout, stderr := commandLine(t, t.Context(), srv, "export", dir)
				if code == codeDone {
					assert.Equal(t, after, contents(t, dir), what)
					continue
				}
				assert.Equal(t, codeError, code, what)
				assert.Equal(t, before, contents(t, dir), what)
				assert.Equal(t, 1, strings.Count("\n"+stderr, "\nError: "), "%s: %s", what, stderr)
				assert.Contains(t, stderr, operation, "%s: the error must contain the request", what)
				assert.Empty(t, stdout, what)
			}
		}
	}
}

// If requests time out, once or permanently, the files of an export and of a snapshot are unchanged or complete.
func TestTimeouts(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Sleep: func(_ context.Context, d time.Duration) { time.Sleep(d) }})
	srv.SetFixtures(strings.ReplaceAll(scriptFixtures, scriptKey, "phx_faults"))
	dir := t.TempDir()
	before := writtenBefore(t, srv, dir)
	for _, verb := range [][]string{{"export", dir}, {"snapshot", filepath.Join(dir, "locals.tf")}} {
		restore(t, dir, before)
		code, _, stderr := commandLine(t, t.Context(), srv, verb...)
		require.Equal(t, codeDone, code, stderr)
		after := contents(t, dir)

		for _, operation := range []string{"surveys_list", "pipeline_import_apps_list"} {
			for _, times := range []int{1, 0} {
				what := fmt.Sprint(verb[0], " ", operation, " ", times)
				restore(t, dir, before)
				srv.SetFaults(testserver.Fault{Operation: operation, To: times, DelayMS: int(2 * requestTimeout / time.Millisecond)})

				// In the bubble, only a request that waits for its timeout advances the clock.
				synctest.Test(t, func(t *testing.T) {
					p := testProgram(t, srv)
					p.roundTripper = acctest.Direct(srv.Server)
					code, _, stderr = runProgram(t, t.Context(), p, srv, verb...)
					time.Sleep(2 * requestTimeout) // wait until the server has handled the last request
				})
				if times == 1 && code == codeDone {
					assert.Equal(t, after, contents(t, dir), what)
					continue
				}
				assert.Equal(t, codeError, code, what)
				assert.Equal(t, before, contents(t, dir), what)
				assert.Contains(t, stderr, operation, what)
				assert.Contains(t, stderr, requestTimeout.String(), "%s: the error must contain the limit", what)
			}
		}
		srv.SetFaults()
	}
}

// writtenBefore exports surveys and apps next to a hand-written file, and deletes one survey and one app from the
// server. It returns the files.
func writtenBefore(t *testing.T, srv *testserver.Instance, dir string) map[string]string {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "locals.tf"), []byte("locals {}\n"), 0o600))
	lost := srv.CreateSurvey(testserver.Object{"name": "Lost", "type": "popover"})
	lostApp := srv.CreateApp(testserver.Object{"name": "Lost", "plugin_type": "local", "url": "file:/plugins/lost"})
	code, _, stderr := commandLine(t, t.Context(), srv, "export", dir)
	require.Equal(t, codeDone, code, stderr)

	srv.DeleteSurvey(lost["id"].(string))
	srv.DeleteApp(idOf(t, lostApp))
	return contents(t, dir)
}

func idOf(t *testing.T, app testserver.Object) int64 {
	t.Helper()
	var id int64
	_, err := fmt.Sscan(fmt.Sprint(app["id"]), &id)
	require.NoError(t, err)
	return id
}

// contents returns all files in a directory, including hidden files.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	files := map[string]string{}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		require.NoError(t, err)
		files[entry.Name()] = string(text)
	}
	return files
}

// restore replaces a directory's files.
func restore(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name := range contents(t, dir) {
		require.NoError(t, os.Remove(filepath.Join(dir, name)))
	}
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
}
