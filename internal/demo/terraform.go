package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hashicorp/terraform-exec/tfexec"
)

// terraform drives the CLI, Terraform or OpenTofu, in a folder of its own.
type terraform struct {
	name string // what the CLI calls itself, with its version
	dir  string
	cli  *tfexec.Terraform
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
	tf := &terraform{dir: filepath.Join(dir, "configuration")}
	if err := os.Mkdir(tf.dir, 0o750); err != nil {
		return nil, err
	}
	env := environment()
	maps.Copy(env, srv.exports)
	env["TF_CLI_CONFIG_FILE"] = settings
	env["CHECKPOINT_DISABLE"] = "1"
	if tf.name, err = introduce(ctx, program, env); err != nil {
		return nil, err
	}
	if tf.cli, err = tfexec.NewTerraform(tf.dir, program); err != nil {
		return nil, err
	}
	return tf, tf.cli.SetEnv(env)
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
func environment() map[string]string {
	env := map[string]string{}
	for _, assignment := range os.Environ() {
		name, value, _ := strings.Cut(assignment, "=")
		if !strings.HasPrefix(name, "TF_") && !strings.HasPrefix(name, "POSTHOG_") {
			env[name] = value
		}
	}
	return env
}

// introduce returns the first line of what "version" prints.
func introduce(ctx context.Context, program string, env map[string]string) (string, error) {
	cmd := exec.CommandContext(ctx, program, "version")
	for name, value := range env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s version: %w", program, err)
	}
	name, _, _ := strings.Cut(string(out), "\n")
	return name, nil
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
	return os.WriteFile(filepath.Join(t.dir, name), text, 0o600)
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
	return t.cli.Init(ctx)
}

func (t *terraform) apply(ctx context.Context, show io.Writer) error {
	t.cli.SetStdout(show)
	return t.cli.Apply(ctx)
}

func (t *terraform) destroy(ctx context.Context, show io.Writer) error {
	t.cli.SetStdout(show)
	return t.cli.Destroy(ctx)
}

// mustBeEmpty plans, and fails unless there is nothing to do. The CLI itself says
// so, by its exit code.
func (t *terraform) mustBeEmpty(ctx context.Context, show io.Writer) error {
	t.cli.SetStdout(show)
	changes, err := t.cli.Plan(ctx)
	if err == nil && changes {
		err = errors.New("the plan is not empty: applying the same configuration twice must change nothing")
	}
	return err
}

// mustOnlyImport plans, and fails unless the plan imports the object at address
// and changes nothing.
func (t *terraform) mustOnlyImport(ctx context.Context, address string, show io.Writer) error {
	file := filepath.Join(t.dir, "import.tfplan")
	t.cli.SetStdout(show)
	if _, err := t.cli.Plan(ctx, tfexec.Out(file)); err != nil {
		return err
	}
	t.cli.SetStdout(io.Discard)
	plan, err := t.cli.ShowPlanFile(ctx, file)
	if err != nil {
		return err
	}
	imported := false
	for _, change := range plan.ResourceChanges {
		if !change.Change.Actions.NoOp() {
			return fmt.Errorf("the import would also %v %s", change.Change.Actions, change.Address)
		}
		if change.Address == address && change.Change.Importing != nil {
			imported = true
		}
	}
	if !imported {
		return fmt.Errorf("the plan does not import %s", address)
	}
	return nil
}
