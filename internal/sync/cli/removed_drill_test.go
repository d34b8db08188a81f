package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// removedTitle is the title of the provider's warning.
const removedTitle = "PostHog has removed import apps"

// drill is a directory with three applied surveys and two applied import apps.
type drill struct {
	t   *testing.T
	env *acctest.Env
	cli *acctest.CLI
}

const drillHead = `terraform {
  required_providers {
    posthog = {
      source = "surveys-as-code/posthog"
    }
  }
}
`

// drillSurveys returns three surveys with a description. drillApp returns an app.
func drillSurveys(description string) string {
	return fmt.Sprintf(`
resource "posthog_survey" "s" {
  for_each    = toset(["One", "Two", "Three"])
  name        = each.key
  type        = "popover"
  description = %q
  questions   = [{ type = "open", question = "Why?" }]
}
`, description)
}

func drillApp(label, description string) string {
	return fmt.Sprintf(`
resource "posthog_pipeline_import_app" %[1]q {
  name         = %[1]q
  plugin_type  = "source"
  description  = %[2]q
  capabilities = jsonencode({ methods = ["runEveryHour"] })
}
`, label, description)
}

func newDrill(t *testing.T, profile testserver.Profile) drill {
	t.Helper()
	env := acctest.Start(t, acctest.Profile(profile))
	d := drill{t, env, env.CLI(t)}
	d.write(drillSurveys("First"), drillApp("orders", "First"), drillApp("refunds", "First"))
	d.cli.Run("apply", "-auto-approve", "-input=false")
	require.Len(t, env.Apps(t), 2)
	return d
}

func (d drill) write(blocks ...string) {
	d.t.Helper()
	d.cli.Write("main.tf", drillHead+strings.Join(blocks, ""))
}

// run runs a command that must succeed, and checks the number of warnings.
func (d drill) run(warnings int, args ...string) string {
	d.t.Helper()
	output := d.cli.Run(args...)
	d.warns(warnings, output)
	return output
}

func (d drill) warns(times int, output string) {
	d.t.Helper()
	assert.Equal(d.t, times, strings.Count(output, "Warning: "+removedTitle), "%s", output)
	assert.NotContains(d.t, output, "more similar warning")
}

// shown returns a resource's state.
func (d drill) shown(address string) string {
	d.t.Helper()
	return d.cli.Run("state", "show", address)
}

// descriptions returns the survey descriptions on the server.
func (d drill) descriptions() map[string]bool {
	all := map[string]bool{}
	for _, survey := range d.env.Surveys(d.t) {
		all[survey["description"].(string)] = true
	}
	return all
}

// sync runs posthog-sync in the directory.
func (d drill) sync(args ...string) (exit int, stdout, stderr string) {
	d.t.Helper()
	p := testProgram(d.t, d.env.Instance)
	return runProgram(d.t, d.t.Context(), p, d.env.Instance, append(args, "--terraform", d.cli.Path())...)
}

var bothProfiles = []testserver.Profile{testserver.Documented, testserver.Hosted}

