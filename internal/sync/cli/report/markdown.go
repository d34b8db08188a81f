package report

import (
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
)

const (
	// Limit is the maximum length of a page. Comments on code hosts can contain 65,536 characters.
	Limit = 60_000
	// reserve is the number of characters reserved for lines about omitted items.
	reserve = 200
)

// page builds a page.
type page struct{ strings.Builder }

// all writes items until the page reaches the limit, followed by the number of omitted items.
func (p *page) all(limit int, items []string, noun string) {
	for i, item := range items {
		if p.Len()+len(item) > limit {
			p.WriteString("\n" + responses.Count(len(items)-i, noun) + " more: too long for a comment.\n")
			return
		}
		p.WriteString(item)
	}
}

// Markdown formats the report as a page.
func (r Report) Markdown() string {
	var p page
	if r.Title != "" {
		p.WriteString("### " + escape.Markdown(r.Title) + "\n")
	}
	for _, paragraph := range append([]string{r.Summary}, r.Notes...) {
		if paragraph != "" {
			p.WriteString("\n" + escape.Markdown(paragraph) + "\n")
		}
	}
	p.table(Limit-2*reserve, r.Table)

	sections := make([]string, len(r.Sections))
	for i, section := range r.Sections {
		sections[i] = section.markdown()
	}
	p.all(Limit-reserve, sections, r.Noun)
	// CI logs also show the page, so it must not contain control sequences.
	return escape.TerminalLines(p.String())
}

// table writes a table, and the number of rows that do not fit.
func (p *page) table(limit int, t Table) {
	if len(t.Rows) == 0 {
		return
	}
	p.WriteString("\n| " + strings.Join(escapeCells(t.Columns), " | ") + " |\n" + strings.Repeat("|---", len(t.Columns)) + "|\n")
	rows := make([]string, len(t.Rows))
	for i, row := range t.Rows {
		rows[i] = "| " + strings.Join(escapeCells(row), " | ") + " |\n"
	}
	p.all(limit, rows, "row")
}

func escapeCells(texts []string) []string {
	cells := make([]string, len(texts))
	for i, text := range texts {
		cells[i] = escape.Markdown(text)
	}
	return cells
}

func (s Section) markdown() string {
	var p page
	if s.Nested != nil {
		p.WriteString("\n<details><summary>" + escape.HTML(s.Title) + "</summary>\n\n" + s.Nested.Markdown() + "\n</details>\n")
		return p.String()
	}

	if s.Page != "" {
		p.WriteString("\n" + s.Page)
	}
	if s.Title != "" {
		p.WriteString("\n#### " + escape.Markdown(s.Title) + "\n")
	}
	p.table(Limit-reserve, s.Table)
	for i, note := range s.Notes {
		if i == 0 {
			p.WriteString("\n")
		}
		p.WriteString("- " + escape.Markdown(note) + "\n")
	}
	if s.Code != "" {
		p.WriteString("\n" + escape.MarkdownBlock(s.Language, s.Code))
	}
	return p.String()
}
