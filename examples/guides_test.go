package examples_test

import (
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/go-version"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/officialprovider"
)

// required is versions.tf of the first guide. The other guides assume it, and must not configure the provider again.
const required = `terraform {
  required_providers {
    posthog = {
      source = "surveys-as-code/posthog"
    }
  }
}

provider "posthog" {}
`

// providerProgram is the file name of this provider and of posthog/posthog.
const providerProgram = "terraform-provider-posthog"

// installed builds and installs the provider in a directory as the installation guide describes: with
// development overrides in dev.tfrc, and as a mirror in mirror.tfrc. It returns the directory.
var installed = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "posthog-guides-")
	if err != nil {
		return "", err
	}
	program := filepath.Join(dir, providerProgram)
	build := exec.Command("go", "build", "-o", program, "..") //nolint:noctx // for all tests
	if _, err := build.Output(); err != nil {
		return "", err
	}

	for _, host := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		folder := filepath.Join(dir, "mirror", host, "surveys-as-code", "posthog", "0.0.1", runtime.GOOS+"_"+runtime.GOARCH)
		if err := os.MkdirAll(folder, 0o750); err != nil {
			return "", err
		}
		if err := os.Link(program, filepath.Join(folder, providerProgram+"_v0.0.1")); err != nil {
			return "", err
		}
	}

	official, err := installedOfficial(dir)
	if err != nil {
		return "", err
	}
	for name, settings := range map[string]string{
		"dev.tfrc": "provider_installation {\n  dev_overrides {\n    \"surveys-as-code/posthog\" = \"" + filepath.ToSlash(dir) + "\"\n" +
			"    \"" + officialprovider.Source + "\" = \"" + filepath.ToSlash(official) + "\"\n  }\n  direct {}\n}\n",
		"mirror.tfrc": "provider_installation {\n  filesystem_mirror {\n    path = \"" + filepath.ToSlash(dir) + "/mirror\"\n  }\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(settings), 0o600); err != nil {
			return "", err
		}
	}
	return dir, nil
})

// installedOfficial creates a directory below dir with the stand-in for posthog/posthog, which is this program under
// the name of a provider.
func installedOfficial(dir string) (string, error) {
	tests, err := os.Executable()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(dir, "official")
	if err := os.Mkdir(folder, 0o750); err != nil {
		return "", err
	}
	return folder, os.Symlink(tests, filepath.Join(folder, providerProgram))
}

// workspace is a copy of a configuration in which a CLI runs.
type workspace struct {
	t       *testing.T
	env     *acctest.Env
	program string
	dir     string
	// mirror selects installation with init from a filesystem mirror. Otherwise, no installation is needed.
	mirror bool
	// environment contains environment variables in addition to the test server's.
	environment []string
}

// openWorkspace copies the files of a directory. It adds versions.tf if they declare no provider. options are
// the test server's options.
func openWorkspace(t *testing.T, folder string, options ...acctest.Option) workspace {
	t.Helper()
	program := os.Getenv("TF_ACC_TERRAFORM_PATH")
	if os.Getenv("TF_ACC") == "" || program == "" {
		t.Skip("TF_ACC and TF_ACC_TERRAFORM_PATH must be set to run a CLI")
	}
	w := workspace{t: t, env: acme(t, options...), program: program, dir: t.TempDir()}
	w.copy(folder)
	return w
}

// copy copies the files of a directory into the workspace and replaces existing files.
func (w workspace) copy(folder string) {
	w.t.Helper()
	names := false
	require.NoError(w.t, fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(w.dir, filepath.FromSlash(name))
		if entry.IsDir() {
			return os.MkdirAll(target, 0o750)
		}
		text := read(w.t, path.Join(folder, name))
		names = names || path.Dir(name) == "." && strings.Contains(text, "required_providers")
		return os.WriteFile(target, []byte(text), 0o600)
	}))
	if !names {
		require.NoError(w.t, os.WriteFile(filepath.Join(w.dir, "versions.tf"), []byte(required), 0o600))
	}
}

// run runs a command, which must succeed, and returns its output.
func (w workspace) run(arguments ...string) string {
	w.t.Helper()
	out, err := w.try(arguments...)
	require.NoError(w.t, err, "%v\n%s", arguments, out)
	return out
}

// try runs a command, and returns its output and its error.
func (w workspace) try(arguments ...string) (string, error) {
	provider, err := installed()
	if err != nil {
		return "", err
	}
	settings := "dev.tfrc"
	if w.mirror {
		settings = "mirror.tfrc"
	}

	command := exec.CommandContext(w.t.Context(), w.program, slices.Insert(arguments, 1, "-no-color")...) //nolint:gosec // the CLI of the tests
	command.Dir = w.dir
	command.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+filepath.Join(provider, settings), "CHECKPOINT_DISABLE=1")
	command.Env = append(command.Env, w.environment...)
	for name, value := range w.env.Environment {
		command.Env = append(command.Env, name+"="+value)
	}
	out, err := command.CombinedOutput()
	return string(out), err
}

// skipBelow skips the test unless the CLI is this version of Terraform or later.
func (w workspace) skipBelow(terraform string) {
	w.t.Helper()
	about := w.run("version")
	found := regexp.MustCompile(`^Terraform v([0-9.]+)`).FindStringSubmatch(about)
	if found == nil || version.Must(version.NewVersion(found[1])).LessThan(version.Must(version.NewVersion(terraform))) {
		w.t.Skipf("%.20q is not Terraform %s or later", about, terraform)
	}
}

// The configurations in the guides can be applied, and the next plan is empty.
func TestAccGuides(t *testing.T) {
	t.Parallel()
	for _, file := range glob(t, "guides/*/main.tf") {
		name := path.Base(path.Dir(file))
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := openWorkspace(t, path.Dir(file))
			if name == "test" {
				assert.Contains(t, w.run("test", "-filter=survey.tftest.hcl"), "2 passed, 0 failed")
				return
			}

			if name == "yaml" {
				w.run("get")
			}
			if name == "before_destroy" {
				w.skipBelow("1.16.0")
			}
			if name == "private_app" {
				w.environment = []string{"TF_VAR_repository_token=t0k3n"}
			}

			w.run("apply", "-auto-approve")
			w.run("plan", "-detailed-exitcode")

			if name == "before_destroy" {
				w.run("destroy", "-auto-approve")
				assert.Regexp(t, `^\{"end_date":"[^"]+"\} \{"archived":true\}$`, strings.Join(w.env.RequestBodies(t, http.MethodPatch), " "))
			}
			if name == "private_app" {
				assert.Contains(t, w.env.RequestBodies(t, http.MethodPost)[0], "import-tickets?private_token=t0k3n")
				assert.NotContains(t, w.run("show", "-json"), "t0k3n")
			}
		})
	}
}
