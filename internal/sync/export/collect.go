package export

import (
	"context"
	"fmt"
	"maps"
	"path"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/exportdir"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclfile"
)

// collect reads all objects and renders those that are written.
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
	return x.queue.drain()
}

// checkParents refuses to replace the export of one project by that of another.
func (x *run) checkParents() error {
	if x.ReplaceOthers {
		return nil
	}
	for key, object := range x.directory.Exported {
		parent := path.Dir(key.ImportID)
		if x.writes(key.Type) && parent != x.parent(key.Type) {
			return refuse("%s holds objects of %s, and this export is of %s: choose another directory, or replace them with --force", object.File, parent, x.parent(key.Type))
		}
	}
	return nil
}

func (x *run) collectSurveys(ctx context.Context) error {
	if !x.writes(hclfile.SurveyType) {
		return nil
	}
	for survey, err := range x.source.Surveys(ctx) {
		if err != nil {
			return err
		}
		if err := x.add(x.survey(ctx, survey)); err != nil {
			return err
		}
	}
	return nil
}

func (x *run) collectApps(ctx context.Context) error {
	if !x.writes(hclfile.AppType) {
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

	// The blocks of an earlier export stay, as those of a kind that is not exported.
	x.Apps = x.Apps && !x.source.AppsRemoved()
	return nil
}

// collectMissing reads each object of the last export that the lists lack. Only a response
// about the object itself proves that it is gone.
func (x *run) collectMissing(ctx context.Context) error {
	for key := range x.directory.Exported {
		if x.seen[key] || !x.writes(key.Type) || path.Dir(key.ImportID) != x.parent(key.Type) {
			continue
		}
		object, found, err := x.read(ctx, key)
		switch {
		case err != nil:
			return err
		case !found:
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
func (x *run) read(ctx context.Context, key exportdir.Key) (object, bool, error) {
	_, id := path.Split(key.ImportID)
	if key.Type == hclfile.SurveyType {
		survey, found, err := x.source.Survey(ctx, id)
		return x.survey(ctx, survey), found, err
	}

	number, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return object{}, false, fmt.Errorf("%q is not the id of an import app", id)
	}
	app, found, err := x.source.App(ctx, number)
	return x.app(app), found, err
}

// object is an object of the service, and how its configuration is generated.
type object struct {
	exportdir.Key
	id, name string
	live     Live
	render   func() (*hclfile.Object, error)
}

func (x *run) survey(ctx context.Context, survey api.Survey) object {
	o := object{live: Live{Survey: &survey}, render: func() (*hclfile.Object, error) { return x.renderSurvey(ctx, survey) }}
	if survey.ID != nil {
		o.id = *survey.ID
	}
	o.name, _ = survey.Name.Get() // a survey without a name has none to select by
	o.Key = exportdir.Key{Type: hclfile.SurveyType, ImportID: x.ProjectID + "/" + o.id}
	return o
}

func (x *run) app(app api.PipelineImportApp) object {
	o := object{live: Live{App: &app}, render: func() (*hclfile.Object, error) { return hclfile.App(app, x.OrganizationID), nil }}
	if app.ID != nil {
		o.id = strconv.FormatInt(*app.ID, 10)
	}
	o.name, _ = app.Name.Get() // as of a survey
	o.Key = exportdir.Key{Type: hclfile.AppType, ImportID: x.OrganizationID + "/" + o.id}
	return o
}

// isForeign leaves out a global app of another organization, which alone can change it. One
// that an earlier export has stays: without its block a plan would delete it.
func (x *run) isForeign(app api.PipelineImportApp, o object) bool {
	_, known := x.directory.Exported[o.Key]
	if known || importapp.ForeignOwner(app, x.OrganizationID) == "" {
		return false
	}
	if x.selects(o.name) {
		x.report.Skipped++
	}
	return true
}

// addRendered writes an object whose configuration was rendered.
func (x *run) addRendered(r rendering) error {
	code, err := r.code()
	if err != nil {
		return err
	}

	maps.Copy(x.flagIDs, code.Flags)
	for _, field := range code.Withheld {
		x.report.Withheld = append(x.report.Withheld, Withheld{code.Name, field})
	}
	if r.entry.Key.Type == hclfile.AppType {
		x.report.Apps++
	} else {
		x.report.Surveys++
	}
	r.entry.text = code.Bytes()
	x.entries = append(x.entries, r.entry)
	return nil
}
