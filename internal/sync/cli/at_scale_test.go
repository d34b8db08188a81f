package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// atScale runs the guide's examples for many projects in a temporary directory, with the test server as PostHog.
type atScale struct {
	t   *testing.T
	srv *testserver.Instance
	dir string
}

func openAtScale(t *testing.T) *atScale {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not installed")
	}

	a := &atScale{t: t, dir: t.TempDir()}
	a.srv = testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(`{
		"projects": [{"id": 101}, {"id": 102}, {"id": 103}, {"id": 201}, {"id": 202}],
		"api_keys": [{"key": "phx_keyOfTheShops"}, {"key": "phx_keyOfTheApps"}],
		"surveys": [
			{"project_id": 101, "id": "0190d6a4-0000-7000-8000-000000000001", "name": "NPS", "type": "popover"},
			{"project_id": 102, "id": "0190d6a4-0000-7000-8000-000000000002", "name": "NPS", "type": "popover"},
			{"project_id": 103, "id": "0190d6a4-0000-7000-8000-000000000003", "name": "NPS", "type": "popover"},
			{"project_id": 201, "id": "0190d6a4-0000-7000-8000-000000000004", "name": "NPS", "type": "popover"},
			{"project_id": 202, "id": "0190d6a4-0000-7000-8000-000000000005", "name": "NPS", "type": "widget"}]}`)})

	config := atRoot(t, "examples/at-scale/posthog-sync.yaml")
	require.Equal(t, 5, strings.Count(config, "https://eu.posthog.com"))
	a.write("posthog-sync.yaml", strings.ReplaceAll(config, "https://eu.posthog.com", a.srv.URL))
	program, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(a.dir, "bin"), 0o700))
	require.NoError(t, os.Symlink(program, filepath.Join(a.dir, "bin", "posthog-sync")))
	a.bash(nil, "posthog-sync snapshot --env shop-de base.json")
	return a
}

