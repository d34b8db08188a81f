package export

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// collect reads all objects and renders the objects that the export writes.
func (x *run) collect(ctx context.Context) error {
	if err := x.checkParents(); err != nil {
		return err
	}
	if err := x.collectSurveys(ctx); err != nil {
		return err
	}
	if err := x.collectApps(ctx); err != nil {
		return err
	}
	if err := x.collectMissing(ctx); err != nil {
		return err
	}
	return x.checkUnknown()
}

// checkParents returns an error if the export would replace the export of another project.
func (x *run) checkParents() error {
	if x.ReplaceOthers {
		return nil
	}
	for key, object := range x.directory.Exported {
		parent := path.Dir(key.ImportID)
		if x.writes(key.Type) && parent != x.parent(key.Type) {
			return refuse("%s contains objects of %s, but this export is for %s: choose another directory, or replace them with --force", object.File, parent, x.parent(key.Type))
		}
	}
	return nil
}

// checkUnknown returns an error if the export would drop a resource from an edited file, and some objects
// are left out. Otherwise, the next apply would destroy the object that the resource manages.
func (x *run) checkUnknown() error {
	if !x.leftOut {
		return nil
	}
	unknown := maps.Clone(x.directory.Unknown)
	maps.DeleteFunc(unknown, func(address code.Address, _ string) bool { return x.taken[address] || !x.writes(address.Type) })
	for _, address := range slices.SortedFunc(maps.Keys(unknown), func(a, b code.Address) int { return strings.Compare(a.String(), b.String()) }) {
		return refuse("%s declares %s without an import block, and this export omits it, so the next apply would destroy the object that it manages: "+
			"move it to your own file, or export without --only, --select, and --exclude", unknown[address], address)
	}
	return nil
}

func (x *run) collectSurveys(ctx context.Context) error {
	if !x.writes(code.SurveyType) {
		return nil
	}
	for survey, err := range x.source.Surveys(ctx) {
		if err != nil {
			return err
		}
		item, err := x.survey(ctx, survey)
		if err != nil {
			return err
		}
		if err := x.add(item); err != nil {
			return err
		}
	}
	return nil
}

func (x *run) collectApps(ctx context.Context) error {
	if !x.writes(code.AppType) {
		return nil
	}
	for app, err := range x.source.Apps(ctx) {
		if err != nil {
			return err
		}
		object := x.app(app)
		if x.isForeign(app, object) {
			continue
		}
		if err := x.add(object); err != nil {
			return err
		}
	}

	// The blocks of an earlier export stay, because this export does not write this kind.
	x.Apps = x.Apps && !x.source.AppsRemoved()
	return nil
}

// collectMissing reads each object of the last export that is missing from the lists. Only a response about
// the object itself proves that it no longer exists.
func (x *run) collectMissing(ctx context.Context) error {
	for key := range x.directory.Exported {
		if x.seen[key] || !x.writes(key.Type) || path.Dir(key.ImportID) != x.parent(key.Type) {
			continue
		}
		object, exists, err := x.read(ctx, key)
		switch {
		case err != nil:
			return err
		case !exists:
			x.report.Gone++
			continue
		}
		if err := x.add(object); err != nil {
			return err
		}
	}
	return nil
}

// read reads one object.
func (x *run) read(ctx context.Context, key code.Key) (object, bool, error) {
	_, id := path.Split(key.ImportID)
	if key.Type == code.SurveyType {
		survey, exists, err := x.source.Survey(ctx, id)
		if err != nil || !exists {
			return object{}, exists, err
		}
		item, err := x.survey(ctx, survey)
		return item, true, err
	}

	number, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return object{}, false, fmt.Errorf("%q is not an import app ID", id)
	}
	app, exists, err := x.source.App(ctx, number)
	return x.app(app), exists, err
}

// object is an object in PostHog, with the function that generates its configuration.
type object struct {
	code.Key
	id, name string
	live     Live
	render   func() (*code.Object, error)
}

func (x *run) survey(ctx context.Context, survey api.Survey) (object, error) {
	live, repaired, detached, err := x.reattach(ctx, survey)
	if err != nil {
		return object{}, err
	}
	options := WithIDs(x.Code, detached)
	o := object{live: live, render: func() (*code.Object, error) { return x.renderSurvey(ctx, repaired, options) }}
	if survey.ID != nil {
		o.id = *survey.ID
	}
	o.name, _ = survey.Name.Get() // a survey without a name cannot be selected
	o.Key = code.Key{Type: code.SurveyType, ImportID: x.ProjectID + "/" + o.id}
	return o, nil
}

func (x *run) app(app api.PipelineImportApp) object {
	o := object{live: Live{App: &app}, render: func() (*code.Object, error) { return code.App(app, x.OrganizationID), nil }}
	if app.ID != nil {
		o.id = strconv.FormatInt(*app.ID, 10)
	}
	o.name, _ = app.Name.Get() // an app without a name cannot be selected
	o.Key = code.Key{Type: code.AppType, ImportID: x.OrganizationID + "/" + o.id}
	return o
}

