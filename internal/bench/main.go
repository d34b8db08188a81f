// Command bench measures the provider and the test server against what they could
// be at best, and writes a table of ratios. Everything that is compared is measured
// in turns in one run, so that a slow machine slows both sides.
//
// It is no test: nothing in it decides whether the code is right, and continuous
// integration does not run it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
)

// section is one part of the table.
type section struct {
	name, title string
	run         func(context.Context, *ground) ([]row, error)
}

var sections = []section{
	{"requests", "Requests of the provider, through the CLI", requests},
	{"terraform", "Provider processes, through the CLI", cpuThroughTerraform},
	{"latency", "Time that a person waits", wallTime},
	{"cpu", "Provider, by calls of protocol version 6 in process", cpuInProcess},
}

// errMissed ends the program when everything was measured and not all is well.
var errMissed = errors.New("a bar was missed")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := play(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// play does what the arguments say: measure, or be one of the processes that are
// measured.
func play(ctx context.Context, args []string) error {
	if len(args) > 0 {
		if role, known := roles[args[0]]; known {
			return role(ctx, args[1:])
		}
	}
	return measureAll(ctx, args)
}

func measureAll(ctx context.Context, args []string) (err error) {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	quick := flags.Bool("quick", false, "measure everything once, to see whether it works")
	only := flags.String("only", "", "measure the `sections` with these names alone, separated by commas, and write no file")
	output := flags.String("o", "BENCHMARKS.md", "`file` that the table is written to")
	size := flags.Int("n", 0, "measure the CPU time of plans with this `number` of surveys alone")
	profile := flags.String("profile", "", "`file` for a CPU profile of a plan of 1,000 surveys in process")
	if err := flags.Parse(args); err != nil {
		return err
	}
	chosen, err := choose(*only)
	if err != nil {
		return err
	}
	g := &ground{sizes: []int{200, 1000}, rounds: 5, profile: *profile}
	if *size > 0 {
		g.sizes = []int{*size}
	}
	if *quick {
		g.rounds = 1
	}
	if g.dir, err = os.MkdirTemp("", "posthog-bench-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(g.dir)) }()
	if err := g.build(ctx); err != nil {
		return err
	}
	_ = output
	missed := false
	for _, s := range chosen {
		fmt.Printf("\n## %s\n\n", s.title)
		rows, err := s.run(ctx, g)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		fmt.Print(markdown(rows))
		missed = missed || slices.ContainsFunc(rows, func(r row) bool { return r.Missed })
	}
	if missed {
		return errMissed
	}
	return nil
}

// choose returns the sections that were asked for.
func choose(names string) ([]section, error) {
	if names == "" {
		return sections, nil
	}
	var chosen []section
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(sections, func(s section) bool { return s.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no section %q", name)
		}
		chosen = append(chosen, sections[i])
	}
	return chosen, nil
}
