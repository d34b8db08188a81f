package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/past"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/snapshot"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/tfplan"
)

// load reads both sources, and all other data that a plan depends on.
func (j *syncJob) load(ctx context.Context) error {
	var err error
	if j.live, err = j.liveSource(j.b.Argument, j.selection()); err != nil {
		return err
	}
	if err := j.loadSource(ctx); err != nil {
		return inSource(j.a, err)
	}
	j.live.selected = j.selected
	if j.current, err = j.live.objects(ctx, source.Object.Shelved); err != nil {
		return fmt.Errorf("%s: %w", j.b, err)
	}

	if j.appsRemoved {
		j.selected = j.selected.of(j.selected.surveys, false)
		j.live.selected = j.selected
		j.desired, j.current = j.dropRemovedApps(j.desired), j.dropRemovedApps(j.current)
	}
	return j.loadOptions(ctx)
}

// loadSource reads A. sync handles only kinds that both sources contain: if a source does not have a
// project or an organization, sync must not treat its objects as deleted.
func (j *syncJob) loadSource(ctx context.Context) error {
	if j.a.IsWritten() {
		var err error
		if j.selected, err = j.common(true, false); err == nil {
			j.desired, err = j.readSurveyFile(ctx, j.a.Argument)
		}
		return err
	}
	if j.a.Form == source.File {
		contents, err := snapshot.Open(j.a.Argument)
		if err != nil {
			return err
		}
		if j.selected, err = j.common(contents.HasSurveys, contents.HasApps); err != nil {
			return err
		}
		objects, err := snapshot.Objects(ctx, contents, source.Object.Shelved)
		j.desired = slices.DeleteFunc(objects, func(o source.Object) bool { return !j.selected.includes(o.Kind) })
		return err
	}

	service, err := j.liveSource(j.a.Argument, j.selection())
	if err != nil {
		return err
	}
	if j.selected, err = j.common(service.ProjectID != "", service.OrganizationID != ""); err != nil {
		return err
	}
	service.selected = j.selected
	j.desired, err = service.objects(ctx, source.Object.Shelved)
	return err
}

// common returns a selection of the kinds that A and B have in common. surveys and apps are set if A
// contains these kinds.
func (j *syncJob) common(surveys, apps bool) (selection, error) {
	selected := j.live.selected
	surveys = surveys && j.live.ProjectID != "" && selected.surveys
	apps = apps && j.live.OrganizationID != "" && selected.apps
	if !surveys && !apps {
		return selected, fmt.Errorf("nothing to compare with %s: surveys require a project_id in both sources, and import apps require an organization_id", j.b)
	}
	return selected.of(surveys, apps), nil
}

// loadOptions reads all data that the plan depends on, except the objects.
func (j *syncJob) loadOptions(ctx context.Context) error {
	j.options = reconcile.Options{
		A: j.a.String(), B: j.b.String(),
		Match: j.given.match, Selects: j.selected.selects, KeepSchedule: j.given.keepSchedule,
		ProjectID: j.live.ProjectID, OrganizationID: j.live.OrganizationID, SameProject: j.sameProject(),
		Delete: j.given.allowDelete, Archive: j.given.archive, AllowDetachedAnswers: j.given.allowDetachedAnswers, MaxDeletes: j.given.maxDeletes,
		HidesApps: j.isHosted(), NewID: uuid.NewString, Now: j.now(),
	}

	if j.options.Match == reconcile.ByID && !j.options.SameProject && j.selected.surveys {
		return fmt.Errorf("--match id requires two sources of the same project, but the surveys of %s and %s seem to belong to different projects. To match by name, omit it", j.a, j.b)
	}
	if err := j.options.FindReferences(ctx, j.live.client, j.desired, j.current, j.given.maps, j.logf); err != nil {
		return err
	}

	j.counter = j.newCounter()
	j.options.Responses = j.counter.Of
	j.options.Answers = func(ctx context.Context, id string) map[string]int64 {
		answers, err := past.AnswersNow(ctx, j.live.client.Surveys(j.live.ProjectID), id)
		if err != nil {
			return nil // not counted
		}
		return answers
	}
	return j.loadStates(ctx)
}

// loadStates determines which objects of B are managed by the states in --state.
func (j *syncJob) loadStates(ctx context.Context) error {
	if len(j.given.states) == 0 {
		return nil
	}
	tf, err := j.terraform(j.live.Environment)
	if err != nil {
		return err
	}

	j.options.Managed = map[reconcile.ObjectKey]string{}
	for _, dir := range j.given.states {
		state := tfplan.NewStateReader(source.Object.Shelved)
		if _, err := tf.State(ctx, dir, state.Add); err != nil {
			return fmt.Errorf("--state %s: %w", dir, err)
		}
		for _, o := range state.Objects() {
			if o.Kind == source.Survey || o.ParentID == j.live.OrganizationID || j.live.OrganizationID == "@current" {
				j.options.Managed[reconcile.ObjectKey{Kind: o.Kind, ID: o.ID}] = o.Address + " in " + dir
			}
		}
	}
	return nil
}

// newCounter returns a response counter for B.
func (j *syncJob) newCounter() *responses.Counter {
	return responses.NewCounter(j.live.client.Surveys(j.live.ProjectID), func(yield func(api.Survey) bool) {
		for _, o := range j.current {
			if o.Kind == source.Survey && !yield(*o.Whole().SurveyResponse) {
				return
			}
		}
	})
}

// sameProject reports whether both sources' surveys belong to the same project. Two PostHog instances may
// both have a project 1, and a snapshot does not record its instance. Therefore, at least one of a
// snapshot's surveys must also exist in the live source.
func (j *syncJob) sameProject() bool {
	if j.a.IsWritten() {
		return true // a YAML file contains the IDs of B
	}
	ids := map[string]bool{}
	surveys := func(objects []source.Object) (list []source.Object) {
		for _, o := range objects {
			if o.Kind == source.Survey {
				list = append(list, o)
			}
		}
		return list
	}
	desired, current := surveys(j.desired), surveys(j.current)
	for _, o := range current {
		ids[o.ID] = true
	}

	for _, o := range desired {
		if o.ParentID != j.live.ProjectID || o.Service != "" && o.Service != j.live.BaseURL {
			return false
		}
	}
	if len(desired) == 0 || len(current) == 0 || j.a.Form == source.Live {
		return true
	}
	return slices.ContainsFunc(desired, func(o source.Object) bool { return ids[o.ID] })
}
