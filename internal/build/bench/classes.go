package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// class is a size of project for which absolute numbers are published.
type class struct {
	name    string
	surveys int
}

var classes = []class{{"S", 10}, {"M", 100}, {"L", 1000}, {"XL", 10000}}

// quickSurveys is the largest class of a quick run.
const quickSurveys = 100

// editedOf is the share of surveys that are edited before a pull: one of so many.
const editedOf = 100

// figures are what one command cost.
type figures struct {
	requests int
	elapsed  time.Duration
	usage
}

// classRow is one command in one class.
type classRow struct {
	class
	what string
	figures
}

// classTable is the absolute numbers of all classes.
type classTable []classRow

func (classTable) missed() bool   { return false }
func (classTable) compares() bool { return false }

func (t classTable) markdown() string {
	var b strings.Builder
	b.WriteString("| Command | Class | Surveys | Requests | Time | CPU | Peak memory |\n|---|---|--:|--:|--:|--:|--:|\n")
	for _, r := range t {
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %s | %s | %s |\n", r.what, r.name, r.surveys, r.requests,
			seconds(r.elapsed.Seconds()), seconds(r.CPU.Seconds()), megabytes(float64(r.Peak)))
	}
	return b.String()
}

// measureClasses runs every command once in every class.
func measureClasses(ctx context.Context, g *runner) (table, error) {
	program, err := g.buildSync(ctx)
	if err != nil {
		return nil, err
	}

	var rows classTable
	for _, c := range classes {
		if g.rounds == 1 && c.surveys > quickSurveys {
			break
		}
		measured, err := g.measureClass(ctx, program, c)
		if err != nil {
			return nil, fmt.Errorf("class %s: %w", c.name, err)
		}
		rows = append(rows, measured...)
	}
	return rows, nil
}

// classRun is a project of one class: its service, and the code that it is managed by.
type classRun struct {
	*workspace
	class
	srv     *service
	program string // posthog-sync
	rows    classTable
}

// measureClass runs every command in one class, as a user would who adopts a project: each
// works on what those before it left.
func (g *runner) measureClass(ctx context.Context, program string, c class) (rows classTable, err error) {
	srv, err := g.startService(ctx, g.server, c.surveys)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, srv.stop()) }()

	e, err := g.newWorkspace(ours, srv.environment...)
	if err != nil {
		return nil, err
	}
	e.dir = filepath.Join(e.dir, "code")
	if err := os.Mkdir(e.dir, 0o750); err != nil {
		return nil, err
	}
	run := &classRun{workspace: e, class: c, srv: srv, program: program}

	for _, step := range []struct {
		what    string
		do      func(context.Context) error
		prepare func(context.Context) error // what is not measured, if anything
	}{
		{"`posthog-sync export`", run.sync("export", e.dir), nil},
		{"`terraform apply`, importing all", run.terraform("apply", "-auto-approve"), nil},
		{"`terraform plan`, no changes", run.terraform("plan", "-detailed-exitcode"), run.terraform("apply", "-refresh-only", "-auto-approve")},
		{"`terraform plan`, all changed", run.terraform("plan"), run.replacing(before, after)},
		{"`posthog-sync diff tf:. live`", run.sync("diff", "tf:"+e.dir, "live"), run.replacing(after, before)},
		{fmt.Sprintf("`posthog-sync pull`, one of %d edited", editedOf), run.sync("pull", e.dir, "--terraform", g.cli), run.editSurveys},
		{"`posthog-sync snapshot`", run.sync("snapshot", run.snapshotFile()), nil},
	} {
		if step.prepare != nil {
			if err := step.prepare(ctx); err != nil {
				return nil, fmt.Errorf("before %s: %w", step.what, err)
			}
		}
		if err := run.measure(ctx, srv, step.what, step.do); err != nil {
			return nil, err
		}
	}

	err = run.syncEmpty(ctx)
	return run.rows, err
}

// measure appends a row for a command that the service gets the requests of.
func (r *classRun) measure(ctx context.Context, srv *service, what string, do func(context.Context) error) error {
	// What prepared the command has left its usage there.
	if err := os.RemoveAll(r.used); err != nil {
		return err
	}

	var elapsed time.Duration
	requests, err := srv.countRequests(ctx, func() error {
		start := time.Now()
		err := do(ctx)
		elapsed = time.Since(start)
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}

	processes, err := readUsage(r.used)
	if err != nil {
		return err
	}
	row := classRow{class: r.class, what: what, figures: figures{requests: requests, elapsed: elapsed}}
	for _, one := range processes {
		row.CPU += one.CPU
		row.Peak = max(row.Peak, one.Peak)
	}
	r.rows = append(r.rows, row)
	fmt.Printf("%s, %s: %d requests, %s, %s of CPU, %s\n", what, surveys(r.surveys), requests,
		seconds(elapsed.Seconds()), seconds(row.CPU.Seconds()), megabytes(float64(row.Peak)))
	return nil
}

// sync runs posthog-sync under the meter.
func (r *classRun) sync(args ...string) func(context.Context) error {
	return func(ctx context.Context) error {
		cmd := exec.CommandContext(ctx, r.runner.self, append([]string{"meter", r.used, r.program}, append(args, "--no-progress")...)...)
		cmd.Env = r.env
		interruptible(cmd)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
		return nil
	}
}

// terraform runs the CLI, which starts the provider under the meter.
func (r *classRun) terraform(args ...string) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := r.run(ctx, args...)
		return err
	}
}

// replacing replaces the description of every survey in the code.
func (r *classRun) replacing(old, replacement string) func(context.Context) error {
	return func(context.Context) error { return r.replaceInCode(old, replacement) }
}

func (r *classRun) replaceInCode(old, replacement string) error {
	files, err := filepath.Glob(filepath.Join(r.dir, "*.tf"))
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

	if replaced != r.surveys {
		return fmt.Errorf("the code has %q %d times, not %d times", old, replaced, r.surveys)
	}
	return nil
}

// editSurveys changes the description of one survey in a hundred on the service.
func (r *classRun) editSurveys(ctx context.Context) error {
	for i := 0; i < r.surveys; i += editedOf {
		status, answer, err := ask(ctx, http.MethodPatch, r.srv.url+"/api/projects/1/surveys/"+surveyID(i)+"/", text(map[string]any{"description": after}))
		if err != nil {
			return err
		}
		if status != http.StatusOK {
			return fmt.Errorf("editing survey %d: the test server answered %d: %s", i, status, answer)
		}
	}
	return nil
}

func (r *classRun) snapshotFile() string { return filepath.Join(filepath.Dir(r.dir), "snapshot.json") }

// syncEmpty creates all surveys of the snapshot in an empty project.
func (r *classRun) syncEmpty(ctx context.Context) (err error) {
	empty, err := r.runner.startService(ctx, r.runner.server, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, empty.stop()) }()

	r.env = append(r.env, empty.environment...)
	return r.measure(ctx, empty, "`posthog-sync sync`, creating all", r.sync("sync", "file:"+r.snapshotFile(), "live", "--yes"))
}
