package cli

import (
	"errors"
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
	// Format is the version of the JSON format.
	Format int `json:"format"`
	// Verb is the command that ran on each environment, such as diff.
	Verb string `json:"verb"`
	// Part is the part I/N that the run covered. It is empty if the run covered all environments.
	Part         string              `json:"part,omitempty"`
	Environments []environmentResult `json:"environments"`
	Summary      environmentsSummary `json:"summary"`
}

// environmentResult is the result of the run on one environment.
type environmentResult struct {
	Environment string `json:"environment"`
	// ExitCode is the exit code of the run on this environment.
	ExitCode int    `json:"exit_code"`
	Error    string `json:"error,omitempty"`
	// Report is the command's report, or nil if the command failed before it made one.
	Report any `json:"report,omitempty"`
	// Output is any other output on stdout.
	Output string `json:"output,omitempty"`
	// Finished is the time when the run ended. It is zero if the run did not start.
	Finished time.Time `json:"finished,omitzero"`
}

// environmentsSummary counts environments by result.
type environmentsSummary struct {
	Environments int `json:"environments"`
	Done         int `json:"done"`
	Differences  int `json:"differences"`
	Refused      int `json:"refused"`
	Failed       int `json:"failed"`
	Interrupted  int `json:"interrupted"`
}

// outcome is a result and the number of environments that have it.
type outcome struct {
	code        int
	word, count string
	number      *int
}

// outcomes returns the results from best to worst.
func (s *environmentsSummary) outcomes() []outcome {
	return []outcome{
		{codeDone, "done", "done", &s.Done}, {codeDifferences, "differences", "with differences", &s.Differences}, {codeRefused, "refused", "refused", &s.Refused},
		{codeInterrupted, "interrupted", "interrupted", &s.Interrupted}, {codeError, "failed", "failed", &s.Failed},
	}
}

// summarize counts results.
func summarize(results []environmentResult) environmentsSummary {
	s := environmentsSummary{Environments: len(results)}
	for _, result := range results {
		*s.outcomes()[result.severity()].number++
	}
	return s
}

// severity returns the index of a result in the list of outcomes.
func (r environmentResult) severity() int {
	return slices.IndexFunc(new(environmentsSummary).outcomes(), func(o outcome) bool { return o.code == r.ExitCode })
}

// counts returns the summary line.
func (r environmentsReport) counts() string {
	var parts []string
	for _, o := range r.Summary.outcomes() {
		if *o.number > 0 || o.code == codeDone {
			parts = append(parts, fmt.Sprintf("%d %s", *o.number, o.count))
		}
	}
	text := fmt.Sprintf("%s: %s.", responses.Count(r.Summary.Environments, "environment"), strings.Join(parts, ", "))
	if r.Part != "" {
		text = "part " + r.Part + ", " + text
	}
	return text
}

// toReport implements result. The report contains a table of all environments, which appears only on
// pages, and each environment's report. Environments that need attention come first.
func (r environmentsReport) toReport() report.Report {
	page := report.Report{
		Title: "posthog-sync " + r.Verb, Summary: r.counts(), Noun: "environment",
		Table: report.Table{Columns: []string{"environment", "result", ""}},
	}
	sorted := slices.Clone(r.Environments)
	slices.SortStableFunc(sorted, func(a, b environmentResult) int { return b.severity() - a.severity() })
	for _, item := range sorted {
		word := r.Summary.outcomes()[item.severity()].word
		page.Table.Add(item.Environment, word, item.Error)
		title := item.Environment + ": " + word
		if item.Error != "" {
			title += ": " + item.Error
		}
		page.Sections = append(page.Sections, report.Section{Title: title, Nested: item})
	}
	return page
}

// Text implements report.Printed.
func (r environmentResult) Text() string {
	if r.Report == nil {
		return r.Output
	}
	return r.Output + printable(r.Report).Text()
}

// Markdown implements report.Printed.
func (r environmentResult) Markdown() string {
	page := ""
	if r.Output != "" {
		page = escape.MarkdownBlock("", r.Output)
	}
	if r.Report != nil {
		page += printable(r.Report).Markdown()
	}
	return page
}

// verdict returns the error for the worst result: interrupted or failed, then refused, then
// differences.
func (r environmentsReport) verdict() error {
	sentence := func(number int, summary string) string {
		return fmt.Sprintf("%s of %d %s: see the report", responses.Count(number, "environment"), r.Summary.Environments, summary)
	}
	switch s := r.Summary; {
	case s.Failed+s.Interrupted > 0:
		return errors.New(sentence(s.Failed+s.Interrupted, "failed"))
	case s.Refused > 0:
		return &refusedError{sentence(s.Refused, "refused")}
	case s.Differences > 0:
		return &differencesError{sentence(s.Differences, "with differences")}
	}
	return nil
}
