package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
)

// environmentPlaceholder is replaced by the name of the environment in the arguments of a
// run over all environments.
const environmentPlaceholder = "{environment}"

// overEnvironments makes each command below root run once for each environment when
// --all-environments is given. The commands need not know: each run is a separate program
// with the environment as --env, whose report is collected.
func (p *program) overEnvironments(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		p.overEnvironments(cmd)
		run := cmd.RunE
		if run == nil {
			continue
		}
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if p.flags.allEnvironments && p.parent == nil {
				return p.runAll(cmd, args)
			}
			return p.reportUnmatched(verbOf(cmd), run(cmd, args))
		}
	}
}

// runAll runs the command line once for each environment of the part, one after the other,
// and prints one report. It goes on after an environment that fails.
func (p *program) runAll(cmd *cobra.Command, args []string) error {
	if err := p.checkAll(cmd, args); err != nil {
		return err
	}
	part, err := p.part()
	if err != nil {
		return err
	}
	set, err := p.environments()
	if err != nil {
		return err
	}
	names := part.names(set.Names())

	report := environmentsReport{Format: 1, Verb: verbOf(cmd), Part: part.String(), Environments: []environmentResult{}}
	task := p.progress.Task("environments")
	task.SetTotal(int64(len(names)))
	for _, name := range names {
		report.Environments = append(report.Environments, p.runOne(cmd.Context(), name))
		task.Add(1)
	}

	report.Summary = summarize(report.Environments)
	if err := p.print(report); err != nil {
		return err
	}
	return report.verdict()
}

// verbOf is the command without the name of the program.
func verbOf(cmd *cobra.Command) string {
	_, verb, _ := strings.Cut(cmd.CommandPath(), " ")
	return verb
}

// runOne runs the command line on one environment.
func (p *program) runOne(ctx context.Context, name string) environmentResult {
	if ctx.Err() != nil {
		return environmentResult{Environment: name, ExitCode: codeInterrupted, Error: "interrupted before it started"}
	}

	var output bytes.Buffer
	child := p.child(name)
	child.stdout = &output
	err := child.execute(ctx, replaced(p.args, name))

	result := environmentResult{Environment: name, ExitCode: exitCode(err), Report: child.collected, Output: output.String(), Finished: p.now().UTC()}
	if err != nil {
		result.Error = err.Error()
		p.logf("%s: %v", name, err)
		if errors.Is(context.Cause(ctx), errInterrupted) {
			result.ExitCode = codeInterrupted
		}
	}
	return result
}

// child is a program that runs the same command line on one environment. It shares the
// clients of its parent, so that all requests with one key pass one gate.
func (p *program) child(name string) *program {
	return &program{
		version: p.version, stdin: p.stdin, stderr: p.stderr, getenv: p.getenv, getwd: p.getwd, now: p.now, sleep: p.sleep,
		requestTimeout: p.requestTimeout, roundTripper: p.roundTripper, traffic: p.traffic,
		progress: report.NewProgress(p.stderr, report.ProgressOptions{Off: true, Now: p.now}),
		matches:  &globMatches{globs: map[string]bool{}},
		parent:   p, environmentName: name,
	}
}

// replaced returns arguments with the name of an environment in place of its placeholder.
func replaced(args []string, name string) []string {
	args = slices.Clone(args)
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], environmentPlaceholder, name)
	}
	return args
}

// part selects one of several parts of all environments, for one of several jobs. The zero
// value selects all.
type part struct {
	// index counts from 1 to of.
	index, of int
}

// part is the value of --part.
func (p *program) part() (part, error) {
	if p.flags.part == "" {
		return part{}, nil
	}
	parsed, err := parsePart(p.flags.part, p.getenv)
	if err != nil {
		return part{}, fmt.Errorf("--part %s: %w", p.flags.part, err)
	}
	return parsed, nil
}

