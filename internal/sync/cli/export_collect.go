package cli

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/atomicfile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/exportdir"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclfile"
)

// export is one run of the verb. Objects are rendered one by one into a temporary file, from
// which the files of the directory are assembled. So memory holds one page of objects and an
// entry for each.
type export struct {
	exportFlags
	side      *live
	directory *exportdir.Directory
	code      hclfile.Options
	// managed are the objects that the state manages; nil without --only unmanaged.
	managed map[exportdir.Key]bool
	report  exportReport

	spool   *os.File
	size    int64
	entries []exportEntry
	taken   map[hclfile.Address]bool
	seen    map[exportdir.Key]bool
	flagIDs map[string]int64
	// keptAny is set when blocks of an earlier export stay, and with them the flags that they
	// refer to.
	keptAny bool
}

// exportEntry is a rendered object, with the place of its blocks in the spool.
type exportEntry struct {
	exportdir.Key
	hclfile.Address
	former         []hclfile.Address
	offset, length int64
}

// close removes the temporary file.
func (x *export) close() {
	if x.spool != nil {
		_ = x.spool.Close()
		_ = os.Remove(x.spool.Name())
	}
}

// collect reads all objects and renders them as code.
func (x *export) collect(ctx context.Context) error {
	x.taken, x.seen, x.flagIDs = map[hclfile.Address]bool{}, map[exportdir.Key]bool{}, map[string]int64{}
	if err := x.checkOrigin(); err != nil {
		return err
	}
	var err error
	atomicfile.RemoveStale(os.TempDir())
	if x.spool, err = os.CreateTemp("", atomicfile.Pattern("")); err != nil {
		return err
	}
	// It has all texts. Where a name may go before the file does, a kill leaves nothing.
	_ = os.Remove(x.spool.Name())

	if err := x.collectSurveys(ctx); err != nil {
		return err
	}
	if err := x.collectApps(ctx); err != nil {
		return err
	}
	return x.addMissing(ctx)
}

// collectSurveys reads all surveys. Rendering them takes longer than reading, so several are
// rendered at the same time.
func (x *export) collectSurveys(ctx context.Context) error {
	queue := objectQueue{add: x.add}
	for survey, err := range x.side.allSurveys(ctx) {
		if err != nil {
			return err
		}
		id := ""
		if survey.ID != nil {
			id = *survey.ID
		}
		err := queue.push(pendingObject{
			exportdir.Key{Type: hclfile.SurveyType, ImportID: x.side.ProjectID + "/" + id}, surveyName(survey),
			ahead(func() (*hclfile.Object, error) { return hclfile.Survey(ctx, survey, x.side.ProjectID, x.code) }),
		})
		if err != nil {
			return err
		}
	}
	return queue.drain()
}

