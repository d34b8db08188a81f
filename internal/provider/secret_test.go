package provider_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	framework "github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// crash makes this test program a provider that panics on its first request.
const crash = "POSTHOG_TEST_CRASH"

func TestMain(m *testing.M) {
	if os.Getenv(crash) == "" {
		code := browsertest.Main(m)
		_ = os.RemoveAll(buildDir) // empty if no test built anything
		os.Exit(code)
	}
	err := providerserver.Serve(context.Background(), func() framework.Provider { //nolint:usetesting // there is no test
		return &provider.Provider{
			Version: "test", Getenv: os.Getenv,
			Now:   func() time.Time { panic("a fault of the provider") },
			Sleep: func(context.Context, time.Duration) error { return nil },
		}
	}, providerserver.ServeOpts{Address: provider.Address})
	if err != nil {
		log.Fatal(err)
	}
}

const secretConfig = `terraform {
  required_providers {
    posthog = { source = "surveys-as-code/posthog" }
  }
}
resource "posthog_survey" "test" {
  name = "NPS"
  type = "popover"
}
`

// shell runs Terraform with the provider as a separate process and full logging. At the end, it searches all files in
// its directory.
type shell struct {
	t        *testing.T
	dir, key string
	env      []string
}

func newShell(t *testing.T, env *acctest.Env, address, program string) *shell {
	t.Helper()
	s := &shell{t: t, dir: t.TempDir(), key: env.APIKey}
	settings := filepath.Join(t.TempDir(), "cli.tfrc")
	require.NoError(t, os.WriteFile(settings, []byte(`provider_installation {
  dev_overrides { "surveys-as-code/posthog" = "`+filepath.ToSlash(filepath.Dir(program))+`" }
  direct {}
}`), 0o600))
	for _, assignment := range os.Environ() {
		if !strings.HasPrefix(assignment, "TF_") && !strings.HasPrefix(assignment, "POSTHOG_") {
			s.env = append(s.env, assignment)
		}
	}
	s.env = append(s.env, "TF_CLI_CONFIG_FILE="+settings, "CHECKPOINT_DISABLE=1", "TF_LOG=TRACE", "TF_LOG_PATH="+filepath.Join(s.dir, "log"),
		"GOTRACEBACK=all", "POSTHOG_BASE_URL="+address, "POSTHOG_PROJECT_ID="+env.ProjectID)
	s.write("main.tf", secretConfig)
	return s
}

func (s *shell) write(name, text string) {
	s.t.Helper()
	require.NoError(s.t, os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600))
}

// run calls the CLI with the API key in its environment, and returns its output.
func (s *shell) run(key string, args ...string) (output string, ok bool) {
	s.t.Helper()
	if args[0] != "state" {
		args = append(args, "-no-color")
	}
	cmd := exec.CommandContext(s.t.Context(), cli(), args...) //nolint:gosec // the CLI that was asked for
	cmd.Dir, cmd.Env = s.dir, append(slices.Clip(s.env), "POSTHOG_API_KEY="+key)
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		require.NoError(s.t, err)
	}
	s.hidden(key, strings.Join(args, " "), out)
	s.hidden(s.key, strings.Join(args, " "), out)
	return string(out), err == nil
}

// cli returns the configured CLI.
func cli() string {
	if program := os.Getenv("TF_ACC_TERRAFORM_PATH"); program != "" {
		return program
	}
	return "terraform"
}

// Like all tests with a CLI, drivesCLI skips the test without TF_ACC.
func drivesCLI(t *testing.T) {
	t.Helper()
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Start(t).Factories(), Steps: []resource.TestStep{{Config: `output "ready" { value = true }`}},
	})
}

// hidden fails the test if a text contains the key.
func (s *shell) hidden(key, where string, text []byte) {
	s.t.Helper()
	for _, form := range acctest.KeyForms(key) {
		assert.False(s.t, bytes.Contains(text, []byte(form)), "the API key is in %s, as %q", where, form)
	}
}

// search checks every file that the runs left behind: configuration, state, and logs.
func (s *shell) search(keys ...string) {
	s.t.Helper()
	files := 0
	require.NoError(s.t, filepath.WalkDir(s.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		for _, key := range keys {
			s.hidden(key, entry.Name(), text)
		}
		return err
	}))
	assert.Greater(s.t, files, 1)
	logged, err := os.ReadFile(filepath.Join(s.dir, "log"))
	require.NoError(s.t, err)
	assert.Contains(s.t, string(logged), "request to PostHog", "the provider did not write a log")
}

// watched serves the Env's server, and checks the arguments of all processes on each request, while the provider is
// running. Only Linux exposes them as files.
func watched(t *testing.T, env *acctest.Env) (address string, seen func() string) {
	t.Helper()
	var mu sync.Mutex
	var lines strings.Builder
	front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		mu.Lock()
		for _, file := range files {
			line, _ := os.ReadFile(file) // a process that has ended
			lines.Write(append(line, '\n'))
		}
		mu.Unlock()
		env.Server.ServeHTTP(rw, r)
	}))
	t.Cleanup(front.Close)
	return front.URL, func() string {
		mu.Lock()
		defer mu.Unlock()
		return lines.String()
	}
}

