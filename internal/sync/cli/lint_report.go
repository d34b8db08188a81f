package cli

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// formatSARIF is the format for code scanning tools. Only lint supports it.
const formatSARIF = "sarif"

// lintReport is the report of lint.
type lintReport struct {
	// Format is the version of the JSON format.
	Format   int              `json:"format"`
	Source   string           `json:"source"`
	App      string           `json:"app,omitempty"`
	Surveys  int              `json:"surveys"`
	Findings []review.Finding `json:"findings"`
}

func (r lintReport) count(severity review.Severity) int {
	n := 0
	for _, finding := range r.Findings {
		if finding.Severity == severity {
			n++
		}
	}
	return n
}

// fromHere returns the findings with file paths relative to the working directory. In the JSON report,
// paths are relative to the app's directory.
func (r lintReport) fromHere() []review.Finding {
	findings := slices.Clone(r.Findings)
	for i := range findings {
		if r.App != "" {
			findings[i].File = path.Join(filepath.ToSlash(r.App), findings[i].File)
		}
	}
	return findings
}

// place returns the heading for the locations of findings.
func (r lintReport) place() string {
	if r.App != "" {
		return "line"
	}
	return "survey"
}

// toReport implements result.
func (r lintReport) toReport() report.Report {
	summary := fmt.Sprintf("%s: %s, %s", responses.Count(r.Surveys, "survey"), responses.Count(r.count(review.Error), "error"), responses.Count(r.count(review.Warning), "warning"))
	if notes := r.count(review.Note); notes > 0 {
		summary += ", " + responses.Count(notes, "note")
	}
	table := report.Table{Columns: []string{"severity", r.place(), "finding", "rule"}, Line: "%-7s %s: %s [%s]"}
	for _, finding := range r.fromHere() {
		where := finding.Survey
		if finding.File != "" {
			where = fmt.Sprintf("%s:%d", finding.File, finding.Line)
		}
		table.Add(string(finding.Severity), where, finding.Message, finding.Rule)
	}
	title := "Surveys of " + r.Source
	if r.App != "" {
		title = "Surveys of " + r.Source + " in the code of " + r.App
	}
	return report.Report{Title: title, Summary: summary + ".", Table: table}
}

// findingLocations returns the locations of a source's surveys. It assumes that the configuration of a
// plan is in the working directory.
func (p *program) findingLocations(s source.Source) review.Locations {
	file, dir := s.Argument, s.Argument
	switch s.Form {
	case source.Live:
		file, dir = environment.FileName, ""
		if set, err := p.environments(); err == nil {
			file = cmp.Or(set.Path, file)
		}
	case source.File:
		dir = ""
	case source.Plan:
		dir = "."
	case source.State, source.Code:
	}

	locations := review.Locations{Source: review.Location{File: p.relative(file), Line: 1}}
	if dir != "" {
		locations.AddBlocks(dir, p.relative)
	}
	return locations
}

// relative returns a slash-separated path relative to the working directory, because the parent
// directories do not exist on other machines where the report is read.
func (p *program) relative(path string) string {
	if dir, err := p.getwd(); err == nil && filepath.IsAbs(path) {
		if fromHere, err := filepath.Rel(dir, path); err == nil {
			path = fromHere
		}
	}
	return filepath.ToSlash(filepath.Clean(path))
}
