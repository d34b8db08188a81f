package cli

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// scripts maps an example's keys to its commands.
func scripts(t *testing.T, path string) map[string]string {
	t.Helper()
	var document any
	require.NoError(t, yaml.Unmarshal([]byte(atRoot(t, "examples/pipelines/"+path)), &document))

	found := map[string]string{}
	var collect func(at string, value any)
	collect = func(at string, value any) {
		switch value := value.(type) {
		case map[string]any:
			for name, below := range value {
				collect(strings.TrimPrefix(at+"."+name, "."), below)
			}
		case []any:
			for _, below := range value {
				collect(at, below)
			}
		case string:
			found[at] += value + "\n"
		}
	}
	collect("", document)
	return found
}

// stubs returns a directory with stub programs, which write their arguments and input to the file calls. posthog-sync
// prints a report, and exits with the code that the test sets.
func stubs(t *testing.T) *atScale {
	t.Helper()
	a := &atScale{t: t, dir: t.TempDir()}
	for name, does := range map[string]string{
		"terraform": "", "curl": `[[ " $* " != *" @- "* ]] || cat >>calls`, "posthog-sync": "echo report; exit $CODE",
		"git": `[[ $1 != diff ]] || exit 1`,
	} {
		a.write("bin/"+name, fmt.Sprintf("#!/usr/bin/env bash\necho %s \"$*\" >>calls\n%s\n", name, does))
		require.NoError(t, os.Chmod(filepath.Join(a.dir, "bin", name), 0o700)) //nolint:gosec // a program
	}
	return a
}

// calls runs a script and returns the calls. posthog-sync exits with the given code.
func (a *atScale) calls(script string, posthogSync int) (calls string, code int) {
	a.t.Helper()
	a.write("calls", "")
	a.write(".posthog-sync.lock.json", "{}")
	_, code = a.bash(map[string]string{
		"CODE": fmt.Sprint(posthogSync), "PLANFILE": "plan.tfplan", "WEBHOOK": "https://chat.example.com/hook", "GITLAB_TOKEN": "glpat",
		"CI_API_V4_URL": "https://gitlab.example.com/api/v4", "CI_PROJECT_ID": "7", "CI_MERGE_REQUEST_IID": "5", "CI_DEFAULT_BRANCH": "main",
		"CI_SERVER_HOST": "gitlab.example.com", "CI_PROJECT_PATH": "acme/surveys",
	}, script)
	return a.read("calls"), code
}

// The pipelines call existing commands with existing flags.
func TestPipelinesCallWhatThereIs(t *testing.T) {
	t.Parallel()
	called := regexp.MustCompile(`(?m)(?:^|; |\w )posthog-sync ((?:review|pull|diff) [^>|\n]*)`)
	found := 0
	for _, path := range []string{"gitlab-ci.yml", "atlantis.yaml", "spacelift.yml", "github/drift.yml"} {
		for _, script := range scripts(t, path) {
			for _, match := range called.FindAllStringSubmatch(script, -1) {
				command, rest, err := Command().Find(strings.Fields(match[1]))
				require.NoError(t, err)
				assert.NoError(t, command.ParseFlags(rest), match[0])
				found++
			}
		}
	}
	assert.Equal(t, 5, found)
}

// After a refusal, the pipeline writes the note and then fails. If it cannot read the plan, it writes no note.
func TestPipelinesReview(t *testing.T) {
	t.Parallel()
	a := stubs(t)
	gitlab := scripts(t, "gitlab-ci.yml")
	calls, code := a.calls(gitlab["review.script"], codeRefused)
	assert.Equal(t, codeRefused, code)
	assert.Contains(t, calls, "body@review.md https://gitlab.example.com/api/v4/projects/7/merge_requests/5/notes")

	a.write("bin/posthog-sync", "#!/bin/sh\nexit 1\n")
	calls, code = a.calls(gitlab["review.script"], codeDone)
	assert.Equal(t, 1, code)
	assert.NotContains(t, calls, "curl")
}

// The pipeline pushes edits to a branch and opens a merge request, even if some differences remain. After an error,
// it pushes nothing.
func TestPipelinesPull(t *testing.T) {
	t.Parallel()
	a := stubs(t)
	script := scripts(t, "gitlab-ci.yml")["pull.script"]
	for code, pushes := range map[int]bool{codeDone: true, codeDifferences: true, 1: false} {
		calls, got := a.calls(script, code)
		assert.Equal(t, code, got)
		assert.Equal(t, pushes, strings.Contains(calls, "merge_request.target=main https://oauth2:glpat@gitlab.example.com/acme/surveys.git HEAD:refs/heads/posthog-sync/pull"), calls)
		assert.Equal(t, pushes, strings.Contains(calls, "git add .posthog-sync.lock.json"), calls)
	}
}

