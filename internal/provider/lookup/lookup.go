// Package lookup has the data sources and list resources that surveys and import apps have
// in common: lists of what a project or an organization holds, and data sources that return
// the response of an operation. Resource types give the model, the filter and the request.
package lookup

import (
	"context"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/diagnose"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
)

// Parent is what objects are looked for in: a project or an organization.
type Parent struct {
	// Noun is how errors call it: project.
	Noun string
	// Find returns the configured one or, where there is none, that of the provider.
	Find func(data *providerdata.Data, configured types.String, diags *diag.Diagnostics) (types.String, bool)
}

// Project and Organization are the parents of surveys and of import apps.
var (
	Project      = Parent{"project", (*providerdata.Data).Project}
	Organization = Parent{"organization", (*providerdata.Data).Organization}
)

func (p Parent) name(id types.String) string { return p.Noun + " " + id.ValueString() }

// configured reads the configuration of a data source into its model and sets the parent there.
// It reports false, with an error, if nothing can be looked up.
func (p Parent) configured(
	ctx context.Context, data *providerdata.Data, config tfsdk.Config, m interface{ ParentID() *types.String }, diags *diag.Diagnostics,
) (types.String, bool) {
	diags.Append(config.Get(ctx, m)...)
	if diags.HasError() || !data.Ready(diags) {
		return types.String{}, false
	}

	parent, ok := p.Find(data, *m.ParentID(), diags)
	if ok {
		*m.ParentID() = parent
	}
	return parent, ok
}

// Objects are the objects of a resource type, as lists show them. F is the model of one.
type Objects[F any] struct {
	// TypeName is that of the list resource or data source, without the provider's name.
	TypeName string
	// Plural is how errors call them: surveys.
	Plural string
	Parent Parent
	// All yields the objects of a parent in the order of the service.
	All func(ctx context.Context, c *client.Client, parent types.String) iter.Seq2[F, error]
}

// failed is what is said of a list that could not be read: an error, and no more than a
// warning of one that the service has removed, which may be nothing.
func (o Objects[F]) failed(parent types.String, err error) diag.Diagnostics {
	attempt := diagnose.Attempt{Verb: "list", Noun: o.Plural, Parent: o.Parent.name(parent)}
	if client.IsRemoved(err) {
		return attempt.Removed(err)
	}
	return diag.Diagnostics{attempt.Diagnostic(err, nil)}
}

// Filter is the model of a block that lists objects: where to look, and which are wanted.
type Filter[M, F any] interface {
	*M
	// ParentID is the attribute that names the parent.
	ParentID() *types.String
	// Matches reports whether an object passes every filter that is set.
	Matches(object F) bool
}
