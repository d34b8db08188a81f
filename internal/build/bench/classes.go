package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// classes runs every command once at every size of project: a row for each command, a cell for
// each size.
func (b *bench) classes(ctx context.Context) (rows []string, err error) {
	for _, n := range []int{10, 100, 1000, 10000} {
		if b.quick && n > 10 {
			break
		}
		column := 0
		err := b.class(ctx, n, func(command string, f figures) {
			if column == len(rows) {
				rows = append(rows, "| "+command+" |\n")
			}
			cell := fmt.Sprintf("%s, %s, %d", seconds(f.elapsed.Seconds()), megabytes(float64(f.peak)), f.requests)
			rows[column] = strings.TrimSuffix(rows[column], "\n") + " " + cell + " |\n"
			column++
			fmt.Printf("%s, %s: %s\n", command, surveys(n), cell)
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", surveys(n), err)
		}
	}
	return rows, nil
}

// class runs every command on a project of n surveys, as a user would who adopts it: each
// works on what those before it left.
func (b *bench) class(ctx context.Context, n int, report func(command string, f figures)) (err error) {
	w, err := b.newWorkspace(ctx, ours, n)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.stop()) }()
	snapshot := filepath.Join(filepath.Dir(w.dir), "snapshot.json")
	cli := func(args ...string) func() error { return func() error { return w.call(ctx, args...) } }
	sync := func(args ...string) func() error { return func() error { return w.sync(ctx, args...) } }

	for _, step := range []struct {
		command string
		do      func() error
		prepare func() error // what is not measured, if anything
	}{
		{"`posthog-sync export`", sync("export", w.dir), nil},
		{"`terraform apply`, importing all", cli("apply", "-auto-approve"), nil},
		{"`terraform plan`, no changes", cli("plan", "-detailed-exitcode"), cli("apply", "-refresh-only", "-auto-approve")},
		{"`terraform plan`, all changed", cli("plan"), func() error { return w.replace(n, before, after) }},
		{"`posthog-sync diff tf:. live`", sync("diff", "tf:"+w.dir, "live"), func() error { return w.replace(n, after, before) }},
		{"`posthog-sync pull`, one of 100 edited", sync("pull", w.dir, "--terraform", b.cli), func() error { return w.edit(ctx, n) }},
		{"`posthog-sync snapshot`", sync("snapshot", snapshot), nil},
	} {
		if step.prepare != nil {
			if err := step.prepare(); err != nil {
				return fmt.Errorf("before %s: %w", step.command, err)
			}
		}
		measured, err := w.measure(ctx, step.do)
		if err != nil {
			return fmt.Errorf("%s: %w", step.command, err)
		}
		report(step.command, measured)
	}

	empty, err := b.newWorkspace(ctx, ours, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, empty.stop()) }()
	created, err := empty.measure(ctx, func() error { return empty.sync(ctx, "sync", "file:"+snapshot, "live", "--yes") })
	report("`posthog-sync sync`, creating all", created)
	return err
}

// replace replaces the description of each of n surveys in the code.
func (w *workspace) replace(n int, old, replacement string) error {
	files, err := filepath.Glob(filepath.Join(w.dir, "*.tf"))
	if err != nil {
		return err
	}
	replaced := 0
	for _, file := range files {
		code, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		replaced += strings.Count(string(code), old)
		if err := os.WriteFile(file, []byte(strings.ReplaceAll(string(code), old, replacement)), 0o600); err != nil {
			return err
		}
	}
	if replaced != n {
		return fmt.Errorf("the code has %q %d times, not %d times", old, replaced, n)
	}
	return nil
}

// edit changes the description of one survey in a hundred on the service.
func (s *server) edit(ctx context.Context, n int) error {
	for i := 0; i < n; i += 100 {
		if _, err := s.ask(ctx, http.MethodPatch, surveysPath+surveyID(i)+"/", text(map[string]any{"description": after})); err != nil {
			return err
		}
	}
	return nil
}
