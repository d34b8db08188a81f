package export

import (
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
		status, err := x.status(name, files[name])
		if err != nil {
			return err
		}
		x.report.Files = append(x.report.Files, File{filepath.Join(x.directory.Path, name), status})
		if status == Written {
			content := files[name]
			changed = append(changed, atomicfile.File{Path: filepath.Join(x.directory.Path, name), Write: func(w io.Writer) error {
				return exportdir.Seal(w, content)
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
func (x *run) status(name string, content body) (Status, error) {
	owner, exists := x.directory.Ownership[name]
	switch {
	case !exists:
		return Written, nil
	case owner == exportdir.Edited:
		return Edited, nil
	case owner == exportdir.Foreign:
		return "", refuse("%s was not written by an export, so it is not overwritten: rename it, or choose another directory or --layout", filepath.Join(x.directory.Path, name))
	}
	same, err := exportdir.IsSealed(filepath.Join(x.directory.Path, name), content)
	if err != nil || !same {
		return Written, err
	}
	return Unchanged, nil
}

// leaveEdited reports the edited files of earlier exports that this one does not write.
func (x *run) leaveEdited(files map[string]body) {
	for _, name := range slices.Sorted(maps.Keys(x.directory.Ownership)) {
		_, reported := files[name]
		if !reported && x.directory.Ownership[name] == exportdir.Edited && name != providerFile && x.covers(name) {
			x.report.Files = append(x.report.Files, File{filepath.Join(x.directory.Path, name), Edited})
		}
	}
}
