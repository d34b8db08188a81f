package acctest

import (
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// Upgrade passes the state to the provider as Terraform does with the contents of a state file, and stores the
// result. changes edit the attributes first, as someone might edit the file.
func (o *Resource) Upgrade(changes ...func(attributes map[string]any)) Diagnostics {
	o.t.Helper()
	attributes, ok := attribute.Plain(o.state).(map[string]any)
	require.True(o.t, ok, "the resource has no state to upgrade")
	for _, change := range changes {
		change(attributes)
	}

	document, err := json.Marshal(attributes)
	require.NoError(o.t, err)
	return o.UpgradeState(o.version, document)
}

// UpgradeState passes the attributes of a state with an earlier schema version to the provider, and stores the
// result.
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

// Source is an object of another provider that a moved block takes over.
type Source struct {
	// Provider is the address of the other provider.
	Provider string
	Type     string
	Version  int64
	// Attributes are the object's attributes in the state file.
	Attributes, Private []byte
}

// Source returns this object as it appears in the state file of another provider.
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
