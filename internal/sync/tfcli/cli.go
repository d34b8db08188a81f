// Package tfcli runs the user's Terraform or OpenTofu with the provider from this build. It plans a
// directory, and converts plans and states to JSON. Package tfplan interprets the plans. Start reading at
// [Find].
//
// The package installs nothing, and must never pass the API key to the program.
package tfcli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/terraform-exec/tfexec"
	tfjson "github.com/hashicorp/terraform-json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/tfplan"
)

// CLI is a Terraform or OpenTofu program that uses the provider from this build: the running process serves
// the provider, and the program attaches to it. CLI installs and downloads nothing. The program reads the
// user's CLI configuration as usual, but never writes it.
type CLI struct {
	// Path is the program's path.
	Path string
	// KeyIsOptional is set if a plan may run without an API key, and therefore without access to PostHog.
	// IsWithoutKey is set after such a plan.
	KeyIsOptional, IsWithoutKey bool

	newProvider func() *provider.Provider
}

// Find returns the program at path. If path is empty, it looks for terraform and then for tofu in PATH. Each
// command gets a new provider from newProvider. The provider's Getenv selects the PostHog instance and the
// project.
func Find(path string, newProvider func() *provider.Provider) (*CLI, error) {
	dropMissingConfig()
	askForNoUpdates()
	if path != "" {
		found, err := exec.LookPath(path)
		if err != nil {
			return nil, fmt.Errorf("--terraform: %w", err)
		}
		path, err = filepath.Abs(found)
		return &CLI{Path: path, newProvider: newProvider}, err
	}

	for _, name := range []string{"terraform", "tofu"} {
		if found, err := exec.LookPath(name); err == nil {
			return &CLI{Path: found, newProvider: newProvider}, nil
		}
	}
	return nil, errors.New("neither terraform nor tofu is in PATH. Install one, or set --terraform to the path of the program")
}

// dropMissingConfig unsets TF_CLI_CONFIG_FILE if the file does not exist. Both programs ignore a missing file,
// but OpenTofu prints a warning before its JSON, which makes the JSON invalid.
func dropMissingConfig() {
	const variable = "TF_CLI_CONFIG_FILE"
	if path := os.Getenv(variable); path != "" {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) { //nolint:gosec // the user's own file
			_ = os.Unsetenv(variable)
		}
	}
}

// askForNoUpdates disables Terraform's check for new versions, because posthog-sync users did not ask for
// it. It does not change a variable that is already set.
func askForNoUpdates() {
	const variable = "CHECKPOINT_DISABLE"
	if _, set := os.LookupEnv(variable); !set {
		_ = os.Setenv(variable, "1")
	}
}

// Name returns the program's name for messages.
func (c *CLI) Name() string { return strings.TrimSuffix(filepath.Base(c.Path), ".exe") }

// About contains the versions of a program and a provider.
type About struct {
	// Product is Terraform or OpenTofu. Command is the program's name.
	Product, Command string
	Version          *version.Version
	// Provider is the provider's version in an initialized directory. It is nil if the directory is not
	// initialized.
	Provider *version.Version
}

// About returns the program's version and the provider's version in a directory.
func (c *CLI) About(ctx context.Context, dir string) (About, error) {
	tf, err := tfexec.NewTerraform(dir, c.Path)
	if err != nil {
		return About{}, fmt.Errorf("%s: %w", c.Path, err)
	}
	about := About{Product: "Terraform", Command: c.Name()}
	if strings.HasPrefix(c.Name(), "tofu") {
		about.Product = "OpenTofu"
	}
	var providers map[string]*version.Version
	if about.Version, providers, err = tf.Version(ctx, true); err != nil {
		return About{}, c.failed(ctx, "version", dir, err)
	}
	for _, address := range ProviderAddresses {
		if installed := providers[address]; installed != nil {
			about.Provider = installed
		}
	}
	return about, nil
}

// Plan plans a directory and returns the plan. It does not change the directory: it does not lock the state,
// and writes the plan to a temporary file.
func (c *CLI) Plan(ctx context.Context, dir string) (*tfjson.Plan, error) {
	return c.PlanAnd(ctx, dir, nil, nil)
}

