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
	return g.atEachSize(ctx, g.costsInProcess, g.writes)
}

// atEachSize measures at all numbers of surveys.
func (g *runner) atEachSize(ctx context.Context, measurements ...func(ctx context.Context, n int) ([]row, error)) (rows []row, err error) {
	for _, n := range g.sizes {
		for _, measure := range measurements {
			measured, err := measure(ctx, n)
			if err != nil {
				return nil, err
			}
			rows = append(rows, measured...)
		}
	}
	return rows, nil
}

func (g *runner) costsInProcess(ctx context.Context, n int) ([]row, error) {
	f, err := g.fixture(ctx, n)
	if err != nil {
		return nil, err
	}
	byVariant, err := measureAlternately(g.rounds, func(c variant, change bool) (cpu, peak float64, err error) {
		return f.measureReplay(ctx, c, change)
	})
	if err != nil {
		return nil, err
	}
	return costRows(n, byVariant, bar{}), nil
}

// measureReplay measures a plan by calls in process.
func (f *fixture) measureReplay(ctx context.Context, c variant, change bool) (cpu, peak float64, err error) {
	path, err := f.recording(ctx, c)
	if err != nil {
		return 0, 0, err
	}
	name := "plan"
	if change {
		name = "change"
	}
	duration, used, err := f.runner.runMeasured(ctx, f.srv, f.runner.profileOf(c, name), "replay", string(c), path, fmt.Sprint(change))
	return duration, float64(used.Peak), err
}

// profileOf is the file for a CPU profile of what the variant does; empty when no profile
// is wanted.
func (g *runner) profileOf(c variant, name string) string {
	if c != ours || g.profiles == "" {
		return ""
	}
	return filepath.Join(g.profiles, name+".pprof")
}

// runMeasured runs this program in a role that prints the CPU time that it took, in
// seconds, and writes a CPU profile to a file if there is a path.
func (g *runner) runMeasured(ctx context.Context, srv *service, profile string, role ...string) (float64, usage, error) {
	output, used, err := g.runRole(ctx, srv, append(role, profile)...)
	if err != nil {
		return 0, usage{}, err
	}
	duration, err := time.ParseDuration(strings.TrimSpace(output))
	return duration.Seconds(), used, err
}

// runRole runs this program in another role, and returns its output and its resource usage.
func (g *runner) runRole(ctx context.Context, srv *service, role ...string) (string, usage, error) {
	file := filepath.Join(g.dir, "measured")
	cmd := exec.CommandContext(ctx, g.self, append([]string{"meter", file, g.self}, role...)...)
	interruptible(cmd)
	cmd.Env = append(cleanEnvironment(), srv.environment...)
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", usage{}, fmt.Errorf("%s: %w\n%s", strings.Join(role[:2], " "), err, stderr.String())
	}
	used, err := readOneUsage(file)
	return stdout.String(), used, err
}

// cleanEnvironment is the environment of this process without variables that would distort
// the measurement.
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
