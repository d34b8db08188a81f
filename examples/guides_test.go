package examples_test

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/acctest"
)

// required is what every configuration begins with; the guides leave it out.
const required = `terraform {
  required_providers {
    posthog = {
      source = "surveys-as-code/posthog"
    }
  }
}
`

// installed is a folder with the provider, built and installed as the installation
// guide shows it for developers.
var installed = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "posthog-guides-")
	if err != nil {
		return "", err
	}
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "terraform-provider-posthog"), "..") //nolint:noctx // for all tests
	if _, err := build.Output(); err != nil {
		return "", err
	}
	settings := "provider_installation {\n  dev_overrides {\n    \"surveys-as-code/posthog\" = \"" + filepath.ToSlash(dir) + "\"\n  }\n  direct {}\n}\n"
	return dir, os.WriteFile(filepath.Join(dir, "dev.tfrc"), []byte(settings), 0o600)
})

// workspace is a copy of a guide's configuration that a CLI runs in.
type workspace struct {
	t       *testing.T
	env     *acctest.Env
	program string
	dir     string
}

func openGuide(t *testing.T, name string) workspace {
	t.Helper()
	program := os.Getenv("TF_ACC_TERRAFORM_PATH")
	if os.Getenv("TF_ACC") == "" || program == "" {
		t.Skip("TF_ACC and TF_ACC_TERRAFORM_PATH must be set to run a CLI")
	}
	dir := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.CopyFS(dir, os.DirFS(path.Join("guides", name))))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "versions.tf"), []byte(required), 0o600))
	return workspace{t: t, env: acme(t), program: program, dir: dir}
}

// run returns what a command prints; it must succeed.
func (w workspace) run(arguments ...string) string {
	w.t.Helper()
	provider, err := installed()
	require.NoError(w.t, err)

	command := exec.CommandContext(w.t.Context(), w.program, append(arguments, "-no-color")...) //nolint:gosec // the CLI of the tests
	command.Dir = w.dir
	command.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+filepath.Join(provider, "dev.tfrc"), "CHECKPOINT_DISABLE=1")
	for name, value := range w.env.Environment {
		command.Env = append(command.Env, name+"="+value)
	}
	out, err := command.CombinedOutput()
	require.NoError(w.t, err, "%v\n%s", arguments, out)
	return string(out)
}

// What the guides show can be applied, and plans nothing afterwards.
func TestAccGuides(t *testing.T) {
	t.Parallel()
	for _, file := range glob(t, "guides/*/main.tf") {
		name := path.Base(path.Dir(file))
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := openGuide(t, name)
			if name == "test" {
				assert.Contains(t, w.run("test"), "2 passed, 0 failed")
				return
			}
			if name == "yaml" {
				w.run("get")
			}
			w.run("apply", "-auto-approve")
			w.run("plan", "-detailed-exitcode")
		})
	}
}

// curl finds the calls of curl in a guide: method, address and body.
var curl = regexp.MustCompile(`(?m)^curl(?: -X (\w+))? http://127\.0\.0\.1:8000(\S+)(?: -d (?:'([^']*)'|@(\S+)))?`)

// The control paths take what the testing guide sends them.
func TestGuideOfTheControlPaths(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t)
	store := ""

	calls := curl.FindAllStringSubmatch(read(t, "../templates/guides/testing.md.tmpl"), -1)
	require.Len(t, calls, 8)

	for _, call := range calls {
		method, body := call[1], call[3]
		if method == "" {
			method = http.MethodGet
		}

		if call[4] != "" {
			body = store
		}

		request, err := http.NewRequestWithContext(t.Context(), method, env.URL+call[2], strings.NewReader(body))
		require.NoError(t, err)
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)

		answer, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())

		assert.Less(t, response.StatusCode, 300, "%s: %s", call[0], answer)

		if strings.HasSuffix(call[2], "fixtures") && method == http.MethodGet {
			store = string(answer)
		}
	}
}
