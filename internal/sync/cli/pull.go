package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
)

// pullFlags are the flags of pull.
type pullFlags struct {
	dryRun bool
	by     bool
}

// newPull returns the command that copies edits in PostHog into configuration.
func newPull(p *program) *cobra.Command {
	var f pullFlags
	cmd := &cobra.Command{
		Use:   "pull [DIR]",
		Short: "Copy edits made in PostHog into Terraform configuration",
		Long: `Finds values that changed in PostHog since the last apply or pull, and writes them into the .tf files
of DIR (the working directory by default). Only those values change: comments, order, and formatting
stay as they are.

pull never overwrites an edit that you made in the configuration. If a value changed in both places,
pull reports a conflict and leaves both unchanged.

pull reports these values with their location, and does not write them:
  - values that come from an expression
  - resources created with count or for_each
  - modules outside DIR
  - .tf.json files

If a save in PostHog replaced question IDs, the answers are detached. pull reports them and writes the
IDs that have the answers into the configuration. The next apply restores those IDs.

pull records what it wrote in .posthog-sync.lock.json. Commit this file with your configuration, so
that the next pull can tell edits in PostHog from edits in the configuration, even without an apply in
between.

Exit codes:

    0    a plan of DIR shows no changes afterwards
    1    error
    2    differences remain, or --dry-run found edits to write
    130  interrupted`,
		Example: `  # Show what was edited in PostHog
  posthog-sync pull --dry-run

  # Write the edits into the files, and report who made them
  posthog-sync pull --by`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.pull(cmd.Context(), optional(args, "."), f)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.dryRun, "dry-run", false, "print a unified diff, and write nothing")
	flags.BoolVar(&f.by, "by", false, "report who made each edit and when (from the activity log)")
	return cmd
}

// mostRounds limits how often one pull writes files. Without the limit, pull would never finish if PostHog
// changes a value whenever it is saved.
const mostRounds = 3

// pull copies edits of live objects into the configuration in a directory. After each write, it plans
// the directory again, until no differences are left to write. This verifies that the written values
// equal the live values, which teammates may edit in the meantime.
func (p *program) pull(ctx context.Context, dir string, f pullFlags) error {
	e, err := p.sourceEnvironment("")
	if err != nil {
		return err
	}
	if !f.dryRun {
		unlock, err := code.LockDir(ctx, dir, func() { p.logf("Waiting for another pull of %s to finish.", dir) })
		if err != nil {
			return err
		}
		defer unlock()
	}

	report := newPullReport(dir, nil, []pull.Finding{})
	for round := 1; ; round++ {
		// The previous round may have written all differences.
		edited, err := p.pullOnce(ctx, e, dir, f, planning{forEdit: true, ifDiffers: round > 1 && report.countRemaining() == 0})
		switch {
		case err != nil && round == 1:
			return err
		case err != nil:
			if printed := p.print(report); printed != nil {
				return printed
			}
			return fmt.Errorf("the files were written as reported, but could not be verified: %w", err)
		case f.dryRun:
			return p.printDryRun(edited.report, edited.changes)
		}

		isLast := round > mostRounds
		report.add(edited.report, isLast)
		if isLast {
			break
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := writeChanges(dir, append(edited.changes, edited.lock...)); err != nil {
			return err
		}
		if len(edited.changes) == 0 {
			break
		}
	}

	if err := p.print(report); err != nil {
		return err
	}
	return report.asError()
}

// pullRound is the result of one plan of a directory.
type pullRound struct {
	changes []pull.Change
	// lock contains the lock file's change, or is empty if there is none.
	lock   []pull.Change
	report pullReport
}

// pullOnce plans a directory and edits its files in memory.
func (p *program) pullOnce(ctx context.Context, e environment.Environment, dir string, f pullFlags, options planning) (pullRound, error) {
	planned, err := p.planDirectory(ctx, e, dir, options)
	if err != nil || planned.plan == nil {
		return pullRound{}, err
	}
	if err := p.checkRemovedApps(ctx, e, planned.resources); err != nil {
		return pullRound{}, err
	}
	selected := p.selection()
	resources := slices.DeleteFunc(slices.Clone(planned.resources), func(r pull.Resource) bool {
		isOfKind := r.Type == code.SurveyType && selected.surveys || r.Type == code.AppType && selected.apps
		return !isOfKind || !selected.selects(r.Name)
	})
	if resources, err = pull.WithLiteralIDs(dir, planned.plan.Config, resources); err != nil {
		return pullRound{}, err
	}
	changes, findings, err := pull.Edit(dir, planned.plan.Config, resources, p.environmentFlags("")...)
	if err != nil {
		return pullRound{}, err
	}

	edited := pullRound{changes: changes, report: newPullReport(dir, changes, findings)}
	if f.by {
		if err := p.addAuthors(ctx, e, findings); err != nil {
			return pullRound{}, err
		}
	}
	planned.lock.Note(resources, findings)
	planned.lock.Tidy(planned.resources)
	if change, ok := planned.lock.Change(); ok {
		edited.lock = append(edited.lock, change)
	}
	return edited, nil
}

// writeChanges writes all files, or none if one fails.
func writeChanges(dir string, changes []pull.Change) error {
	files := make([]code.File, len(changes))
	for i, change := range changes {
		files[i] = code.File{Path: filepath.Join(dir, change.Path), Write: code.Content(change.After)}
	}
	return code.WriteFiles(files, nil)
}

// unifiedDiff returns the unified diff of changes.
func unifiedDiff(changes []pull.Change) string {
	var diff strings.Builder
	for _, change := range changes {
		path := filepath.ToSlash(change.Path)
		diff.WriteString(udiff.Unified("a/"+path, "b/"+path, string(change.Before), string(change.After)))
	}
	return diff.String()
}

// printDryRun prints the diff to stdout and the report to stderr. If the format is not text, it prints
// only the report, which contains the diff.
func (p *program) printDryRun(report pullReport, changes []pull.Change) error {
	diff, w := unifiedDiff(changes), p.stdout
	if p.flags.format == formatText {
		p.progress.Close()
		if _, err := io.WriteString(p.stdout, diff); err != nil {
			return err
		}
		w = p.stderr
	} else {
		report.Diff = diff
	}
	if err := p.printReport(w, report); err != nil {
		return err
	}
	if diff != "" {
		return &differencesError{"nothing was written. To write the changes, omit --dry-run"}
	}
	return report.asError()
}

// addAuthors adds the author and the time of the edit to each finding.
func (p *program) addAuthors(ctx context.Context, e environment.Environment, findings []pull.Finding) error {
	c, err := p.client(e)
	if err != nil {
		return err
	}

	entries := map[string][]framework.ActivityEntry{}
	for i, finding := range findings {
		r := finding.Resource
		if finding.Outcome == code.Pending || r.ID == "" {
			continue
		}

		if _, ok := entries[r.Address]; !ok {
			body, err := readActivity(ctx, c, r)
			if err != nil {
				return fmt.Errorf("--by: cannot read who changed %s: %w", r.Address, err)
			}
			if entries[r.Address], err = framework.ActivityEntries(body); err != nil {
				return fmt.Errorf("--by: the activity feed of %s does not have the expected format: %w", r.Address, err)
			}
		}
		findings[i].Author(entries[r.Address])
	}
	return nil
}

func readActivity(ctx context.Context, c *client.Client, r pull.Resource) (json.RawMessage, error) {
	if r.Type == code.AppType {
		return c.PipelineImportApps(r.ParentID).AllActivity(ctx, 0)
	}
	return c.Surveys(r.ParentID).Activity(ctx, r.ID, 0)
}