// isForeign reports whether an app is a global app of another organization, because only that organization
// can change it. It returns false for an app in an earlier export: without its block, a plan would delete
// the app.
func (x *run) isForeign(app api.PipelineImportApp, o object) bool {
	_, isKnown := x.directory.Exported[o.Key]
	if isKnown || importapp.ForeignOwner(app, x.OrganizationID) == "" {
		return false
	}
	if x.selects(o.name) {
		x.report.Skipped++
	}
	return true
}

// addObject renders an object and adds it at an address.
func (x *run) addObject(o object, address code.Address) error {
	rendered, err := o.render()
	if err != nil {
		return err
	}
	rendered.Address = address
	rendered.Render()

	maps.Copy(x.flagIDs, rendered.Flags)
	for _, field := range rendered.Withheld {
		x.report.Withheld = append(x.report.Withheld, Withheld{rendered.Name, field})
	}
	if o.Type == code.AppType {
		x.report.Apps++
	} else {
		x.report.Surveys++
	}
	x.entries = append(x.entries, entry{Key: o.Key, Address: address, former: x.recordMove(o.Key, address), text: rendered.Bytes()})
	return nil
}

// add renders an object, keeps its blocks from an earlier export, or skips it. It decides before it
// renders, because rendering takes much longer.
func (x *run) add(o object) error {
	if x.seen[o.Key] {
		return nil // the list changed during the export, so the object is on two pages
	}
	x.seen[o.Key] = true

	selected := x.selects(o.name)
	earlier, isKnown := x.directory.Exported[o.Key]
	file, elsewhere := x.findImport(o)
	switch {
	case elsewhere && x.directory.Ownership[file] == code.ByHand:
		x.report.Kept++
		x.keptAny = true
		return nil
	case elsewhere && x.Unmanaged:
		x.report.Skipped++
		return nil
	case elsewhere && selected:
		return refuse("%s already imports %s %s: to omit objects that other files manage, use --only unmanaged", file, kindNoun(defaultAddress(o).Type), o.id)
	case !x.Managed[o.Key] && selected, isKnown && earlier.Text == nil:
		// An overwritten file keeps its objects. Otherwise, the next apply would destroy them.
		return x.addIfAbsent(o)
	case isKnown && earlier.Text != nil:
		x.keep(earlier)
	case x.Managed[o.Key]:
		x.report.Skipped++
		x.leftOut = true
	default:
		x.leftOut = true
	}
	return nil
}

// findImport returns the file outside of the export that imports an object. The import block may contain
// the object's import ID or its plain ID.
func (x *run) findImport(o object) (file string, ok bool) {
	if file, ok = x.directory.Written.Imported[o.Key]; ok {
		return file, true
	}
	file, ok = x.directory.Written.Imported[code.Key{Type: o.Type, ImportID: o.id}]
	return file, ok
}

// addIfAbsent renders an object, unless another file declares a resource with its address.
func (x *run) addIfAbsent(o object) error {
	address := x.unusedAddress(o)
	if managed, ok := x.Addresses[o.Key]; ok && !x.isItsOwn(o.Key, address, managed) {
		return refuse("the state already manages %s %s as %s: to omit objects that the state manages, use --only unmanaged", kindNoun(o.Type), o.id, managed)
	}
	if file, declared := x.directory.Written.Resources[address]; declared {
		if x.Unmanaged {
			x.report.Skipped++
			return nil
		}
		return refuse("%s already declares %s: to omit objects that other files manage, use --only unmanaged", file, address)
	}
	x.taken[address] = true
	if x.Remember != nil {
		x.Remember(o.live)
	}
	return x.addObject(o, address)
}

// isItsOwn reports whether the state manages an object at an address that the export uses, or used, for
// the same object.
func (x *run) isItsOwn(key code.Key, address code.Address, managed string) bool {
	addresses := []code.Address{address}
	if earlier, ok := x.directory.Exported[key]; ok {
		addresses = append(append(addresses, earlier.Address), x.directory.Former(earlier.Address)...)
	}
	return slices.ContainsFunc(addresses, func(a code.Address) bool { return a.String() == managed })
}

// keep keeps the blocks from an earlier export.
func (x *run) keep(earlier code.Exported) {
	x.report.Kept++
	x.keptAny = true
	x.taken[earlier.Address] = true
	x.entries = append(x.entries, entry{Key: earlier.Key, Address: earlier.Address, former: x.directory.Former(earlier.Address), text: earlier.Text})
}

// kindNoun returns the noun for the objects of a resource type.
func kindNoun(typ string) string {
	return strings.ReplaceAll(strings.TrimPrefix(typ, "posthog_"), "_", " ")
}
