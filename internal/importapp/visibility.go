package importapp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// The hosted service shows under import apps only those whose capabilities say that
// they import. It creates others too, and then says of them that they do not exist.

// eventMethods are the methods of apps that work on events instead of importing.
var eventMethods = []string{"onEvent", "composeWebhook", "processEvent"}

// isShown reports whether the hosted service shows an app with these capabilities.
func isShown(capabilities jsontypes.Normalized) bool {
	var has struct {
		ScheduledTasks *[]json.RawMessage `json:"scheduled_tasks"`
		Methods        *[]string          `json:"methods"`
	}

	if capabilities.IsNull() || json.Unmarshal([]byte(capabilities.ValueString()), &has) != nil {
		return false
	}

	if has.ScheduledTasks != nil && len(*has.ScheduledTasks) > 0 {
		return true
	}
	return has.Methods != nil && !slices.ContainsFunc(*has.Methods, func(method string) bool {
		return slices.Contains(eventMethods, method)
	})
}

// capabilityKeys are the keys of capabilities.
var capabilityKeys = []string{"methods", "jobs", "scheduled_tasks"}

// checkCapabilities refuses keys of capabilities that are probably misspelled. The service drops
// them, and fails on some.
func checkCapabilities(planned, prior Fields, diags *diag.Diagnostics) {
	if planned.Capabilities.Equal(prior.Capabilities) {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(attribute.KeysOf(planned.Capabilities))) {
		if nearest, ok := attribute.Nearest(key, capabilityKeys); ok && !slices.Contains(capabilityKeys, key) {
			diags.AddAttributeError(path.Root("capabilities"), "Unknown key in capabilities",
				fmt.Sprintf("capabilities.%s is not a key of capabilities. Did you mean %s?", key, nearest))
		}
	}
}

const howToShow = `capabilities that contain "scheduled_tasks", or "methods" without onEvent, composeWebhook, and processEvent`

// warnIfHidden warns at plan that the hosted service would hide the app. What a create
// omits is the service's default, an app without capabilities.
func warnIfHidden(config, planned, prior Fields, diags *diag.Diagnostics) {
	isNew := prior.ID.IsNull()
	switch {
	case config.Capabilities.IsUnknown(), isShown(planned.Capabilities), diags.HasError():
		return
	case !isNew && planned.Capabilities.Equal(prior.Capabilities):
		return
	}
	diags.AddAttributeWarning(path.Root("capabilities"), warningTitle("PostHog would hide this app", planned),
		fmt.Sprintf("PostHog would create this app but not return it afterwards, so Terraform "+
			"could not read, change, or delete it. PostHog returns only apps with %s.", howToShow))
}

// hiddenKey is the key of the private state that remembers that the service hides
// the app, so that a 404 is no proof that it is gone.
const hiddenKey = "hidden"

// checkVisibility asks after a write whether the service shows an app that it may hide.
// A response that does not say so leaves it open, and later a 404 is no proof.
func checkVisibility(
	ctx context.Context, apps *client.PipelineImportApps, app api.PipelineImportApp, planned Fields, private attribute.PrivateState, diags *diag.Diagnostics,
) {
	capabilities, err := app.Capabilities.Get()
	if app.ID == nil || err == nil && isShown(attribute.JSON(capabilities)) {
		return
	}

	_, err = apps.Retrieve(ctx, *app.ID)
	attribute.Mark(ctx, private, hiddenKey, err != nil, diags)
	if client.IsNotFound(err) {
		planned.ID = types.Int64Value(*app.ID)
		warnOfHidden(planned, diags)
	}
}

// warnOfHidden warns that an app exists and cannot be reached.
func warnOfHidden(m Fields, diags *diag.Diagnostics) {
	diags.AddAttributeWarning(path.Root("capabilities"), warningTitle("PostHog hides the import app", m), hiddenText(m)+" The state keeps the values that were last written.")
}

// refuseHidden is the error of an update of an app that the service hides.
func refuseHidden(m Fields, diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root("capabilities"), attempt("update", m).Title()+": PostHog hides it", hiddenText(m)+" Nothing was changed.")
}

func hiddenText(m Fields) string {
	return fmt.Sprintf("Import app %s in organization %s exists, but PostHog hides it because of its capabilities, so Terraform cannot change or delete it. "+
		"Delete it in PostHog, remove it from the state (terraform state rm), and create it again with %s.", m.ID.String(), m.OrganizationID.ValueString(), howToShow)
}
