package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/url"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/report"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
)

// formatSARIF is the format of code scanning tools, for lint alone.
const formatSARIF = "sarif"

// lintReport is the report of lint.
type lintReport struct {
	// Format is the version of this document.
	Format   int              `json:"format"`
	Side     string           `json:"side"`
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

// Report implements result.
func (r lintReport) reported() report.Report {
	summary := fmt.Sprintf("%s: %s, %s", count(r.Surveys, "survey"), count(r.count(review.Error), "error"), count(r.count(review.Warning), "warning"))
	if notes := r.count(review.Note); notes > 0 {
		summary += ", " + count(notes, "note")
	}
	table := report.Table{Columns: []string{"severity", "survey", "finding", "rule"}, Line: "%-7s %s: %s [%s]"}
	for _, finding := range r.Findings {
		table.Add(string(finding.Severity), finding.Survey, finding.Message, finding.Rule)
	}
	return report.Report{Title: "Surveys of " + r.Side, Summary: summary + ".", Table: table}
}

// The parts of SARIF 2.1.0 that lint writes.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string       `json:"id"`
		ShortDescription sarifMessage `json:"shortDescription"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifMessage    `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		PhysicalLocation sarifPhysicalLocation  `json:"physicalLocation"`
		LogicalLocations []sarifLogicalLocation `json:"logicalLocations"`
	}
	sarifPhysicalLocation struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
	sarifLogicalLocation struct {
		Name               string `json:"name"`
		FullyQualifiedName string `json:"fullyQualifiedName"`
		Kind               string `json:"kind"`
	}
)

// sarif writes the report in SARIF 2.1.0. The logical location of a finding is the resource
// address of the survey, or else its id.
func (r lintReport) sarif(w io.Writer, version string, locations findingLocations) error {
	run := sarifRun{Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "posthog-sync", Version: version}
	for _, rule := range review.Rules() {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{ID: rule.Name, ShortDescription: sarifMessage{rule.Description}})
	}

	for _, finding := range r.Findings {
		logical := sarifLogicalLocation{Name: finding.Survey, FullyQualifiedName: cmp.Or(finding.Address, finding.ID), Kind: "resource"}
		source := locations.of(finding.Address)
		physical := sarifPhysicalLocation{sarifArtifact{(&url.URL{Path: source.file}).EscapedPath()}, sarifRegion{source.line}}
		run.Results = append(run.Results, sarifResult{
			RuleID: finding.Rule, Level: string(finding.Severity), Message: sarifMessage{escape.SARIF(finding.Survey + ": " + finding.Message)},
			Locations: []sarifLocation{{PhysicalLocation: physical, LogicalLocations: []sarifLogicalLocation{logical}}},
		})
	}

	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(sarifLog{
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run},
	})
}
