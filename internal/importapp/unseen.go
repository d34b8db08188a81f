package importapp

import (
	"context"
	"errors"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
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
var comparing = attribute.Comparison{Same: func(_ string, a, b attr.Value) bool { return attribute.SameValue(a, b) }}

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
