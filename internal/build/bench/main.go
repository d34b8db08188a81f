//go:build unix

// Command bench measures the provider, posthog-sync and the test server against upper bounds
// of their performance, and writes three tables. What is compared is measured alternately in
// one run, so that a slow machine slows both sides.
//
// It is not a test: nothing in it decides whether the code is correct, and continuous
// integration does not run it.
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

// sections are the parts that are measured, each with the table of BENCHMARKS.md that its rows
// are in, by the heading. What a reader must know to understand them stands there.
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

// bench has the programs that are measured, and a temporary folder.
type bench struct {
	dir      string // for everything that is written on the way
	self     string // this program
	programs string // the folder of the programs, as they are shipped
	cli      string // Terraform or OpenTofu
	machine  string // and versions, in a sentence
	rounds   int    // how often everything is measured
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

// run measures, or runs as one of the processes that are measured.
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
		err = errors.New("a bar was missed")
	}
	return err
}

// rows measures what is chosen, prints the rows of each section when it is complete, and
// returns them by the heading of their table.
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
		return nil, fmt.Errorf("there is no section %q", only)
	}
	return rows, nil
}

// replaceRows puts the rows into the tables of a document, and the machine into its line.
func (b *bench) replaceRows(path string, rows map[string]string) error {
	document, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(withRows(string(document), "Measured "+b.machine, rows)), 0o644) //nolint:gosec // readable by all users
}

// withRows is a document with other rows in its tables, of which each has two lines of heading.
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

// build builds the programs of the module in which this runs, and finds the CLI.
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
		return errors.New("TF_ACC_TERRAFORM_PATH does not name a Terraform: make bench does")
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

// cleanEnvironment is the environment of this process without variables that would distort
// the measurement.
func cleanEnvironment() []string {
	return slices.DeleteFunc(os.Environ(), func(assignment string) bool {
		name, _, _ := strings.Cut(assignment, "=")
		return strings.HasPrefix(name, "TF_") || strings.HasPrefix(name, "POSTHOG_") ||
			slices.Contains([]string{"GOGC", "GOMEMLIMIT", "GODEBUG"}, name)
	})
}
