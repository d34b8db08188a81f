package cli

import (
	"fmt"
	"io"
	"strings"
)

// What became of a file of an export.
const (
	fileWritten   = "written"
	fileUnchanged = "unchanged"
	fileRemoved   = "removed"
	fileEdited    = "edited"
)

// exportReport says what an export did.
type exportReport struct {
	Directory string       `json:"directory"`
	Files     []exportFile `json:"files"`
	Surveys   int          `json:"surveys"`
	Apps      int          `json:"pipeline_import_apps"`
	// Kept are objects whose blocks of an earlier export stay as they are, LeftOut those
	// that something else manages.
	Kept    int `json:"kept"`
	LeftOut int `json:"left_out"`
	// Gone are objects of an earlier export that the service does not have any more.
	Gone int `json:"gone"`
	// Moved are resources with a new name.
	Moved []exportMove `json:"moved"`
}

// exportFile is one file of an export.
type exportFile struct {
	Path   string `json:"path"`
	Status string `json:"status"`
}

// exportMove is a resource that has another address than in the last export.
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

// rest counts what was not written anew.
func (r exportReport) rest() string {
	var b strings.Builder
	for _, one := range []struct {
		number int
		words  string
	}{
		{r.Kept, "kept as they are"},
		{r.LeftOut, "left out, because something else manages them"},
		{r.Gone, "gone from the service"},
	} {
		if one.number > 0 {
			fmt.Fprintf(&b, ", %d %s", one.number, one.words)
		}
	}
	return b.String()
}

// Markdown implements report.
func (r exportReport) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Export to `%s`: %s, %s%s\n\n| file | |\n|--|--|\n", r.Directory, count(r.Surveys, "survey"), count(r.Apps, "import app"), r.rest())
	for _, file := range r.Files {
		fmt.Fprintf(&b, "| `%s` | %s |\n", file.Path, file.Status)
	}
	for _, move := range r.Moved {
		fmt.Fprintf(&b, "| `%s` | moved to `%s` |\n", move.From, move.To)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// edited are the files that were left.
func (r exportReport) edited() []string {
	var paths []string
	for _, file := range r.Files {
		if file.Status == fileEdited {
			paths = append(paths, file.Path)
		}
	}
	return paths
}

// joined lists files with the verb that follows.
func joined(paths []string) string {
	const most = 5
	if len(paths) == 1 {
		return paths[0] + " was"
	}
	if len(paths) > most {
		return fmt.Sprintf("%s and %d more were", strings.Join(paths[:most], ", "), len(paths)-most)
	}
	return strings.Join(paths, ", ") + " were"
}
