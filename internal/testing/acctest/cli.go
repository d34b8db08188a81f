package acctest

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/terraform-exec/tfexec"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/tfcli"
)

// CLI runs Terraform or OpenTofu commands in a directory, with providers that the test serves. Use it if the testing
// framework has no suitable step. Each command uses new servers, so providers remember nothing between commands.
type CLI struct {
	// Dir is the working directory. The test writes its files.
	Dir string

	t    testing.TB
	path string
	env  *Env
	// others maps the sources of other providers to functions that create their servers.
	others map[string]func() tfprotov6.ProviderServer
}

// CLI returns the program in TF_ACC_TERRAFORM_PATH, or the terraform in PATH, with an empty directory. It
// skips the test unless TF_ACC is set.
func (env *Env) CLI(t testing.TB) *CLI {
	t.Helper()
	if os.Getenv("TF_ACC") == "" {
		t.Skip("TF_ACC is not set")
	}
	path := os.Getenv("TF_ACC_TERRAFORM_PATH")
	if path == "" {
		path = "terraform"
	}
	program, err := exec.LookPath(path)
	require.NoError(t, err)
	return &CLI{Dir: t.TempDir(), t: t, path: program, env: env}
}

// Path returns the path of the program.
func (c *CLI) Path() string { return c.path }

// With returns the CLI with an additional provider. source is the provider's source, such as posthog/posthog.
func (c *CLI) With(source string, newServer func() tfprotov6.ProviderServer) *CLI {
	result := *c
	result.others = maps.Clone(c.others)
	if result.others == nil {
		result.others = map[string]func() tfprotov6.ProviderServer{}
	}
	result.others[source] = newServer
	return &result
}

// At returns a CLI for another program in the same directory.
func (c *CLI) At(path string) *CLI {
	result := *c
	result.path = path
	return &result
}

// Copy returns the CLI with a copy of the directory, for another test.
func (c *CLI) Copy(t testing.TB) *CLI {
	t.Helper()
	result := *c
	result.t, result.Dir = t, filepath.Join(t.TempDir(), "copy")
	require.NoError(t, os.CopyFS(result.Dir, os.DirFS(c.Dir)))
	return &result
}

// Write writes a file in the directory.
func (c *CLI) Write(name, content string) {
	c.t.Helper()
	require.NoError(c.t, os.WriteFile(filepath.Join(c.Dir, name), []byte(content), 0o600))
}

// Run runs a command, which must succeed, and returns its output.
func (c *CLI) Run(args ...string) string {
	c.t.Helper()
	output, code := c.Exit(args...)
	require.Zero(c.t, code, "%s\n%s", args, output)
	return output
}

// Exit runs a command, and returns its output and its exit code.
func (c *CLI) Exit(args ...string) (string, int) {
	c.t.Helper()
	attach, stop := c.serve()
	defer stop()
	reattach, err := json.Marshal(attach)
	require.NoError(c.t, err)

	command := c.command(args...)
	command.Env = append(command.Env, "TF_REATTACH_PROVIDERS="+string(reattach), "TF_CLI_ARGS=-no-color")
	output, err := command.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return string(output), exit.ExitCode()
	}
	require.NoError(c.t, err)
	return string(output), 0
}

// command returns a command in the directory. It removes the user's own Terraform settings from the
// environment.
func (c *CLI) command(args ...string) *exec.Cmd {
	command := exec.CommandContext(c.t.Context(), c.path, args...) //nolint:gosec // the CLI under test
	command.Dir = c.Dir
	for _, assignment := range os.Environ() {
		if !strings.HasPrefix(assignment, "TF_") && !strings.HasPrefix(assignment, "POSTHOG_") {
			command.Env = append(command.Env, assignment)
		}
	}
	command.Env = append(command.Env, "TF_CLI_CONFIG_FILE="+os.DevNull, "TF_IN_AUTOMATION=1", "CHECKPOINT_DISABLE=1")
	return command
}

// serve serves all providers for one command.
func (c *CLI) serve() (attach tfexec.ReattachInfo, stop func()) {
	c.t.Helper()
	provider, err := c.env.Factories()["posthog"]()
	require.NoError(c.t, err)

	servers := map[string]tfprotov6.ProviderServer{"surveys-as-code/posthog": provider}
	for source, newServer := range c.others {
		servers[source] = newServer()
	}

	attach = tfexec.ReattachInfo{}
	var stops []func()
	for name, server := range servers {
		info, stopOne, err := tfcli.ServeProvider(c.t.Context(), server, "registry.terraform.io/"+name, "registry.opentofu.org/"+name)
		require.NoError(c.t, err)
		maps.Copy(attach, info)
		stops = append(stops, stopOne)
	}
	return attach, func() {
		for _, stopOne := range stops {
			stopOne()
		}
	}
}

// About returns the first line of the program's version output, such as "Terraform v1.16.4".
func (c *CLI) About() string {
	c.t.Helper()
	output, err := c.command("version").Output()
	require.NoError(c.t, err)
	line, _, _ := strings.Cut(string(output), "\n")
	return line
}

// SkipBelow skips the test unless the program is the given product, Terraform or OpenTofu, in version oldest
// or later.
func (c *CLI) SkipBelow(product, oldest string) {
	c.t.Helper()
	if !strings.HasPrefix(c.About(), product) || c.version().LessThan(version.Must(version.NewVersion(oldest))) {
		c.t.Skipf("%s is not %s %s or later", c.About(), product, oldest)
	}
}

func (c *CLI) version() *version.Version {
	c.t.Helper()
	about := c.About()
	parsed, err := version.NewVersion(about[strings.LastIndex(about, "v")+1:])
	require.NoError(c.t, err, about)
	return parsed.Core()
}
