package provider_test

import (
	"archive/zip"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// privateApp is an app whose token comes in an ephemeral variable; settings say how.
func privateApp(settings string) string {
	return `terraform {
  required_providers {
    posthog = { source = "surveys-as-code/posthog" }
  }
}
variable "token" {
  type      = string
  ephemeral = true
}
variable "plain" {
  type      = string
  sensitive = true
  default   = "PlainInTheState"
}
resource "posthog_pipeline_import_app" "private" {
  name         = "Tickets"
  url          = "https://github.com/acme/import-tickets"
  capabilities = jsonencode({ scheduled_tasks = ["runEveryHour"] })
` + settings + `
}
`
}

// writeOnly is the query of an app, for its configuration alone.
func writeOnly(version string) string {
	return `  url_query_wo = "private_token=${var.token}"
  url_query_wo_version = ` + version
}

// A real Terraform with all its logs: the value of url_query_wo goes to the service with a
// create, and is in nothing that is printed or written.
func TestAccWriteOnlyQueryIsNowhere(t *testing.T) {
	t.Parallel()
	drivesCLI(t)
	env := acctest.Start(t)
	s := newShell(t, env, env.URL, built(t))
	base := s.env
	var printed strings.Builder
	run := func(token string, succeeds bool, args ...string) string {
		s.env = append(slices.Clip(base), "TF_VAR_token="+token, "POSTHOG_ORGANIZATION_ID="+env.OrganizationID)
		output, ok := s.run(env.APIKey, args...)
		require.Equal(t, succeeds, ok, output)
		printed.WriteString(output)
		return output
	}
	const first, second = "Zeroth0815Token", "Second0816Token"

	// The service refuses the app, and repeats what it was sent.
	s.write("main.tf", privateApp(writeOnly("1")))
	env.SetFaults(testserver.Fault{Operation: "pipeline_import_apps_create", Status: http.StatusBadRequest, Body: map[string]any{
		"type": "validation_error", "code": "invalid", "attr": "url", "detail": "Could not fetch https://github.com/acme/import-tickets?private_token=" + first,
	}})
	assert.Contains(t, run(first, false, "apply", "-auto-approve"), "[sensitive value]")
	env.SetFaults()
	env.ResetJournal()

	for _, args := range [][]string{
		{"plan", "-out=plan"}, {"show", "plan"}, {"show", "-json", "plan"}, {"apply", "plan"}, {"show", "-json"}, {"state", "pull"}, {"plan", "-detailed-exitcode"},
	} {
		run(first, true, args...)
	}
	run(second, true, "plan", "-detailed-exitcode")

	s.write("main.tf", privateApp(writeOnly("2")))
	assert.Contains(t, run(second, true, "plan", "-out=plan"), "must be replaced")
	run(second, true, "apply", "plan")
	sent := env.RequestBodies(t, http.MethodPost)
	require.Len(t, sent, 2)
	assert.Contains(t, sent[0], `import-tickets?private_token=`+first+`"`)
	assert.Contains(t, sent[1], `import-tickets?private_token=`+second+`"`)

	env.ResetJournal()
	for _, settings := range []string{"", `  url_query = "private_token=${var.plain}"`, writeOnly("7"), ""} {
		s.write("main.tf", privateApp(settings))
		assert.Contains(t, run(second, true, "apply", "-auto-approve"), "0 added, 1 changed, 0 destroyed", settings)
		run(second, true, "plan", "-detailed-exitcode")
		state := run(second, true, "state", "pull")
		assert.Equal(t, strings.Contains(settings, "url_query "), strings.Contains(state, "PlainInTheState"), settings)
	}
	for _, request := range env.Journal() {
		assert.Equal(t, http.MethodGet, request.Method)
	}

	s.search(env.APIKey)
	for where, text := range everything(t, s.dir, printed.String()) {
		for _, token := range []string{first, second} {
			assert.NotContains(t, text, token, where)
		}
	}
}

// everything is the text of all files in a directory, of those in archives too, and what was
// printed.
func everything(t *testing.T, dir, printed string) map[string]string {
	t.Helper()
	texts := map[string]string{"output": printed}

	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		texts[path] = string(text)

		archive, notOne := zip.OpenReader(path)
		if err != nil || notOne != nil {
			return err
		}
		defer archive.Close()

		for _, file := range archive.File {
			reader, err := file.Open()
			require.NoError(t, err)
			text, err := io.ReadAll(reader)
			require.NoError(t, err)
			texts[path+"/"+file.Name] = string(text)
		}
		return nil
	}))

	require.Greater(t, len(texts), 5)
	return texts
}
