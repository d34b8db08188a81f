package cli

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/side"
)

// location is a line of a file. Code hosts refuse a report with a finding that has none.
type location struct {
	file string
	line int
}

// findingLocations say where the surveys of a side are written: the block of the resource,
// or the file that the side comes from.
type findingLocations struct {
	whole  location
	blocks map[string]location
}

// findingLocations reads the blocks of a directory. One that cannot be read has none.
func (p *program) findingLocations(s side.Side) findingLocations {
	found := findingLocations{whole: location{s.Argument, 1}, blocks: map[string]location{}}
	dir := s.Argument
	switch s.Form {
	case side.Live:
		found.whole.file, dir = environment.FileName, ""
		if set, err := p.environments(); err == nil {
			found.whole.file = cmp.Or(set.Path, found.whole.file)
		}
	case side.File:
		dir = ""
	case side.Plan:
		dir = "."
	case side.State, side.Code:
	}
	found.whole.file = p.relative(found.whole.file)
	if dir == "" {
		return found
	}

	files, _ := filepath.Glob(filepath.Join(dir, "*.tf")) // of a pattern that is none, too, there are no files
	parser := hclparse.NewParser()
	for _, name := range files {
		file, _ := parser.ParseHCLFile(name)
		if file == nil {
			continue
		}
		body, _ := file.Body.(*hclsyntax.Body)
		if body == nil {
			continue
		}
		for _, block := range body.Blocks {
			at := location{p.relative(name), block.DefRange().Start.Line}
			switch {
			case block.Type == "resource" && len(block.Labels) == 2:
				found.blocks[strings.Join(block.Labels, ".")] = at
			case block.Type == "module" && len(block.Labels) == 1:
				found.blocks["module."+block.Labels[0]] = at
			}
		}
	}
	return found
}

// of is the location of a resource: its block, or that of the module of the root that it is
// in.
func (f findingLocations) of(address string) location {
	words := strings.SplitN(address, ".", 3)
	if len(words) < 2 {
		return f.whole
	}
	name, _, _ := strings.Cut(words[1], "[")
	if at, ok := f.blocks[words[0]+"."+name]; ok {
		return at
	}
	return f.whole
}

// relative is a path as it is seen from the working directory, with slashes.
func (p *program) relative(path string) string {
	if dir, err := p.getwd(); err == nil && filepath.IsAbs(path) {
		if inside, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(inside) {
			path = inside
		}
	}
	return filepath.ToSlash(filepath.Clean(path))
}
