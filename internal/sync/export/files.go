package export

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// Export files that do not contain objects.
const (
	providerFile = "posthog.tf"
	flagFile     = "feature_flags.tf"
)

// files maps names to the contents of the export's files, without their headers.
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
		name := x.chooseFile(e)
		byFile[name] = append(byFile[name], e.blocks())
	}
	for name, blocks := range byFile {
		files[name] = joinBlocks(blocks...)
	}
	return files, nil
}

// blocks returns the blocks of an object: moved blocks, the import block, and the resource block.
func (e entry) blocks() []byte {
	var b bytes.Buffer
	for i, source := range e.former {
		target := e.Address
		if i+1 < len(e.former) {
			target = e.former[i+1]
		}
		fmt.Fprintf(&b, "%s\n\n", code.MovedBlock(source, target))
	}
	b.Write(e.text)
	return b.Bytes()
}

// joinBlocks joins blocks with an empty line between them.
func joinBlocks(blocks ...[]byte) []byte { return append(bytes.Join(blocks, []byte("\n\n")), '\n') }

// providerFile returns the content of the provider file. It returns nil if other files require the
// provider and the file would contain nothing else.
func (x *run) providerFile() ([]byte, error) {
	handwritten := x.directory.Written
	if handwritten.Source != "" && !code.IsProviderSource(handwritten.Source) {
		return nil, fmt.Errorf("%s requires %s under the name posthog, but the export is for %s: choose another directory",
			handwritten.SourceFile, handwritten.Source, code.ProviderSource)
	}
	owner, exists := x.directory.Ownership[providerFile]
	if exists && owner == code.Owned && !x.ProviderBlock {
		// Omit the header, which belongs to the earlier export.
		_, rest, _ := bytes.Cut(x.directory.Owned[providerFile], []byte("\n\n"))
		return rest, nil
	}
	if exists && owner != code.Owned {
		return nil, nil // another file requires the provider
	}

	var blocks [][]byte
	if handwritten.Source == "" {
		blocks = append(blocks, code.RequiredProviders())
	}
	if x.ProviderBlock && handwritten.ProviderBlock == "" {
		blocks = append(blocks, code.ProviderBlock(x.ProjectID, x.OrganizationID))
	}
	if len(blocks) == 0 {
		return nil, nil
	}
	return joinBlocks(blocks...), nil
}

// flagFile returns the content of the flag file. It returns nil if no object references a flag, or if
// another file declares the variable.
func (x *run) flagFile() []byte {
	ids := maps.Clone(x.flagIDs)
	if x.keptAny || !x.writes(code.SurveyType) {
		for key, id := range x.directory.FlagIDs {
			if _, isKnown := ids[key]; !isKnown {
				ids[key] = id
			}
		}
	}
	if file := x.directory.Written.FlagVariable; len(ids) == 0 || file != "" && x.directory.Ownership[file] == code.Foreign {
		return nil
	}
	return joinBlocks(code.FlagVariableBlock(ids))
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

// chooseFile returns the file for an object. If the user renamed a file, it keeps its new name.
func (x *run) chooseFile(e entry) string {
	if !x.FilePerObject {
		return kindFile(e.Key.Type)
	}
	if earlier, isKnown := x.directory.Exported[e.Key]; isKnown && x.isRenamed(earlier) {
		return earlier.File
	}
	return objectFile(e.Key.Type, e.Label)
}

// kindFile returns the file for all objects of a kind. objectFile returns the file for one object.
func kindFile(typ string) string { return strings.TrimPrefix(typ, "posthog_") + "s.tf" }

func objectFile(typ, label string) string {
	return strings.TrimPrefix(typ, "posthog_") + "_" + label + ".tf"
}

// isRenamed reports whether an object is the only one in its file, and the file's name differs from the
// name that an export uses.
func (x *run) isRenamed(object code.Exported) bool {
	if object.File == kindFile(object.Key.Type) || object.File == objectFile(object.Key.Type, object.Label) {
		return false
	}
	for _, candidate := range x.directory.Exported {
		if candidate.File == object.File && candidate.Key != object.Key {
			return false
		}
	}
	return true
}

// staleFiles returns the files of earlier exports whose objects no longer exist or moved to other files.
// It omits files of kinds that this export does not write.
func (x *run) staleFiles(files map[string][]byte) []string {
	var unneeded []string
	for _, name := range slices.Sorted(maps.Keys(x.directory.Ownership)) {
		_, needed := files[name]
		if needed || x.directory.Ownership[name] != code.Owned || !x.covers(name) {
			continue
		}
		unneeded = append(unneeded, filepath.Join(x.directory.Path, name))
	}
	return unneeded
}

// covers reports whether a file of an earlier export contains a kind that this export writes.
func (x *run) covers(name string) bool {
	switch name {
	case providerFile:
		return false
	case flagFile:
		return x.writes(code.SurveyType)
	}
	for key, object := range x.directory.Exported {
		if object.File == name {
			return x.writes(key.Type)
		}
	}
	switch {
	case strings.HasPrefix(name, "pipeline_import_app"):
		return x.writes(code.AppType)
	}
	return x.writes(code.SurveyType)
}

// write writes the files of the export, and removes obsolete files.
func (x *run) write(ctx context.Context) error {
	files, err := x.files()
	if err != nil {
		return err
	}
	var changed []code.File
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path, sealed := filepath.Join(x.directory.Path, name), code.Seal(files[name])
		status, err := x.status(name, path, sealed)
		if err != nil {
			return err
		}
		x.report.Files = append(x.report.Files, File{path, status})
		if status == Written {
			changed = append(changed, code.File{Path: path, Write: code.Content(sealed)})
		}
	}

	removed := x.staleFiles(files)
	for _, path := range removed {
		x.report.Files = append(x.report.Files, File{path, Removed})
	}
	x.addEditedFiles(files)
	if err := context.Cause(ctx); err != nil {
		return fmt.Errorf("nothing was written: %w", err)
	}
	return code.WriteFiles(changed, removed)
}

// status returns the status of a file: written, unchanged, or edited.
func (x *run) status(name, path string, sealed []byte) (Status, error) {
	owner, exists := x.directory.Ownership[name]
	switch {
	case !exists:
		return Written, nil
	case owner == code.ByHand:
		return Edited, nil
	case owner == code.Foreign:
		return "", refuse("%s was not written by an export, so it is not overwritten: rename it, or choose another directory or --layout", path)
	case bytes.Equal(x.directory.Owned[name], sealed):
		return Unchanged, nil
	}
	return Written, nil
}

// addEditedFiles reports edited files of earlier exports that this export does not write.
func (x *run) addEditedFiles(files map[string][]byte) {
	for _, name := range slices.Sorted(maps.Keys(x.directory.Ownership)) {
		_, reported := files[name]
		if !reported && x.directory.Ownership[name] == code.ByHand && name != providerFile && x.covers(name) {
			x.report.Files = append(x.report.Files, File{filepath.Join(x.directory.Path, name), Edited})
		}
	}
}
