package cli

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// pageSize is the number of objects that a list request asks for. PostHog may return fewer.
const pageSize = 500

// live is the live source of an environment: its PostHog instance, project, and organization.
type live struct {
	environment.Environment
	client   *client.Client
	selected selection
	progress *report.Progress
	program  *program
}

// live returns the live source of an environment. It makes no requests.
func (p *program) live(e environment.Environment, selected selection) (*live, error) {
	c, err := p.client(e)
	if err != nil {
		return nil, err
	}
	if !selected.apps && e.ProjectID == "" {
		return nil, fmt.Errorf("environment %q has no project_id (POSTHOG_PROJECT_ID), so it has no surveys", e.Name)
	}
	if !selected.surveys && e.OrganizationID == "" {
		return nil, fmt.Errorf("environment %q has no organization_id (POSTHOG_ORGANIZATION_ID), so it has no import apps", e.Name)
	}
	if e.ProjectID == "" && e.OrganizationID == "" {
		return nil, fmt.Errorf("environment %q has neither a project (POSTHOG_PROJECT_ID) nor an organization (POSTHOG_ORGANIZATION_ID)", e.Name)
	}
	if selected.surveys && e.ProjectID == "" && e.File == "" {
		// A variable is usually empty because a pipeline lacks a secret. Without this error, the command
		// would find no objects and succeed.
		return nil, errors.New("POSTHOG_PROJECT_ID is empty or not set, so the surveys cannot be read. Set it, or read only import apps with --kind apps")
	}
	if selected.surveys && e.ProjectID == "" {
		p.logf("environment %q has no project_id (POSTHOG_PROJECT_ID), so its surveys are omitted", e.Name)
	}
	return &live{e, c, selected, p.progress, p}, nil
}

// liveSource returns the live source of the named environment, or of --env if the name is empty.
func (p *program) liveSource(name string, selected selection) (*live, error) {
	e, err := p.sourceEnvironment(name)
	if err != nil {
		return nil, err
	}
	return p.live(e, selected)
}

// surveys iterates over the selected surveys and keeps one page in memory. If an error occurs, it is the
// last element.
func (l *live) surveys(ctx context.Context) iter.Seq2[api.Survey, error] {
	return filterObjects(l.allSurveys(ctx), l.selected, surveyName)
}

// allSurveys iterates over all surveys, including surveys that are not selected, and reports progress.
func (l *live) allSurveys(ctx context.Context) iter.Seq2[api.Survey, error] {
	if l.ProjectID == "" || !l.selected.surveys {
		return func(func(api.Survey, error) bool) {}
	}
	task := l.progress.Task("surveys")
	list := l.client.Surveys(l.ProjectID).List(ctx, client.ListOptions{PageSize: pageSize, Count: task.SetTotal})
	return addProgress(list, task, "surveys of project "+l.ProjectID)
}

// apps iterates over the selected import apps, like surveys.
func (l *live) apps(ctx context.Context) iter.Seq2[api.PipelineImportApp, error] {
	return filterObjects(l.allApps(ctx), l.selected, appName)
}

// allApps iterates over all import apps, like allSurveys. It yields none if PostHog no longer supports
// import apps.
func (l *live) allApps(ctx context.Context) iter.Seq2[api.PipelineImportApp, error] {
	if l.OrganizationID == "" || !l.selected.apps {
		return func(func(api.PipelineImportApp, error) bool) {}
	}
	task := l.progress.Task("import apps")
	list := l.client.PipelineImportApps(l.OrganizationID).List(ctx, client.ListOptions{PageSize: pageSize, Count: task.SetTotal})
	return l.program.ignoreRemoval(addProgress(list, task, "import apps of organization "+l.OrganizationID))
}

func surveyName(s api.Survey) string         { return orEmpty(s.Name) }
func appName(a api.PipelineImportApp) string { return orEmpty(a.Name) }

// addProgress reports progress for each object. It adds the list's name to errors.
func addProgress[T any](objects iter.Seq2[T, error], task *report.Task, list string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for object, err := range objects {
			if err == nil {
				task.Add(1)
			} else {
				err = fmt.Errorf("cannot read the %s: %w", list, err)
			}
			if !yield(object, err) {
				return
			}
		}
	}
}

// filterObjects skips objects whose names are not selected.
func filterObjects[T any](objects iter.Seq2[T, error], selected selection, name func(T) string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for object, err := range objects {
			if err == nil && !selected.selects(name(object)) {
				continue
			}
			if !yield(object, err) {
				return
			}
		}
	}
}

// orEmpty returns the value of a field, or an empty string if the field is null or not set.
func orEmpty(field nullable.Nullable[string]) string {
	text, err := field.Get()
	if err != nil {
		return ""
	}
	return text
}

// noteRemovedApps records that a PostHog instance in this run no longer supports import apps, and logs one
// warning. The apps were not deleted individually, so the run ignores every source's import apps.
func (p *program) noteRemovedApps(err error) {
	if !p.appsRemoved {
		p.logf("Warning: PostHog has removed import apps, so this command does not read, write, or delete any. "+
			"What to do: %s\n%v", framework.RemovedGuide, err)
	}
	p.appsRemoved = true
}

// ignoreRemoval ends the list of import apps without an error if PostHog no longer supports them. If
// PostHog reports this after the first page, ignoreRemoval passes on the error, because the list is
// incomplete.
func (p *program) ignoreRemoval(apps iter.Seq2[api.PipelineImportApp, error]) iter.Seq2[api.PipelineImportApp, error] {
	return func(yield func(api.PipelineImportApp, error) bool) {
		isFirst := true
		for app, err := range apps {
			if isFirst && client.IsRemoved(err) {
				p.noteRemovedApps(err)
				return
			}
			isFirst = false
			if !yield(app, err) {
				return
			}
		}
	}
}

// dropRemovedApps removes the import apps from objects if a PostHog instance in this run no longer
// supports them.
func (p *program) dropRemovedApps(objects []source.Object) []source.Object {
	if !p.appsRemoved {
		return objects
	}
	return slices.DeleteFunc(objects, func(o source.Object) bool { return o.Kind == source.App })
}

// checkRemovedApps warns about import apps in a planned directory if PostHog no longer supports import
// apps, because the plan ignores these apps.
func (p *program) checkRemovedApps(ctx context.Context, e environment.Environment, resources []pull.Resource) error {
	i := slices.IndexFunc(resources, func(r pull.Resource) bool { return r.Type == code.AppType && r.ParentID != "" })
	if i < 0 || p.appsRemoved {
		return nil
	}
	c, err := p.client(e)
	if err != nil {
		return err
	}
	if err := c.PipelineImportApps(resources[i].ParentID).CheckRemoval(ctx); err != nil {
		p.noteRemovedApps(err)
	}
	return nil
}
