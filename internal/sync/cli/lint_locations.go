package cli

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclsource"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

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
		file, dir = environment.FileName, ""
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
		source, err := hclsource.Read(name)
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
