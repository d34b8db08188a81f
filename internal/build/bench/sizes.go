//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// exports compares posthog-sync export with Terraform's generation of configuration for import blocks.
func (b *bench) exports(ctx context.Context) (rows []string, err error) {
	n, pages := 1000, 2
	if b.quick {
		n, pages = 10, 1
	}
	w, err := b.newWorkspace(ours, n)
	if err != nil {
		return nil, err
	}
	defer w.port.Close()

	folder, err := os.MkdirTemp(b.dir, "exported-")
	if err != nil {
		return nil, err
	}
	exported, err := w.measure(func() error { return w.sync(ctx, "export", folder) })
	if err != nil {
		return nil, err
	}
	generated, err := w.measure(func() error { return w.generate(ctx, n) })
	if err != nil {
		return nil, err
	}
	b.write(&rows, row{
		what: "time of an export, " + surveys(n), ours: []float64{exported.elapsed}, show: seconds,
		against: "plan -generate-config-out", others: []float64{generated.elapsed}, atMost: 0.1,
	})
	b.write(&rows, row{
		what: "requests of an export, " + surveys(n), ours: []float64{float64(exported.requests)}, show: count,
		against: "one for each page and for the import apps", atMost: float64(pages + 1),
	})
	return rows, nil
}

// generate generates the configuration of the same surveys with the CLI.
func (w *workspace) generate(ctx context.Context, n int) error {
	imports := make([]object, n)
	for i := range imports {
		imports[i] = object{"to": fmt.Sprintf("posthog_survey.survey_%05d", i), "id": "1/" + storedID(i)}
	}
	if err := errors.Join(w.write(object{"import": imports}), w.call(ctx, "plan", "-generate-config-out=generated.tf")); err != nil {
		return err
	}
	return w.replace("\nresource ", "\nresource ", n)
}

// classes runs every command once for each project size. It returns a row for each command with a cell for each size.
func (b *bench) classes(ctx context.Context) ([]string, error) {
	rows := []string{}
	for _, n := range []int{10, 100, 1000, 10000} {
		if b.quick && n > 10 {
			break
		}
		if err := b.class(ctx, n, &rows); err != nil {
			return nil, fmt.Errorf("%s: %w", surveys(n), err)
		}
	}
	return rows, nil
}

// class runs every command in a project of n surveys, as a user who adopts the provider would. Each command uses the
// results of the previous ones.
func (b *bench) class(ctx context.Context, n int, rows *[]string) error {
	adopted, err := b.newWorkspace(ours, n)
	if err != nil {
		return err
	}
	defer adopted.port.Close()
	empty, err := b.newWorkspace(ours, 0)
	if err != nil {
		return err
	}
	defer empty.port.Close()

	snapshot := filepath.Join(b.dir, fmt.Sprintf("snapshot-%d.json", n))
	for i, step := range []struct {
		command string
		w       *workspace
		do      func(*workspace) error
		prepare func(*workspace) error // a preparation that is not measured, or nil
	}{
		{"`posthog-sync export`", adopted, func(w *workspace) error { return w.sync(ctx, "export", w.dir) }, nil},
		{"`terraform apply`, importing all", adopted, func(w *workspace) error { return w.call(ctx, "apply", "-auto-approve") }, nil},
		{
			"`terraform plan`, no changes", adopted, func(w *workspace) error { return w.plan(ctx, false) },
			func(w *workspace) error { return w.call(ctx, "apply", "-refresh-only", "-auto-approve") },
		},
		{
			"`terraform plan`, all changed", adopted, func(w *workspace) error { return w.plan(ctx, true) },
			func(w *workspace) error { return w.replace(before, after, n) },
		},
		{
			"`posthog-sync diff tf:. live`", adopted, func(w *workspace) error { return w.sync(ctx, "diff", "tf:"+w.dir, "live") },
			func(w *workspace) error { return w.replace(after, before, n) },
		},
		{
			"`posthog-sync pull`, one of 100 edited", adopted, func(w *workspace) error { return w.sync(ctx, "pull", w.dir, "--terraform", b.cli) },
			func(w *workspace) (err error) {
				for i := 0; i < n && err == nil; i += 100 {
					_, err = w.service.PatchSurvey(storedID(i), testserver.Object{"description": after})
				}
				return err
			},
		},
		{"`posthog-sync snapshot`", adopted, func(w *workspace) error { return w.sync(ctx, "snapshot", snapshot) }, nil},
		{"`posthog-sync sync`, creating all", empty, func(w *workspace) error { return w.sync(ctx, "sync", "file:"+snapshot, "live", "--yes") }, nil},
	} {
		if step.prepare != nil {
			if err := step.prepare(step.w); err != nil {
				return fmt.Errorf("before %s: %w", step.command, err)
			}
		}
		f, err := step.w.measure(func() error { return step.do(step.w) })
		if err != nil {
			return fmt.Errorf("%s: %w", step.command, err)
		}
		if i == len(*rows) {
			*rows = append(*rows, "| "+step.command+" |\n")
		}
		cell := fmt.Sprintf("%s, %s, %d", seconds(f.elapsed), megabytes(f.mem), f.requests)
		(*rows)[i] = strings.TrimSuffix((*rows)[i], "\n") + " " + cell + " |\n"
		fmt.Printf("%s, %s: %s\n", step.command, surveys(n), cell)
	}
	return nil
}

// replace replaces a text that must occur n times in the configuration.
func (w *workspace) replace(old, replacement string, n int) error {
	files, err := filepath.Glob(filepath.Join(w.dir, "*.tf"))
	if err != nil {
		return err
	}
	total := 0
	for _, file := range files {
		code, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		total += strings.Count(string(code), old)
		if err := os.WriteFile(file, []byte(strings.ReplaceAll(string(code), old, replacement)), 0o600); err != nil {
			return err
		}
	}
	if total != n {
		return fmt.Errorf("the configuration contains %q %d times, want %d", old, total, n)
	}
	return nil
}
