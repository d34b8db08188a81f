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
	note        string // what a reader must know to understand the rows
	run         func(context.Context, *runner) ([]row, error)
}

var sections = []section{
	{
		"requests", "Requests",
		"How many requests a real CLI with the provider makes. The official provider (posthog/posthog 1.0.13) makes one for each survey.",
		requests,
	},
	{
		"cpu", "CPU time and memory, by calls in process",
		"The calls of protocol version 6 that Terraform 1.11 makes for a plan, in its order and number, without Terraform and without " +
			"the transport between the two. " + workloadNote,
		cpuInProcess,
	},
	{
		"terraform", "CPU time and memory, through the CLI",
		"The processes of the provider that a real CLI starts for a plan of as many resource blocks: the CPU time of all of them, " +
			"the memory of the largest. The CLI itself is not counted. More than 500 blocks are planned once.",
		cpuThroughTerraform,
	},
	{
		"latency", "Time that a person waits",
		"The whole plan, CLI included, when the service takes its time for every answer.",
		wallTime,
	},
	{
		"export", "Export",
		"posthog-sync export beside Terraform, which generates configuration for as many import blocks. " +
			"An export keeps one page of surveys in memory, and a line about each.",
		export,
	},
	{
		"server", "Test server",
		fmt.Sprintf("Requests in a second over the loopback interface, by %d connections that stay open; the test server holds %d surveys. ",
			connections, storedSurveys) +
			"The limit is the standard library that sends the same bytes from memory. Prism (@stoplight/prism-cli) makes its answers " +
			"from the same contract; it keeps nothing, and its page holds one survey instead of 100.",
		throughput,
	},
}

const workloadNote = "Every survey has three questions (a rating with branching, a single choice, an open one), conditions and an " +
	"appearance; a change is one word of the description. The state is that of surveys which have been read since they were made, " +
	"as the next apply of anything stores it. The provider is compared with two that do nothing but have a resource: " +
	"one with the same typed schema, one that keeps questions as JSON text with the attributes of the official provider."

// errMissed ends the program when everything was measured and not all is well.
var errMissed = errors.New("a bar was missed")

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
func run(ctx context.Context, args []string) error {
	if len(args) > 0 {
		if role, known := roles[args[0]]; known {
			return role(ctx, args[1:])
		}
	}
	return measureAll(ctx, args)
}

func measureAll(ctx context.Context, args []string) (err error) {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	quick := flags.Bool("quick", false, "measure everything once, to see whether it works, and write no file")
	only := flags.String("only", "", "measure the `sections` with these names alone, separated by commas, and write no file")
	size := flags.Int("n", 0, "measure the CPU time of plans with this `number` of surveys alone, and write no file")
	output := flags.String("o", "BENCHMARKS.md", "`file` that the tables are written to")
	profile := flags.String("profile", "", "`file` for a CPU profile of our plan in process; that of the last one remains")

	if err := flags.Parse(args); err != nil {
		return err
	}

	chosen, err := choose(*only)
	if err != nil {
		return err
	}

	g := &runner{sizes: []int{200, 1000}, rounds: 3, profile: *profile, fixtures: map[int]*fixture{}}
	if *size > 0 {
		g.sizes = []int{*size}
	}

	if *quick {
		g.rounds = 1
	}

	if g.dir, err = os.MkdirTemp("", "posthog-bench-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.stop(), os.RemoveAll(g.dir)) }()

	if err := g.build(ctx); err != nil {
		return err
	}

	report, missed, err := g.report(ctx, chosen)
	if whole := *only == "" && *size == 0 && !*quick; err == nil && whole {
		err = os.WriteFile(*output, []byte(report), 0o644) //nolint:gosec // for everybody to read
	}
	if err == nil && missed {
		err = errMissed
	}
	return err
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
