package review

import (
	"cmp"
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

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

// SARIF writes findings in SARIF 2.1.0, the format of code scanning tools. The logical location of a finding is the resource
// address of the survey, or else its id.
func SARIF(w io.Writer, version string, findings []Finding, locations Locations) error {
	run := sarifRun{Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "posthog-sync", Version: version}
	for _, rule := range Rules() {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{ID: rule.Name, ShortDescription: sarifMessage{rule.Description}})
	}

	for _, finding := range findings {
		logical := sarifLogicalLocation{Name: finding.Survey, FullyQualifiedName: cmp.Or(finding.Address, finding.ID), Kind: "resource"}
		source := locations.Of(finding.Address)
		physical := sarifPhysicalLocation{sarifArtifact{(&url.URL{Path: source.File}).EscapedPath()}, sarifRegion{source.Line}}
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

// Location is a line of a file. Code hosts refuse a report with a finding that has none.
type Location struct {
	File string
	Line int
}

// Locations are the locations of the surveys of a side: the blocks of the resources,
// or else the source of the side as a whole.
type Locations struct {
	// Source stands for those without a block.
	Source Location
	// blocks are by address in the root module: TYPE.NAME or module.NAME.
	blocks map[string]Location
}

// AddBlocks adds the resource and module blocks of a directory, whose files have the paths that
// shown gives them. Files that cannot be parsed have none.
func (f *Locations) AddBlocks(dir string, shown func(path string) string) {
	if f.blocks == nil {
		f.blocks = map[string]Location{}
	}
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
			start := Location{shown(name), block.DefRange().Start.Line}
			switch {
			case block.Type == "resource" && len(block.Labels) == 2:
				f.blocks[strings.Join(block.Labels, ".")] = start
			case block.Type == "module" && len(block.Labels) == 1:
				f.blocks["module."+block.Labels[0]] = start
			}
		}
	}
}

// Of is the location of a resource: its block, or the block in the root module of the module
// that it belongs to.
func (f Locations) Of(address string) Location {
	parts := strings.SplitN(address, ".", 3)
	if len(parts) < 2 {
		return f.Source
	}
	name, _, _ := strings.Cut(parts[1], "[")
	if block, ok := f.blocks[parts[0]+"."+name]; ok {
		return block
	}
	return f.Source
}
