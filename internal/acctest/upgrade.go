package acctest

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/require"
)

// Upgrade hands the state to the provider as Terraform does with what it finds in a
// state file, and takes what comes back. changes are what somebody did to that file.
func (o *Resource) Upgrade(changes ...func(attributes map[string]any)) Diagnostics {
	o.t.Helper()
	attributes, ok := stateFileValue(o.t, o.state).(map[string]any)
	require.True(o.t, ok, "there is no state")
	for _, change := range changes {
		change(attributes)
	}
	document, err := json.Marshal(attributes)
	require.NoError(o.t, err)
	schemas, err := o.server.GetProviderSchema(o.t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	require.NoError(o.t, err)
	resp, err := o.server.UpgradeResourceState(o.t.Context(), &tfprotov6.UpgradeResourceStateRequest{
		TypeName: o.typeName, Version: schemas.ResourceSchemas[o.typeName].Version, RawState: &tfprotov6.RawState{JSON: document},
	})
	require.NoError(o.t, err)
	if resp.UpgradedState != nil {
		o.state = decode(o.t, resp.UpgradedState, o.objType)
	}
	return resp.Diagnostics
}

// stored is a value as a state file holds it.
func stateFileValue(t testing.TB, v tftypes.Value) any {
	t.Helper()
	if v.IsNull() {
		return nil
	}
	switch {
	case v.Type().Is(tftypes.Number):
		var n *big.Float
		require.NoError(t, v.As(&n))
		return json.Number(n.Text('f', -1))
	case v.Type().Is(tftypes.List{}):
		var list []tftypes.Value
		require.NoError(t, v.As(&list))
		out := make([]any, len(list))
		for i := range list {
			out[i] = stateFileValue(t, list[i])
		}
		return out
	case v.Type().Is(tftypes.Object{}), v.Type().Is(tftypes.Map{}):
		out := map[string]any{}
		for name, one := range attributesOf(t, v) {
			out[name] = stateFileValue(t, one)
		}
		return out
	}
	return goValue(t, v)
}