// PlanAnd is like Plan, but calls a function with the plan file and whether the plan changes anything. If the
// function returns false, PlanAnd does not read the plan, and returns nil. Otherwise, it calls change for each
// change, with the plan read so far, and omits the changes from the plan. Both functions may be nil.
func (c *CLI) PlanAnd(
	ctx context.Context, dir string, saved func(file string, differs bool) (isWanted bool), change func(*tfjson.Plan, *tfjson.ResourceChange) error,
) (*tfjson.Plan, error) {
	var plan *tfjson.Plan
	err := c.run(ctx, "plan", dir, func(tf *tfexec.Terraform, attach tfexec.ReattachInfo) error {
		// A plan file contains the values of variables, including sensitive values.
		code.RemoveStale(os.TempDir())
		temporary, err := os.MkdirTemp("", code.TemporaryPattern(""))
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(temporary) }()
		file := filepath.Join(temporary, "plan")

		differs, err := tf.Plan(ctx, tfexec.Out(file), tfexec.Lock(false), tfexec.Reattach(attach))
		if err != nil || saved != nil && !saved(file, differs) {
			return err
		}
		plan = &tfjson.Plan{}
		var visit func(*tfjson.ResourceChange) error
		if change != nil {
			visit = func(one *tfjson.ResourceChange) error { return change(plan, one) }
		}
		return c.show(ctx, dir, file, attach, tfplan.Visitor(plan, visit))
	})
	return plan, err
}

// ShowPlan reads a saved plan of a directory.
func (c *CLI) ShowPlan(ctx context.Context, dir, file string) (*tfjson.Plan, error) {
	file, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	plan := &tfjson.Plan{}
	return plan, c.run(ctx, "show", dir, func(_ *tfexec.Terraform, attach tfexec.ReattachInfo) error {
		return c.show(ctx, dir, file, attach, tfplan.Visitor(plan, nil))
	})
}

// State calls a function for each resource in a directory's state. It reports whether the directory has a
// state.
func (c *CLI) State(ctx context.Context, dir string, resource func(*tfjson.StateResource) error) (isThere bool, err error) {
	err = c.run(ctx, "show", dir, func(_ *tfexec.Terraform, attach tfexec.ReattachInfo) error {
		return c.show(ctx, dir, "", attach, tfplan.StateVisitor(&isThere, resource))
	})
	return isThere, err
}

// hasConfiguration reports whether a directory contains configuration files. Without configuration, Terraform
// would plan to destroy everything.
func hasConfiguration(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return true // Terraform reports the reason
	}
	for _, entry := range entries {
		for _, ending := range []string{".tf", ".tf.json", ".tofu", ".tofu.json"} {
			if strings.HasSuffix(entry.Name(), ending) {
				return true
			}
		}
	}
	return false
}

// run runs a command in a directory, and serves the provider for it.
func (c *CLI) run(ctx context.Context, command, dir string, do func(*tfexec.Terraform, tfexec.ReattachInfo) error) error {
	if info, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("directory %s does not exist. Use the directory that contains your Terraform configuration: %w", dir, fs.ErrNotExist)
	} else if err != nil {
		return err
	} else if !info.IsDir() {
		return fmt.Errorf("%s is not a directory", dir)
	}
	if command == "plan" && !hasConfiguration(dir) {
		return fmt.Errorf("%s does not contain .tf files. Use the directory that contains your Terraform configuration", dir)
	}
	tf, err := tfexec.NewTerraform(dir, c.Path)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Path, err)
	}

	served := c.newProvider()
	served.KeyIsOptional = c.KeyIsOptional
	server, err := provider.NewServer(served) //nolint:contextcheck // it asks the provider for its schemas, which takes no time
	if err != nil {
		return err
	}
	attach, stop, err := ServeProvider(ctx, server, ProviderAddresses...)
	if err != nil {
		return err
	}
	defer stop()

	err = do(tf, attach)
	c.IsWithoutKey = served.IsWithoutKey()
	if err != nil {
		return c.failed(ctx, command, dir, err)
	}
	return nil
}

// failure is the error of a failed program. It contains only the first error that the program prints, because
// one mistake in a file often causes a hundred errors.
type failure struct {
	text  string
	cause error
}

func (e *failure) Error() string { return e.text }

func (e *failure) Unwrap() error { return e.cause }

// diagnostic matches the start of an error in a program's output.
var diagnostic = regexp.MustCompile(`(?m)^Error: `)

// failed returns the error of a failed program.
func (c *CLI) failed(ctx context.Context, command, dir string, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return fmt.Errorf("%s %s in %s was stopped: %w", c.Name(), command, dir, cause)
	}

	what := fmt.Sprintf("%s %s failed in %s", c.Name(), command, dir)
	errors := diagnostic.Split(strings.TrimSpace(err.Error()), -1)[1:]
	if len(errors) == 0 {
		return fmt.Errorf("%s: %w", what, err)
	}

	text := what + ": " + strings.TrimSpace(errors[0])
	if others := len(errors) - 1; others > 0 {
		text += fmt.Sprintf("\n\nTo see the remaining %[3]s, run %[1]s %[2]s in that directory.", c.Name(), command, responses.Count(others, "error"))
	}
	return &failure{text, err}
}
