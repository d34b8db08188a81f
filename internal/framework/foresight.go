package framework

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// Without the checks in this file, a plan that only creates objects would send no requests, and mistakes would appear
// only during the apply. Therefore the first planned create in a project or organization sends a few read requests. A
// plan without creates sends no additional requests. This table lists why PostHog may reject each request in an apply,
// and which check detects this during the plan:
//
//	request         refusal                                          detected by
//	any             wrong key (401), base_url or parent (404, page)  the refresh, or Foresee
//	any             missing read scope, or other project (403)       the refresh, or Foresee
//	create          read-only key (403)                              Foresee, by the key's scopes
//	create survey   name of another create (400)                     planCreate, without a request: a warning
//	create survey   name of another survey (400)                     Resource.foresee, by the list: a warning, because
//	                                                                 the same plan may free the name later
//	create survey   unknown linked or targeting flag (400)           Resource.foresee, by the flag
//	create survey   linkedFlagVariant that the flag lacks (400)      Resource.foresee, by the flag
//	create app      URL of another app (400)                         the apply
//	any             invalid values (400)                             package check, without a request
//	update, delete  changed or deleted since the plan                no plan: the look before each write
//	any             insight, cohort, flag of another product,        no plan: keys often may not read these, or
//	                feature_flag:write, plugin access level,         no route returns them to a key
//	                approvals, limits of a subscription
//
// A plan does not fail because the key lacks a read permission, or because PostHog does not respond.

// Foresee adds the diagnostics for operations that the API key cannot perform in the project or organization of a
// planned object. listed is the error that a list returned there.
func (a Attempt) Foresee(ctx context.Context, c *client.Client, scope string, listed error, diags *diag.Diagnostics) {
	switch {
	case client.IsRemoved(listed):
		return
	case client.IsCertain(listed):
		diags.AddError(a.about("The create would fail"),
			fmt.Sprintf("Before it creates an object, a plan lists the %ss in %s. %s\n\n%s", a.Noun, a.Parent, listed, a.nextStep(listed)))
		return
	case listed != nil:
		diags.AddWarning("Could not check what the plan creates in "+a.Parent,
			fmt.Sprintf("The plan lists the %ss in %[2]s to check the API key, %[2]s, and the names. %[3]s\n\nThe apply fails if PostHog still does not respond.",
				a.Noun, a.Parent, listed))
		return
	}

	scopes, known := c.KeyScopes(ctx)
	if !known || slices.Contains(scopes, "*") || slices.Contains(scopes, scope) {
		return
	}
	diags.AddError(a.about("The create would fail"),
		fmt.Sprintf("The API key cannot create a %s in %s, because it lacks the scope %s. Its scopes are: %s.\n\n"+
			"Add the scope to the key in PostHog, or set api_key (POSTHOG_API_KEY) to a key that has it.", a.Noun, a.Parent, scope, strings.Join(scopes, ", ")))
}
