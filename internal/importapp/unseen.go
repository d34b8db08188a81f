package importapp

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// An update replaces what it sends, so it would wipe what somebody changed of that between
// plan and apply; a destroy ends what somebody may have made something else of. Before both
// the app is read, and compared with the prior state as a refresh compares. No activity log
// says who changed an app.

// serviceOnly are the attributes that no person edits, and the address, which stays.
var serviceOnly = []string{"id", "organization_id", "organization_name", "url", "latest_tag", "hog_function_migration_available"}

// errRefused is the error of a write that is not made: the diagnostics say why.
var errRefused = errors.New("refused")

// comparing is what the attributes mean.
var comparing = attribute.Comparison{Same: func(_ string, one, other attr.Value) bool { return attribute.SameValue(one, other) }}

// unseenEdits says in lines what was changed of the attributes that matter since the plan.
func (r *Resource) unseenEdits(
	ctx context.Context, live api.PipelineImportApp, matters func(name string) bool, planned, prior Fields, private attribute.PrivateState, diags *diag.Diagnostics,
) []string {
	stored := r.asRead(ctx, live, prior, &attribute.Response{Memory: attribute.LoadMemory(ctx, private, displayName(prior), diags)}, private, diags)
	return comparing.Unseen(matters, &planned, &prior, &stored)
}

// refuseUnseen adds an error, and returns errRefused, if the app was edited since the plan of
// its destroy. Without the normalization memory, which the destroy of a tainted app lacks, a
// value that the service changed looks like an edit: then only is_global counts.
func (r *Resource) refuseUnseen(ctx context.Context, live api.PipelineImportApp, prior Fields, private attribute.PrivateState, diags *diag.Diagnostics) error {
	hasMemory := attribute.HasMemory(ctx, private)
	edits := r.unseenEdits(ctx, live, func(name string) bool {
		return name == "is_global" || hasMemory && !slices.Contains(serviceOnly, name)
	}, prior, prior, private, diags)
	if len(edits) == 0 {
		return nil
	}
	diags.Append(attempt("delete", prior).UnseenDelete(edits))
	return errRefused
}

// overrideCode writes once more what a create was sent and the service replaced by what
// it found in the code at the url: name, description and the like. The service takes
// them in an update. The tag stays: it says which version of the code there is.
func (r *Resource) overrideCode(
	ctx context.Context, created api.PipelineImportApp, planned Fields, configured func(string) bool, diags *diag.Diagnostics,
) api.PipelineImportApp {
	if planned.URL.IsNull() || created.ID == nil {
		return created
	}

	stored := FromAPI(created, Fields{}, &attribute.Response{})
	values, mine := attribute.FromStruct(&stored), attribute.FromStruct(&planned)
	for _, name := range []string{"name", "description", "icon", "config_schema", "public_jobs"} {
		held, _ := values[name].(jsontypes.Normalized)
		text, isJSON := mine[name].(jsontypes.Normalized)
		isSame := isJSON && attribute.SameJSON(held.ValueString(), text.ValueString())
		if configured(name) && !isSame {
			values[name] = mine[name]
		}
	}
	wanted := stored
	attribute.ToStruct(&wanted, values)

	request := ToAPI(wanted, stored)
	if IsEmptyRequest(request) {
		return created
	}
	updated, err := r.apps(planned).ChangeCreated(ctx, *created.ID, created, UnlessChanged(created, request))
	switch {
	case client.IsNotFound(err): // hidden by the service: the caller finds that out
		return created
	case err != nil:
		planned.ID = types.Int64Value(*created.ID)
		problem := attempt("update", planned).Diagnostic(err, nil)
		diags.AddWarning(titleOf("The configured values were not written", planned),
			"The app was created with the values of its code. Replacing them with the configured values failed:\n\n"+problem.Summary()+"\n\n"+problem.Detail())
		return created
	}
	return updated
}

// UnlessChanged decides on an update of an app that was just created: it fails if somebody has
// changed what it sends since.
func UnlessChanged(created api.PipelineImportApp, request api.PipelineImportAppRequest) func(ctx context.Context, live api.PipelineImportApp) (api.PipelineImportAppRequest, error) {
	return func(_ context.Context, live api.PipelineImportApp) (api.PipelineImportAppRequest, error) {
		was, is := FromAPI(created, Fields{}, &attribute.Response{}), FromAPI(live, Fields{}, &attribute.Response{})
		before, now, isSent := attribute.FromStruct(&was), attribute.FromStruct(&is), attribute.SentIn(request)
		for _, name := range slices.Sorted(maps.Keys(now)) {
			if isSent(name) && !attribute.SameValue(now[name], before[name]) {
				return request, errors.New("somebody has changed its " + name + " meanwhile: plan again")
			}
		}
		return request, nil
	}
}