// PostHog removes import apps between a plan and its apply. Surveys work as before, the apps stay in the state, and
// one app can be destroyed. After the API routes are restored, nothing is lost.
func TestAccDrillOfRemovedImportApps(t *testing.T) {
	t.Parallel()
	for _, profile := range bothProfiles {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			d := newDrill(t, profile)
			d.write(drillSurveys("Second"), drillApp("orders", "First"), drillApp("refunds", "First"))
			d.run(0, "plan", "-out=plan.bin", "-input=false")
			orders, served := d.shown("posthog_pipeline_import_app.orders"), d.env.Apps(t)

			d.env.SetRemoved(testserver.RemovedImportApps)
			d.run(0, "apply", "-input=false", "plan.bin")
			assert.Equal(t, map[string]bool{"Second": true}, d.descriptions())

			output := d.run(1, "plan", "-input=false")
			assert.Contains(t, output, "No changes.")
			d.run(1, "plan", "-refresh-only", "-input=false")
			d.run(1, "apply", "-auto-approve", "-input=false")

			exit, stdout, stderr := d.sync("pull", d.cli.Dir)
			assert.Equal(t, codeDone, exit, "%s%s", stdout, stderr)
			assert.Equal(t, 1, strings.Count(stderr, "Warning: PostHog has removed import apps"), "%s", stderr)

			exported := t.TempDir()
			exit, stdout, stderr = d.sync("export", exported)
			assert.Equal(t, codeDone, exit, "%s%s", stdout, stderr)
			assert.Equal(t, 1, strings.Count(stderr, "Warning: PostHog has removed import apps"), "%s", stderr)
			assert.FileExists(t, filepath.Join(exported, "surveys.tf"))

			d.write(drillSurveys("Third"), drillApp("orders", "First"))
			output = d.run(1, "apply", "-auto-approve", "-input=false")
			assert.Contains(t, output, `Warning: Removed from the state only: pipeline import app "refunds"`)
			assert.Equal(t, map[string]bool{"Third": true}, d.descriptions())
			assert.NotContains(t, d.cli.Run("state", "list"), "refunds")
			assert.Equal(t, orders, d.shown("posthog_pipeline_import_app.orders"))

			d.env.SetRemoved()
			assert.Equal(t, served, d.env.Apps(t), "PostHog must keep all objects")
			assert.Contains(t, d.run(0, "plan", "-input=false"), "No changes.")
		})
	}
}

// A saved plan changes an app and the surveys, and adds an app. If the plan is applied after the removal, the surveys
// change and only the apps fail. The state contains the applied changes, and the next plan does not change any app.
// After the API routes are restored, the plan changes the app.
func TestAccSavedPlanOfRemovedImportApps(t *testing.T) {
	t.Parallel()
	for _, profile := range bothProfiles {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			d := newDrill(t, profile)
			d.write(drillSurveys("Second"), drillApp("orders", "Second"), drillApp("refunds", "Second"))
			d.run(0, "plan", "-out=plan.bin", "-input=false")
			orders := d.shown("posthog_pipeline_import_app.orders")

			d.env.SetRemoved(testserver.RemovedImportApps)
			output, exit := d.cli.Exit("apply", "-input=false", "plan.bin")
			assert.Equal(t, 1, exit)
			assert.Contains(t, output, `Error: Could not update pipeline import app "orders"`)
			assert.Contains(t, output, `Error: Could not update pipeline import app "refunds"`)
			assert.NotContains(t, output, "Provider produced")
			assert.Equal(t, map[string]bool{"Second": true}, d.descriptions())
			assert.Equal(t, orders, d.shown("posthog_pipeline_import_app.orders"))

			assert.Contains(t, d.run(1, "plan", "-input=false"), "No changes.")
			d.env.SetRemoved()
			assert.Contains(t, d.run(0, "plan", "-input=false"), "0 to add, 2 to change, 0 to destroy")
			d.env.SetRemoved(testserver.RemovedImportApps)
			assert.Contains(t, d.run(1, "plan", "-input=false"), "No changes.")

			// The plan always contains a changed URL, or a value of an attribute that was null.
			d.write(drillSurveys("Third"), strings.Replace(drillApp("orders", "Second"), "description", "icon = \"https://example.com/i.png\"\n  description", 1),
				strings.Replace(drillApp("refunds", "First"), "\"source\"", "\"source\"\n  url = \"https://github.com/example/other\"", 1), drillApp("more", "First"))
			output, exit = d.cli.Exit("apply", "-auto-approve", "-input=false")
			assert.Equal(t, 1, exit)
			assert.Contains(t, output, `Error: Could not create pipeline import app "more"`)
			assert.NotContains(t, output, "must be replaced")
			assert.NotContains(t, output, "Provider produced")
			assert.Equal(t, map[string]bool{"Third": true}, d.descriptions())
			assert.Equal(t, orders, d.shown("posthog_pipeline_import_app.orders"))
			assert.Len(t, d.env.Apps(t), 2)
		})
	}
}

