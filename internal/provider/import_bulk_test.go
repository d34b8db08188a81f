package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

// createSurveys adds n surveys to the server: every second one a widget, every tenth
// archived.
func createSurveys(env *acctest.Env, n int) {
	for i := range n {
		kind := "popover"
		if i%2 == 1 {
			kind = "widget"
		}
		env.CreateSurvey(map[string]any{
			"project_id": env.ProjectID, "id": fmt.Sprintf("00000000-0000-4000-8000-%012d", i), "name": fmt.Sprintf("Survey %03d", i),
			"type": kind, "archived": i%10 == 0, "questions": []any{map[string]any{"type": "open", "question": fmt.Sprintf("Why %d?", i)}},
		})
	}
}

// A thousand imports are read in single digits of requests, of either resource type,
// and one that does not exist is an error that says so.
func TestB10ImportsAreReadInBulk(t *testing.T) {
	t.Parallel()
	const many = 1000
	for typeName, missing := range map[string]string{"posthog_survey": "00000000-0000-4000-8000-999999999999", "posthog_pipeline_import_app": "987654"} {
		t.Run(typeName, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t)
			createSurveys(env, many)
			ids := make([]string, many)
			for i := range ids {
				ids[i] = fmt.Sprintf("00000000-0000-4000-8000-%012d", i)
				if typeName == "posthog_pipeline_import_app" {
					ids[i] = fmt.Sprint(env.CreateApp(map[string]any{"organization_id": env.OrganizationID, "name": fmt.Sprint("App ", i), "plugin_type": "source"})["id"])
				}
			}

			objects := env.Resources(t, typeName, many+1)
			acctest.Each(objects[:many], func(i int, o *acctest.Resource) {
				assert.Empty(t, o.Import(ids[i]).Errors().Text())
				assert.Equal(t, ids[i], fmt.Sprint(o.State("id")))
			})
			assert.Less(t, len(env.Journal()), 10, "%v", env.Operations())

			diags := objects[many].Import(missing)
			assert.Contains(t, diags.Errors().Text(), "Could not import")
			assert.Contains(t, diags.Errors().Text(), "Check the id")
			assert.False(t, objects[many].Exists())
		})
	}
}

// A real CLI sends as few requests for import blocks, in plan and in apply.
func TestAccB10ImportBlocksAreReadInBulk(t *testing.T) {
	t.Parallel()
	drivesCLI(t)
	env := acctest.Start(t)
	createSurveys(env, 200)
	const apps = 50
	var ids strings.Builder
	for i := range apps {
		app := env.CreateApp(map[string]any{"organization_id": env.OrganizationID, "name": fmt.Sprint("App ", i), "plugin_type": "source",
			"capabilities": map[string]any{"scheduled_tasks": []any{"runEveryMinute"}}})
		fmt.Fprintf(&ids, "%v, ", app["id"])
	}
	s := newShell(t, env, env.URL, built(t))
	s.env = append(s.env, "POSTHOG_ORGANIZATION_ID="+env.OrganizationID, "TF_LOG=")
	s.write("main.tf", `terraform {
  required_providers {
    posthog = { source = "surveys-as-code/posthog" }
  }
}
locals { apps = [`+ids.String()+`] }
import {
  for_each = { for n in range(200) : n => n }
  to       = posthog_survey.test[each.value]
  id       = format("00000000-0000-4000-8000-%012d", each.value)
}
import {
  for_each = { for n in range(`+fmt.Sprint(apps)+`) : n => n }
  to       = posthog_pipeline_import_app.test[each.value]
  id       = "${local.apps[each.value]}"
}
resource "posthog_survey" "test" {
  count     = 200
  name      = format("Survey %03d", count.index)
  type      = count.index % 2 == 1 ? "widget" : "popover"
  archived  = count.index % 10 == 0
  questions = [{ type = "open", question = "Why ${count.index}?" }]
}
resource "posthog_pipeline_import_app" "test" {
  count        = `+fmt.Sprint(apps)+`
  name         = "App ${count.index}"
  plugin_type  = "source"
  capabilities = jsonencode({ scheduled_tasks = ["runEveryMinute"] })
}
`)
	env.ResetJournal()
	output, ok := s.run(env.APIKey, "plan", "-out=plan")
	require.True(t, ok, output)
	assert.Contains(t, output, "250 to import, 0 to add, 0 to change, 0 to destroy")
	t.Log("plan", env.Operations())
	assert.Less(t, len(env.Journal()), 10, "%v", env.Operations())

	env.ResetJournal()
	output, ok = s.run(env.APIKey, "apply", "plan")
	require.True(t, ok, output)
	t.Log("apply", env.Operations())
	assert.Less(t, len(env.Journal()), 10, "%v", env.Operations())
}
