package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/atomicfile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclfile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
)

// pullFlags are the flags of pull.
type pullFlags struct {
	dryRun bool
	by     bool
}

// newPull returns the verb that writes edits of the web interface into code.
func newPull(p *program) *cobra.Command {
	var f pullFlags
	cmd := &cobra.Command{
		Use:   "pull [DIR]",
		Short: "Write edits made in the web interface into the Terraform configuration",
		Long: `Plan DIR, the working directory by default, and write what was changed outside of
Terraform since the last apply into its .tf files. Only the changed values are written:
comments, order, blank lines and formatting stay as they are.

A value that comes from an expression (a variable, a local, a function, a for, a
template) is reported with its location, and left alone. So are objects created by count
or for_each, those of modules outside DIR or called more than once, arguments of a module
call, files in JSON, and values that were changed in the code as well. A change that was
made in the code alone is never undone, unless it goes back to a value that the service
has had since the last write: the code then counts as behind. Lists in concat are edited where the code states
their elements. A block that terraform fmt leaves alone stays so.

The exit code is 0 when a plan of DIR changes no survey and no import app afterwards, and 2
when a difference was left, or when --dry-run would write something.`,
		Example: `  # What was edited in the web interface?
  posthog-sync pull --dry-run

  # Write it into the files, with who did it in the report
  posthog-sync pull --by

  # The surveys of one campaign, in another directory
  posthog-sync pull infrastructure --kind surveys --select 'Spring*'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.pull(cmd.Context(), optional(args, "."), f)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.dryRun, "dry-run", false, "print a unified diff, and write nothing")
	flags.BoolVar(&f.by, "by", false, "report who made each edit and when, from the activity log")
	return cmd
}

// pull pulls the edits of the live objects of a directory.
func (p *program) pull(ctx context.Context, dir string, f pullFlags) error {
	e, err := p.environment()
	if err != nil {
		return err
	}
	feeds := feeds{}
	changes, findings, err := p.pullChanges(ctx, e, dir, feeds)
	if err != nil {
		return err
	}

	report := newPullReport(dir, changes, findings)
	if f.by {
		if err := p.addAuthors(ctx, e, findings, report.Findings); err != nil {
			return err
		}
	}
	if f.dryRun {
		return p.printDryRun(report, changes)
	}

	if err := ctx.Err(); err != nil {
		return err
	}
	if err := writeChanges(dir, changes); err != nil {
		return err
	}
	if len(changes) > 0 {
		err = p.pullAgain(ctx, e, dir, f, feeds, &report)
	}
	if printed := p.print(report); printed != nil {
		return printed
	}
	if err != nil {
		return fmt.Errorf("the files are written as reported, but could not be checked: %w", err)
	}
	if left := report.left(); left > 0 {
		return &differencesError{fmt.Sprintf("%s left: see the report", count(left, "difference"))}
	}
	return nil
}

// pullChanges plans a directory, and edits its files in memory.
func (p *program) pullChanges(ctx context.Context, e environment.Environment, dir string, feeds feeds) ([]pull.Change, []pull.Finding, error) {
	planned, err := p.planDirectory(ctx, e, dir)
	if err != nil {
		return nil, nil, err
	}
	plan := planned.plan
	if err := p.checkRemovedApps(ctx, e, planned.resources); err != nil {
		return nil, nil, err
	}

	var resources []pull.Resource
	selected := p.selection()
	for _, r := range planned.resources {
		isWanted := r.Type == hclfile.SurveyType && selected.surveys || r.Type == hclfile.AppType && selected.apps
		if isWanted && selected.selects(r.Name) {
			resources = append(resources, r)
		}
	}
	changes, findings, err := pull.Edit(dir, plan.Config, resources)
	if err != nil || !p.recallLogged(ctx, e, resources, findings, feeds) {
		return changes, findings, err
	}
	return pull.Edit(dir, plan.Config, resources)
}

// writeChanges writes all files or none.
func writeChanges(dir string, changes []pull.Change) error {
	files := make([]atomicfile.File, len(changes))
	for i, change := range changes {
		files[i] = atomicfile.File{Path: filepath.Join(dir, change.Path), Write: func(w io.Writer) error {
			_, err := w.Write(change.After)
			return err
		}}
	}
	return atomicfile.WriteSet(files, nil)
}

// mostRounds is how often one pull writes. A value that the service does not keep as it is
// written would be written again and again.
const mostRounds = 3

// pullAgain plans the directory again: the values that were written have to be those of the
// live objects. An edit can make way for another one: the code may be closer now to another list
// of questions that the survey had. That is written, too, so that a second pull finds nothing.
func (p *program) pullAgain(ctx context.Context, e environment.Environment, dir string, f pullFlags, feeds feeds, report *pullReport) error {
	for round := 2; ; round++ {
		changes, findings, err := p.pullChanges(ctx, e, dir, feeds)
		if err != nil {
			return err
		}
		if len(changes) == 0 || round > mostRounds {
			report.check(findings)
			return nil
		}

		more := newPullReport(dir, changes, findings)
		if f.by {
			if err := p.addAuthors(ctx, e, findings, more.Findings); err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := writeChanges(dir, changes); err != nil {
			return err
		}
		report.add(more)
		clear(feeds) // there may have been more edits since they were read
	}
}

// unified is the unified diff of changes.
func unified(changes []pull.Change) string {
	var diff strings.Builder
	for _, change := range changes {
		path := filepath.ToSlash(change.Path)
		diff.WriteString(udiff.Unified("a/"+path, "b/"+path, string(change.Before), string(change.After)))
	}
	return diff.String()
}

// printDryRun prints the diff to stdout and the report to stderr. In formats other than text
// the report contains the diff.
func (p *program) printDryRun(report pullReport, changes []pull.Change) error {
	report.Diff = unified(changes)
	w := p.stdout
	if p.flags.format == formatText {
		p.progress.Close()
		if _, err := io.WriteString(p.stdout, report.Diff); err != nil {
			return err
		}
		w = p.stderr
	}
	if err := p.printTo(w, report); err != nil {
		return err
	}
	switch left := report.left(); {
	case report.Diff != "":
		return &differencesError{"nothing was written: leave out --dry-run to write it"}
	case left > 0:
		return &differencesError{fmt.Sprintf("%s left: see the report", count(left, "difference"))}
	}
	return nil
}
