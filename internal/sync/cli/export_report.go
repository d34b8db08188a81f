package cli

import (
	"context"
	"fmt"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/export"
)

// exportReport formats the report of an export.
type exportReport struct {
	export.Report
	detached []detachedSurvey
}

func (p *program) newExportReport(ctx context.Context, e environment.Environment, exported export.Report) (exportReport, error) {
	r := exportReport{Report: exported}
	if len(exported.Detached) == 0 {
		return r, nil
	}
	service, err := p.live(e, p.selection().of(true, false))
	if err != nil {
		return r, err
	}
	r.detached, err = service.answerLog().countAnswers(ctx, exported.Detached, repairing{stating: "The configuration sets the old IDs. An apply restores them, which reattaches the answers."})
	return r, err
}

// logWithheld reports on stderr that an app's secret default is missing from a document or directory.
func (p *program) logWithheld(app, field, consequence string) {
	p.logf("Warning: import app %q: the default of the secret field %q of config_schema was not written; %s", app, field, consequence)
}

// toReport implements result.
func (r exportReport) toReport() report.Report {
	table := report.Table{Columns: []string{"file", ""}, Line: "%-9[2]s %[1]s"}
	for _, file := range r.Files {
		table.Add(file.Path, string(file.Status))
	}
	for _, move := range r.Moved {
		table.Add(move.From+" -> "+move.To, "moved")
	}
	page := report.Report{Title: "Export to " + r.Directory, Summary: responses.Count(r.Surveys, "survey") + ", " + responses.Count(r.Apps, "import app") + r.rest(), Table: table}
	page.Sections = detachedSections(r.detached)
	return page
}

// rest returns the number of objects that were not written, by reason.
func (r exportReport) rest() string {
	var b strings.Builder
	for _, part := range []struct {
		number int
		text   string
	}{
		{r.Kept, "already in your files"},
		{r.Skipped, "omitted, because they are already managed"},
		{r.Gone, "no longer in PostHog"},
	} {
		if part.number > 0 {
			fmt.Fprintf(&b, ", %d %s", part.number, part.text)
		}
	}
	return b.String()
}

// refusal returns the error for files that were not overwritten because they were edited.
func (r exportReport) refusal() error {
	var edited []string
	for _, file := range r.Files {
		if file.Status == export.Edited {
			edited = append(edited, file.Path)
		}
	}
	if len(edited) == 0 {
		return nil
	}
	return &refusedError{"edited since the last export and not overwritten: " + strings.Join(edited, ", ") +
		"; move your changes to another file, or overwrite them with --force"}
}

// verifyExport plans the directory with the provider of this build. It fails unless every change is a
// no-op or an import.
func (p *program) verifyExport(ctx context.Context, e environment.Environment, dir string) error {
	tf, err := p.terraform(e)
	if err != nil {
		return err
	}
	plan, err := tf.Plan(ctx, dir)
	if err != nil {
		return err
	}

	if err := export.CheckTwice(plan.ResourceChanges); err != nil {
		return err
	}

	imports, unchanged := 0, 0
	var changes []string
	for _, change := range plan.ResourceChanges {
		switch {
		case change.Change == nil:
		case !change.Change.Actions.NoOp() && !change.Change.Actions.Read():
			changes = append(changes, plannedChange(change))
		case change.Change.Importing != nil:
			imports++
		default:
			unchanged++
		}
	}
	if len(changes) > 0 {
		return fmt.Errorf("%s would change %s:\n  %s", tf.Name(), responses.Count(len(changes), "resource"), strings.Join(changes, "\n  "))
	}
	p.logf("Verified by %s plan: %s to import, %d unchanged, nothing to change.", tf.Name(), responses.Count(imports, "object"), unchanged)
	return nil
}

// plannedChange describes a change: the address, the actions, and the attributes that change.
func plannedChange(change *tfjson.ResourceChange) string {
	words := make([]string, len(change.Change.Actions))
	for i, action := range change.Change.Actions {
		words[i] = string(action)
	}
	line := change.Address + ": " + strings.Join(words, ", ")
	if paths := changedPaths(change.Change.Before, change.Change.After, change.Change.AfterUnknown); len(paths) > 0 && change.Change.Actions.Update() {
		line += " of " + strings.Join(paths, ", ")
	}
	return line
}

// changedPaths returns the paths of the values that differ. It compares objects attribute by attribute,
// and lists of the same length element by element. unknown contains the values that are known only
// after apply, in Terraform's JSON format.
func changedPaths(before, after, unknown any) []string {
	var paths []string
	after = jsonvalue.Replace(after, unknown, func(any) any { return knownAfterApply{} })
	jsonvalue.Diff(before, after, func(path jsonvalue.Path, _, after any) {
		text := path.String()
		if after == (knownAfterApply{}) {
			text += " (known after apply)"
		}
		paths = append(paths, text)
	})
	return paths
}

// knownAfterApply represents a value that is known only after apply.
type knownAfterApply struct{}
