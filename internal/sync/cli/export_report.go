package cli

import (
	"fmt"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/export"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/report"
)

// exportReport words the report of an export.
type exportReport struct{ export.Report }

// logWithheld says on stderr which secret default a document or a directory lacks.
func (p *program) logWithheld(app, field, consequence string) {
	p.logf("Warning: import app %q: the default of the secret field %q of config_schema was not written; %s", app, field, consequence)
}

// Report implements result.
func (r exportReport) reported() report.Report {
	table := report.Table{Columns: []string{"file", ""}, Line: "%-9[2]s %[1]s"}
	for _, file := range r.Files {
		table.Add(file.Path, string(file.Status))
	}
	for _, move := range r.Moved {
		table.Add(move.From+" -> "+move.To, "moved")
	}
	return report.Report{Title: "Export to " + r.Directory, Summary: count(r.Surveys, "survey") + ", " + count(r.Apps, "import app") + r.rest(), Table: table}
}

// rest counts the objects that were not written.
func (r exportReport) rest() string {
	var b strings.Builder
	for _, part := range []struct {
		number int
		text   string
	}{
		{r.Kept, "kept as they are"},
		{r.Skipped, "left out, because something else manages them"},
		{r.Gone, "no longer on the service"},
	} {
		if part.number > 0 {
			fmt.Fprintf(&b, ", %d %s", part.number, part.text)
		}
	}
	return b.String()
}

// edited are the files that were left alone because somebody edited them.
func (r exportReport) edited() []string {
	var paths []string
	for _, file := range r.Files {
		if file.Status == export.Edited {
			paths = append(paths, file.Path)
		}
	}
	return paths
}

// refused is the error for files that were left alone because somebody edited them.
func (r exportReport) refused() error {
	edited := r.edited()
	if len(edited) == 0 {
		return nil
	}
	return &refusedError{fmt.Sprintf("%s edited since the last export and not overwritten: move your changes into a file of your own, or overwrite them with --force",
		joined(edited))}
}

// joined lists files, followed by "was" or "were".
func joined(paths []string) string {
	const limit = 5
	if len(paths) == 1 {
		return paths[0] + " was"
	}
	if len(paths) > limit {
		return fmt.Sprintf("%s and %d more were", strings.Join(paths[:limit], ", "), len(paths)-limit)
	}
	return strings.Join(paths, ", ") + " were"
}
