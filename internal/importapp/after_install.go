package importapp

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// overrideCode updates an app after its create, because PostHog replaces some configured values, such as name and
// description, with the values that it finds in the code at the URL. PostHog accepts the configured values in an
// update. The tag stays unchanged, because it identifies the installed version of the code.
func overrideCode(
	ctx context.Context, apps *client.PipelineImportApps, created api.PipelineImportApp, planned Fields, configured func(string) bool, diags *diag.Diagnostics,
) api.PipelineImportApp {
	if planned.URL.IsNull() || created.ID == nil {
		return created
	}

	stored := FromAPI(created, Fields{}, &attribute.Response{})
	values, mine := attribute.FromStruct(&stored), attribute.FromStruct(&planned)
	for _, name := range []string{"name", "description", "icon", "config_schema", "public_jobs"} {
		storedText, _ := values[name].(jsontypes.Normalized)
		text, isJSON := mine[name].(jsontypes.Normalized)
		isSame := isJSON && attribute.SameJSON(storedText.ValueString(), text.ValueString())
		if configured(name) && !isSame {
			values[name] = mine[name]
		}
	}
	desired := stored
	attribute.ToStruct(&desired, values)

	request := ToAPI(desired, stored)
	if IsEmptyRequest(request) {
		return created
	}
	updated, err := apps.ChangeNew(ctx, *created.ID, created, RefuseOverwrite(created, request))
	switch {
	case client.IsNotFound(err): // PostHog hides the app; the caller detects this
		return created
	case err != nil:
		planned.ID = types.Int64Value(*created.ID)
		problem := attempt("update", planned).Diagnostic(err, nil)
		diags.AddWarning(warningTitle("The configured values were not written", planned),
			"PostHog created the app with the values from its code. Could not replace them with the configured values:\n\n"+problem.Summary()+"\n\n"+problem.Detail())
		return created
	}
	return updated
}

// RefuseOverwrite returns a function that decides on a new app's first update. If someone has changed a value since the
// create, and the update sends this value, the update fails.
func RefuseOverwrite(created api.PipelineImportApp, request api.PipelineImportAppRequest) func(ctx context.Context, live api.PipelineImportApp) (api.PipelineImportAppRequest, error) {
	return func(_ context.Context, live api.PipelineImportApp) (api.PipelineImportAppRequest, error) {
		base, current := FromAPI(created, Fields{}, &attribute.Response{}), FromAPI(live, Fields{}, &attribute.Response{})
		baseValues, currentValues, isSent := attribute.FromStruct(&base), attribute.FromStruct(&current), attribute.SentAttributes(request)
		for _, name := range slices.Sorted(maps.Keys(currentValues)) {
			if isSent(name) && !attribute.SameValue(currentValues[name], baseValues[name]) {
				return request, errors.New("someone has changed its " + name + " meanwhile: plan again")
			}
		}
		return request, nil
	}
}
