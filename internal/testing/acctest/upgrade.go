package acctest

import (
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// Upgrade hands the state to the provider as Terraform does with what it finds in a
// state file, and takes what comes back. changes are what someone did to that file.
func (o *Resource) Upgrade(changes ...func(attributes map[string]any)) Diagnostics {
	o.t.Helper()
	attributes, ok := attribute.Plain(o.state).(map[string]any)
	require.True(o.t, ok, "there is no state")
	for _, change := range changes {
		change(attributes)
	}

	document, err := json.Marshal(attributes)
	require.NoError(o.t, err)
	return o.UpgradeState(o.version, document)
}

// UpgradeState hands the provider the attributes of a state with an earlier version of the
// schema, and takes the state that comes back.
func (o *Resource) UpgradeState(version int64, attributes []byte) Diagnostics {
	o.t.Helper()
	resp, err := o.server.UpgradeResourceState(o.t.Context(), &tfprotov6.UpgradeResourceStateRequest{
		TypeName: o.typeName, Version: version, RawState: &tfprotov6.RawState{JSON: attributes},
	})
	require.NoError(o.t, err)
	if resp.UpgradedState != nil && !Diagnostics(resp.Diagnostics).HasError() {
		o.state = decode(o.t, resp.UpgradedState, o.objType)
	}
	return resp.Diagnostics
}

// Source is the object that a moved block takes over from another provider.
type Source struct {
	// Provider is the address of that provider.
	Provider string
	Type     string
	Version  int64
	// Attributes are those in the state file.
	Attributes, Private []byte
}

// Source is this object as the state file of a provider at another address holds it.
func (o *Resource) Source(provider string) Source {
	o.t.Helper()
	attributes, err := json.Marshal(attribute.Plain(o.state))
	require.NoError(o.t, err)
	return Source{Provider: provider, Type: o.typeName, Version: o.version, Attributes: attributes, Private: o.private}
}

// Move moves an object of another provider to this one, as a moved block does.
func (o *Resource) Move(source Source) Diagnostics {
	o.t.Helper()
	resp, err := o.server.MoveResourceState(o.t.Context(), &tfprotov6.MoveResourceStateRequest{
		SourceProviderAddress: source.Provider, SourceTypeName: source.Type, SourceSchemaVersion: source.Version,
		SourceState: &tfprotov6.RawState{JSON: source.Attributes}, SourcePrivate: source.Private, TargetTypeName: o.typeName,
	})
	require.NoError(o.t, err)
	if !Diagnostics(resp.Diagnostics).HasError() {
		o.setState(resp.TargetState, resp.TargetPrivate, resp.TargetIdentity)
	}
	return resp.Diagnostics
}
