package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
)

// environmentPlaceholder is the text in arguments that a run over all environments replaces with the
// environment's name.
const environmentPlaceholder = "{environment}"

// overEnvironments makes each command below root run once for each environment if --all-environments is
// set. The commands themselves are not affected: each run is a separate program that works on one
// environment and hands over its report.
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
			return p.checkSelectGlobs(commandName(cmd), run(cmd, args))
		}
	}
}

// runAll runs the command line once for each environment of the selected part, one after the other, and
// prints one report. It continues after an environment fails.
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
	names := part.Of(set.Names())

	report := environmentsReport{Format: 1, Verb: commandName(cmd), Part: part.String(), Environments: []environmentResult{}}
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

// commandName returns a command's path without the program name.
func commandName(cmd *cobra.Command) string {
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
	err := child.execute(ctx, replacePlaceholder(p.args, name))

	result := environmentResult{Environment: name, ExitCode: exitCode(err), Report: child.collected, Output: output.String(), Finished: p.now().UTC()}
	if err != nil {
		result.Error = plainError(err)
		p.logf("%s: %v", name, err)
		if errors.Is(context.Cause(ctx), errInterrupted) {
			result.ExitCode = codeInterrupted
		}
	}
	return result
}

// child returns a program that runs the same command line on one environment. It shares its parent's
// clients, so that all requests with one API key pass the same gate.
func (p *program) child(name string) *program {
	return &program{
		version: p.version, stdin: p.stdin, stderr: p.stderr, getenv: p.getenv, getwd: p.getwd, now: p.now, sleep: p.sleep,
		requestTimeout: p.requestTimeout, roundTripper: p.roundTripper, traffic: p.traffic,
		progress: report.NewProgress(p.stderr, report.ProgressOptions{Off: true, Now: p.now}),
		matched:  map[string]bool{},
		parent:   p, environmentName: name,
	}
}

// replacePlaceholder replaces the placeholder in arguments with an environment's name.
func replacePlaceholder(args []string, name string) []string {
	args = slices.Clone(args)
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], environmentPlaceholder, name)
	}
	return args
}

// part returns the value of --part.
func (p *program) part() (environment.Part, error) {
	if p.flags.part == "" {
		return environment.Part{}, nil
	}
	parsed, err := environment.ParsePart(p.flags.part, p.getenv)
	if err != nil {
		return environment.Part{}, fmt.Errorf("--part %s: %w", p.flags.part, err)
	}
	return parsed, nil
}

// checkAll returns an error if the command line cannot run in several environments.
func (p *program) checkAll(cmd *cobra.Command, args []string) error {
	verb := commandName(cmd)
	if p.flags.format == formatSARIF {
		return errors.New("--format sarif supports only one environment. Select it with --env")
	}
	if verb == "preview" {
		return errors.New("preview supports only one environment. Select it with --env")
	}

	file, writes := outputPath(cmd, args)
	if writes && !strings.Contains(file, environmentPlaceholder) {
		example := filepath.Join(file, environmentPlaceholder)
		if verb == "snapshot" {
			example = filepath.Join(filepath.Dir(file), environmentPlaceholder+"-"+filepath.Base(file))
		}
		return fmt.Errorf("%s would write the files of all environments to %q. To separate them, put %s into the path, such as %s",
			verb, file, environmentPlaceholder, example)
	}
	return nil
}

// outputPath returns the file or directory that a command writes. writes is false if the command writes
// no file or directory.
func outputPath(cmd *cobra.Command, args []string) (path string, writes bool) {
	isSet := func(flag string) bool { return cmd.Flags().Changed(flag) }
	path = optional(args, ".")

	switch commandName(cmd) {
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
