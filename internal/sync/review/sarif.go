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

// SARIF writes findings in SARIF 2.1.0, the format for code scanning tools. A finding's logical location is
// the survey's resource address. If the survey has no address, it is the survey's ID.
func SARIF(w io.Writer, version string, applied []Rule, findings []Finding, locations Locations) error {
	type object = map[string]any
	rules, results := []object{}, []object{}
	for _, rule := range applied {
		rules = append(rules, object{"id": rule.Name, "shortDescription": object{"text": rule.Description}})
	}
	for _, finding := range findings {
		source, message := locations.Of(finding.Address), finding.Message
		if finding.File != "" {
			source = Location{finding.File, finding.Line}
		}
		place := object{"physicalLocation": object{
			"artifactLocation": object{"uri": (&url.URL{Path: source.File}).EscapedPath()},
			"region":           object{"startLine": source.Line},
		}}
		if finding.Survey != "" {
			message = finding.Survey + ": " + message
			place["logicalLocations"] = []object{{"name": finding.Survey, "fullyQualifiedName": cmp.Or(finding.Address, finding.ID), "kind": "resource"}}
		}
		results = append(results, object{
			"ruleId": finding.Rule, "level": finding.Severity, "message": object{"text": escape.SARIF(message)}, "locations": []object{place},
		})
	}

	driver := object{"name": "posthog-sync", "rules": rules}
	if version != "" {
		driver["version"] = version
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(object{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
		"runs": []object{{"tool": object{"driver": driver}, "results": results}},
	})
}

// Location is a line in a file. Code hosts reject a report if a finding has no location.
type Location struct {
	File string
	Line int
}

// Locations contains the locations of a source's surveys: their resource blocks, or the location of the
// whole source.
type Locations struct {
	// Source is the location of surveys without a block.
	Source Location
	// blocks maps addresses in the root module (TYPE.NAME or module.NAME) to locations.
	blocks map[string]Location
}

// AddBlocks adds the resource and module blocks in a directory's files. It skips files that it cannot parse.
// displayPath converts a file's path for the report.
func (f *Locations) AddBlocks(dir string, displayPath func(path string) string) {
	if f.blocks == nil {
		f.blocks = map[string]Location{}
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.tf")) // if the directory's name is a malformed pattern, nothing matches
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
			start := Location{displayPath(name), block.DefRange().Start.Line}
			switch {
			case block.Type == "resource" && len(block.Labels) == 2:
				f.blocks[strings.Join(block.Labels, ".")] = start
			case block.Type == "module" && len(block.Labels) == 1:
				f.blocks["module."+block.Labels[0]] = start
			}
		}
	}
}

// Of returns a resource's location: its block, or the module block in the root module that contains it.
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
