// Package report prints the results of a command: as text for a terminal, and as Markdown for a pull
// request comment. A [Report] is data, and its texts are plain. Each printer escapes them for its
// medium, so that texts from surveys cannot contain markup or control sequences.
package report

import (
	"fmt"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

// Report is the result of a command.
type Report struct {
	// Title is the heading of a page. A text has no title, because it appears below the command line.
	Title string
	// Summary contains the counts. It is first on a page and last in a text, where readers look first.
	Summary string
	// Notes are paragraphs above the findings.
	Notes []string
	Table Table
	// Sections each describe one thing. Noun is its kind, such as object.
	Sections []Section
	Noun     string
}

// Section describes one object, question, or environment.
type Section struct {
	Title string
	// Notes are sentences below the title.
	Notes []string
	Table Table
	// Code is a text in a language, such as a diff.
	Code     string
	Language string
	// Page is Markdown that is already escaped. A text omits it.
	Page string
	// Nested is a separate report. On a page, it is collapsed.
	Nested Printed
}

// Printed is implemented by values that print themselves for both media.
type Printed interface {
	Text() string
	Markdown() string
}

// Table contains one row for each finding.
type Table struct {
	// Columns are the names of the columns on a page.
	Columns []string
	// Line is the format of a row in a text, with one verb for each column. A table without it appears
	// only on pages.
	Line string
	Rows [][]string
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Text formats the report for a terminal.
func (r Report) Text() string {
	var b strings.Builder
	for _, note := range r.Notes {
		b.WriteString(note + "\n")
	}
	r.Table.text(&b, "")
	for _, section := range r.Sections {
		section.text(&b)
	}
	if r.Summary != "" {
		b.WriteString(escape.Terminal(r.Summary) + "\n")
	}
	return escape.TerminalLines(b.String())
}

func (s Section) text(b *strings.Builder) {
	if s.Nested != nil {
		b.WriteString("== " + escape.Terminal(s.Title) + "\n" + s.Nested.Text())
		return
	}
	if s.Title != "" {
		b.WriteString(escape.Terminal(s.Title) + "\n")
	}
	s.Table.text(b, "    ")
	for _, note := range s.Notes {
		b.WriteString("    " + escape.Terminal(note) + "\n")
	}
	b.WriteString(s.Code)
}

func (t Table) text(b *strings.Builder, indent string) {
	if t.Line == "" {
		return
	}
	for _, row := range t.Rows {
		cells := make([]any, len(row))
		for i, cell := range row {
			cells[i] = escape.Terminal(cell)
		}
		// If the last cell of a row is empty, the row ends after the previous cell.
		b.WriteString(indent + strings.TrimRight(fmt.Sprintf(t.Line, cells...), ": ") + "\n")
	}
}
