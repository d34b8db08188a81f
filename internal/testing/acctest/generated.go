package acctest

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/require"
)

// PlanGenerated plans the configuration that the provider generates for the state, as
// terraform plan -generate-config-out does for what it imports.
func (o *Resource) PlanGenerated() (config map[string]any, plan Plan) {
	o.t.Helper()
	resp, err := o.server.GenerateResourceConfig(o.t.Context(), &tfprotov6.GenerateResourceConfigRequest{
		TypeName: o.typeName, State: encode(o.t, o.state),
	})
	require.NoError(o.t, err)
	require.Empty(o.t, resp.Diagnostics)
	generated := decode(o.t, resp.Config, o.objType)

	valid, err := o.server.ValidateResourceConfig(o.t.Context(), &tfprotov6.ValidateResourceConfigRequest{
		TypeName: o.typeName, Config: encode(o.t, generated),
	})
	require.NoError(o.t, err)
	return valuesOf(o.t, resp.Config, o.objType), o.plan(generated, valid.Diagnostics)
}