// parsePart parses I/N; auto, where the engine numbers its jobs from 1, as GitLab
// does; or auto/N, where it counts them from 0, as Kubernetes does.
func parsePart(text string, getenv func(string) string) (part, error) {
	index, of, isPart := strings.Cut(text, "/")
	switch {
	case text == "auto":
		index, of = getenv("CI_NODE_INDEX"), getenv("CI_NODE_TOTAL")
		if index == "" && of == "1" {
			index = "1" // GitLab numbers no job that runs alone
		}
		if index == "" || of == "" {
			return part{}, errors.New("CI_NODE_INDEX and CI_NODE_TOTAL are not set, as they are in parallel jobs of GitLab: write I/N")
		}
		return partOf(index, of, fmt.Sprintf("CI_NODE_INDEX is %q and CI_NODE_TOTAL %q", index, of))

	case index == "auto":
		completion := getenv("JOB_COMPLETION_INDEX")
		if completion == "" {
			return part{}, errors.New("JOB_COMPLETION_INDEX is not set, as it is in an indexed Job of Kubernetes: write I/N")
		}
		counted, err := strconv.Atoi(completion)
		if err != nil {
			return part{}, fmt.Errorf("JOB_COMPLETION_INDEX is %q, and no number", completion)
		}
		return partOf(strconv.Itoa(counted+1), of, fmt.Sprintf("JOB_COMPLETION_INDEX is %q", completion))

	case !isPart:
		return part{}, errors.New("it must be I/N, from 1/N to N/N, auto or auto/N")
	}
	return partOf(index, of, "")
}

// partOf is part index of several. given says where the numbers come from; empty for the
// flag itself.
func partOf(index, of, given string) (part, error) {
	i, errIndex := strconv.Atoi(index)
	n, errOf := strconv.Atoi(of)
	switch {
	case errIndex == nil && errOf == nil && 1 <= i && i <= n:
		return part{i, n}, nil
	case given == "":
		return part{}, errors.New("it must be I/N, from 1/N to N/N, auto or auto/N")
	}
	return part{}, fmt.Errorf("%s: that is no part from 1/N to N/N", given)
}

// String formats the part as I/N; empty for all.
func (p part) String() string {
	if p.of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", p.index, p.of)
}

// names are every N-th of the names, beginning with the I-th: none in a part beyond the last
// name.
func (p part) names(all []string) []string {
	if p.of == 0 {
		return all
	}
	var names []string
	for i := p.index - 1; i < len(all); i += p.of {
		names = append(names, all[i])
	}
	return names
}

// checkAll refuses a command line that cannot be run for several environments.
func (p *program) checkAll(cmd *cobra.Command, args []string) error {
	verb := verbOf(cmd)
	if p.flags.format == formatSARIF {
		return errors.New("--format sarif is for one environment: name it with --env")
	}
	if verb == "preview" {
		return errors.New("preview serves the pages of one environment: name it with --env")
	}

	file, writes := writtenBy(cmd, args)
	if writes && !strings.Contains(file, environmentPlaceholder) {
		own := filepath.Join(file, environmentPlaceholder)
		if verb == "snapshot" {
			own = filepath.Join(filepath.Dir(file), environmentPlaceholder+"-"+filepath.Base(file))
		}
		return fmt.Errorf("%s would write each environment to %q: give each a place of its own with %s in the path, such as %s",
			verb, file, environmentPlaceholder, own)
	}
	return nil
}

// writtenBy is the file or directory that a command writes; false if it writes none.
func writtenBy(cmd *cobra.Command, args []string) (path string, writes bool) {
	isSet := func(flag string) bool { return cmd.Flags().Changed(flag) }
	path = optional(args, ".")

	switch verbOf(cmd) {
	case "export":
		return path, !isSet("stdout")
	case "pull":
		return path, !isSet("dry-run")
	case "repair":
		ids := cmd.Flags().Lookup("write-ids")
		return ids.Value.String(), ids.Changed && !isSet("dry-run")
	case "snapshot":
		return path, len(args) > 0 && path != "-"
	case "draw", "keys":
		out := cmd.Flags().Lookup("out")
		return out.Value.String(), out.Changed
	}
	return "", false
}