func (a *atScale) write(name, text string) {
	a.t.Helper()
	path := filepath.Join(a.dir, name)
	require.NoError(a.t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(a.t, os.WriteFile(path, []byte(text), 0o600))
}

func (a *atScale) read(name string) string {
	a.t.Helper()
	text, err := os.ReadFile(filepath.Join(a.dir, name))
	require.NoError(a.t, err)
	return string(text)
}

// bash runs a script as a CI system would, and returns its exit code and output.
func (a *atScale) bash(variables map[string]string, script string) (stdout string, code int) {
	a.t.Helper()

	cmd := exec.CommandContext(a.t.Context(), "bash", "-eo", "pipefail", "-c", script)
	cmd.Dir = a.dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(a.dir, "bin")+":"+os.Getenv("PATH"), "SHOP_KEY=phx_keyOfTheShops", "APP_KEY=phx_keyOfTheApps")
	for name, value := range variables {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	assert.NotContains(a.t, string(out)+stderr.String(), "phx_keyOf")
	if cmd.ProcessState == nil {
		require.NoError(a.t, err)
	}
	a.t.Logf("%s\n%s%s", script, out, stderr.String())
	return string(out), cmd.ProcessState.ExitCode()
}

// workflow is the part of a GitHub Actions workflow that the example uses.
type workflow struct {
	Jobs map[string]struct {
		Env      map[string]string
		Strategy struct{ Matrix map[string][]any }
		Steps    []struct{ Run string }
	}
}

// expression matches an expression in a workflow.
var expression = regexp.MustCompile(`\$\{\{ ([\w.-]+) \}\}`)

// run runs a job's steps with the given expression values, and returns the exit code of the last step.
func (a *atScale) run(w workflow, job string, values map[string]string) (code int) {
	a.t.Helper()

	evaluate := func(text string) string {
		return expression.ReplaceAllStringFunc(text, func(found string) string {
			value, ok := values[expression.FindStringSubmatch(found)[1]]
			require.True(a.t, ok, "the test does not set %s", found)
			return value
		})
	}
	variables := map[string]string{"GITHUB_STEP_SUMMARY": filepath.Join(a.dir, "summary.md")}
	for name, value := range w.Jobs[job].Env {
		variables[name] = evaluate(value)
	}
	for _, step := range w.Jobs[job].Steps {
		if step.Run == "" {
			continue
		}
		if _, code = a.bash(variables, evaluate(step.Run)); code != 0 {
			break
		}
	}
	return code
}

// The example workflow finds the project that differs, and its summary contains the reports of all jobs.
func TestAtScaleOnGitHub(t *testing.T) {
	t.Parallel()
	a := openAtScale(t)
	var w workflow
	require.NoError(t, yaml.Unmarshal([]byte(atRoot(t, "examples/at-scale/github/drift.yml")), &w))

	parts := w.Jobs["diff"].Strategy.Matrix["part"]
	var codes []int
	for _, part := range parts {
		codes = append(codes, a.run(w, "diff", map[string]string{"matrix.part": fmt.Sprint(part), "strategy.job-total": fmt.Sprint(len(parts))}))
	}
	assert.Equal(t, []int{codeDifferences, codeDone, codeDone, codeDone}, codes, "only the first part must differ, because app-web is the fifth environment of four parts")
	assert.Contains(t, a.read("summary.md"), "part 1/4, 2 environments: 1 done, 1 with differences.")
	assert.Contains(t, a.read("summary.md"), "| app-web | differences |")
}

// The GitLab jobs and the pods of a Kubernetes Job run the examples. The engine assigns a number to each of them.
func TestAtScaleOnOtherEngines(t *testing.T) {
	t.Parallel()
	a := openAtScale(t)
	var gitlab struct {
		Drift struct {
			Parallel int
			Script   []string
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(atRoot(t, "examples/at-scale/gitlab/drift.yml")), &gitlab))
	script := gitlab.Drift.Script[len(gitlab.Drift.Script)-1]
	var codes []int
	for i := range gitlab.Drift.Parallel {
		_, code := a.bash(map[string]string{"CI_NODE_INDEX": fmt.Sprint(i + 1), "CI_NODE_TOTAL": fmt.Sprint(gitlab.Drift.Parallel)}, script)
		codes = append(codes, code)
	}
	assert.Equal(t, []int{codeDifferences, codeDone, codeDone, codeDone}, codes)

	var job struct {
		Spec struct {
			Completions int
			Template    struct {
				Spec struct{ Containers []struct{ Command []string } }
			}
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(atRoot(t, "examples/at-scale/kubernetes/job.yaml")), &job))
	command := strings.ReplaceAll(strings.Join(job.Spec.Template.Spec.Containers[0].Command, " "), "/config/", a.dir+"/")
	codes = nil
	for i := range job.Spec.Completions {
		_, code := a.bash(map[string]string{"JOB_COMPLETION_INDEX": fmt.Sprint(i)}, command)
		codes = append(codes, code)
	}
	assert.Equal(t, []int{codeDifferences, codeDone, codeDone, codeDone}, codes)
}

// The Terragrunt files are valid HCL, refer to existing environments, and run an existing review command.
func TestAtScaleOnTerragrunt(t *testing.T) {
	t.Parallel()

	var root string
	for _, file := range []string{"root.hcl", "shop-de/terragrunt.hcl"} {
		path := "examples/at-scale/terragrunt/" + file
		text := atRoot(t, path)
		_, diags := hclparse.NewParser().ParseHCL([]byte(text), path)
		require.False(t, diags.HasErrors(), diags.Error())
		root += text
	}
	assert.Contains(t, atRoot(t, "examples/at-scale/posthog-sync.yaml"), "  shop-de: ", "posthog-sync.yaml must have an environment for the directory shop-de")

	line := regexp.MustCompile(`posthog-sync (review plan.tfplan [^>]*?) >`).FindStringSubmatch(root)
	require.NotEmpty(t, line)
	found, rest, err := Command().Find(strings.Fields(line[1]))
	require.NoError(t, err)
	assert.Equal(t, "review", commandName(found))
	assert.NoError(t, found.ParseFlags(rest))
}
