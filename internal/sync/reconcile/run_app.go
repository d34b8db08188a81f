package reconcile

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// pageSize is the number of apps that a list request asks for. PostHog may return fewer.
const pageSize = 500

// createApp creates an import app. App names are not unique, and another run may create the same app at
// the same time. Therefore, createApp looks for an app with the same name before and after its request.
func (t Target) createApp(ctx context.Context, plan *Plan, action *Action) error {
	apps := t.Client.PipelineImportApps(t.OrganizationID)
	existing, err := newAppNamed(ctx, apps, plan, action.Name)
	switch {
	case err != nil:
		return err
	case existing > 0:
		return createdSince(existing)
	}

	created, err := apps.CreateOnce(ctx, action.AppRequest, importapp.IsShown(action.AppRequest))
	if err != nil {
		return asCreatedSince(err)
	}
	action.ID = strconv.FormatInt(*created.ID, 10)
	plan.AppIDs[action.ID] = true
	if !action.AppRequest.URL.IsSpecified() { // PostHog rejects a second app with the same URL
		if err := withdrawDuplicate(ctx, apps, plan, action, *created.ID); err != nil {
			return err
		}
	}

	// PostHog sets values that it reads from the code at the app's URL.
	live := importapp.FromAPI(created, importapp.Fields{OrganizationID: types.StringValue(t.OrganizationID)}, &attribute.Response{})
	if request := importapp.ToAPI(importapp.Promote(*action.DesiredApp, live), live); !live.URL.IsNull() && !importapp.IsEmptyRequest(request) {
		if _, err := apps.ChangeNew(ctx, *created.ID, created, importapp.RefuseOverwrite(created, request)); err != nil {
			return fmt.Errorf("it was created with ID %s, but has the values from its code: %w", action.ID, err)
		}
	}
	if importapp.IsShown(action.AppRequest) {
		return nil
	}
	if _, err := apps.Retrieve(ctx, *created.ID); client.IsNotFound(err) {
		return &notDoneError{Failed, fmt.Sprintf("it was created with ID %s, but PostHog hides it because of its capabilities: "+
			"delete it in PostHog, and skip it with --exclude %q", action.ID, action.Name)}
	}
	return nil
}

// withdrawDuplicate deletes the app that was just created if another run created an app with the same
// name first.
func withdrawDuplicate(ctx context.Context, apps *client.PipelineImportApps, plan *Plan, action *Action, id int64) error {
	existing, err := newAppNamed(ctx, apps, plan, action.Name)
	switch {
	case err != nil:
		return fmt.Errorf("it was created with ID %d, and possibly a second time by another run: %w", id, err)
	case existing == 0 || existing > id: // the other run deletes its app
		return nil
	}
	if err := apps.Delete(ctx, id); err != nil && !client.IsNotFound(err) {
		return fmt.Errorf("it was created with ID %d, but another run had created one with ID %d; delete one of them: %w", id, existing, err)
	}
	action.ID = ""
	return createdSince(existing)
}

// newAppNamed returns the lowest ID among apps with this name that were created after planning, or 0.
func newAppNamed(ctx context.Context, apps *client.PipelineImportApps, plan *Plan, name string) (int64, error) {
	var lowest int64
	for app, err := range apps.List(ctx, client.ListOptions{PageSize: pageSize}) {
		if err != nil {
			return 0, err
		}
		isKnown := app.ID == nil || plan.AppIDs[strconv.FormatInt(*app.ID, 10)]
		if !isKnown && hasName(app, name) && (lowest == 0 || *app.ID < lowest) {
			lowest = *app.ID
		}
	}
	return lowest, nil
}

// createdSince returns the error for an app that was created after planning.
func createdSince(id int64) error {
	return newSkipError(fmt.Sprintf("an app with this name was created after the plan, with ID %d; run again to see the difference", id))
}

func hasName(app api.PipelineImportApp, name string) bool {
	appName, err := app.Name.Get()
	return err == nil && strings.TrimSpace(appName) == strings.TrimSpace(name)
}

// changeApp updates or deletes an import app.
func (t Target) changeApp(ctx context.Context, action *Action) error {
	id, err := strconv.ParseInt(action.ID, 10, 64)
	if err != nil {
		return err
	}
	convert := func(ctx context.Context, live api.PipelineImportApp) (source.Object, error) {
		return source.FromApp(ctx, live, t.OrganizationID)
	}
	return change(ctx, t.Client.PipelineImportApps(t.OrganizationID), action, id, action.AppRequest, convert,
		func(context.Context) error { return nil })
}
