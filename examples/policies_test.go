package examples_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// refused contains the messages of the policies for the plan "refused". Each policy refuses something.
var refused = []string{
	`posthog_survey.answered ran, and would be deleted: apply deletion_policy = "archive" first`,
	`posthog_survey.long has 4 questions that cannot be skipped, want at most 3`,
	`posthog_survey.running: the answers to "What disappointed you?" would be detached`,
	`posthog_survey.staging is launched in project 67890, which is not a production project`,
	`posthog_survey.staging runs without an end: set responses_limit, or iteration_count`,
	`posthog_survey.staging waits for 0 days after another survey, want 30: set seenSurveyWaitPeriodInDays in conditions`,
	`posthog_pipeline_import_app.unknown takes its code from https://github.com/someone/tickets, which is not among the trusted sources`,
	`posthog_survey.long: questions[1] has no text in de`,
	`posthog_survey.long: questions[2] has 3 choices, and 0 in de`,
}

// The policies allow and refuse the committed plans as the README describes.
func TestPolicies(t *testing.T) {
	t.Parallel()
	assert.Empty(t, denied(t, "policies/plans/allowed.json"))
	assert.ElementsMatch(t, refused, denied(t, "policies/plans/refused.json"))
}

// The policies give the same results for plans of the current provider. With POLICY_PLANS=write, these plans replace
// the committed ones.
func TestAccPolicyPlans(t *testing.T) {
	t.Parallel()
	for name, expected := range map[string][]string{"allowed": nil, "refused": refused} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plan := filepath.Join(t.TempDir(), name+".json")
			if os.Getenv("POLICY_PLANS") == "write" {
				plan = filepath.Join("policies", "plans", name+".json")
			}
			require.NoError(t, os.WriteFile(plan, planJSON(t, name), 0o600))
			assert.ElementsMatch(t, expected, denied(t, plan))
		})
	}
}

// denied returns the messages of the policies for a plan.
func denied(t *testing.T, plan string) []string {
	t.Helper()
	conftest := os.Getenv("CONFTEST")
	if conftest == "" {
		t.Skip("CONFTEST must be the path of the program conftest. To set it, run make policies")
	}

	command := exec.CommandContext(t.Context(), conftest, "test", plan, "--policy", "policies/policy", "--data", "policies/settings.yaml", "--output", "json", "--no-fail")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	require.NoError(t, err, stderr.String())

	var results []struct{ Failures []struct{ Msg string } }
	require.NoError(t, json.Unmarshal(out, &results), "%s", out)
	var messages []string
	for _, result := range results {
		for _, failure := range result.Failures {
			messages = append(messages, failure.Msg)
		}
	}
	slices.Sort(messages)
	return messages
}

// planJSON applies the configuration in the directory "before", and returns the plan for the configuration in
// "after" as terraform show -json prints it.
func planJSON(t *testing.T, name string) []byte {
	t.Helper()
	w := openWorkspace(t, path.Join("policies", "plans", name, "before"))
	w.run("apply", "-auto-approve")
	w.copy(path.Join("policies", "plans", name, "after"))
	w.run("plan", "-out", "plan.tfplan")

	var plan bytes.Buffer
	require.NoError(t, json.Indent(&plan, []byte(w.run("show", "-json", "plan.tfplan")), "", "  "))
	return append(plan.Bytes(), '\n')
}
