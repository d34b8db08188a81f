package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
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
	summary := fmt.Sprintf("%s: %s, %s", responses.Count(r.Surveys, "survey"), responses.Count(r.count(review.Error), "error"), responses.Count(r.count(review.Warning), "warning"))
	if notes := r.count(review.Note); notes > 0 {
		summary += ", " + responses.Count(notes, "note")
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

// location is a line of a file. Code hosts refuse a report with a finding that has none.
type location struct {
	file string
	line int
}

// findingLocations are the locations of the surveys of a side: the blocks of the resources,
// or else the source of the side as a whole.
type findingLocations struct {
	source location
	// blocks are by address in the root module: TYPE.NAME or module.NAME.
	blocks map[string]location
}

// findingLocations finds the locations of a side. A plan belongs to the configuration in the
// working directory.
func (p *program) findingLocations(s side.Side) findingLocations {
	file, dir := s.Argument, s.Argument
	switch s.Form {
	case side.Live:
		file, dir = side.EnvironmentsFile, ""
		if set, err := p.environments(); err == nil {
			file = cmp.Or(set.Path, file)
		}
	case side.File:
		dir = ""
	case side.Plan:
		dir = "."
	case side.State, side.Code:
	}

	found := findingLocations{source: location{p.relative(file), 1}, blocks: map[string]location{}}
	if dir != "" {
		p.addBlocks(dir, found.blocks)
	}
	return found
}

// addBlocks adds the resource and module blocks of a directory. Files that cannot be parsed
// have none.
func (p *program) addBlocks(dir string, blocks map[string]location) {
	files, _ := filepath.Glob(filepath.Join(dir, "*.tf")) // a directory with a malformed pattern in its name matches nothing
	parser := hclparse.NewParser()
	for _, name := range files {
		source, err := code.ReadSource(name)
		if err != nil {
			continue
		}
		file, _ := parser.ParseHCL(source, name)
		if file == nil {
			continue
		}
		body, _ := file.Body.(*hclsyntax.Body)
		if body == nil {
			continue
		}

		for _, block := range body.Blocks {
			start := location{p.relative(name), block.DefRange().Start.Line}
			switch {
			case block.Type == "resource" && len(block.Labels) == 2:
				blocks[strings.Join(block.Labels, ".")] = start
			case block.Type == "module" && len(block.Labels) == 1:
				blocks["module."+block.Labels[0]] = start
			}
		}
	}
}

// of is the location of a resource: its block, or the block in the root module of the module
// that it belongs to.
func (f findingLocations) of(address string) location {
	parts := strings.SplitN(address, ".", 3)
	if len(parts) < 2 {
		return f.source
	}
	name, _, _ := strings.Cut(parts[1], "[")
	if block, ok := f.blocks[parts[0]+"."+name]; ok {
		return block
	}
	return f.source
}

// relative is a path relative to the working directory, with slashes. A report is read on other
// machines, on which the directories above mean nothing.
func (p *program) relative(path string) string {
	if dir, err := p.getwd(); err == nil && filepath.IsAbs(path) {
		if fromHere, err := filepath.Rel(dir, path); err == nil {
			path = fromHere
		}
	}
	return filepath.ToSlash(filepath.Clean(path))
}
