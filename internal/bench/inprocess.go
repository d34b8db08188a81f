package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// cpuInProcess measures the plans of the three providers by protocol calls alone,
// without Terraform and without the transport between the two. Every plan is a
// process of its own.
func cpuInProcess(ctx context.Context, g *runner) ([]row, error) {
	var rows []row
	for _, n := range g.sizes {
		measured, err := g.costsInProcess(ctx, n)
		if err != nil {
			return nil, err
		}
		rows = append(rows, measured...)
	}

	// Of one size: a round creates the surveys anew with each variant.
	measured, err := g.writes(ctx, g.sizes[0])
	return append(rows, measured...), err
}

func (g *runner) costsInProcess(ctx context.Context, n int) ([]row, error) {
	f, err := g.fixture(ctx, n)
	if err != nil {
		return nil, err
	}
	of, err := measureAlternately(g.rounds, func(c variant, change bool) (cpu, peak float64, err error) {
		return f.measureReplay(ctx, c, change)
	})
	if err != nil {
		return nil, err
	}
	return costRows(n, of), nil
}

// measureReplay measures a plan by calls in process.
func (f *fixture) measureReplay(ctx context.Context, c variant, change bool) (cpu, peak float64, err error) {
	path, err := f.recording(ctx, c)
	if err != nil {
		return 0, 0, err
	}
	profile := ""
	if c == ours && !change {
		profile = f.runner.profile
	}
	said, used, err := f.runner.runRole(ctx, f.srv, "replay", string(c), path, fmt.Sprint(change), profile)
	if err != nil {
		return 0, 0, err
	}
	took, err := time.ParseDuration(strings.TrimSpace(said))
	return took.Seconds(), float64(used.Peak), err
}

// runRole runs this program in another role, and returns its output and its usage.
func (g *runner) runRole(ctx context.Context, srv *service, role ...string) (string, usage, error) {
	file := filepath.Join(g.dir, "measured")
	cmd := exec.CommandContext(ctx, g.self, append([]string{"meter", file, g.self}, role...)...)
	interruptible(cmd)
	cmd.Env = append(cleanEnvironment(), srv.environment...)
	var said, failed strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &failed
	if err := cmd.Run(); err != nil {
		return "", usage{}, fmt.Errorf("%s: %w\n%s", strings.Join(role[:2], " "), err, failed.String())
	}
	all, err := readUsage(file)
	if err != nil || len(all) != 1 {
		return "", usage{}, fmt.Errorf("%d processes were measured instead of one: %w", len(all), err)
	}
	return said.String(), all[0], nil
}

// cleanEnvironment is the environment of this process without settings that would change
// what is measured.
func cleanEnvironment() []string {
	var kept []string
	for _, assignment := range os.Environ() {
		name, _, _ := strings.Cut(assignment, "=")
		switch {
		case strings.HasPrefix(name, "TF_"), strings.HasPrefix(name, "POSTHOG_"), name == "GOGC", name == "GOMEMLIMIT", name == "GODEBUG":
		default:
			kept = append(kept, assignment)
		}
	}
	return kept
}
