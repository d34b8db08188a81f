package importapp

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// An update replaces the config schema, capabilities, metrics and public jobs as a
// whole, so it would wipe what somebody changed of them between plan and apply. Before
// such an update the app is read, and compared with the prior state as a refresh
// compares. No activity log says who changed an app.

// wholeValue is a value that an update replaces as a whole.
type wholeValue struct {
	name                   string
	isSent                 bool
	planned, prior, stored jsontypes.Normalized
}

// wholeValues are those of a request; stored is what the service holds.
func wholeValues(request api.PipelineImportAppRequest, planned, prior, stored Fields) []wholeValue {
	return []wholeValue{
		{"config_schema", request.ConfigSchema.IsSpecified(), planned.ConfigSchema, prior.ConfigSchema, stored.ConfigSchema},
		{"capabilities", request.Capabilities.IsSpecified(), planned.Capabilities, prior.Capabilities, stored.Capabilities},
		{"metrics", request.Metrics.IsSpecified(), planned.Metrics, prior.Metrics, stored.Metrics},
		{"public_jobs", request.PublicJobs.IsSpecified(), planned.PublicJobs, prior.PublicJobs, stored.PublicJobs},
	}
}

func replacesWhole(request api.PipelineImportAppRequest) bool {
	for _, one := range wholeValues(request, Fields{}, Fields{}, Fields{}) {
		if one.isSent {
			return true
		}
	}
	return false
}

// unseenEdits reads the app when the request replaces a whole value, and says in lines
// what was changed of those values since the plan. What was changed to the planned
// value is no loss.
func (r *Resource) unseenEdits(ctx context.Context, request api.PipelineImportAppRequest, planned, prior Fields, private attribute.PrivateState, diags *diag.Diagnostics) ([]string, error) {
	if !replacesWhole(request) {
		return nil, nil
	}
	live, err := r.apps(prior).Retrieve(ctx, prior.ID.ValueInt64())
	if err != nil {
		return nil, err
	}

	stored := r.asRead(ctx, live, prior, &attribute.Answer{Memory: attribute.LoadMemory(ctx, private, diags)}, private, diags)
	var edits []string
	for _, one := range wholeValues(request, planned, prior, stored) {
		before, now := one.prior.ValueString(), one.stored.ValueString()
		if one.isSent && !attribute.EquivalentJSON(now, before) && !attribute.EquivalentJSON(now, one.planned.ValueString()) {
			edits = append(edits, attribute.JSONEdits(one.name, before, now)...)
		}
	}
	return edits, nil
}
