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

// The list contains a global app of another organization, but the export omits it, because this organization cannot
// change or delete it. An app that an earlier export wrote is kept, because a plan without its block would delete it.
func TestExportLeavesOutAppsOfOthers(t *testing.T) {
	t.Parallel()
	const other = "0192d3a4-5b6c-7d8e-8f90-000000000002"
	both := func(ownerOfSecond string) string {
		return `{
			"organizations": [{"id": "` + testserver.DefaultOrganizationID + `"}, {"id": "` + other + `"}],
			"api_keys": [{"key": "phx_foreign"}],
			"pipeline_import_apps": [
				{"organization_id": "` + testserver.DefaultOrganizationID + `", "id": 1, "name": "Ours", "capabilities": {"scheduled_tasks": ["a"]}},
				{"organization_id": "` + ownerOfSecond + `", "id": 2, "name": "Second", "is_global": true, "capabilities": {"scheduled_tasks": ["a"]}}]}`
	}
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted})
	exported := func(dir string) (report, code string) {
		exit, stdout, stderr := commandLine(t, t.Context(), srv, "export", dir)
		require.Equal(t, codeDone, exit, stderr)
		text, err := os.ReadFile(filepath.Join(dir, "pipeline_import_apps.tf"))
		require.NoError(t, err)
		return stdout, string(text)
	}

	srv.SetFixtures(both(other))
	report, code := exported(t.TempDir())
	assert.Contains(t, report, "0 surveys, 1 import app, 1 omitted, because they are already managed")
	assert.Equal(t, 1, strings.Count(code, "\nresource "))

	srv.SetFixtures(both(testserver.DefaultOrganizationID))
	dir := t.TempDir()
	_, before := exported(dir)
	require.Equal(t, 2, strings.Count(before, "\nresource "))
	srv.SetFixtures(both(other))
	_, after := exported(dir)
	assert.Equal(t, before, after)
}
