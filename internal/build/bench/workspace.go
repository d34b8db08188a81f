//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// startService starts the test server with n surveys.
func startService(n int) (*testserver.Server, *httptest.Server, error) {
	stored := make([]object, n)
	for i := range stored {
		stored[i] = wireSurvey(fmt.Sprintf("Stored %05d", i))
		stored[i]["project_id"], stored[i]["id"] = "1", storedID(i)
	}
	server, err := testserver.New(testserver.Options{
		Fixtures: strings.NewReader(text(object{"surveys": stored})), Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return nil, nil, err
	}
	return server, httptest.NewServer(server), nil
}

// workspace is a directory with the configuration and the state of a variant.
type workspace struct {
	*bench
	service *testserver.Server // the server that contains its surveys
	port    *httptest.Server
	variant variant
	dir     string
	env     []string
	used    string // the file to which metered programs append their usage
}

// newWorkspace creates an empty directory in which the CLI runs the variant under the meter. It also starts a
// server with n surveys for it.
func (b *bench) newWorkspace(c variant, n int) (*workspace, error) {
	dir, err := os.MkdirTemp(b.dir, string(c)+"-")
	if err != nil {
		return nil, err
	}
	w := &workspace{bench: b, variant: c, dir: filepath.Join(dir, "code"), used: filepath.Join(dir, "used")}

	// Terraform starts this program as the provider. It runs the real provider under the meter.
	program := []string{b.programs + "terraform-provider-posthog"}
	if c != ours {
		program = []string{b.self, "serve", string(c)}
	}
	script := "#!/bin/sh\nexec '" + strings.Join(append([]string{b.self, "meter", w.used}, program...), "' '") + "'\n"
	plugins, settings := filepath.Join(dir, "plugins"), filepath.Join(dir, "cli.tfrc")
	overrides := fmt.Sprintf("provider_installation {\n  dev_overrides {\n    %q = %q\n  }\n  direct {}\n}\n",
		"surveys-as-code/posthog", filepath.ToSlash(plugins))
	if err := errors.Join(
		os.Mkdir(w.dir, 0o750), os.Mkdir(plugins, 0o750),
		os.WriteFile(filepath.Join(plugins, "terraform-provider-posthog"), []byte(script), 0o700), //nolint:gosec // Terraform must be able to run it
		os.WriteFile(settings, []byte(overrides), 0o600),
	); err != nil {
		return nil, err
	}

	if w.service, w.port, err = startService(n); err != nil {
		return nil, err
	}
	key, project, organization := w.service.Credentials()
	w.env = append(cleanEnvironment(), "TF_CLI_CONFIG_FILE="+settings, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1",
		"POSTHOG_BASE_URL="+w.port.URL, "POSTHOG_API_KEY="+key, "POSTHOG_PROJECT_ID="+project, "POSTHOG_ORGANIZATION_ID="+organization)
	return w, nil
}

// configure writes a resource block for each of n surveys. With for_each or count, Terraform itself would
// need more time for each instance, which would hide the measured cost.
func (w *workspace) configure(n int, survey func(i int) object) error {
	blocks := object{}
	for i := range n {
		blocks[fmt.Sprintf("survey_%05d", i)] = survey(i)
	}
	return w.write(object{"resource": object{"posthog_survey": blocks}})
}

// describe calls configure with a description for all surveys.
func (w *workspace) describe(n int, description string) error {
	return w.configure(n, func(i int) object { return w.variant.survey(i, description) })
}

func (w *workspace) write(configuration object) error {
	configuration["terraform"] = object{"required_providers": object{"posthog": object{"source": "surveys-as-code/posthog"}}}
	return os.WriteFile(filepath.Join(w.dir, "main.tf.json"), []byte(text(configuration)), 0o600)
}

// create applies n surveys and refreshes them once, as the next apply would.
func (w *workspace) create(ctx context.Context, n int) error {
	return errors.Join(w.describe(n, before), w.call(ctx, "apply", "-auto-approve"), w.call(ctx, "apply", "-refresh-only", "-auto-approve"))
}

// plan runs a plan. It fails if change is true and the plan is empty, or if change is false and the plan contains
// changes: a provider that plans an unexpected change would distort the comparison.
func (w *workspace) plan(ctx context.Context, change bool) error {
	err := w.call(ctx, "plan", "-detailed-exitcode")
	changes := false
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 2 {
		changes, err = true, nil
	}
	if err == nil && changes != change {
		err = fmt.Errorf("a plan of the %s contains changes: %t, want %t", titles[w.variant], changes, change)
	}
	return err
}

// call runs the CLI without interactive input.
func (w *workspace) call(ctx context.Context, args ...string) error {
	return w.run(ctx, append([]string{w.cli}, append(args, "-input=false", "-no-color")...))
}

// sync runs posthog-sync under the meter.
func (w *workspace) sync(ctx context.Context, args ...string) error {
	return w.run(ctx, append([]string{w.self, "meter", w.used, w.programs + "posthog-sync"}, append(args, "--no-progress")...))
}

// run runs a program. If the program fails, the error contains its output.
func (w *workspace) run(ctx context.Context, words []string) error {
	var stderr strings.Builder
	cmd := interruptible(ctx, words)
	cmd.Dir, cmd.Env, cmd.Stderr = w.dir, w.env, &stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%v with the %s: %w\n%s", words, titles[w.variant], err, stderr.String())
	}
	return nil
}

// interruptible returns a command that is interrupted when the context ends, so that it can stop its child processes.
// The command is killed only if it is still running after WaitDelay.
func interruptible(ctx context.Context, words []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.WaitDelay = 30 * time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	return cmd
}
