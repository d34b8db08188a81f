// Package report prints a command's results: as text on a terminal, and as Markdown for a pull request
// comment. A [Report] contains plain text. Each printer escapes it for its medium, so that survey texts
// cannot add markup or control sequences.
package report

import (
	"fmt"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

// Report is the result of a command.
type Report struct {
	// Title is a page's heading. Text output omits it, because the command line is already above.
	Title string
	// Summary contains the counts. It comes first on a page and last in text output, because readers look
	// there first.
	Summary string
	// Notes contains paragraphs above the findings.
	Notes []string
	Table Table
	// Sections contains the parts of the report. Noun names what each part describes, such as object.
	Sections []Section
	Noun     string
}

// Section describes one object, question, or environment.
type Section struct {
	Title string
	// Notes contains sentences below the title.
	Notes []string
	Table Table
	// Code is source text, such as a diff, and Language is the language it is written in.
	Code     string
	Language string
	// Page is Markdown that is already escaped. Text output omits it.
	Page string
	// Nested is a separate report, which a page shows collapsed.
	Nested Printed
}

// Printed is a value that can format itself as text and as Markdown.
type Printed interface {
	Text() string
	Markdown() string
}

// Table contains one row for each finding.
type Table struct {
	// Columns contains the names of the columns on a page.
	Columns []string
	// Line is the format of a row in text output, with one verb for each column. If Line is empty, the table
	// appears only on pages.
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
