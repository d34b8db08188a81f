package terraform

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// foreseen contains what a run has read from PostHog about the planned creates in one project.
type foreseen struct {
	names *client.Catalog
	// isBlind is set if the key may not read flags, or if PostHog does not support the request.
	isBlind atomic.Bool
}

// foreseenKey is the key for a project's foreseen value in [framework.Data.Existing].
type foreseenKey struct{ project string }

// foresee adds errors and warnings for values in a planned create that PostHog would reject, as far as reads can reveal
// them. The table in package framework lists which check detects which mistake.
func (r *Resource) foresee(ctx context.Context, planned survey.Fields, diags *diag.Diagnostics) {
	project := planned.ProjectID.ValueString()
	if r.Data == nil || r.Client == nil || project == "" || diags.HasError() {
		return
	}

	found, _ := r.Existing.LoadOrStore(foreseenKey{project}, &foreseen{names: r.Client.Surveys(project).Catalog()})
	known, _ := found.(*foreseen)
	id, err := known.names.Find(ctx, planned.Name.ValueString())
	attempt("create", planned).Foresee(ctx, r.Client, "survey:write", err, diags)
	if diags.HasError() || err != nil {
		return
	}

	r.warnOfTakenName(id, planned, diags)
	var variant string
	_ = json.Unmarshal(attribute.ObjectKeys(planned.Conditions)["linkedFlagVariant"], &variant) // the checks reject a value that is not a string
	r.foreseeFlag(ctx, known, "linked_flag_id", planned.LinkedFlagID, variant, planned, diags)
	r.foreseeFlag(ctx, known, "targeting_flag_id", planned.TargetingFlagID, "", planned, diags)
}

// warnOfTakenName warns that the survey with an ID has a planned create's name. If the ID is empty, no survey has the
// name. The diagnostic is not an error, because Terraform may plan to rename or destroy that survey after the create.
func (r *Resource) warnOfTakenName(id string, planned survey.Fields, diags *diag.Diagnostics) {
	if id == "" || runLedger(r.Data).isFreed(id, newNameInProject(planned.ProjectID.ValueString(), planned.Name.ValueString())) {
		return
	}
	diags.AddAttributeWarning(path.Root("name"), fmt.Sprintf("The name %q is taken in project %s", planned.Name.ValueString(), planned.ProjectID.ValueString()),
		fmt.Sprintf("Survey %s has this name, and names are unique in a project, including archived surveys. "+
			"PostHog rejects the create, unless this plan also renames or deletes that survey. Use another name, or import the existing survey:\n\n"+
			"import {\n  to = posthog_survey.example # the address of this resource\n  id = %q\n}", id, planned.ProjectID.ValueString()+"/"+id))
}

// foreseeFlag adds an error if a planned create's flag does not exist, or if the flag lacks the configured variant.
func (r *Resource) foreseeFlag(ctx context.Context, known *foreseen, attributeName string, id types.Int64, variant string, planned survey.Fields, diags *diag.Diagnostics) {
	if id.IsNull() || id.IsUnknown() || known.isBlind.Load() {
		return
	}
	flag, err := r.Client.PlannedFlag(ctx, planned.ProjectID.ValueString(), id.ValueInt64())
	switch {
	case client.IsForbidden(err), client.IsEndpointNotFound(err):
		known.isBlind.Store(true)
	case client.IsNotFound(err):
		diags.AddAttributeError(path.Root(attributeName), fmt.Sprintf("Feature flag %d does not exist", id.ValueInt64()),
			fmt.Sprintf("Survey %q has %s = %d, but project %s does not have a feature flag with this ID, so PostHog would reject the create. "+
				"Use the number at the end of the flag's URL in PostHog, or the data source posthog_feature_flag with its key.",
				planned.Name.ValueString(), attributeName, id.ValueInt64(), planned.ProjectID.ValueString()))
	case err == nil && variant != "" && variant != "any":
		if names := variantsOf(flag); !slices.Contains(names, variant) {
			diags.AddAttributeError(path.Root("conditions"), fmt.Sprintf("Feature flag %d lacks the variant %q", id.ValueInt64(), variant),
				fmt.Sprintf("conditions.linkedFlagVariant of survey %q is %q, but %s, so PostHog would reject the create. Use one of its variants, or \"any\".",
					planned.Name.ValueString(), variant, describeVariants(id.ValueInt64(), names)))
		}
	}
}

// variantsOf returns the keys of a flag's variants.
func variantsOf(flag api.FeatureFlagDetail) (keys []string) {
	var multivariate struct {
		Variants []struct {
			Key string `json:"key"`
		} `json:"variants"`
	}
	if json.Unmarshal(flag.Filters["multivariate"], &multivariate) != nil {
		return nil
	}
	for _, one := range multivariate.Variants {
		keys = append(keys, one.Key)
	}
	return keys
}

func describeVariants(id int64, names []string) string {
	if len(names) == 0 {
		return fmt.Sprintf("feature flag %d has no variants", id)
	}
	return fmt.Sprintf("the variants of feature flag %d are %s", id, strings.Join(names, ", "))
}
