package pull

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	tfjson "github.com/hashicorp/terraform-json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// module is the directory of a module, with its files.
type module struct {
	// path is relative to the pulled directory.
	path  string
	files []*code.Source
}

// tree contains the modules of a configuration.
type tree struct {
	// dir is the directory of the root module.
	dir  string
	root *tfjson.ConfigModule
	// calls counts the module calls that lead to each directory.
	calls map[string]int
	read  map[string]*module
}

func newTree(dir string, config *tfjson.Config) *tree {
	t := &tree{dir: dir, calls: map[string]int{}, read: map[string]*module{}}
	if config != nil {
		t.root = config.RootModule
	}
	t.count(t.root, ".")
	return t
}

// count counts the calls of each directory, including nested calls.
func (t *tree) count(config *tfjson.ConfigModule, path string) {
	if config == nil {
		return
	}
	for _, call := range config.ModuleCalls {
		if below, ok := local(path, call.Source); ok {
			t.calls[below]++
			t.count(call.Module, below)
		}
	}
}

// local returns the directory of a module with a local source. ok is false if the directory is not
// below the root module's directory.
func local(path, source string) (string, bool) {
	if !strings.HasPrefix(source, "./") && !strings.HasPrefix(source, "../") {
		return "", false
	}
	below := filepath.Join(path, filepath.FromSlash(source))
	return below, filepath.IsLocal(below)
}

// find returns the module at the end of a chain of calls, or the reason why pull does not edit its
// files.
func (t *tree) find(calls []string) (found *module, reason string, err error) {
	path, config := ".", t.root
	for _, name := range calls {
		if config == nil || config.ModuleCalls[name] == nil {
			return nil, "its module is not in the configuration", nil
		}
		call := config.ModuleCalls[name]
		below, ok := local(path, call.Source)
		switch {
		case !ok:
			return nil, fmt.Sprintf("its module %s is outside of the directory", call.Source), nil
		case call.CountExpression != nil || call.ForEachExpression != nil:
			return nil, "its module uses count or for_each", nil
		case t.calls[below] > 1 || below == ".": // the CLI itself calls the root module
			return nil, "its module is called more than once", nil
		}
		path, config = below, call.Module
	}
	found, err = t.module(path)
	return found, "", err
}

// module reads the files of a directory. Override files come last.
func (t *tree) module(path string) (*module, error) {
	if read := t.read[path]; read != nil {
		return read, nil
	}
	entries, err := os.ReadDir(filepath.Join(t.dir, path))
	if err != nil {
		return nil, err
	}

	m := &module{path: path}
	for _, entry := range entries {
		if entry.IsDir() || !code.IsConfiguration(entry.Name()) || code.IsJSON(entry.Name()) {
			continue
		}
		name := filepath.Join(path, entry.Name())
		source, err := code.ReadSource(filepath.Join(t.dir, name))
		if err != nil {
			return nil, err
		}
		file, err := code.ParseSource(name, source)
		if err != nil {
			return nil, err
		}
		m.files = append(m.files, file)
	}
	slices.SortStableFunc(m.files, func(a, b *code.Source) int { return overrides(a.Name) - overrides(b.Name) })
	t.read[path] = m
	return m, nil
}

// overrides returns 1 for an override file and 0 for other files. Arguments in override files replace
// arguments in other files.
func overrides(name string) int {
	stem := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	if stem == "override" || strings.HasSuffix(stem, "_override") {
		return 1
	}
	return 0
}

// resourceBlock is a block of a resource and the file that contains it.
type resourceBlock struct {
	file  *code.SourceFile
	block *hclsyntax.Block
}

// blocks returns the blocks of a resource. The first one declares the resource.
func (m *module) blocks(r Resource) []resourceBlock {
	var all []resourceBlock
	for _, file := range m.files {
		if part, block := file.Resource(r.Type, r.Label); block != nil {
			all = append(all, resourceBlock{part, block})
		}
	}
	return all
}

// areTwins reports whether a .tf file and a .tofu file declare the same resource. Terraform and
// OpenTofu then read different files.
func areTwins(blocks []resourceBlock) bool {
	return len(blocks) > 1 && overrides(blocks[1].file.Name) == 0
}
