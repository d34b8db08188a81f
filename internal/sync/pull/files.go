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

// module is a directory with the files of a module.
type module struct {
	// path is relative to the directory that is pulled into.
	path  string
	files []*code.Source
}

// tree are the modules of a configuration.
type tree struct {
	// dir is the directory of the root module.
	dir  string
	root *tfjson.ConfigModule
	// calls is the number of module calls of a directory.
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

// count counts the calls of each directory.
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

// local is the directory of a module with a local source, which is at or below that of
// the root module.
func local(path, source string) (string, bool) {
	if !strings.HasPrefix(source, "./") && !strings.HasPrefix(source, "../") {
		return "", false
	}
	below := filepath.Join(path, filepath.FromSlash(source))
	return below, filepath.IsLocal(below)
}

// find returns the module at the end of a path of calls, or the reason for which its files
// are not edited.
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
			return nil, fmt.Sprintf("its module %s is not below the directory", call.Source), nil
		case call.CountExpression != nil || call.ForEachExpression != nil:
			return nil, "its module has count or for_each", nil
		case t.calls[below] > 1 || below == ".": // the root is called by the CLI
			return nil, "its module is called more than once", nil
		}
		path, config = below, call.Module
	}
	found, err = t.module(path)
	return found, "", err
}

// module reads the files of a directory, those that override others last.
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

// overrides is 1 for a file whose arguments replace those of others, and 0 otherwise.
func overrides(name string) int {
	stem := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	if stem == "override" || strings.HasSuffix(stem, "_override") {
		return 1
	}
	return 0
}

// stated is a block of a resource, and the part of a file that has it.
type stated struct {
	file  *code.SourceFile
	block *hclsyntax.Block
}

// blocks are the blocks of a resource, the declaring one first.
func (m *module) blocks(r Resource) []stated {
	var all []stated
	for _, file := range m.files {
		if part, block := file.Resource(r.Type, r.Label); block != nil {
			all = append(all, stated{part, block})
		}
	}
	return all
}

// areTwins reports whether a .tf file and a .tofu file declare one resource. Which of them
// counts depends on the CLI.
func areTwins(blocks []stated) bool {
	return len(blocks) > 1 && overrides(blocks[1].file.Name) == 0
}
