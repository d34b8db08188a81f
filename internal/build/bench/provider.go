//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const (
	writtenSurveys = 50
	refresh        = 5 // maximum number of requests
)

// requests counts the requests that the provider sends when a real CLI runs it.
func (b *bench) requests(ctx context.Context) (rows []string, err error) {
	plan := func(w *workspace) error { return w.plan(ctx, false) }
	apply := func(edit func(object)) func(*workspace) error {
		return func(w *workspace) error {
			return errors.Join(w.configure(writtenSurveys, func(i int) object {
				edited := ours.survey(i, before)
				edit(edited)
				return edited
			}), w.call(ctx, "apply", "-auto-approve"))
		}
	}

	// An update first refreshes all surveys, and then reads each survey again, so that it does not overwrite
	// an edit made after the plan.
	for _, measurement := range []struct {
		what                 string
		n, others, perSurvey int
		atMost               float64 // zero means no limit
		do                   func(*workspace) error
	}{
		{"a plan without changes", 1, 0, 1, 0, plan},
		{"a plan without changes", 10, 0, 1, 0, plan},
		{"a plan without changes", 200, 0, 1, 5, plan},
		{"a plan without changes", 1000, 0, 1, 9, plan},
		{"a plan without changes in a project of 5000 surveys", 1, 5000, 1, 2, plan},
		{"a creation", writtenSurveys, 0, 1, writtenSurveys + refresh, func(w *workspace) error {
			// Without its state file, Terraform creates new surveys in addition to the existing ones.
			state := os.Remove(filepath.Join(w.dir, "terraform.tfstate"))
			return errors.Join(state, apply(func(s object) { s["name"] = fmt.Sprint("New ", s["name"]) })(w))
		}},
		{"an update of the description", writtenSurveys, 0, 2, 2*writtenSurveys + refresh, apply(func(s object) { s["description"] = after })},
		{"an update of the questions", writtenSurveys, 0, 2, 2*writtenSurveys + refresh, apply(func(s object) {
			s["questions"] = json.RawMessage(strings.TrimSuffix(typedQuestions, "]") + `, {"type": "open", "question": "Anything else?"}]`)
		})},
		{"a destroy", writtenSurveys, 0, 2, 2*writtenSurveys + refresh, func(w *workspace) error { return w.call(ctx, "destroy", "-auto-approve") }},
	} {
		if b.quick && measurement.n+measurement.others > writtenSurveys {
			continue
		}
		w, err := b.newWorkspace(ours, measurement.others)
		if err != nil {
			return nil, err
		}
		defer w.port.Close()
		if err := w.create(ctx, measurement.n); err != nil {
			return nil, err
		}
		measured, err := w.measure(func() error { return measurement.do(w) })
		if err != nil {
			return nil, err
		}
		b.write(&rows, row{
			what: fmt.Sprintf("requests of %s, %s", measurement.what, surveys(measurement.n)), ours: []float64{float64(measured.requests)}, show: count,
			against: fmt.Sprintf("%d, %d per survey", measurement.perSurvey*measurement.n, measurement.perSurvey), atMost: measurement.atMost,
		})
	}
	return rows, nil
}

// cpu measures the processes of the three providers while a real CLI plans. In each round, it measures one provider
// after the other.
func (b *bench) cpu(ctx context.Context) (rows []string, err error) {
	sizes := []int{200, 1000}
	if b.quick {
		sizes = []int{20}
	}
	for _, n := range sizes {
		rounds := b.rounds
		if n > 500 {
			rounds = 1
		}
		if err := b.measureCPU(ctx, n, rounds, &rows); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func (b *bench) measureCPU(ctx context.Context, n, rounds int, rows *[]string) error {
	workspaces := map[variant]*workspace{}
	for c := range titles {
		w, err := b.newWorkspace(c, 0)
		if err != nil {
			return err
		}
		defer w.port.Close()
		if err := w.create(ctx, n); err != nil {
			return err
		}
		workspaces[c] = w
	}

	// results contains the figures of each round by variant and planned description.
	results := map[variant]map[string][]figures{ours: {}, typed: {}, jsonText: {}}
	for range rounds {
		for c, w := range workspaces {
			for _, description := range []string{before, after} {
				if err := w.describe(n, description); err != nil {
					return err
				}
				measured, err := w.measure(func() error { return w.plan(ctx, description == after) })
				if err != nil {
					return err
				}
				results[c][description] = append(results[c][description], measured)
			}
		}
	}

	// Even without surveys, a process needs several dozen megabytes, which dominate the measurement in small
	// projects.
	memory := 0.0
	if n > 500 {
		memory = 1
	}
	cpu, largest := func(f figures) float64 { return f.cpu }, func(f figures) float64 { return f.mem }
	for _, comparison := range []struct {
		what, description string
		of                func(figures) float64
		show              func(float64) string
		bars              map[variant]float64
	}{
		{"CPU of a plan without changes", before, cpu, seconds, map[variant]float64{typed: 0.35, jsonText: 1}},
		{"CPU of a plan with a change each", after, cpu, seconds, map[variant]float64{typed: 1.3, jsonText: 2}},
		{"memory of a plan without changes", before, largest, megabytes, map[variant]float64{typed: memory}},
	} {
		for _, baseline := range []variant{typed, jsonText} {
			compared := row{what: comparison.what + ", " + surveys(n), show: comparison.show, against: titles[baseline], atMost: comparison.bars[baseline]}
			for i := range rounds {
				compared.ours = append(compared.ours, comparison.of(results[ours][comparison.description][i]))
				compared.others = append(compared.others, comparison.of(results[baseline][comparison.description][i]))
			}
			b.write(rows, compared)
		}
	}
	return nil
}