func (x *export) collectApps(ctx context.Context) error {
	for app, err := range x.side.allApps(ctx) {
		if err != nil {
			return err
		}
		object := hclfile.App(app, x.side.OrganizationID)
		if x.isForeign(app, object) {
			continue
		}
		err := x.add(exportdir.Key{Type: hclfile.AppType, ImportID: object.ImportID}, appName(app), func() (*hclfile.Object, error) {
			return object, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// isForeign leaves out a global app of another organization, which alone can change it. One
// that an earlier export has stays: without its block a plan would delete it.
func (x *export) isForeign(app api.PipelineImportApp, object *hclfile.Object) bool {
	_, known := x.directory.Exported[exportdir.Key{Type: hclfile.AppType, ImportID: object.ImportID}]
	if known || importapp.ForeignOwner(app, x.side.OrganizationID) == "" {
		return false
	}
	if x.side.selected.selects(appName(app)) {
		x.report.LeftOut++
	}
	return true
}

// checkOrigin refuses to replace the export of one project by that of another.
func (x *export) checkOrigin() error {
	if x.force {
		return nil
	}
	for key, object := range x.directory.Exported {
		parent := path.Dir(key.ImportID)
		if !x.writes(key.Type) || parent == x.parent(key.Type) {
			continue
		}
		return &refusedError{fmt.Sprintf("%s holds objects of %s, and this export is of %s: choose another directory, or replace them with --force",
			object.File, parent, x.parent(key.Type))}
	}
	return nil
}

// parent is the project or organization of the objects of a type.
func (x *export) parent(typ string) string {
	if typ == hclfile.AppType {
		return x.side.OrganizationID
	}
	return x.side.ProjectID
}

// writes reports whether this run exports objects of a type.
func (x *export) writes(typ string) bool {
	if typ == hclfile.AppType {
		return x.side.OrganizationID != "" && x.side.selected.apps
	}
	return x.side.ProjectID != "" && x.side.selected.surveys
}

// add writes, keeps or leaves out an object of the service.
func (x *export) add(key exportdir.Key, name string, code func() (*hclfile.Object, error)) error {
	if x.seen[key] {
		return nil // the list changed while it was read, so the object is on two pages
	}
	x.seen[key] = true

	selected := x.side.selected.selects(name)
	earlier, known := x.directory.Exported[key]
	_, id := path.Split(key.ImportID)
	file, elsewhere := x.directory.Written.Imported[key]
	if !elsewhere {
		file, elsewhere = x.directory.Written.Imported[exportdir.Key{Type: key.Type, ImportID: id}]
	}
	switch {
	case elsewhere && x.directory.Ownership[file] == exportdir.Edited:
		x.report.Kept++
		x.keptAny = true
		return nil
	case elsewhere && x.only == onlyUnmanaged:
		x.report.LeftOut++
		return nil
	case elsewhere && selected:
		return &refusedError{fmt.Sprintf("%s imports %s %s already: leave out what other files manage with --only unmanaged", file, nounOf(key.Type), id)}
	case x.managed[key] || !selected:
		if known && earlier.Length > 0 {
			return x.keep(earlier)
		}
		if x.managed[key] {
			x.report.LeftOut++
		}
		return nil
	}

	object, err := code()
	if err != nil {
		return err
	}
	return x.addObject(key, object)
}

// keep keeps the blocks of an earlier export.
func (x *export) keep(earlier exportdir.Exported) error {
	text, err := x.directory.Text(earlier)
	if err != nil {
		return err
	}
	x.report.Kept++
	x.keptAny = true
	return x.append(earlier.Key, earlier.Address, x.directory.Former(earlier.Address), text)
}

// addObject writes an object as code.
func (x *export) addObject(key exportdir.Key, object *hclfile.Object) error {
	if x.taken[object.Address] {
		object.UseLongLabel()
	}
	if file, taken := x.directory.Written.Resources[object.Address]; taken {
		if x.only == onlyUnmanaged {
			x.report.LeftOut++
			return nil
		}
		return &refusedError{fmt.Sprintf("%s declares %s already: leave out what other files manage with --only unmanaged", file, object.Address)}
	}

	var former []hclfile.Address
	if earlier, known := x.directory.Exported[key]; known {
		former = x.directory.Former(earlier.Address)
		if earlier.Address != object.Address {
			former = append(former, earlier.Address)
			x.report.Moved = append(x.report.Moved, exportMove{earlier.Address.String(), object.Address.String()})
		}
	}
	maps.Copy(x.flagIDs, object.Flags)
	for _, field := range object.Withheld {
		x.report.Withheld = append(x.report.Withheld, withheldDefault{object.Name, field})
	}
	if key.Type == hclfile.AppType {
		x.report.Apps++
	} else {
		x.report.Surveys++
	}
	return x.append(key, object.Address, former, object.Bytes())
}

func (x *export) append(key exportdir.Key, address hclfile.Address, former []hclfile.Address, text []byte) error {
	if _, err := x.spool.Write(text); err != nil {
		return fmt.Errorf("nothing was written: %w", err)
	}
	x.entries = append(x.entries, exportEntry{key, address, former, x.size, int64(len(text))})
	x.taken[address] = true
	x.size += int64(len(text))
	return nil
}

// addMissing reads each object of the last export that the lists lack. Only a 404 of its own
// proves that it is gone.
func (x *export) addMissing(ctx context.Context) error {
	for key := range x.directory.Exported {
		if x.seen[key] || !x.writes(key.Type) || path.Dir(key.ImportID) != x.parent(key.Type) {
			continue
		}
		err := x.addOne(ctx, key)
		switch {
		case client.IsNotFound(err):
			x.report.Gone++
		case err != nil:
			return err
		}
	}
	return nil
}

func (x *export) addOne(ctx context.Context, key exportdir.Key) error {
	_, id := path.Split(key.ImportID)
	if key.Type == hclfile.SurveyType {
		survey, err := x.side.client.Surveys(x.side.ProjectID).Retrieve(ctx, id)
		if err != nil {
			return err
		}
		return x.add(key, surveyName(survey), func() (*hclfile.Object, error) {
			return hclfile.Survey(ctx, survey, x.side.ProjectID, x.code)
		})
	}

	number, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return fmt.Errorf("%q is not the id of an import app", id)
	}
	app, err := x.side.client.PipelineImportApps(x.side.OrganizationID).Retrieve(ctx, number)
	if err != nil {
		return err
	}
	return x.add(key, appName(app), func() (*hclfile.Object, error) {
		return hclfile.App(app, x.side.OrganizationID), nil
	})
}

// blocks writes the blocks of an object: moved blocks, import block and resource.
func (x *export) blocks(w io.Writer, e exportEntry) error {
	for i, from := range e.former {
		to := e.Address
		if i+1 < len(e.former) {
			to = e.former[i+1]
		}
		if _, err := fmt.Fprintf(w, "%s\n\n", hclfile.Moved(from, to)); err != nil {
			return err
		}
	}
	if _, err := io.Copy(w, io.NewSectionReader(x.spool, e.offset, e.length)); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func nounOf(typ string) string {
	return strings.ReplaceAll(strings.TrimPrefix(typ, "posthog_"), "_", " ")
}
