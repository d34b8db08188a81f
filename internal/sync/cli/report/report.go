// Package report prints what a verb found: as text for a terminal, and as a page of Markdown
// for a comment on a pull request. A report is data, its texts are plain: each printer escapes
// them for its medium, so that nothing of what people wrote into a survey commands one.
package report

import (
	"fmt"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

// Report is what a verb found.
type Report struct {
	// Title is the heading of a page. A text stands below the command line, and has none.
	Title string
	// Summary counts: first on a page, last in a text, where a reader looks.
	Summary string
	// Notes are paragraphs above the findings.
	Notes []string
	Table Table
	// Sections are about one thing each, of which Noun is the name, such as object.
	Sections []Section
	Noun     string
}

// Section is about one object, question or environment.
type Section struct {
	Title string
	// Notes are sentences below the title.
	Notes []string
	Table Table
	// Code is a text in a language, such as a diff.
	Code     string
	Language string
	// Page is Markdown that is escaped already; a text does not have it.
	Page string
	// Nested is a report of its own; a page shows it when it is asked for.
	Nested Printed
}

// Printed is what prints itself for both media.
type Printed interface {
	Text() string
	Markdown() string
}

// Table has a row for each finding.
type Table struct {
	// Columns are the names of the columns on a page.
	Columns []string
	// Line is the form of a row in a text, with a verb for each column; a table without it is for
	// pages alone.
	Line string
	Rows [][]string
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Text is the report for a terminal.
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
		// A row whose last cell is empty ends where the one before it does.
		b.WriteString(indent + strings.TrimRight(fmt.Sprintf(t.Line, cells...), ": ") + "\n")
	}
}
