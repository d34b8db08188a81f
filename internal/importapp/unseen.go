package importapp

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// An update replaces the fields that it sends, and would overwrite edits that were made between
// plan and apply. A destroy would delete an app that someone may use differently since the plan.
// Therefore the provider reads the app before both, and compares it with the prior state as a
// refresh would. PostHog's activity log does not contain the author of a change to an app.

// serviceOnly are the attributes that users do not edit, and the URL, which never changes.
var serviceOnly = []string{"id", "organization_id", "organization_name", "url", "latest_tag", "hog_function_migration_available"}

// comparing compares the values of app attributes.
var comparing = attribute.Comparison{Same: func(_ string, a, b attr.Value) bool { return attribute.SameValue(a, b) }}

// unseenEdits lists the edits of relevant attributes since the plan, one per line.
func unseenEdits(live api.PipelineImportApp, matters func(name string) bool, planned, prior Fields, memory appMemory) []string {
	stored := asRead(live, prior, &attribute.Response{Memory: memory.Echo}, memory)
	return comparing.Unseen(matters, &planned, &prior, &stored)
}

// refuseUnseen adds an error and returns ErrRefused if the app was edited since its destroy was
// planned. A tainted app's destroy lacks the normalization memory. Values that PostHog normalized
// then look like edits, so only is_global counts.
func refuseUnseen(ctx context.Context, live api.PipelineImportApp, c *appCall, memory appMemory) error {
	hasMemory := attribute.HasMemory(ctx, c.Private)
	edits := unseenEdits(live, func(name string) bool {
		return name == "is_global" || hasMemory && !slices.Contains(serviceOnly, name)
	}, c.Prior.Fields, c.Prior.Fields, memory)
	if len(edits) == 0 {
		return nil
	}
	c.Diags.Append(attempt("delete", c.Prior.Fields).UnseenDelete(edits))
	return framework.ErrRefused
}