// After the removal, users may try a removed block, a move, a target, an import, data sources, or a full destroy.
func TestAccSequencesOfRemovedImportApps(t *testing.T) {
	t.Parallel()
	for _, profile := range bothProfiles {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			d := newDrill(t, profile)
			d.env.SetRemoved(testserver.RemovedImportApps)

			d.write(drillSurveys("First"), drillApp("ordered", "First"), drillApp("refunds", "First"), `
moved {
  from = posthog_pipeline_import_app.orders
  to   = posthog_pipeline_import_app.ordered
}
`)
			output := d.run(1, "apply", "-auto-approve", "-input=false")
			assert.Contains(t, output, "has moved to posthog_pipeline_import_app.ordered")
			assert.Contains(t, output, "0 added, 0 changed, 0 destroyed")

			d.write(drillSurveys("Second"), drillApp("ordered", "First"), drillApp("refunds", "First"), `
data "posthog_pipeline_import_apps" "all" {}
data "posthog_pipeline_import_app" "one" { name = "orders" }
data "posthog_pipeline_import_apps_unused" "unused" {}
output "apps" { value = length(data.posthog_pipeline_import_apps.all.pipeline_import_apps) }
output "one" { value = data.posthog_pipeline_import_app.one.id == null }
output "unused" { value = data.posthog_pipeline_import_apps_unused.unused.json == null }
`)
			output = d.run(1, "apply", "-auto-approve", "-input=false")
			for _, line := range []string{"apps = 0", "one = true", "unused = true", "0 added, 3 changed, 0 destroyed"} {
				assert.Contains(t, output, line)
			}
			assert.Equal(t, map[string]bool{"Second": true}, d.descriptions())

			d.write(drillSurveys("Third"), drillApp("ordered", "First"), drillApp("refunds", "First"))
			d.run(0, "apply", "-auto-approve", "-input=false", `-target=posthog_survey.s["One"]`)
			assert.Equal(t, map[string]bool{"Second": true, "Third": true}, d.descriptions())

			output, exit := d.cli.Exit("import", "-input=false", "posthog_pipeline_import_app.other", "1")
			assert.Equal(t, 1, exit, output)
			d.write(drillSurveys("Third"), drillApp("ordered", "First"), drillApp("refunds", "First"), drillApp("other", "First"), `
import {
  to = posthog_pipeline_import_app.other
  id = "1"
}
`)
			output, exit = d.cli.Exit("plan", "-input=false")
			assert.Equal(t, 1, exit, output)
			assert.Contains(t, output, "Could not import pipeline import app 1")
			assert.Contains(t, output, "Remove the resources and import blocks of new")

			// A removed block keeps the app in PostHog, until PostHog itself drops it.
			d.write(drillSurveys("Third"), drillApp("refunds", "First"), `
removed {
  from = posthog_pipeline_import_app.ordered
  lifecycle {
    destroy = false
  }
}
`)
			output = d.run(1, "apply", "-auto-approve", "-input=false")
			assert.NotContains(t, output, "Removed from the state only")
			assert.NotContains(t, d.cli.Run("state", "list"), "ordered")
			assert.Equal(t, map[string]bool{"Third": true}, d.descriptions())

			// Terraform does not print warnings from the reads before a full destroy.
			output = d.cli.Run("destroy", "-auto-approve", "-input=false")
			assert.Contains(t, output, `Warning: Removed from the state only: pipeline import app "refunds"`)
			assert.Contains(t, output, "4 destroyed")
			assert.Empty(t, d.env.Surveys(t))
			assert.Len(t, d.env.Apps(t), 2, "PostHog must keep the apps, even if it hides them")
			assert.Empty(t, strings.TrimSpace(d.cli.Run("state", "list")))
			assert.NoFileExists(t, filepath.Join(d.cli.Dir, "crash.log"))
			_, err := os.Stat(filepath.Join(d.cli.Dir, "main.tf"))
			require.NoError(t, err)
		})
	}
}
