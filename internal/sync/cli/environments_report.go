package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
)

// environmentsReport is the report of a run over several environments.
type environmentsReport struct {
	// Format is the version of this document.
	Format int `json:"format"`
	// Verb is the verb that was run on each environment, such as diff.
	Verb string `json:"verb"`
	// Part is the part I/N that the run covered; empty for all environments.
	Part         string              `json:"part,omitempty"`
	Environments []environmentResult `json:"environments"`
	Summary      environmentsSummary `json:"summary"`
}

// environmentResult is the result of the run on one environment.
type environmentResult struct {
	Environment string `json:"environment"`
	// ExitCode is the exit code of the program on this environment alone.
	ExitCode int    `json:"exit_code"`
	Error    string `json:"error,omitempty"`
	// Report is the report of the verb; nil when it failed before it made one.
	Report any `json:"report,omitempty"`
	// Output is its other output on stdout.
	Output string `json:"output,omitempty"`
	// Finished is the time when the run ended; zero for one that did not start.
	Finished time.Time `json:"finished,omitzero"`
}

// environmentsSummary counts environments by the result of the run on them.
type environmentsSummary struct {
	Environments int `json:"environments"`
	Done         int `json:"done"`
	Differences  int `json:"differences"`
	Refused      int `json:"refused"`
	Failed       int `json:"failed"`
	Interrupted  int `json:"interrupted"`
}

// summarize counts results.
func summarize(results []environmentResult) environmentsSummary {
	s := environmentsSummary{Environments: len(results)}
	for _, result := range results {
		switch result.ExitCode {
		case codeDone:
			s.Done++
		case codeDifferences:
			s.Differences++
		case codeRefused:
			s.Refused++
		case codeInterrupted:
			s.Interrupted++
		default:
			s.Failed++
		}
	}
	return s
}

// outcome is the word for a result.
func (r environmentResult) outcome() string {
	switch r.ExitCode {
	case codeDone:
		return "done"
	case codeDifferences:
		return "differences"
	case codeRefused:
		return "refused"
	case codeInterrupted:
		return "interrupted"
	}
	return "failed"
}

// counts is the line with the summary.
func (r environmentsReport) counts() string {
	parts := []string{fmt.Sprintf("%d done", r.Summary.Done)}
	for _, part := range []struct {
		n       int
		outcome string
	}{{r.Summary.Differences, "with differences"}, {r.Summary.Refused, "refused"}, {r.Summary.Failed, "failed"}, {r.Summary.Interrupted, "interrupted"}} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.outcome))
		}
	}

	text := fmt.Sprintf("%s: %s", responses.Count(r.Summary.Environments, "environment"), strings.Join(parts, ", "))
	if r.Part != "" {
		text = "part " + r.Part + ", " + text
	}
	return text + "."
}

// Report implements result: a table of all environments for pages, and the report of each,
// those that need attention first.
func (r environmentsReport) reported() report.Report {
	found := report.Report{
		Title: "posthog-sync " + r.Verb, Summary: r.counts(), Noun: "environment",
		Table: report.Table{Columns: []string{"environment", "result", ""}},
	}
	sorted := slices.Clone(r.Environments)
	slices.SortStableFunc(sorted, func(a, b environmentResult) int { return severity(b.ExitCode) - severity(a.ExitCode) })
	for _, one := range sorted {
		found.Table.Add(one.Environment, one.outcome(), one.Error)
		title := one.Environment + ": " + one.outcome()
		if one.Error != "" {
			title += ": " + one.Error
		}
		found.Sections = append(found.Sections, report.Section{Title: title, Nested: one})
	}
	return found
}

// Text implements report.Printed.
func (r environmentResult) Text() string {
	if r.Report == nil {
		return r.Output
	}
	return r.Output + printed(r.Report).Text()
}

// Markdown implements report.Printed.
func (r environmentResult) Markdown() string {
	page := ""
	if r.Output != "" {
		page = escape.MarkdownBlock("", r.Output)
	}
	if r.Report != nil {
		page += printed(r.Report).Markdown()
	}
	return page
}

// verdict is the error for the worst result: interrupted or failed, then refused, then
// differences.
func (r environmentsReport) verdict() error {
	switch s := r.Summary; {
	case s.Failed+s.Interrupted > 0:
		return fmt.Errorf("%s of %d failed: see the report", responses.Count(s.Failed+s.Interrupted, "environment"), s.Environments)
	case s.Refused > 0:
		return &refusedError{fmt.Sprintf("%s of %d refused: see the report", responses.Count(s.Refused, "environment"), s.Environments)}
	case s.Differences > 0:
		return &differencesError{fmt.Sprintf("%s of %d with differences: see the report", responses.Count(s.Differences, "environment"), s.Environments)}
	}
	return nil
}

// severity orders exit codes.
func severity(code int) int {
	order := []int{codeDone, codeDifferences, codeRefused, codeInterrupted, codeError}
	return slices.Index(order, code)
}
