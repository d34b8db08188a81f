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

// workspace is a folder with configuration and state of one variant, as the CLI
// sees it.
type workspace struct {
	runner    *runner
	variant   variant
	dir       string
	env       []string
	variables []string // those of the environment that reach the service
	used      string   // file in which the providers that the CLI starts leave what they used
}

// newWorkspace makes an empty folder in which the CLI runs the variant, under the
// meter. The variables reach the service.
func (g *runner) newWorkspace(c variant, variables ...string) (*workspace, error) {
	dir, err := os.MkdirTemp(g.dir, string(c)+"-")
	if err != nil {
		return nil, err
	}

	e := &workspace{runner: g, variant: c, dir: dir, variables: variables, used: filepath.Join(dir, "used")}
	program := []string{g.provider}
	if c != ours {
		program = []string{g.self, "serve", string(c)}
	}

	plugins, settings := filepath.Join(dir, "plugins"), filepath.Join(dir, "cli.tfrc")
	if err := meteredProvider(plugins, g.self, e.used, program); err != nil {
		return nil, err
	}

	overrides := fmt.Sprintf("provider_installation {\n  dev_overrides {\n    %q = %q\n  }\n  direct {}\n}\n",
		"surveys-as-code/posthog", filepath.ToSlash(plugins))
	if err := os.WriteFile(settings, []byte(overrides), 0o600); err != nil {
		return nil, err
	}

	e.env = append(cleanEnvironment(), "TF_CLI_CONFIG_FILE="+settings, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1")
	e.env = append(e.env, variables...)
	return e, nil
}

// configure writes n surveys, a resource block for each: for_each and count cost
// Terraform itself more with every instance, which would hide what is measured.
func (e *workspace) configure(n int, description string) error {
	return e.configureEach(n, func(i int) settings { return e.variant.survey(i, description) })
}

// configureEach is configure with surveys of any settings.
func (e *workspace) configureEach(n int, survey func(i int) settings) error {
	blocks := map[string]any{}
	for i := range n {
		blocks[blockName(i)] = survey(i)
	}
	return os.WriteFile(filepath.Join(e.dir, "main.tf.json"), []byte(text(map[string]any{
		"terraform": map[string]any{"required_providers": map[string]any{"posthog": map[string]any{"source": "surveys-as-code/posthog"}}},
		"resource":  map[string]any{resourceType: blocks},
	})), 0o600)
}

func blockName(i int) string { return fmt.Sprintf("survey_%05d", i) }

// plan plans, and fails unless the plan changes something or not as expected. The
// result is how long it took.
func (e *workspace) plan(ctx context.Context, change bool) (time.Duration, error) {
	elapsed, err := e.run(ctx, "plan", "-detailed-exitcode")
	changes := false
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 2 {
		changes, err = true, nil
	}
	if err == nil && changes != change {
		err = fmt.Errorf("a plan was expected to change something: %t, and it did the opposite", change)
	}
	return elapsed, err
}

// run calls the CLI and has it ask nothing.
func (e *workspace) run(ctx context.Context, args ...string) (time.Duration, error) {
	return e.call(ctx, append(args, "-input=false")...)
}

// call calls the CLI. What it says when it fails is part of the error.
func (e *workspace) call(ctx context.Context, args ...string) (time.Duration, error) {
	var stderr strings.Builder
	cmd := exec.CommandContext(ctx, e.runner.cli, append(args, "-no-color")...)
	cmd.Dir, cmd.Env = e.dir, e.env
	cmd.Stderr = &stderr
	interruptible(cmd)
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("%s of the %s: %w\n%s", args[0], e.variant.title(), err, stderr.String())
	}
	return time.Since(start), nil
}
