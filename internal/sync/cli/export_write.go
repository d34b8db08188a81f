package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/atomicfile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/exportdir"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclfile"
)

// The files of an export besides those of objects.
const (
	providerFile = "posthog.tf"
	flagFile     = "feature_flags.tf"
)

// body writes the content of a file below its header.
type body func(io.Writer) error

// files are the files of the export by name.
func (x *export) files() (map[string]body, error) {
	files := map[string]body{}
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

	slices.SortFunc(x.entries, func(a, b exportEntry) int {
		return cmp.Or(-cmp.Compare(a.Key.Type, b.Key.Type), cmp.Compare(a.Label, b.Label))
	})
	x.dropFormer()

	byFile := map[string][]exportEntry{}
	for _, e := range x.entries {
		name := x.fileOf(e)
		byFile[name] = append(byFile[name], e)
	}
	for name, entries := range byFile {
		files[name] = x.objects(entries)
	}
	return files, nil
}

// fileOf is the file of an object. One that somebody renamed keeps its name.
func (x *export) fileOf(e exportEntry) string {
	if x.layout != layoutObject {
		return kindFile(e.Key.Type)
	}
	if earlier, known := x.directory.Exported[e.Key]; known && x.isRenamed(earlier) {
		return earlier.File
	}
	return objectFile(e.Key.Type, e.Label)
}

// kindFile is the file of all objects of a kind, objectFile that of one object.
func kindFile(typ string) string { return strings.TrimPrefix(typ, "posthog_") + "s.tf" }

func objectFile(typ, label string) string {
	return strings.TrimPrefix(typ, "posthog_") + "_" + label + ".tf"
}

// isRenamed reports whether an object is alone in a file that has another name than an export
// gives it.
func (x *export) isRenamed(object exportdir.Exported) bool {
	if object.File == kindFile(object.Key.Type) || object.File == objectFile(object.Key.Type, object.Label) {
		return false
	}
	for _, other := range x.directory.Exported {
		if other.File == object.File && other.Key != object.Key {
			return false
		}
	}
	return true
}

// objects writes objects with a blank line between them.
func (x *export) objects(entries []exportEntry) body {
	return func(w io.Writer) error {
		for i, e := range entries {
			if i > 0 {
				if _, err := io.WriteString(w, "\n"); err != nil {
					return err
				}
			}
			if err := x.blocks(w, e); err != nil {
				return err
			}
		}
		return nil
	}
}

// dropFormer drops former addresses that are in use again, as by an object that got its old
// name back.
func (x *export) dropFormer() {
	for i, e := range x.entries {
		x.entries[i].former = slices.DeleteFunc(slices.Clone(e.former), func(a hclfile.Address) bool { return x.taken[a] })
	}
}

// providerFile is nil when other files require the provider and there is nothing to add.
func (x *export) providerFile() (body, error) {
	written := x.directory.Written
	if written.Source != "" && !isProviderSource(written.Source) {
		return nil, fmt.Errorf("%s requires %s under the name posthog, and the export is for %s: choose another directory",
			written.SourceFile, written.Source, hclfile.ProviderSource)
	}
	owner, exists := x.directory.Ownership[providerFile]
	if exists && (owner != exportdir.Owned || !x.providerBlock) {
		return x.ownProviderFile(owner), nil
	}

	var blocks [][]byte
	if written.Source == "" {
		blocks = append(blocks, hclfile.RequiredProviders())
	}
	if x.providerBlock && written.ProviderBlock == "" {
		blocks = append(blocks, hclfile.ProviderBlock(x.side.ProjectID, x.side.OrganizationID))
	}
	if len(blocks) == 0 {
		return nil, nil //nolint:nilnil // no file is needed
	}
	return plain(blocks...), nil
}

