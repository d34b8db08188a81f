package export

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/exportdir"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclfile"
)

// The files of an export besides those of objects.
const (
	providerFile = "posthog.tf"
	flagFile     = "feature_flags.tf"
)

// files are the contents of the files of the export by name, below their headers.
func (x *run) files() (map[string][]byte, error) {
	files := map[string][]byte{}
	provider, err := x.providerFile()
	if err != nil {
		return nil, err
	}
	if provider != nil {
		files[providerFile] = provider
	}
	if flags := x.flagFile(); flags != nil {
		files[flagFile] = flags
	}

	slices.SortFunc(x.entries, func(a, b entry) int {
		return cmp.Or(-cmp.Compare(a.Key.Type, b.Key.Type), cmp.Compare(a.Label, b.Label))
	})
	x.dropFormer()
	byFile := map[string][][]byte{}
	for _, e := range x.entries {
		name := x.fileOf(e)
		byFile[name] = append(byFile[name], e.blocks())
	}
	for name, blocks := range byFile {
		files[name] = joined(blocks...)
	}
	return files, nil
}

// blocks are the blocks of an object: moved blocks, import block and resource.
func (e entry) blocks() []byte {
	var b bytes.Buffer
	for i, from := range e.former {
		to := e.Address
		if i+1 < len(e.former) {
			to = e.former[i+1]
		}
		fmt.Fprintf(&b, "%s\n\n", hclfile.Moved(from, to))
	}
	b.Write(e.text)
	return b.Bytes()
}

// joined are blocks with a blank line between them.
func joined(blocks ...[]byte) []byte { return append(bytes.Join(blocks, []byte("\n\n")), '\n') }

// providerFile is nil when other files require the provider and there is nothing to add.
func (x *run) providerFile() ([]byte, error) {
	written := x.directory.Written
	if written.Source != "" && !hclfile.IsProviderSource(written.Source) {
		return nil, fmt.Errorf("%s requires %s under the name posthog, and the export is for %s: choose another directory",
			written.SourceFile, written.Source, hclfile.ProviderSource)
	}
	owner, exists := x.directory.Ownership[providerFile]
	if exists && owner == exportdir.Owned && !x.ProviderBlock {
		// Without its header, that of an earlier export.
		_, rest, _ := bytes.Cut(x.directory.Owned[providerFile], []byte("\n\n"))
		return rest, nil
	}
	if exists && owner != exportdir.Owned {
		return nil, nil // it requires the provider, which is all that is needed
	}

	var blocks [][]byte
	if written.Source == "" {
		blocks = append(blocks, hclfile.RequiredProviders())
	}
	if x.ProviderBlock && written.ProviderBlock == "" {
		blocks = append(blocks, hclfile.ProviderBlock(x.ProjectID, x.OrganizationID))
	}
	if len(blocks) == 0 {
		return nil, nil
	}
	return joined(blocks...), nil
}

// flagFile is nil when no flag is referred to, and when another file declares the variable.
func (x *run) flagFile() []byte {
	ids := maps.Clone(x.flagIDs)
	if x.keptAny || !x.writes(hclfile.SurveyType) {
		for key, id := range x.directory.FlagIDs {
			if _, known := ids[key]; !known {
				ids[key] = id
			}
		}
	}
	if file := x.directory.Written.FlagVariable; len(ids) == 0 || file != "" && x.directory.Ownership[file] == exportdir.Foreign {
		return nil
	}
	return joined(hclfile.FlagVariableBlock(ids))
}

// print writes all files to w.
func (x *run) print(w io.Writer) error {
	files, err := x.files()
	if err != nil {
		return err
	}
	var contents [][]byte
	for _, name := range slices.Sorted(maps.Keys(files)) {
		contents = append(contents, files[name])
	}
	_, err = w.Write(bytes.Join(contents, []byte("\n")))
	return err
}
