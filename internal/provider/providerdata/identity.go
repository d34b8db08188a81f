package providerdata

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
)

// SetIdentity sets the identity of an object. It must run in create, read and update, even
// for an object that is gone: Terraform checks the identity after each, and a CLI without
// identities keeps none.
func SetIdentity(ctx context.Context, identity *tfsdk.ResourceIdentity, model any, diags *diag.Diagnostics) {
	if identity != nil {
		diags.Append(identity.Set(ctx, model)...)
	}
}