// ownProviderFile keeps the file of an earlier export. A file that somebody edited is left
// to them: it requires the provider, which is all that is needed.
func (x *export) ownProviderFile(owner exportdir.Ownership) body {
	if owner != exportdir.Owned {
		return nil
	}
	return func(w io.Writer) error {
		text, err := os.ReadFile(filepath.Join(x.directory.Path, providerFile))
		if err != nil {
			return err
		}
		_, rest, _ := strings.Cut(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n\n")
		_, err = io.WriteString(w, rest)
		return err
	}
}

// isProviderSource reports whether a source is the provider's, on any registry.
func isProviderSource(source string) bool {
	return source == hclfile.ProviderSource || strings.HasSuffix(source, "/"+hclfile.ProviderSource)
}

// flagFile is nil when no flag is referred to, and when another file declares the variable.
func (x *export) flagFile() body {
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
	return plain(hclfile.FlagVariableBlock(ids))
}

// plain writes blocks with a blank line between them.
func plain(blocks ...[]byte) body {
	return func(w io.Writer) error {
		for i, block := range blocks {
			if i > 0 {
				block = append([]byte("\n"), block...)
			}
			if _, err := fmt.Fprintf(w, "%s\n", block); err != nil {
				return err
			}
		}
		return nil
	}
}

// writeTo prints all files.
func (x *export) writeTo(w io.Writer) error {
	files, err := x.files()
	if err != nil {
		return err
	}
	for i, name := range slices.Sorted(maps.Keys(files)) {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		if err := files[name](w); err != nil {
			return err
		}
	}
	return nil
}

// write writes the files of the export and removes those that it no longer needs.
func (x *export) write(ctx context.Context) error {
	files, err := x.files()
	if err != nil {
		return err
	}
	var changed []atomicfile.File
	for _, name := range slices.Sorted(maps.Keys(files)) {
		status, err := x.status(name, files[name])
		if err != nil {
			return err
		}
		x.report.Files = append(x.report.Files, exportFile{filepath.Join(x.directory.Path, name), status})
		if status == fileWritten {
			content := files[name]
			changed = append(changed, atomicfile.File{Path: filepath.Join(x.directory.Path, name), Write: func(w io.Writer) error {
				return exportdir.Seal(w, content)
			}})
		}
	}

	removed := x.unneeded(files)
	for _, path := range removed {
		x.report.Files = append(x.report.Files, exportFile{path, fileRemoved})
	}
	x.leaveEdited(files)
	if err := context.Cause(ctx); err != nil {
		return fmt.Errorf("nothing was written: %w", err)
	}
	return atomicfile.WriteSet(changed, removed)
}

// status is the status of a file: whether it is written, unchanged or left to its editor.
func (x *export) status(name string, content body) (string, error) {
	owner, exists := x.directory.Ownership[name]
	switch {
	case !exists:
		return fileWritten, nil
	case owner == exportdir.Edited:
		return fileEdited, nil
	case owner == exportdir.Foreign:
		return "", &refusedError{fmt.Sprintf("%s was not written by an export, so it is not overwritten: rename it, or choose another directory or --layout",
			filepath.Join(x.directory.Path, name))}
	}
	same, err := exportdir.IsSealed(filepath.Join(x.directory.Path, name), content)
	if err != nil || !same {
		return fileWritten, err
	}
	return fileUnchanged, nil
}

// unneeded are files of earlier exports whose objects are all gone or in other files now.
// Files of kinds that this export does not write are left alone.
func (x *export) unneeded(files map[string]body) []string {
	var unneeded []string
	for _, name := range slices.Sorted(maps.Keys(x.directory.Ownership)) {
		_, needed := files[name]
		if needed || x.directory.Ownership[name] != exportdir.Owned || !x.covers(name) {
			continue
		}
		unneeded = append(unneeded, filepath.Join(x.directory.Path, name))
	}
	return unneeded
}

// covers reports whether a file of an earlier export holds a kind that this one writes.
func (x *export) covers(name string) bool {
	switch name {
	case providerFile:
		return false
	case flagFile:
		return x.writes(hclfile.SurveyType)
	}
	for key, object := range x.directory.Exported {
		if object.File == name {
			return x.writes(key.Type)
		}
	}
	switch {
	case strings.HasPrefix(name, "pipeline_import_app"):
		return x.writes(hclfile.AppType)
	}
	return x.writes(hclfile.SurveyType)
}

// leaveEdited reports the edited files of earlier exports that this one does not write.
func (x *export) leaveEdited(files map[string]body) {
	for _, name := range slices.Sorted(maps.Keys(x.directory.Ownership)) {
		_, reported := files[name]
		if !reported && x.directory.Ownership[name] == exportdir.Edited && name != providerFile && x.covers(name) {
			x.report.Files = append(x.report.Files, exportFile{filepath.Join(x.directory.Path, name), fileEdited})
		}
	}
}
