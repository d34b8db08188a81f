package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// workspace is a folder with configuration and state of one variant, as the CLI sees it.
type workspace struct {
	*bench
	*server // which its surveys are on
	variant variant
	dir     string
	env     []string
	used    string // file in which metered programs leave what they used
}

// newWorkspace makes an empty folder in which the CLI runs the variant, under the meter, for a
// service of its own with n surveys.
func (b *bench) newWorkspace(ctx context.Context, c variant, n int) (*workspace, error) {
	dir, err := os.MkdirTemp(b.dir, string(c)+"-")
	if err != nil {
		return nil, err
	}
	w := &workspace{bench: b, variant: c, dir: filepath.Join(dir, "code"), used: filepath.Join(dir, "used")}
	plugins, settings := filepath.Join(dir, "plugins"), filepath.Join(dir, "cli.tfrc")
	for _, folder := range []string{w.dir, plugins} {
		if err := os.Mkdir(folder, 0o750); err != nil {
			return nil, err
		}
	}

	// A program that Terraform takes for the provider, and that runs the real one.
	program := []string{b.programs + "terraform-provider-posthog"}
	if c != ours {
		program = []string{b.self, "serve", string(c)}
	}
	words := append([]string{b.self, "meter", w.used}, program...)
	script := "#!/bin/sh\nexec '" + strings.Join(words, "' '") + "'\n"
	//nolint:gosec // Terraform must be able to run it
	if err := os.WriteFile(filepath.Join(plugins, "terraform-provider-posthog"), []byte(script), 0o700); err != nil {
		return nil, err
	}

	overrides := fmt.Sprintf("provider_installation {\n  dev_overrides {\n    %q = %q\n  }\n  direct {}\n}\n",
		"surveys-as-code/posthog", filepath.ToSlash(plugins))
	w.env = append(cleanEnvironment(), "TF_CLI_CONFIG_FILE="+settings, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1")
	if err := os.WriteFile(settings, []byte(overrides), 0o600); err != nil {
		return nil, err
	}
	if w.server, err = b.startService(ctx, n); err != nil {
		return nil, err
	}
	w.env = append(w.env, w.environment...)
	return w, nil
}

// configure writes n surveys, a resource block for each: for_each and count cost Terraform
// itself more with every instance, which would hide what is measured.
func (w *workspace) configure(n int, survey func(i int) settings) error {
	blocks := map[string]any{}
	for i := range n {
		blocks[fmt.Sprintf("survey_%05d", i)] = survey(i)
	}
	return w.write(map[string]any{"resource": map[string]any{"posthog_survey": blocks}})
}

func (w *workspace) write(configuration map[string]any) error {
	configuration["terraform"] = map[string]any{"required_providers": map[string]any{"posthog": map[string]any{"source": "surveys-as-code/posthog"}}}
	return os.WriteFile(filepath.Join(w.dir, "main.tf.json"), []byte(text(configuration)), 0o600)
}

// create applies n surveys, which costs what is returned, and refreshes them once, as the next
// apply does.
func (w *workspace) create(ctx context.Context, n int) (used usage, err error) {
	if err := w.configure(n, w.variant.stored); err != nil {
		return usage{}, err
	}
	if used, err = w.usageOf(func() error { return w.apply(ctx) }); err != nil {
		return usage{}, err
	}
	return used, errors.Join(w.call(ctx, "apply", "-refresh-only", "-auto-approve"), w.configure(n, w.variant.survey(before)))
}

func (w *workspace) apply(ctx context.Context) error { return w.call(ctx, "apply", "-auto-approve") }

// plan plans, and fails unless the plan changes something or not as expected: a provider that
// planned a change where there is none would make the other one look good.
func (w *workspace) plan(ctx context.Context, change bool) error {
	err := w.call(ctx, "plan", "-detailed-exitcode")
	changes := false
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 2 {
		changes, err = true, nil
	}
	if err == nil && changes != change {
		err = fmt.Errorf("a plan of the %s was expected to change something: %t, and it did the opposite", titles[w.variant], change)
	}
	return err
}

// call calls the CLI and has it ask nothing.
func (w *workspace) call(ctx context.Context, args ...string) error {
	return w.run(exec.CommandContext(ctx, w.cli, append(args, "-input=false", "-no-color")...))
}

// sync runs posthog-sync under the meter.
func (w *workspace) sync(ctx context.Context, args ...string) error {
	words := append([]string{"meter", w.used, w.programs + "posthog-sync"}, append(args, "--no-progress")...)
	return w.run(exec.CommandContext(ctx, w.self, words...))
}

// run runs a program. What it says when it fails is part of the error.
func (w *workspace) run(cmd *exec.Cmd) error {
	var stderr strings.Builder
	cmd.Dir, cmd.Env, cmd.Stderr = w.dir, w.env, &stderr
	if err := interruptible(cmd).Run(); err != nil {
		return fmt.Errorf("%v with the %s: %w\n%s", cmd.Args, titles[w.variant], err, stderr.String())
	}
	return nil
}

// usageOf is the usage of the metered programs that do starts. What was not measured must not
// be taken for nothing.
func (w *workspace) usageOf(do func() error) (all usage, err error) {
	if err := errors.Join(os.RemoveAll(w.used), do()); err != nil {
		return usage{}, err
	}
	written, err := os.ReadFile(w.used)
	if err != nil {
		return usage{}, err
	}
	for line := range strings.Lines(string(written)) {
		var one usage
		if _, err := fmt.Sscan(line, &one.cpu, &one.peak); err != nil {
			return usage{}, fmt.Errorf("%s: %w", w.used, err)
		}
		all.cpu += one.cpu
		all.peak = max(all.peak, one.peak)
	}
	return all, nil
}

// figures are what a command cost.
type figures struct {
	requests int
	elapsed  time.Duration
	usage
}

// measure runs a command that its service gets the requests of.
func (w *workspace) measure(ctx context.Context, do func() error) (f figures, err error) {
	f.requests, err = w.countRequests(ctx, func() error {
		start := time.Now()
		f.usage, err = w.usageOf(do)
		f.elapsed = time.Since(start)
		return err
	})
	return f, err
}
