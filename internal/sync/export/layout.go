package export

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/exportdir"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclfile"
)

// fileOf is the file of an object. One that somebody renamed keeps its name.
func (x *run) fileOf(e entry) string {
	if !x.FilePerObject {
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
func (x *run) isRenamed(object exportdir.Exported) bool {
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

// unneeded are files of earlier exports whose objects are all gone or in other files now.
// Files of kinds that this export does not write are left alone.
func (x *run) unneeded(files map[string][]byte) []string {
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
func (x *run) covers(name string) bool {
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
