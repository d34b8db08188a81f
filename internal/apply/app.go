package apply

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/side"
)

// pageSize is what lists ask for; the service may grant less.
const pageSize = 500

// createApp creates an import app. The service takes any number of one name, so it is
// looked for first.
func (t Target) createApp(ctx context.Context, plan *reconcile.Plan, action *reconcile.Action) error {
	apps := t.Client.PipelineImportApps(t.OrganizationID)
	if err := checkNewApp(ctx, apps, plan, action); err != nil {
		return err
	}

	created, err := apps.CreateOnce(ctx, action.AppRequest, importapp.IsShown(action.AppRequest))
	if err != nil {
		return existsOr(err)
	}
	action.ID = strconv.FormatInt(*created.ID, 10)
	plan.AppIDs[action.ID] = true

	// The service fills in what it finds in the code at the address.
	live := importapp.FromAPI(created, importapp.Fields{OrganizationID: types.StringValue(t.OrganizationID)}, &attribute.Answer{})
	if request := importapp.ToAPI(importapp.Promote(*action.Desired.AppAnswer, live), live); !live.URL.IsNull() && !importapp.IsEmptyRequest(request) {
		if _, err := apps.Update(ctx, *created.ID, request); err != nil {
			return fmt.Errorf("it was created with id %s, and has the values of its code: %w", action.ID, err)
		}
	}
	if importapp.IsShown(action.AppRequest) {
		return nil
	}
	if _, err := apps.Retrieve(ctx, *created.ID); client.IsNotFound(err) {
		return fmt.Errorf("it was created with id %s, and the service hides it because of its capabilities: "+
			"delete it in the web interface, and leave it out with --exclude %q", action.ID, action.Name)
	}
	return nil
}

// checkNewApp finds out whether somebody has created the app since it was planned: one of
// its name that the plan has not seen.
func checkNewApp(ctx context.Context, apps *client.PipelineImportApps, plan *reconcile.Plan, action *reconcile.Action) error {
	for one, err := range apps.List(ctx, client.ListOptions{PageSize: pageSize}) {
		if err != nil {
			return err
		}
		if one.ID != nil && sameName(one, action.Name) && !plan.AppIDs[strconv.FormatInt(*one.ID, 10)] {
			return &changedError{fmt.Sprintf("one of this name was created since this was planned, with id %d; run again to see the difference", *one.ID)}
		}
	}
	return nil
}

func sameName(app api.PipelineImportApp, name string) bool {
	found, err := app.Name.Get()
	return err == nil && strings.TrimSpace(found) == strings.TrimSpace(name)
}

// changeApp updates or deletes an import app that is still as it was planned for.
func (t Target) changeApp(ctx context.Context, action *reconcile.Action) error {
	id, err := appID(action)
	if err != nil {
		return err
	}
	apps := t.Client.PipelineImportApps(t.OrganizationID)
	wire, err := apps.Retrieve(ctx, id)
	if err != nil {
		return goneOr(err)
	}
	now, err := side.FromApp(ctx, wire, t.OrganizationID)
	if err == nil {
		err = checkSeen(action, now)
	}
	if err != nil {
		return err
	}

	if action.Verb == reconcile.Delete {
		if err := apps.Delete(ctx, id); !client.IsNotFound(err) {
			return err
		}
		return nil
	}
	_, err = apps.Update(ctx, id, action.AppRequest)
	return goneOr(err)
}
