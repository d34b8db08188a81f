//go:build unix

// Command bench measures the provider, posthog-sync, and the test server against upper bounds of their performance,
// and writes three tables. Each run alternates between the compared programs, so that a slow machine affects all of
// them.
//
// It is not a test: it does not decide whether the code is correct, and continuous integration does not run it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// sections are the groups of measurements, each with the heading of its table in BENCHMARKS.md. BENCHMARKS.md
// explains the tables.
var sections = []struct {
	name, heading string
	run           func(*bench, context.Context) ([]string, error)
}{
	{"requests", "## Provider", (*bench).requests},
	{"cpu", "## Provider", (*bench).cpu},
	{"export", "## Export and test server", (*bench).exports},
	{"server", "## Export and test server", (*bench).servers},
	{"classes", "## Sizes of projects", (*bench).classes},
}

// bench holds the programs to measure and a temporary directory.
type bench struct {
	dir      string // for all intermediate files
	self     string // this program
	programs string // the directory with the programs, built as for a release
	cli      string // Terraform or OpenTofu
	machine  string // the machine and the versions, as a sentence
	rounds   int    // the number of measurements
	quick    bool
	missed   bool // a bar
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run runs the measurements, or one of the measured processes.
func run(ctx context.Context, args []string) (err error) {
	if len(args) > 2 && args[0] == "meter" {
		return meter(ctx, args[1], args[2:])
	}
	if len(args) == 2 && args[0] == "serve" {
		return variant(args[1]).serve(ctx)
	}

	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	quick := flags.Bool("quick", false, "measure everything once and at small sizes, to check that it works, and write no file")
	only := flags.String("only", "", "measure only the `section` with this name (requests, cpu, export, server, classes), and write no file")
	if err := flags.Parse(args); err != nil {
		return err
	}
	b := &bench{rounds: 3, quick: *quick}
	if *quick {
		b.rounds = 1
	}
	if b.dir, err = os.MkdirTemp("", "posthog-bench-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.dir)) }()

	if err := b.build(ctx); err != nil {
		return err
	}
	rows, err := b.rows(ctx, *only)
	if err == nil && *only == "" && !b.quick {
		err = b.replaceRows("BENCHMARKS.md", rows)
	}
	if err == nil && b.missed {
		err = errors.New("at least one limit was missed")
	}
	return err
}

// rows runs the selected measurements and prints the rows of each section when it is complete. It returns the rows
// by the heading of their table.
func (b *bench) rows(ctx context.Context, only string) (map[string]string, error) {
	rows := map[string]string{}
	for _, s := range sections {
		if only != "" && only != s.name {
			continue
		}
		start := time.Now()
		measured, err := s.run(b, ctx)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		rows[s.heading] += strings.Join(measured, "")
		fmt.Printf("\n%s, after %s:\n%s", s.name, time.Since(start).Round(time.Second), strings.Join(measured, ""))
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("section %q does not exist", only)
	}
	return rows, nil
}

// replaceRows replaces the rows in the tables of a document, and the line that describes the machine.
func (b *bench) replaceRows(path string, rows map[string]string) error {
	document, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(withRows(string(document), "Measured "+b.machine, rows)), 0o644) //nolint:gosec // readable by all users
}

// withRows returns a document in which the table rows are replaced. Each table begins with two header lines.
func withRows(document, measured string, rows map[string]string) string {
	var written strings.Builder
	heading, line := "", 0
	for text := range strings.Lines(document) {
		switch {
		case strings.HasPrefix(text, "Measured "):
			text = measured + "\n"
		case strings.HasPrefix(text, "## "):
			heading, line = strings.TrimSpace(text), 0
		case strings.HasPrefix(text, "|"):
			line++
			if line > 2 {
				text = ""
			}
			if line == 2 {
				text += rows[heading]
			}
		}
		written.WriteString(text)
	}
	return written.String()
}

// build builds the programs of the current module, and finds the CLI.
func (b *bench) build(ctx context.Context) (err error) {
	if b.self, err = os.Executable(); err != nil {
		return err
	}

	b.programs = filepath.Join(b.dir, "bin") + string(filepath.Separator)
	if err := os.Mkdir(b.programs, 0o750); err != nil {
		return err
	}
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", b.programs, ".", "./cmd/...")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build, in the folder of the module: %w\n%s", err, out)
	}

	commit, err := exec.CommandContext(ctx, "git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		return fmt.Errorf("git rev-parse: %w", err)
	}

	if b.cli = os.Getenv("TF_ACC_TERRAFORM_PATH"); !filepath.IsAbs(b.cli) {
		return errors.New("TF_ACC_TERRAFORM_PATH is not set to a Terraform executable. Run make bench, which sets it")
	}
	out, err := exec.CommandContext(ctx, b.cli, "version").Output()
	if err != nil {
		return fmt.Errorf("%s version: %w", filepath.Base(b.cli), err)
	}

	cli, _, _ := strings.Cut(string(out), "\n")
	b.machine = fmt.Sprintf("at commit %s on %d cores (%s/%s), %s, %s; number of rounds: %d.",
		strings.TrimSpace(string(commit)), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), cli, b.rounds)
	return nil
}

// cleanEnvironment returns the environment of this process without variables that would distort the measurement.
func cleanEnvironment() []string {
	return slices.DeleteFunc(os.Environ(), func(assignment string) bool {
		name, _, _ := strings.Cut(assignment, "=")
		return strings.HasPrefix(name, "TF_") || strings.HasPrefix(name, "POSTHOG_") ||
			slices.Contains([]string{"GOGC", "GOMEMLIMIT", "GODEBUG"}, name)
	})
}
