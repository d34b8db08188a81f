// Command bench measures the provider and the test server against upper bounds of their
// performance, and writes a table of ratios. What is compared is measured alternately in
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
	"os/signal"
	"slices"
	"strings"
	"syscall"
)

// section is one part of the table.
type section struct {
	name, title string
	note        string // what a reader must know to understand the rows
	run         func(context.Context, *runner) (table, error)
}

var sections = []section{
	{
		"requests", "Requests",
		"The number of requests that the provider sends when a real CLI runs it. The official provider (posthog/posthog 1.0.13) sends one per survey.",
		comparing(requests),
	},
	{
		"cpu", "CPU time and memory, in process",
		"The calls of protocol version 6 that Terraform 1.11 makes for a plan, in the same order and number, without Terraform itself " +
			"and without the transport between the two. " + workloadNote,
		comparing(cpuInProcess),
	},
	{
		"terraform", "CPU time and memory, through the CLI",
		"The provider processes that a real CLI starts for a plan of that many resource blocks: the CPU time of all of them, " +
			"and the memory of the largest. The CLI itself is not counted. More than 500 blocks are planned only once.",
		comparing(cpuThroughTerraform),
	},
	{
		"latency", "Wall-clock time",
		"The time of a whole plan, CLI included, when the service delays every answer.",
		comparing(wallTime),
	},
	{
		"export", "Export",
		"posthog-sync export, compared with Terraform generating configuration for as many import blocks. " +
			"An export keeps one page of surveys in memory, and one line about each survey.",
		comparing(export),
	},
	{
		"classes", "Sizes of projects",
		"What each command costs in a project of 10 surveys (S), 100 (M), 1,000 (L) and 10,000 (XL), in the order in which a project is adopted. " +
			"Plans are those of surveys that were refreshed since they were imported, as they are after the next apply. These are absolute numbers, of one run. The time is that of the whole command. CPU time and peak memory are those of posthog-sync with the " +
			"Terraform that it starts, and of the processes of the provider where Terraform itself is the command: they say nothing about " +
			"the memory of Terraform. Peak memory is that of the largest process.",
		measureClasses,
	},
	{
		"server", "Test server",
		fmt.Sprintf("Requests per second over the loopback interface, from %d persistent connections; the test server holds %d surveys. ",
			connections, storedSurveys) +
			"The upper bound is the standard library sending the same bytes from memory. Prism (@stoplight/prism-cli) generates its answers " +
			"from the same contract; it stores nothing, and its pages hold one survey instead of 100.",
		comparing(throughput),
	},
	{
		"delivery", "Surveys in apps",
		fmt.Sprintf("What SDKs ask the test server for, over the loopback interface and from %d persistent connections: the surveys of a project of "+
			"which %d run, and its %d flags for a person, evaluated for each request. p50 and p99 are the times within which half of the responses, "+
			"and 99 of 100, arrive while all connections are busy. The upper bound is the standard library sending the same bytes from memory.",
			appConnections, runningSurveys, 2*runningSurveys),
		comparing(deliveryToApps),
	},
	{
		"events", "Events of surveys",
		"The memory of the test server when apps send events of surveys without end, by 10,000 persons: it keeps the newest ones and counts the others. " +
			"All of them are in the numbers of responses, which is checked.",
		comparing(eventMemory),
	},
}

const workloadNote = "Every survey has three questions (a rating with branching, a single choice and an open question), conditions and an " +
	"appearance; a change replaces one word of the description. The surveys in the state have been refreshed since they were created, " +
	"as they are after any later apply, and the service holds the false and empty values that code leaves out. More than 500 surveys are created and imported only once. The provider is compared with two providers whose resource does nothing: " +
	"one has the same typed schema, the other keeps questions as JSON text and has the attributes of the official provider."

// usualRounds is the number of rounds for the file.
const usualRounds = 3

// errMissed is the error when everything was measured and a bar was missed.
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
	quick := flags.Bool("quick", false, "measure everything once, to check that it works, and write no file")
	only := flags.String("only", "", "measure only the `sections` with these names, separated by commas, and write no file")
	size := flags.Int("n", 0, "measure the CPU time of plans with only this `number` of surveys, and write no file")
	rounds := flags.Int("rounds", usualRounds, "measure everything this `number` of times, and write no file")
	against := flags.String("against", "", "`program` of another build of the test server, with which the section server compares it and with nothing else; write no file")
	replace := flags.Bool("replace", false, "with -only: put the sections in place of those of the file")
	output := flags.String("o", "BENCHMARKS.md", "`file` that the tables are written to")
	profiles := flags.String("profiles", "", "`folder` for CPU profiles of what our provider does in process: plan, change, create, import; the last of each is kept")

	if err := flags.Parse(args); err != nil {
		return err
	}

	chosen, err := choose(*only)
	if err != nil {
		return err
	}

	g := &runner{sizes: []int{200, 1000}, rounds: *rounds, against: *against, profiles: *profiles, fixtures: map[int]*fixture{}}
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
	isUsual := *size == 0 && g.rounds == usualRounds && *against == ""
	switch {
	case err != nil || !isUsual:
	case *only == "":
		err = os.WriteFile(*output, []byte(report), 0o644) //nolint:gosec // readable by all users
	case *replace:
		err = replaceSections(*output, report)
	}
	if err == nil && missed {
		err = errMissed
	}
	return err
}

// replaceSections puts measured sections into a document.
func replaceSections(path, measured string) error {
	document, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(withSections(string(document), measured)), 0o644) //nolint:gosec // as above
}

// choose returns the selected sections.
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
