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
func cpuInProcess(ctx context.Context, g *ground) ([]row, error) {
	var rows []row
	for _, n := range g.sizes {
		measured, err := g.costsInProcess(ctx, n)
		if err != nil {
			return nil, err
		}
		rows = append(rows, measured...)
	}
	return rows, nil
}

func (g *ground) costsInProcess(ctx context.Context, n int) ([]row, error) {
	f, err := g.fleet(ctx, n)
	if err != nil {
		return nil, err
	}
	of, err := inTurns(g.rounds, func(c contender, change bool) (cpu, peak float64, err error) {
		return f.replayed(ctx, c, change)
	})
	if err != nil {
		return nil, err
	}
	return costRows(n, of), nil
}

// replayed is what a plan by calls in process takes.
func (f *fleet) replayed(ctx context.Context, c contender, change bool) (cpu, peak float64, err error) {
	path, err := f.script(ctx, c)
	if err != nil {
		return 0, 0, err
	}
	profile := ""
	if c == ours && !change {
		profile = f.ground.profile
	}
	said, used, err := f.ground.measure(ctx, f.srv, "replay", string(c), path, fmt.Sprint(change), profile)
	if err != nil {
		return 0, 0, err
	}
	took, err := time.ParseDuration(strings.TrimSpace(said))
	return took.Seconds(), float64(used.Peak), err
}

// measure runs this program in another role, and returns what it printed and used.
func (g *ground) measure(ctx context.Context, srv *service, role ...string) (string, usage, error) {
	file := filepath.Join(g.dir, "measured")
	cmd := exec.CommandContext(ctx, g.self, append([]string{"meter", file, g.self}, role...)...)
	interruptible(cmd)
	cmd.Env = append(environment(), srv.environment...)
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

// environment is the own one without the settings that would change what is
// measured.
func environment() []string {
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
