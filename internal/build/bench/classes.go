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

// editedOf is the share of surveys that are edited before a pull: one of so many.
const editedOf = 100

// classes runs every command once at every size of project.
func (b *bench) classes(ctx context.Context) ([]string, error) {
	var commands []string
	cells := map[string][]string{}
	for _, n := range []int{10, 100, 1000, 10000} {
		if b.quick && n > 10 {
			break
		}
		err := b.class(ctx, n, func(command string, f figures) {
			if len(cells[command]) == 0 {
				commands = append(commands, command)
			}
			cell := fmt.Sprintf("%s, %s, %d", seconds(f.elapsed.Seconds()), megabytes(float64(f.peak)), f.requests)
			cells[command] = append(cells[command], cell)
			fmt.Printf("%s, %s: %s\n", command, surveys(n), cell)
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", surveys(n), err)
		}
	}

	var rows []string
	for _, command := range commands {
		rows = append(rows, fmt.Sprintf("| %s | %s |\n", command, strings.Join(cells[command], " | ")))
	}
	return rows, nil
}

// class runs every command on a project of n surveys, as a user would who adopts it: each
// works on what those before it left.
func (b *bench) class(ctx context.Context, n int, report func(command string, f figures)) (err error) {
	srv, err := b.startService(ctx, n)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, srv.stop()) }()
	w, err := b.newWorkspace(ours, srv.environment...)
	if err != nil {
		return err
	}
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
		{fmt.Sprintf("`posthog-sync pull`, one of %d edited", editedOf), sync("pull", w.dir, "--terraform", b.cli), func() error { return srv.edit(ctx, n) }},
		{"`posthog-sync snapshot`", sync("snapshot", snapshot), nil},
	} {
		if step.prepare != nil {
			if err := step.prepare(); err != nil {
				return fmt.Errorf("before %s: %w", step.command, err)
			}
		}
		measured, err := w.measure(ctx, srv, step.do)
		if err != nil {
			return fmt.Errorf("%s: %w", step.command, err)
		}
		report(step.command, measured)
	}

	empty, err := b.startService(ctx, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, empty.stop()) }()
	w.env = append(w.env, empty.environment...)
	created, err := w.measure(ctx, empty, sync("sync", "file:"+snapshot, "live", "--yes"))
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
	for i := 0; i < n; i += editedOf {
		if _, err := s.ask(ctx, http.MethodPatch, surveysPath+surveyID(i)+"/", text(map[string]any{"description": after})); err != nil {
			return err
		}
	}
	return nil
}
