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

// costs are what the plans of one contender took, a value for each round.
type costs struct {
	cpu, changeCPU, peak []float64 // seconds, seconds, bytes
}

// cpuInProcess measures the plans of the three providers by protocol calls alone,
// without Terraform and without the transport between the two. Every plan is a
// process of its own.
func cpuInProcess(ctx context.Context, g *ground) ([]row, error) {
	var rows []row
	for _, n := range g.sizes {
		of, err := g.costsInProcess(ctx, n)
		if err != nil {
			return nil, err
		}
		rows = append(rows, costRows(n, of)...)
	}
	return rows, nil
}

// costRows are the rows of the three contenders at one size.
func costRows(n int, of map[contender]*costs) []row {
	var rows []row
	for _, one := range []struct {
		what   string
		values func(*costs) []float64
		show   func(float64) string
		bars   [2]bar // against typed, against JSON text
	}{
		{"CPU of a plan without changes", func(c *costs) []float64 { return c.cpu }, seconds, [2]bar{{atMost: 0.35}, {atMost: 1}}},
		{"CPU of a plan with a change each", func(c *costs) []float64 { return c.changeCPU }, seconds, [2]bar{{atMost: 1.3}, {}}},
		{"peak memory of a plan without changes", func(c *costs) []float64 { return c.peak }, megabytes, [2]bar{}},
	} {
		for i, other := range []contender{typed, jsonText} {
			rows = append(rows, compared(fmt.Sprintf("%s, %d surveys", one.what, n),
				measured{"", one.values(of[ours]), one.show},
				measured{other.title(), one.values(of[other]), one.show}, one.bars[i]))
		}
	}
	return rows
}

func (g *ground) costsInProcess(ctx context.Context, n int) (of map[contender]*costs, err error) {
	srv, err := g.startService(ctx, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, srv.stop()) }()
	of = map[contender]*costs{}
	for _, c := range contenders {
		of[c] = &costs{}
		if _, _, err := g.measure(ctx, srv, "prepare", string(c), fmt.Sprint(n), g.script(c, n)); err != nil {
			return nil, err
		}
	}
	for range g.rounds {
		for _, c := range contenders {
			cpu, peak, err := g.replayed(ctx, srv, c, n, false)
			if err != nil {
				return nil, err
			}
			changeCPU, _, err := g.replayed(ctx, srv, c, n, true)
			if err != nil {
				return nil, err
			}
			of[c].cpu = append(of[c].cpu, cpu)
			of[c].changeCPU = append(of[c].changeCPU, changeCPU)
			of[c].peak = append(of[c].peak, peak)
		}
	}
	return of, nil
}

func (g *ground) script(c contender, n int) string {
	return filepath.Join(g.dir, fmt.Sprintf("%s-%d.script", c, n))
}

// replayed is the CPU time, in seconds, and the memory, in bytes, of a plan.
func (g *ground) replayed(ctx context.Context, srv *service, c contender, n int, change bool) (cpu, peak float64, err error) {
	profile := ""
	if c == ours && !change {
		profile = g.profile
	}
	said, used, err := g.measure(ctx, srv, "replay", string(c), g.script(c, n), fmt.Sprint(change), profile)
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
