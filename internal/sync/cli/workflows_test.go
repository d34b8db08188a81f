package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"
)

// exampleWorkflow is the part of a GitHub Actions workflow that its tests read.
type exampleWorkflow struct {
	Concurrency any
	Jobs        map[string]struct {
		Strategy struct{ Matrix map[string][]any }
		Steps    []struct {
			Name, If, Uses, Run string
			With, Env           map[string]string
		}
	}
}

func readWorkflow(t *testing.T, path string) (w exampleWorkflow) {
	t.Helper()
	require.NoError(t, yaml.Unmarshal([]byte(atRoot(t, path)), &w))
	return w
}

// TestWorkflowsUseCommandsOfTheAction checks that the action's script supports each command that examples pass to the
// action.
func TestWorkflowsUseCommandsOfTheAction(t *testing.T) {
	t.Parallel()
	commands := regexp.MustCompile(`(?m)^([a-z]+)\) .*;;$`).FindAllStringSubmatch(atRoot(t, "action/run"), -1)
	paths, err := filepath.Glob("../../../examples/*/github/*.yml")
	require.NoError(t, err)
	more, err := filepath.Glob("../../../examples/github/*.yml")
	require.NoError(t, err)

	uses := 0
	for _, path := range append(paths, more...) {
		for _, job := range readWorkflow(t, strings.TrimPrefix(path, "../../../")).Jobs {
			for _, step := range job.Steps {
				if !strings.HasPrefix(step.Uses, "surveys-as-code/") {
					continue
				}
				uses++
				assert.True(t, slices.ContainsFunc(commands, func(c []string) bool { return c[1] == step.With["command"] }), "%s: command %q", path, step.With["command"])
			}
		}
	}
	assert.GreaterOrEqual(t, uses, 6)
}

// TestPullWorkflowHasEveryProject compares the example's matrix with its environments, and checks that its branch
// names match.
func TestPullWorkflowHasEveryProject(t *testing.T) {
	t.Parallel()
	var file struct{ Environments map[string]any }
	require.NoError(t, yaml.Unmarshal([]byte(atRoot(t, "examples/at-scale/posthog-sync.yaml")), &file))
	job := readWorkflow(t, "examples/at-scale/github/pull.yml").Jobs["pull"]

	var projects []string
	for _, project := range job.Strategy.Matrix["project"] {
		projects = append(projects, fmt.Sprint(project))
		assert.Contains(t, file.Environments, project)
	}
	assert.Len(t, projects, len(file.Environments))
	with := job.Steps[len(job.Steps)-1].With
	for _, input := range []string{"directory", "environment", "branch"} {
		assert.Contains(t, with[input], "${{ matrix.project }}")
	}
}

// surveysWorkflow returns the step with this name in the example for YAML files.
func surveysWorkflow(t *testing.T, name string) (script, condition string) {
	t.Helper()
	for _, step := range readWorkflow(t, "examples/yaml/github/surveys.yml").Jobs["surveys"].Steps {
		if step.Name == name {
			return step.Run, step.If
		}
	}
	t.Fatalf("the workflow does not contain the step %q", name)
	return "", ""
}

// TestSurveysWorkflowComments checks that the workflow replaces only its own earlier comment. After a refusal, the
// job comments and then fails. After an error, it fails without a comment.
func TestSurveysWorkflowComments(t *testing.T) {
	t.Parallel()
	script, condition := surveysWorkflow(t, "Comment with what a merge does")
	assert.Contains(t, condition, "env.POSTHOG_API_KEY != ''", "the step must be skipped for a pull request without secrets")
	const marker = "<!-- posthog-sync surveys.yaml -->"

	for _, row := range []struct {
		known  string
		sync   int
		method string
		code   int
	}{
		{"", codeDone, "POST repos/acme/app/issues/7/comments", 0},
		{"https://api.example.com/comments/9", codeDone, "PATCH https://api.example.com/comments/9", 0},
		{"https://api.example.com/comments/9", codeRefused, "PATCH https://api.example.com/comments/9", codeRefused},
		{"", codeDifferences, "POST repos/acme/app/issues/7/comments", 0},
		{"", 1, "", 1},
	} {
		a := stubs(t)
		// gh applies the selection with its built-in jq.
		a.write("bin/gh", "#!/usr/bin/env bash\nif [[ $2 == --paginate ]]; then echo \"$*\" >>calls; echo \""+row.known+"\"; else echo gh \"$*\" >>calls; cat comment.md >>calls; fi\n")
		require.NoError(t, os.Chmod(filepath.Join(a.dir, "bin", "gh"), 0o700)) //nolint:gosec // a program
		a.write("calls", "")
		_, code := a.bash(map[string]string{"CODE": fmt.Sprint(row.sync), "COMMENTS": "repos/acme/app/issues/7/comments", "MARKER": marker}, script)
		assert.Equal(t, row.code, code)
		calls := a.read("calls")
		if row.method == "" {
			assert.NotContains(t, calls, "gh api --method")
			continue
		}
		assert.Contains(t, calls, "gh api --method "+row.method+" --field body=@comment.md")
		assert.Contains(t, calls, marker+"\nreport\n")
		assert.Contains(t, calls, `select(.user.login == "github-actions[bot]" and (.body | startswith(env.MARKER)))`)
	}
}

// TestSurveysWorkflowWritesTheNewestCommit checks that the workflow queues pushes, and that a sync checks out the
// branch's newest commit. GitHub keeps only one waiting run of a group, so a group has one kind of event: a nightly run
// must not replace a sync that waits, and two forks with the same branch name must not cancel each other.
func TestSurveysWorkflowWritesTheNewestCommit(t *testing.T) {
	t.Parallel()
	w := readWorkflow(t, "examples/yaml/github/surveys.yml")
	assert.Equal(t, map[string]any{
		"group":              "surveys-${{ github.event_name }}-${{ github.event.number || github.ref }}",
		"cancel-in-progress": "${{ github.event_name == 'pull_request' }}",
	}, w.Concurrency)
	assert.Equal(t, "${{ github.event_name == 'push' && github.ref || '' }}", w.Jobs["surveys"].Steps[0].With["ref"])
	_, condition := surveysWorkflow(t, "Sync")
	assert.Equal(t, "github.event_name == 'push'", condition)
}
