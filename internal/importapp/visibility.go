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

// PostHog lists only apps whose capabilities contain an import method. It also creates other apps,
// but then reports that they do not exist.

// eventMethods are the methods of apps that process events instead of importing.
var eventMethods = []string{"onEvent", "composeWebhook", "processEvent"}

// isShown reports whether PostHog lists an app with these capabilities.
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

// capabilityKeys are the valid keys of capabilities.
var capabilityKeys = []string{"methods", "jobs", "scheduled_tasks"}

// checkCapabilities rejects keys in capabilities that are probably misspelled. PostHog ignores most
// of them, and fails on some.
func checkCapabilities(planned, prior Fields, diags *diag.Diagnostics) {
	if planned.Capabilities.Equal(prior.Capabilities) {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(attribute.ObjectKeys(planned.Capabilities))) {
		if nearest, ok := attribute.Nearest(key, capabilityKeys); ok && !slices.Contains(capabilityKeys, key) {
			diags.AddAttributeError(path.Root("capabilities"), "Unknown key in capabilities",
				fmt.Sprintf("capabilities has the unknown key %s. Did you mean %s?", key, nearest))
		}
	}
}

const howToShow = `capabilities that contain "scheduled_tasks", or "methods" without onEvent, composeWebhook, and processEvent`

// warnIfHidden warns at plan time if PostHog would hide the app. If a create omits capabilities,
// PostHog by default creates an app without any.
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

// checkVisibility checks after a write whether PostHog lists an app that it may hide. If the
// response is inconclusive, visibility stays unknown, and a later 404 does not prove that the app is
// gone.
func checkVisibility(
	ctx context.Context, apps *client.PipelineImportApps, app api.PipelineImportApp, planned Fields, memory *appMemory, diags *diag.Diagnostics,
) {
	capabilities, err := app.Capabilities.Get()
	if app.ID == nil || err == nil && isShown(attribute.JSON(capabilities)) {
		return
	}

	_, err = apps.Retrieve(ctx, *app.ID)
	memory.IsHidden = err != nil
	if client.IsNotFound(err) {
		planned.ID = types.Int64Value(*app.ID)
		warnOfHidden(planned, diags)
	}
}

// warnOfHidden warns that an app exists but cannot be accessed.
func warnOfHidden(m Fields, diags *diag.Diagnostics) {
	diags.AddAttributeWarning(path.Root("capabilities"), warningTitle("PostHog hides the import app", m), hiddenText(m)+" The state keeps the values that were last written.")
}

// refuseHidden adds the error for an update of an app that PostHog hides.
func refuseHidden(m Fields, diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root("capabilities"), attempt("update", m).Title()+": PostHog hides it", hiddenText(m)+" Nothing was changed.")
}

func hiddenText(m Fields) string {
	return fmt.Sprintf("Import app %s in organization %s exists, but PostHog hides it because of its capabilities, so Terraform cannot change or delete it. "+
		"Delete it in PostHog, remove it from the state (terraform state rm), and create it again with %s.", m.ID.String(), m.OrganizationID.ValueString(), howToShow)
}
