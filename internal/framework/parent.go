package framework

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// Parent is the kind of parent that objects belong to: a project or an organization.
type Parent struct {
	// Noun is the word for the parent in errors, such as project. With the suffix _id, it is also the argument's
	// name.
	Noun string
	// form is the form of an ID: ID or UUID.
	form string
	// child is the kind of object. belongs is a sentence about the object's parent. lost lists the object and
	// everything else that a replacement loses.
	child, belongs, lost string
	// variable is the environment variable for the parent's ID.
	variable string
	// provided returns the provider's default. refused returns the error for an ID that is not allowed.
	provided func(*Data) string
	refused  func(client.Allowed, string) *client.NotAllowedError
}

// Project and Organization are the parents of surveys and of import apps.
var (
	Project = Parent{
		Noun: "project", form: "ID", child: "survey", belongs: "A survey belongs to a project.", lost: "the survey, and its answers are not moved",
		variable: "POSTHOG_PROJECT_ID", provided: func(d *Data) string { return d.ProjectID }, refused: client.Allowed.Project,
	}
	Organization = Parent{
		Noun: "organization", form: "UUID", child: "import app", belongs: "An import app belongs to an organization.", lost: "the app",
		variable: "POSTHOG_ORGANIZATION_ID", provided: func(d *Data) string { return d.OrganizationID }, refused: client.Allowed.Organization,
	}
)

// Label identifies a parent in a sentence.
func (p Parent) Label(id string) string { return p.Noun + " " + id }

// WhereToLook returns the description of the parent attribute in data sources and lists.
func (p Parent) WhereToLook() string {
	return fmt.Sprintf("ID of the %s to read from. Defaults to the `%s` of the provider.", p.Noun, p.Argument())
}

// Argument returns the name of the argument with the parent's ID.
func (p Parent) Argument() string { return p.Noun + "_id" }

// Provided returns the provider's default. It returns an empty string if there is none, and before the provider is
// configured.
func (p Parent) Provided(data *Data) string {
	if data == nil {
		return ""
	}
	return p.provided(data)
}

// Find returns the configured ID, or the provider's default. If neither is set, it adds an error and returns false.
func (p Parent) Find(data *Data, configured types.String, diags *diag.Diagnostics) (types.String, bool) {
	if configured.ValueString() != "" {
		return configured, true
	}
	if provided := p.Provided(data); provided != "" {
		return types.StringValue(provided), true
	}
	p.missing(diags)
	return configured, false
}

// AtApply is like Find, for a create's planned ID.
func (p Parent) AtApply(data *Data, planned types.String, diags *diag.Diagnostics) (types.String, bool) {
	if planned.IsUnknown() || planned.ValueString() != "" {
		return p.Find(data, planned, diags)
	}
	p.missing(diags)
	return planned, false
}

// missing reports that no ID is configured, and where to set one.
func (p Parent) missing(diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root(p.Argument()), "Missing "+p.Noun,
		fmt.Sprintf("%s Set %s here or in the provider block, or the environment variable %s.", p.belongs, p.Argument(), p.variable))
}

// Plan plans the ID for an object whose configuration omits it. name identifies the object in a sentence. A changed
// default does not move existing objects, because a changed environment variable must not destroy them.
func (p Parent) Plan(data *Data, prior types.String, name string, diags *diag.Diagnostics) types.String {
	provided := p.Provided(data)
	switch {
	case !prior.IsNull():
		if provided != "" && provided != prior.ValueString() {
			// All objects use the same title, so that Terraform shows one warning for all of them.
			diags.AddAttributeWarning(path.Root(p.Argument()), fmt.Sprintf("The provider's %s is %s, but %ss stay in %s", p.Noun, provided, p.child, p.Label(prior.ValueString())),
				fmt.Sprintf("The provider's %s is %s, but the %s %s is in %s, and Terraform keeps it there. To move it, set %s in the resource. This replaces %s.",
					p.Noun, provided, p.child, name, p.Label(prior.ValueString()), p.Argument(), p.lost))
		}
		return prior
	case provided != "":
		return types.StringValue(provided)
	case data == nil || data.Client == nil:
		return types.StringUnknown()
	}
	p.missing(diags)
	return types.StringUnknown()
}

// Check rejects an ID that is not allowed, before the plan reads anything. If the ID is known only after apply, the
// client checks it.
func (p Parent) Check(data *Data, id types.String, diags *diag.Diagnostics) {
	if data == nil || id.ValueString() == "" {
		return
	}
	if err := p.refused(data.Allowed, id.ValueString()); err != nil {
		diags.AddAttributeError(path.Root(p.Argument()), fmt.Sprintf("The %s %s is not allowed", err.Parent, err.ID),
			fmt.Sprintf("%s. Nothing was sent. Check that this run uses the right environment. To allow this ID, add it to %s.", err, err.Setting))
	}
}
