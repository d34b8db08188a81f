package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
)

// drawn generates a report with texts from the text function.
func drawn(t *rapid.T, text func() string, depth int) report.Report {
	number := func(label string, most int) int { return rapid.IntRange(0, most).Draw(t, label) }
	texts := func(n int) (list []string) {
		for range n {
			list = append(list, text())
		}
		return list
	}
	table := func() report.Table {
		one := report.Table{Columns: texts(2), Line: "%-7s %s"}
		for range number("rows", 2) {
			one.Add(texts(2)...)
		}
		return one
	}

	r := report.Report{Title: text(), Summary: text(), Notes: texts(number("notes", 2)), Table: table(), Noun: "object"}
	for range number("sections", 2) {
		section := report.Section{Title: text(), Notes: texts(number("notes", 2)), Table: table(), Code: text(), Language: "diff"}
		if depth < 1 && rapid.Bool().Draw(t, "nested") {
			section.Nested = drawn(t, text, depth+1)
		}
		r.Sections = append(r.Sections, section)
	}
	return r
}

// harmless returns a report with the same structure and harmless texts. Empty texts stay empty.
func harmless(r report.Report) report.Report {
	one := func(text string) string {
		if strings.TrimSpace(escape.Line(text)) == "" {
			return text
		}
		return "x"
	}
	all := func(texts []string) []string {
		replaced := make([]string, len(texts))
		for i, text := range texts {
			replaced[i] = one(text)
		}
		return replaced
	}
	table := func(t report.Table) report.Table {
		replaced := report.Table{Columns: all(t.Columns), Line: t.Line}
		for _, row := range t.Rows {
			replaced.Add(all(row)...)
		}
		return replaced
	}

	calm := report.Report{Title: one(r.Title), Summary: one(r.Summary), Notes: all(r.Notes), Table: table(r.Table), Noun: r.Noun}
	for _, section := range r.Sections {
		replaced := report.Section{Title: one(section.Title), Notes: all(section.Notes), Table: table(section.Table), Code: one(section.Code), Language: section.Language}
		if nested, ok := section.Nested.(report.Report); ok {
			replaced.Nested = harmless(nested)
		}
		calm.Sections = append(calm.Sections, replaced)
	}
	return calm
}

// For any texts, a report's page has the same structure as with harmless texts: one row per finding, and no link,
// image, or section from a survey. As text, it contains no control sequences for terminals or CI logs.
func checkHostile(t *rapid.T) {
	evil := drawn(t, func() string { return property.Text().Draw(t, "text") }, 0)
	calm := harmless(evil)

	page := property.Render(t, evil.Markdown())
	for _, element := range []string{"a", "img", "script", "comment"} {
		require.NotContains(t, page.Elements(), element, "%s", evil.Markdown())
	}
	require.Empty(t, page.References())
	require.Equal(t, property.Render(t, calm.Markdown()).Elements(), page.Elements(), "%s\n\n%s", evil.Markdown(), calm.Markdown())
	for _, printed := range []string{evil.Markdown(), evil.Text()} {
		require.Empty(t, property.Commands(printed))
		require.NotContains(t, printed, "\x1b")
		require.NotContains(t, printed, "\r")
	}
}

func TestHostileTexts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, checkHostile)
}

func FuzzReport(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkHostile)) }

// A comment shows how much was omitted, no matter which part of the report is too long.
func TestLongReportsFitAComment(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1000)
	var table report.Table
	var sections []report.Section
	for i := range 100 {
		table.Columns = []string{"a", "b"}
		table.Add(fmt.Sprint(i), long)
		sections = append(sections, report.Section{Title: fmt.Sprint("Section ", i), Notes: []string{long}})
	}
	for name, r := range map[string]report.Report{
		"rows":     {Title: "T", Table: table},
		"sections": {Title: "T", Sections: sections, Noun: "object"},
		"both":     {Title: "T", Table: table, Sections: sections, Noun: "object"},
		"nested":   {Title: "T", Sections: []report.Section{{Title: "one", Nested: report.Report{Table: table}}, {Title: "two", Nested: report.Report{Table: table}}}, Noun: "object"},
	} {
		page := r.Markdown()
		assert.LessOrEqual(t, len(page), report.Limit, name)
		assert.Regexp(t, `\n\d+ \w+s? more: too long for a comment\.\n`, page, name)
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	r := report.Report{
		Title: "A and B", Summary: "1 object.", Notes: []string{"A note.\nOf two lines."},
		Table:    report.Table{Columns: []string{"result", "check", ""}, Line: "%-8s%s: %s", Rows: [][]string{{"ok", "key", "works"}, {"failed", "clock", ""}}},
		Sections: []report.Section{{Title: "~ survey", Table: report.Table{Columns: []string{"path", "a"}, Line: "%s: %s", Rows: [][]string{{"name", "x\ny"}}}, Notes: []string{"It stays."}, Code: "+x\n", Language: "diff"}},
	}
	assert.Equal(t, "A note.\nOf two lines.\nok      key: works\nfailed  clock\n~ survey\n    name: x\\ny\n    It stays.\n+x\n1 object.\n", r.Text())
	assert.Equal(t, `### A and B

1 object.

A note. Of two lines.

| result | check |  |
|---|---|---|
| ok | key | works |
| failed | clock |  |

#### \~ survey

| path | a |
|---|---|
| name | x y |

- It stays.

`+"```diff\n+x\n```\n", r.Markdown())

	all := report.Report{Sections: []report.Section{{Title: "a: done", Nested: r}}, Summary: "1 environment."}
	assert.Equal(t, "== a: done\n"+r.Text()+"1 environment.\n", all.Text())
	assert.Contains(t, all.Markdown(), "<details><summary>a: done</summary>\n\n### A and B\n")
}