// built returns the provider, built once for all tests.
func built(t *testing.T) string {
	t.Helper()
	dir, err := buildOnce()
	require.NoError(t, err)
	return filepath.Join(dir, "terraform-provider-posthog")
}

// buildOnce creates a directory that contains only the provider. TestMain removes it.
var buildOnce = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "posthog-provider-test-")
	if err != nil {
		return "", err
	}
	buildDir = dir
	out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "terraform-provider-posthog"), "../..").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return dir, nil
})

// buildDir is the directory of the build, or empty before the first build.
var buildDir string

// elsewhere is a host that must receive no request.
func elsewhere(t *testing.T) string {
	t.Helper()
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("%s %s was sent to another host, with %d headers", r.Method, r.URL.Path, len(r.Header))
	}))
	t.Cleanup(other.Close)
	return other.URL
}

// A real Terraform with full logging runs plan, apply, failures of each kind, and destroy. The key is in nothing that
// Terraform prints, writes, or passes on.
//
// This covers only the provider. If the configuration sets api_key = var.key, the key is a Terraform value: Terraform
// writes variables, including sensitive ones, into the plan file, and "terraform show -json" prints them. Ephemeral
// variables and the environment variable are not written.
func TestAccKeyIsNowhere(t *testing.T) {
	t.Parallel()
	drivesCLI(t)
	env := acctest.Start(t)
	address, arguments := watched(t, env)
	program := built(t)
	s := newShell(t, env, address, program)
	wrong := `phx_Wrong0815<"%+/=&'\`

	for _, args := range [][]string{
		{"plan", "-out=plan"}, {"show", "-json", "plan"}, {"apply", "plan"}, {"show", "-json"}, {"plan", "-detailed-exitcode"},
	} {
		output, ok := s.run(env.APIKey, args...)
		require.True(t, ok, output)
	}
	s.write("main.tf", strings.Replace(secretConfig, "NPS", "NPS 2", 1))
	failures := map[string]struct {
		faults []testserver.Fault
		key    string
		want   string
	}{
		"an echo": {[]testserver.Fault{{Method: "PATCH", Status: 403, Body: map[string]any{
			"type": "permission_denied", "detail": "Authorization: Bearer " + env.APIKey, "attr": env.APIKey,
		}}}, env.APIKey, "403 Forbidden"},
		"a page":     {[]testserver.Fault{{Method: "PATCH", Status: 400, Body: "<html><title>Bearer " + env.APIKey + "</title>"}}, env.APIKey, "HTML page"},
		"a redirect": {[]testserver.Fault{{Status: 302, Headers: map[string]string{"Location": elsewhere(t) + "/?key=x"}}}, env.APIKey, "a redirect to "},
		"wrong key":  {nil, wrong, "401 Unauthorized"},
		"no key":     {nil, wrong + " ", "Invalid provider configuration"},
	}
	for name, failure := range failures {
		env.SetFaults(failure.faults...)
		output, ok := s.run(failure.key, "apply", "-auto-approve")
		assert.False(t, ok, name)
		assert.Contains(t, strings.Join(strings.Fields(strings.NewReplacer("│", " ").Replace(output)), " "), failure.want, name)
	}
	env.SetFaults()
	output, ok := s.run(env.APIKey, "destroy", "-auto-approve")
	require.True(t, ok, output)
	s.search(env.APIKey, wrong)

	if runtime.GOOS == "linux" {
		assert.Contains(t, arguments(), filepath.Base(program), "the test did not find the provider's process")
	}
	s.hidden(env.APIKey, "the arguments of a process", []byte(arguments()))

	help := exec.CommandContext(t.Context(), program, "--help")
	help.Env = append(os.Environ(), "POSTHOG_API_KEY="+env.APIKey)
	out, _ := help.CombinedOutput() // package flag exits with an error code after --help
	assert.Contains(t, string(out), "-debug")
	s.hidden(env.APIKey, "--help", out)
}

// If the provider panics with the key in memory, the output contains the location, but not the key.
func TestAccKeyIsInNoCrash(t *testing.T) {
	t.Parallel()
	drivesCLI(t)
	env := acctest.Start(t)
	self, err := os.Executable()
	require.NoError(t, err)
	program := filepath.Join(t.TempDir(), "terraform-provider-posthog")
	require.NoError(t, os.Symlink(self, program))
	s := newShell(t, env, env.URL, program)
	s.env = append(s.env, crash+"=yes")
	output, ok := s.run(env.APIKey, "apply", "-auto-approve")
	assert.False(t, ok)
	logged, err := os.ReadFile(filepath.Join(s.dir, "log"))
	require.NoError(t, err)
	// Some CLIs print the error before the stack, which is then only in the log.
	assert.Contains(t, output+string(logged), "a fault of the provider")
	assert.Contains(t, output+string(logged), "goroutine ", "the output must contain a stack trace")
	s.hidden(env.APIKey, "the log", logged)
}

// privateApp returns an app whose token is in an ephemeral variable, with more settings.
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

// writeOnly returns the write-only query of an app.
func writeOnly(version string) string {
	return `  url_query_wo = "private_token=${var.token}"
  url_query_wo_version = ` + version
}

// With a real Terraform and full logging, a create sends url_query_wo, and nothing that is printed or written
// contains its value.
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

	// PostHog refuses the app, and repeats the request.
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

// everything returns the output and the text of all files in a directory, including files in archives.
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
