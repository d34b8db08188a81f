package export

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/atomicfile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/exportdir"
)

// write writes the files of the export and removes those that it no longer needs.
func (x *run) write(ctx context.Context) error {
	files, err := x.files()
	if err != nil {
		return err
	}
	var changed []atomicfile.File
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path, sealed := filepath.Join(x.directory.Path, name), exportdir.Seal(files[name])
		status, err := x.status(name, path, sealed)
		if err != nil {
			return err
		}
		x.report.Files = append(x.report.Files, File{path, status})
		if status == Written {
			changed = append(changed, atomicfile.File{Path: path, Write: func(w io.Writer) error {
				_, err := w.Write(sealed)
				return err
			}})
		}
	}

	removed := x.unneeded(files)
	for _, path := range removed {
		x.report.Files = append(x.report.Files, File{path, Removed})
	}
	x.leaveEdited(files)
	if err := context.Cause(ctx); err != nil {
		return fmt.Errorf("nothing was written: %w", err)
	}
	return atomicfile.WriteSet(changed, removed)
}

// status is the status of a file: whether it is written, unchanged or left to its editor.
func (x *run) status(name, path string, sealed []byte) (Status, error) {
	owner, exists := x.directory.Ownership[name]
	switch {
	case !exists:
		return Written, nil
	case owner == exportdir.Edited:
		return Edited, nil
	case owner == exportdir.Foreign:
		return "", refuse("%s was not written by an export, so it is not overwritten: rename it, or choose another directory or --layout", path)
	case bytes.Equal(x.directory.Owned[name], sealed):
		return Unchanged, nil
	}
	return Written, nil
}

// leaveEdited reports the edited files of earlier exports that this one does not write.
func (x *run) leaveEdited(files map[string][]byte) {
	for _, name := range slices.Sorted(maps.Keys(x.directory.Ownership)) {
		_, reported := files[name]
		if !reported && x.directory.Ownership[name] == exportdir.Edited && name != providerFile && x.covers(name) {
			x.report.Files = append(x.report.Files, File{filepath.Join(x.directory.Path, name), Edited})
		}
	}
}
