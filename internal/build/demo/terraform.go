package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// terraform drives the CLI, Terraform or OpenTofu, in a folder of its own.
type terraform struct {
	name    string // what the CLI calls itself, with its version
	program string
	syncer  string // posthog-sync, which uses the same CLI
	dir     string
	env     []string
}

// newTerraform prepares a folder in which the CLI finds the provider in the
// mirror alone, and the server in its environment.
func newTerraform(ctx context.Context, built products, srv *server, dir string) (*terraform, error) {
	program, err := findCLI()
	if err != nil {
		return nil, err
	}

	settings := filepath.Join(dir, "cli.tfrc")
	installation := fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", filepath.ToSlash(built.mirror))
	if err := os.WriteFile(settings, []byte(installation), 0o600); err != nil {
		return nil, err
	}

	t := &terraform{program: program, syncer: built.sync, dir: filepath.Join(dir, "configuration"), env: environment()}
	for name, value := range srv.exports {
		t.env = append(t.env, name+"="+value)
	}
	t.env = append(t.env, "TF_CLI_CONFIG_FILE="+settings, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1")

	if err := os.Mkdir(t.dir, 0o750); err != nil {
		return nil, err
	}

	var version strings.Builder
	if err := t.run(ctx, &version, "version"); err != nil {
		return nil, err
	}

	t.name, _, _ = strings.Cut(version.String(), "\n")
	return t, nil
}

// in drives the same CLI in an empty folder beside the first.
func (t *terraform) in(name string) (*terraform, error) {
	other := *t
	other.dir = filepath.Join(filepath.Dir(t.dir), name)
	return &other, os.Mkdir(other.dir, 0o750)
}

// findCLI names the program that is driven.
func findCLI() (string, error) {
	if chosen := os.Getenv("TF_ACC_TERRAFORM_PATH"); chosen != "" {
		return filepath.Abs(chosen)
	}
	found, err := exec.LookPath("terraform")
	if err != nil {
		return "", fmt.Errorf("there is no terraform in PATH; \"make demo\" builds an OpenTofu and uses that: %w", err)
	}
	return found, nil
}

// environment is the own one without the settings that would change what the CLI does.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(assignment string) bool {
		return strings.HasPrefix(assignment, "TF_") || strings.HasPrefix(assignment, "POSTHOG_")
	})
}

// run calls the CLI. What it says when it fails is part of the error.
func (t *terraform) run(ctx context.Context, show io.Writer, args ...string) error {
	var output strings.Builder
	cmd := exec.CommandContext(ctx, t.program, args...) //nolint:gosec // the CLI that was asked for
	cmd.Dir, cmd.Env = t.dir, t.env
	cmd.Stdout, cmd.Stderr = show, &output
	interruptible(cmd)
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", filepath.Base(t.program), args[0], err, output.String())
	}
	return nil
}

// sync calls posthog-sync, and shows all that it says.
func (t *terraform) sync(ctx context.Context, say narrator, args ...string) error {
	var output strings.Builder
	cmd := exec.CommandContext(ctx, t.syncer, append(args, "--terraform", t.program)...) //nolint:gosec // the program that was built here
	cmd.Dir, cmd.Env = t.dir, t.env
	cmd.Stdout, cmd.Stderr = say.all(), io.MultiWriter(say.all(), &output)
	interruptible(cmd)
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("posthog-sync %s: %w\n%s", args[0], err, output.String())
	}
	return nil
}

// use copies the configuration of a folder, and nothing that someone's own runs
// left beside it.
func (t *terraform) use(folder string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.tf"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("there is no configuration in %s", folder)
	}
	for _, file := range files {
		text, readErr := os.ReadFile(file)
		err = errors.Join(err, readErr, t.write(filepath.Base(file), text))
	}
	return err
}

func (t *terraform) write(name string, text []byte) error {
	return os.WriteFile(filepath.Join(t.dir, name), text, 0o600) //nolint:gosec // name is that of a file of ours
}

// add writes one more file of configuration, and the values of its variables.
func (t *terraform) add(blocks string, values map[string]string) error {
	text, err := json.Marshal(values)
	if err != nil {
		return err
	}
	return errors.Join(t.write("adopted.tf", []byte(blocks)), t.write("adopted.auto.tfvars.json", text))
}

func (t *terraform) init(ctx context.Context) error {
	return t.run(ctx, io.Discard, "init", "-no-color", "-input=false")
}

func (t *terraform) apply(ctx context.Context, show io.Writer) error {
	return t.run(ctx, show, "apply", "-no-color", "-input=false", "-auto-approve")
}

// applyWith applies, and fails unless the CLI says what is expected.
func (t *terraform) applyWith(ctx context.Context, say narrator, expected string) error {
	var output strings.Builder
	if err := t.apply(ctx, io.MultiWriter(&output, say.only("Apply complete!"))); err != nil {
		return err
	}
	if !strings.Contains(output.String(), expected) {
		return fmt.Errorf("the apply did not end with %q:\n%s", expected, output.String())
	}
	return nil
}

func (t *terraform) destroy(ctx context.Context, show io.Writer) error {
	return t.run(ctx, show, "destroy", "-no-color", "-input=false", "-auto-approve")
}

// mustBeEmpty plans, and fails unless there is nothing to do. The CLI itself says
// so, by its exit code.
func (t *terraform) mustBeEmpty(ctx context.Context, show io.Writer) error {
	err := t.run(ctx, show, "plan", "-no-color", "-input=false", "-detailed-exitcode")
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 2 {
		return errors.New("the plan is not empty: applying the same configuration twice must change nothing")
	}
	return err
}

// mustOnlyImport plans, and fails unless the plan imports the object at address
// and changes nothing.
func (t *terraform) mustOnlyImport(ctx context.Context, address string, show io.Writer) error {
	const file = "import.tfplan"
	if err := t.run(ctx, show, "plan", "-no-color", "-input=false", "-out="+file); err != nil {
		return err
	}
	var document strings.Builder
	if err := t.run(ctx, &document, "show", "-json", file); err != nil {
		return err
	}
	return onlyImports(document.String(), address)
}
