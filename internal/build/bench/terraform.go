package main

import (
	"context"
	"fmt"
)

// processesOfPlan is how often the CLI starts the provider for one plan.
const processesOfPlan = 3

// cpuThroughTerraform measures the processes of the providers while a real CLI
// plans, and not the CLI.
func cpuThroughTerraform(ctx context.Context, g *runner) ([]row, error) {
	return g.atEachSize(ctx, g.costsThroughTerraform)
}

func (g *runner) costsThroughTerraform(ctx context.Context, n int) ([]row, error) {
	f, err := g.fixture(ctx, n)
	if err != nil {
		return nil, err
	}

	workspaces := map[variant]*workspace{}
	for _, c := range variants {
		if workspaces[c], err = f.workspace(ctx, c); err != nil {
			return nil, err
		}
	}

	byVariant, err := measureAlternately(g.roundsOf(n), func(c variant, change bool) (cpu, peak float64, err error) {
		return workspaces[c].measurePlan(ctx, n, change)
	})
	if err != nil {
		return nil, err
	}

	// A process has a few dozen megabytes before it has any surveys, which decides at small sizes.
	memory := bar{}
	if n > manyBlocks {
		memory = bar{atMost: 1}
	}
	return costRows(n, byVariant, memory), nil
}

// measurePlan is what the provider takes of a plan by the CLI: the CPU time of all its
// processes, and the memory of the largest.
func (e *workspace) measurePlan(ctx context.Context, n int, change bool) (cpu, peak float64, err error) {
	description := before
	if change {
		description = after
	}
	if err := e.configure(n, description); err != nil {
		return 0, 0, err
	}
	if _, err := e.plan(ctx, change); err != nil {
		return 0, 0, err
	}
	processes, err := readUsage(e.used)
	if err == nil && len(processes) != processesOfPlan {
		err = fmt.Errorf("the CLI started the provider %d times for a plan, and not %d times", len(processes), processesOfPlan)
	}
	for _, one := range processes {
		cpu += one.CPU.Seconds()
		peak = max(peak, float64(one.Peak))
	}
	return cpu, peak, err
}
