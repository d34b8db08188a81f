package acctest

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider"
)

// PlannedObject is an object with a configuration, in the encoding in which Terraform sends
// both: what a benchmark measures is the provider alone.
type PlannedObject struct {
	typeName                string
	version                 int64
	stateJSON               []byte
	state, config, proposed *tfprotov6.DynamicValue
	private                 []byte
	identity                *tfprotov6.ResourceIdentityData
}

// Planned is the object, as it was read last, with a configuration for it.
func (o *Resource) Planned(config map[string]any) PlannedObject {
	o.t.Helper()
	return o.planned(value(o.t, o.objType, config))
}

// PlannedGenerated is the object with the configuration that the provider generates for it.
func (o *Resource) PlannedGenerated() PlannedObject {
	o.t.Helper()
	resp, err := o.server.GenerateResourceConfig(o.t.Context(), &tfprotov6.GenerateResourceConfigRequest{
		TypeName: o.typeName, State: encode(o.t, o.state),
	})
	require.NoError(o.t, err)
	require.Empty(o.t, Diagnostics(resp.Diagnostics).Text())
	return o.planned(decode(o.t, resp.Config, o.objType))
}

func (o *Resource) planned(config tftypes.Value) PlannedObject {
	o.t.Helper()
	document, err := json.Marshal(attribute.Plain(o.state))
	require.NoError(o.t, err)
	return PlannedObject{
		typeName: o.typeName, version: o.version, stateJSON: document, private: o.private, identity: o.identity,
		state: encode(o.t, o.state), config: encode(o.t, config),
		proposed: encode(o.t, proposed(o.t, o.schema.Attributes, config, o.state)),
	}
}

// RunPlan makes the calls of one plan of objects, as Terraform does: a provider validates
// them, and another one reads and plans them. It returns how many the plan changes.
//
// No response is searched for the API key, which would take longer than the plan.
func (env *Env) RunPlan(t testing.TB, objects []PlannedObject) (changed int) {
	t.Helper()
	validating := env.unguarded(t)
	for _, o := range objects {
		require.NoError(t, o.validate(t.Context(), validating))
	}

	planning := env.unguarded(t)
	types, err := providerSchemas()
	require.NoError(t, err)
	configured, err := planning.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		Config: encode(t, value(t, types.Provider.ValueType(), map[string]any{})),
	})
	require.NoError(t, err)
	require.NoError(t, failed(configured.Diagnostics))

	for _, o := range objects {
		hasChanges, err := o.plan(t.Context(), planning)
		require.NoError(t, err)
		if hasChanges {
			changed++
		}
	}
	return changed
}

func (env *Env) unguarded(t testing.TB) tfprotov6.ProviderServer {
	t.Helper()
	server, err := provider.NewServer(env.provider())
	require.NoError(t, err)
	return server
}

func (p PlannedObject) validate(ctx context.Context, server tfprotov6.ProviderServer) error {
	resp, err := server.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{TypeName: p.typeName, Config: p.config})
	if err != nil {
		return err
	}
	return failed(resp.Diagnostics)
}

// plan makes the calls for one object, and reports whether the plan changes it.
func (p PlannedObject) plan(ctx context.Context, server tfprotov6.ProviderServer) (bool, error) {
	if _, err := server.UpgradeResourceState(ctx, &tfprotov6.UpgradeResourceStateRequest{
		TypeName: p.typeName, Version: p.version, RawState: &tfprotov6.RawState{JSON: p.stateJSON},
	}); err != nil {
		return false, err
	}

	read, err := server.ReadResource(ctx, &tfprotov6.ReadResourceRequest{
		TypeName: p.typeName, CurrentState: p.state, Private: p.private, CurrentIdentity: p.identity,
	})
	if err != nil {
		return false, err
	}
	if err := failed(read.Diagnostics); err != nil {
		return false, err
	}

	if err := p.validate(ctx, server); err != nil {
		return false, err
	}

	resp, err := server.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{
		TypeName: p.typeName, PriorState: p.state, ProposedNewState: p.proposed, Config: p.config,
		PriorPrivate: read.Private, PriorIdentity: p.identity,
	})
	if err != nil {
		return false, err
	}
	// Encodings of one value differ in the order of their keys, and not in their length.
	return len(resp.PlannedState.MsgPack) != len(p.state.MsgPack), failed(resp.Diagnostics)
}

// failed is an error of the errors among diagnostics.
func failed(diagnostics Diagnostics) error {
	if errs := diagnostics.Errors(); len(errs) > 0 {
		return fmt.Errorf("the provider says: %s", errs.Text())
	}
	return nil
}
