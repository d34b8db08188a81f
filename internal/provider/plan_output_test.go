package provider_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// B6: what Terraform prints for a change of a large survey's run or audience is short:
// of the flags of the survey it shows what may change.
func TestAccB6ShortPlans(t *testing.T) {
	t.Parallel()
	drivesCLI(t)
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	s := newShell(t, env, env.URL, built(t))
	config, err := os.ReadFile("testdata/eight_questions.tf")
	require.NoError(t, err)
	s.write("main.tf", string(config))
	output, ok := s.run(env.APIKey, "apply", "-auto-approve")
	require.True(t, ok, output)

	for _, step := range []struct {
		name, variables     string
		mostChanged, mostIn int
	}{
		{"launch", `status = "running"`, 10, 25},
		{"conditions", "status = \"running\"\nurl = \"/b\"", 10, 25},
		{"percentage", "status = \"running\"\npercentage = 20", 30, 60},
		{"archive", "status = \"running\"\npercentage = 20\narchived = true", 10, 25},
		{"stop", "status = \"completed\"\npercentage = 20\narchived = true", 10, 25},
	} {
		s.write("terraform.tfvars", step.variables)
		output, ok := s.run(env.APIKey, "apply", "-auto-approve")
		require.True(t, ok, output)
		diff := diffIn(t, output)
		assert.LessOrEqual(t, changedLines(diff), step.mostChanged, "%s\n%s", step.name, diff)
		assert.LessOrEqual(t, strings.Count(diff, "\n"), step.mostIn, "%s\n%s", step.name, diff)

		output, ok = s.run(env.APIKey, "plan", "-detailed-exitcode")
		require.True(t, ok, output)
	}
}

// diffIn is what Terraform or OpenTofu prints of the changes themselves.
func diffIn(t *testing.T, output string) string {
	t.Helper()
	_, after, ok := strings.Cut(output, " will perform the following actions:")
	require.True(t, ok, output)
	diff, _, ok := strings.Cut(after, "Plan: ")
	require.True(t, ok, output)
	return diff
}

func changedLines(diff string) int {
	return len(regexp.MustCompile(`(?m)^ +[~+-] `).FindAllString(diff, -1))
}

// A8: Terraform hands a destroy the state alone, and shows nothing of the refresh before
// it. The plan that changes a deletion_policy says that it has to be applied first, and
// the destroy says what an applied one does.
func TestAccA8PolicyAtDestroy(t *testing.T) {
	t.Parallel()
	drivesCLI(t)
	env := acctest.Start(t)
	s := newShell(t, env, env.URL, built(t))
	output, ok := s.run(env.APIKey, "apply", "-auto-approve")
	require.True(t, ok, output)

	s.write("main.tf", strings.Replace(secretConfig, `name = "NPS"`, "name = \"NPS\"\n  deletion_policy = \"abandon\"", 1))
	output, ok = s.run(env.APIKey, "apply", "-auto-approve")
	require.True(t, ok, output)
	assert.Contains(t, strings.Join(strings.Fields(output), " "), "before the apply, it still deletes the survey")

	output, ok = s.run(env.APIKey, "plan", "-destroy")
	require.True(t, ok, output)
	assert.Contains(t, output, "The survey will be left as it is, not deleted")
	output, ok = s.run(env.APIKey, "plan", "-replace=posthog_survey.test")
	assert.False(t, ok, output)
	assert.Contains(t, output, "The replacement would fail: its name stays taken")
}

// A1: a destroy says which flag goes with the survey, and a replacement that would lose
// survey and flag is refused.
func TestAccA1DestroyAndReplace(t *testing.T) {
	t.Parallel()
	drivesCLI(t)
	env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(
		`{"feature_flags":[{"id":2,"project_id":"1","key":"beta-users","active":true}]}`))
	s := newShell(t, env, env.URL, built(t))
	s.write("main.tf", strings.Replace(secretConfig, `name = "NPS"`, "name = \"NPS\"\n  targeting_flag_id = 2", 1))
	output, ok := s.run(env.APIKey, "apply", "-auto-approve")
	require.True(t, ok, output)

	output, ok = s.run(env.APIKey, "plan", "-destroy")
	require.True(t, ok, output)
	assert.Contains(t, output, `The service will delete feature flag "beta-users" (id 2)`)
	output, ok = s.run(env.APIKey, "plan", "-replace=posthog_survey.test")
	assert.False(t, ok, output)
	assert.Contains(t, strings.Join(strings.Fields(output), " "), `The replacement would lose the survey and feature flag "beta-users" (id 2)`)
}
