package main

import (
	"context"
	"errors"
)

// cpu measures the processes of the three providers while a real CLI creates surveys and
// plans, one provider after the other in every round.
func (b *bench) cpu(ctx context.Context) (rows []string, err error) {
	for _, n := range b.sizes {
		measured, err := b.cpuOf(ctx, n)
		if err != nil {
			return nil, err
		}
		rows = append(rows, measured...)
	}
	return rows, nil
}

// costs are the costs of variants, a value for each round, by what costs.
type costs map[variant]map[string]samples

const (
	cpuOfPlan     = "CPU of a plan without changes"
	cpuOfChange   = "CPU of a plan with a change each"
	cpuOfCreation = "CPU of a creation"
	memoryOfPlan  = "memory of a plan without changes"
)

func (b *bench) cpuOf(ctx context.Context, n int) (rows []string, err error) {
	found, workspaces := costs{}, map[variant]*workspace{}
	for _, c := range variants {
		w, err := b.newWorkspace(ctx, c, 0)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, w.stop()) }()
		workspaces[c] = w
		created, err := w.create(ctx, n)
		if err != nil {
			return nil, err
		}
		found[c] = map[string]samples{cpuOfCreation: {created.cpu.Seconds()}}
	}

	for range b.rounds {
		for _, c := range variants {
			used, err := workspaces[c].measurePlan(ctx, n, before)
			if err != nil {
				return nil, err
			}
			changed, err := workspaces[c].measurePlan(ctx, n, after)
			if err != nil {
				return nil, err
			}
			found[c][cpuOfPlan] = append(found[c][cpuOfPlan], used.cpu.Seconds())
			found[c][memoryOfPlan] = append(found[c][memoryOfPlan], float64(used.peak))
			found[c][cpuOfChange] = append(found[c][cpuOfChange], changed.cpu.Seconds())
		}
	}
	return b.costRows(n, found), nil
}

// measurePlan is what the processes of the provider take of a plan of n surveys with a
// description.
func (w *workspace) measurePlan(ctx context.Context, n int, description string) (usage, error) {
	if err := w.configure(n, w.variant.survey(description)); err != nil {
		return usage{}, err
	}
	return w.usageOf(func() error { return w.plan(ctx, description == after) })
}

// costRows are the rows of the three variants at one size.
func (b *bench) costRows(n int, found costs) (rows []string) {
	// A process has a few dozen megabytes before it has any surveys, which decides at small sizes.
	memory := bar{}
	if n > 500 {
		memory = bar{atMost: 1}
	}
	for _, one := range []struct {
		what string
		show func(float64) string
		bars [2]bar // against the same schema, against JSON text
	}{
		{cpuOfPlan, seconds, [2]bar{{atMost: 0.35}, {atMost: 1}}},
		{cpuOfChange, seconds, [2]bar{{atMost: 1.3}, {atMost: 2}}},
		{cpuOfCreation, seconds, [2]bar{}},
		{memoryOfPlan, megabytes, [2]bar{memory}},
	} {
		for i, other := range variants[1:] {
			rows = append(rows, b.compared(one.what+", "+surveys(n), found[ours][one.what], found[other][one.what], titles[other], one.show, one.bars[i]))
		}
	}
	return rows
}
