package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

// The values of exportFile.Status.
const (
	fileWritten   = "written"
	fileUnchanged = "unchanged"
	fileRemoved   = "removed"
	fileEdited    = "edited"
)

// exportReport is the report of export.
type exportReport struct {
	Directory string       `json:"directory"`
	Files     []exportFile `json:"files"`
	Surveys   int          `json:"surveys"`
	Apps      int          `json:"pipeline_import_apps"`
	// Kept is the number of objects whose blocks of an earlier export stay as they are,
	// LeftOut that of objects which something else manages.
	Kept    int `json:"kept"`
	LeftOut int `json:"left_out"`
	// Gone is the number of objects of an earlier export that the service no longer has.
	Gone int `json:"gone"`
	// Moved are the resources with a new address.
	Moved []exportMove `json:"moved"`
	// Withheld are the defaults of secret fields that were not written.
	Withheld []withheldDefault `json:"withheld,omitempty"`
}

// withheldDefault is a field of the config_schema of an import app, whose default is secret.
type withheldDefault struct {
	App   string `json:"app"`
	Field string `json:"field"`
}

// logWithheld says on stderr which secret defaults a document or a directory lacks.
func (p *program) logWithheld(defaults []withheldDefault, consequence string) {
	for _, d := range defaults {
		p.logf("Warning: import app %q: the default of the secret field %q of config_schema was not written; %s", d.App, d.Field, consequence)
	}
}

// exportFile is one file of an export.
type exportFile struct {
	Path   string `json:"path"`
	Status string `json:"status"`
}

// exportMove is a resource whose address changed since the last export.
type exportMove struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Text implements report.
func (r exportReport) Text(w io.Writer) error {
	var b strings.Builder
	for _, file := range r.Files {
		fmt.Fprintf(&b, "%-9s %s\n", file.Status, file.Path)
	}
	for _, move := range r.Moved {
		fmt.Fprintf(&b, "%-9s %s -> %s\n", "moved", move.From, move.To)
	}
	fmt.Fprintf(&b, "%s, %s%s\n", count(r.Surveys, "survey"), count(r.Apps, "import app"), r.rest())
	_, err := io.WriteString(w, b.String())
	return err
}

// rest counts the objects that were not written.
func (r exportReport) rest() string {
	var b strings.Builder
	for _, part := range []struct {
		number int
		text   string
	}{
		{r.Kept, "kept as they are"},
		{r.LeftOut, "left out, because something else manages them"},
		{r.Gone, "no longer on the service"},
	} {
		if part.number > 0 {
			fmt.Fprintf(&b, ", %d %s", part.number, part.text)
		}
	}
	return b.String()
}

// Markdown implements report.
func (r exportReport) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Export to %s: %s, %s%s\n\n| file | |\n|--|--|\n", escape.MarkdownCode(r.Directory), count(r.Surveys, "survey"), count(r.Apps, "import app"), r.rest())
	for _, file := range r.Files {
		fmt.Fprintf(&b, "| %s | %s |\n", escape.MarkdownCell(file.Path), markdownText(file.Status))
	}
	for _, move := range r.Moved {
		fmt.Fprintf(&b, "| %s | moved to %s |\n", escape.MarkdownCell(move.From), escape.MarkdownCell(move.To))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// edited are the files that were left alone because somebody edited them.
func (r exportReport) edited() []string {
	var paths []string
	for _, file := range r.Files {
		if file.Status == fileEdited {
			paths = append(paths, file.Path)
		}
	}
	return paths
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
