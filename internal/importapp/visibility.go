package importapp

import (
	"context"
	"encoding/json"
	"fmt"
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

const howToShow = `capabilities with "scheduled_tasks", or with "methods" that have none of onEvent, composeWebhook and processEvent`

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
	diags.AddAttributeWarning(path.Root("capabilities"), titleOf("The hosted service would hide this app", planned),
		fmt.Sprintf("With these capabilities the hosted service creates the app and then reports that it does not exist: "+
			"it could not be read, changed or deleted any more. It shows apps with %s.", howToShow))
}

// checkCapabilities refuses lists that are none in new capabilities: the service takes them,
// and hides the app for good. What the app has already is never refused.
func checkCapabilities(planned, prior Fields, diags *diag.Diagnostics) {
	if !attribute.IsKnown(planned.Capabilities) {
		return
	}

	var given map[string]json.RawMessage
	if json.Unmarshal([]byte(planned.Capabilities.ValueString()), &given) != nil {
		return // the attribute's type and its validators say so
	}
	for _, name := range []string{"scheduled_tasks", "methods", "jobs"} {
		var names []string
		raw, ok := given[name]
		if !ok || json.Unmarshal(raw, &names) == nil {
			continue
		}
		if hasSame(prior.Capabilities, name, raw) {
			continue
		}
		diags.AddAttributeError(path.Root("capabilities"), "Not a list of names",
			fmt.Sprintf(`%s in capabilities must be a list of names, such as ["runEveryHour"]. The hosted service takes anything else too, and then hides the app.`, name))
	}
}

// hasSame reports whether capabilities have a key with a value.
func hasSame(capabilities jsontypes.Normalized, name string, value json.RawMessage) bool {
	var held map[string]json.RawMessage
	if json.Unmarshal([]byte(capabilities.ValueString()), &held) != nil || held[name] == nil {
		return false
	}
	return attribute.EquivalentJSON(string(value), string(held[name]))
}

// refuseHidden is the error of an operation on an app that the service hides.
func refuseHidden(verb string, m Fields, diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root("capabilities"), attempt(verb, m).Title()+": the service hides it",
		fmt.Sprintf("The import app exists with id %s in organization %s, and the service answers every request for it with 404, because of the capabilities that it has. "+
			"So it cannot be given other capabilities from here, and nothing was changed. Delete it in the web interface and remove it from the state "+
			"(terraform state rm); the next apply creates it again, with %s.", m.ID.String(), m.OrganizationID.ValueString(), howToShow))
}

// hiddenKey is the key of the private state that remembers that the service hides
// the app, so that a 404 is no proof that it is gone.
const hiddenKey = "hidden"

// checkVisibility asks after a write whether the service shows an app that it may hide.
// A response that does not say so leaves it open, and later a 404 is no proof.
func (r *Resource) checkVisibility(ctx context.Context, written api.PipelineImportApp, planned Fields, private attribute.PrivateState, diags *diag.Diagnostics) {
	capabilities, err := written.Capabilities.Get()
	if written.ID == nil || err == nil && isShown(attribute.JSON(capabilities)) {
		return
	}

	_, err = r.apps(planned).Retrieve(ctx, *written.ID)
	attribute.Mark(ctx, private, hiddenKey, err != nil, diags)
	if client.IsNotFound(err) {
		planned.ID = types.Int64Value(*written.ID)
		warnOfHidden(planned, diags)
	}
}

// warnOfHidden warns that an app exists and cannot be reached.
func warnOfHidden(m Fields, diags *diag.Diagnostics) {
	diags.AddAttributeWarning(path.Root("capabilities"), titleOf("The service hides the import app", m),
		fmt.Sprintf("The import app %s in organization %s exists with id %s, and the service answers that it does not, because of its capabilities. "+
			"The state keeps it as it was written last. It cannot be changed or deleted from here: delete it in the web interface, remove it from the state "+
			"(terraform state rm) and create it again with %s.", displayName(m), m.OrganizationID.ValueString(), m.ID.String(), howToShow))
}