// If there is a difference, the pipeline sends a message with the report. Otherwise, it sends nothing.
func TestPipelinesDrift(t *testing.T) {
	t.Parallel()
	a := stubs(t)
	script := regexp.MustCompile(`(?s)code=0.*`).FindString(scripts(t, "github/drift.yml")["jobs.diff.steps.run"])
	for code, sends := range map[int]bool{codeDone: false, codeDifferences: true, 1: false} {
		calls, got := a.calls(script, code)
		if sends {
			assert.Zero(t, got)
			assert.Contains(t, calls, `"text": "report\n"`)
			continue
		}
		assert.Equal(t, code, got)
		assert.NotContains(t, calls, "curl")
	}
}

// The same scripts run with the real programs on an edited survey. The note and the message arrive, and the branch
// contains the edit.
func TestAccPipelinesOnTheServer(t *testing.T) {
	t.Parallel()
	if os.Getenv("TF_ACC") == "" {
		t.Skip("TF_ACC is not set")
	}
	for _, program := range []string{"bash", "curl", "git", "jq"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(program + " is not installed")
		}
	}
	files := map[string]string{}
	for _, script := range []string{"action.txtar", "pull.txtar"} {
		archive, err := txtar.ParseFile(filepath.Join("testdata", "script", script))
		require.NoError(t, err)
		for _, file := range archive.Files {
			files[file.Name] = strings.ReplaceAll(string(file.Data), "$REGISTRY", cmp.Or(os.Getenv("TF_ACC_PROVIDER_HOST"), "registry.terraform.io"))
		}
	}

	a := &atScale{t: t, dir: t.TempDir()}
	fixtures := strings.ReplaceAll(files["fixtures.json"], "$KEY", "phx_keyOfThePipelines")
	answered := `{"responses": [{"survey_id": "0190d6a4-0000-7000-8000-000000000001", "count": 12}],`
	a.srv = testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(strings.Replace(fixtures, "{", answered, 1))})
	a.write("main.tf", files["code/main.tf"])
	a.write("terraform.tfstate", files["code/terraform.tfstate"])
	a.write("plan.json", files["plan.json"])
	a.write(".gitignore", "*\n!main.tf\n!.posthog-sync.lock.json\n")

	program, err := os.Executable()
	require.NoError(t, err)
	terraform, err := exec.LookPath(cmp.Or(os.Getenv("TF_ACC_TERRAFORM_PATH"), "terraform"))
	require.NoError(t, err)
	// The provider is not installed here, so review uses an existing plan.
	a.write("bin/terraform", fmt.Sprintf("#!/usr/bin/env bash\n[[ $* != 'plan -out=plan.tfplan' ]] || exec cp plan.json plan.tfplan\nexec %s \"$@\"\n", terraform))
	require.NoError(t, os.Chmod(filepath.Join(a.dir, "bin", "terraform"), 0o700)) //nolint:gosec // a program
	require.NoError(t, os.Symlink(program, filepath.Join(a.dir, "bin", "posthog-sync")))

	var arrived sync.Map
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		arrived.Store(r.URL.Path, string(body))
	}))
	t.Cleanup(elsewhere.Close)
	variables := map[string]string{
		"POSTHOG_BASE_URL": a.srv.URL, "POSTHOG_API_KEY": "phx_keyOfThePipelines", "POSTHOG_PROJECT_ID": "1", "WEBHOOK": elsewhere.URL + "/hook",
		"GITLAB_TOKEN": "glpat", "CI_API_V4_URL": elsewhere.URL, "CI_PROJECT_ID": "7", "CI_MERGE_REQUEST_IID": "5", "CI_DEFAULT_BRANCH": "main",
		"CI_SERVER_HOST": "gitlab.example.com", "CI_PROJECT_PATH": "acme/surveys",
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_VALUE_0": "https://oauth2:glpat@gitlab.example.com/acme/surveys.git",
		"GIT_CONFIG_KEY_0": "url." + filepath.Join(a.dir, "origin.git") + ".insteadOf",
	}
	_, code := a.bash(variables, `git init -q && git add . && git -c user.name=a -c user.email=a@example.com commit -qm code
		git init -q --bare origin.git && git -C origin.git config receive.advertisePushOptions true`)
	require.Zero(t, code)

	gitlab := scripts(t, "gitlab-ci.yml")
	_, code = a.bash(variables, gitlab["review.script"])
	assert.Equal(t, codeRefused, code)
	note, _ := arrived.Load("/projects/7/merge_requests/5/notes")
	assert.Contains(t, note, "Answers+are+detached")

	_, code = a.bash(variables, regexp.MustCompile(`(?s)code=0.*`).FindString(scripts(t, "github/drift.yml")["jobs.diff.steps.run"]))
	assert.Zero(t, code)
	message, _ := arrived.Load("/hook")
	assert.Contains(t, message, "How probable?")

	_, code = a.bash(variables, gitlab["pull.script"])
	assert.Equal(t, codeDifferences, code, "pull must report that the name still differs")
	pulled, _ := a.bash(nil, "git -C origin.git show posthog-sync/pull:main.tf")
	assert.Contains(t, pulled, "How probable?")
}
