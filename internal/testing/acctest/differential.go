package acctest

import (
	"bytes"
	"context"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/fastpath"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider"
)

// Differential answers every call for a resource twice: with the fast path, and with the framework only. It
// fails the test if the results differ.
type Differential struct {
	tfprotov6.ProviderServer
	// Reads, Plans, and Upgrades count the calls that the fast path answered itself.
	Reads, Plans, Upgrades atomic.Int64

	t     testing.TB
	slow  tfprotov6.ProviderServer
	types map[string]tftypes.Type
}

// Differential makes all later resources of env answer twice.
func (env *Env) Differential(t testing.TB) *Differential {
	t.Helper()
	fast, err := env.Factories()["posthog"]()
	require.NoError(t, err)
	slow, err := provider.NewSlowServer(env.provider())
	require.NoError(t, err)
	d := &Differential{ProviderServer: fast, t: t, slow: slow, types: map[string]tftypes.Type{}}
	schemas, err := d.slow.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	require.NoError(t, err)
	for name, schema := range schemas.ResourceSchemas {
		d.types[name] = schema.ValueType()
	}
	env.serves = d
	return d
}

// ConfigureProvider implements tfprotov6.ProviderServer.
func (d *Differential) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	if resp, err := d.slow.ConfigureProvider(ctx, req); err != nil || len(resp.Diagnostics) > 0 {
		return resp, err
	}
	return d.ProviderServer.ConfigureProvider(ctx, req)
}

// both makes a call twice, and compares the results and their diagnostics.
func both[Request, Response any](
	ctx context.Context, d *Differential, req Request, slow, fast func(context.Context, Request) (*Response, error),
) (want, got *Response, err error) {
	if want, err = slow(ctx, req); err != nil {
		return nil, nil, err
	}
	if got, err = fast(ctx, req); err != nil {
		return nil, nil, err
	}
	// The framework visits attributes in random order.
	lines := func(resp *Response) []string {
		diags, _ := reflect.TypeAssert[[]*tfprotov6.Diagnostic](reflect.ValueOf(resp).Elem().FieldByName("Diagnostics"))
		return strings.SplitAfter(Diagnostics(diags).Text(), "\n")
	}
	assert.ElementsMatch(d.t, lines(want), lines(got), "diagnostics for %T", req)
	return want, got, nil
}

// UpgradeResourceState implements tfprotov6.ResourceServer.
func (d *Differential) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	want, got, err := both(ctx, d, req, d.slow.UpgradeResourceState, d.ProviderServer.UpgradeResourceState)
	if err != nil {
		return nil, err
	}
	if got.UpgradedState != nil && got.UpgradedState.JSON != nil {
		d.Upgrades.Add(1)
	}
	d.sameState("upgrade", req.TypeName, want.UpgradedState, got.UpgradedState)
	return got, nil
}

// ReadResource implements tfprotov6.ResourceServer.
func (d *Differential) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	want, got, err := both(ctx, d, req, d.slow.ReadResource, d.ProviderServer.ReadResource)
	if err != nil {
		return nil, err
	}
	if got.NewState == req.CurrentState {
		d.Reads.Add(1)
	}
	d.sameState("read", req.TypeName, want.NewState, got.NewState)
	d.sameIdentity("read", want.NewIdentity, got.NewIdentity)
	d.samePrivate("read", want.Private, got.Private)
	return got, nil
}

// ValidateResourceConfig implements tfprotov6.ResourceServer.
func (d *Differential) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	_, got, err := both(ctx, d, req, d.slow.ValidateResourceConfig, d.ProviderServer.ValidateResourceConfig)
	return got, err
}

// PlanResourceChange implements tfprotov6.ResourceServer.
func (d *Differential) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	want, got, err := both(ctx, d, req, d.slow.PlanResourceChange, d.ProviderServer.PlanResourceChange)
	if err != nil {
		return nil, err
	}
	if got.PlannedState == req.PriorState {
		d.Plans.Add(1)
	}
	if !Diagnostics(want.Diagnostics).HasError() {
		d.sameState("plan", req.TypeName, want.PlannedState, got.PlannedState)
		d.sameIdentity("plan", want.PlannedIdentity, got.PlannedIdentity)
		d.samePrivate("plan", want.PlannedPrivate, got.PlannedPrivate)
		assert.Equal(d.t, len(want.RequiresReplace), len(got.RequiresReplace), "plan: number of attributes that require replacement")
	}
	return got, nil
}

func (d *Differential) sameState(call, typeName string, want, got *tfprotov6.DynamicValue) {
	if !assert.Equal(d.t, want == nil, got == nil, "%s: whether the response has a state", call) || want == nil {
		return
	}
	w, g := decode(d.t, want, d.types[typeName]), decode(d.t, got, d.types[typeName])
	if w.Equal(g) {
		return
	}
	differences, err := w.Diff(g)
	assert.NoError(d.t, err)
	for _, difference := range differences {
		assert.Fail(d.t, "the states differ", "%s: %s", call, difference)
	}
}

func (d *Differential) sameIdentity(call string, want, got *tfprotov6.ResourceIdentityData) {
	if assert.Equal(d.t, want == nil, got == nil, "%s: whether the response has an identity", call) && want != nil {
		assert.True(d.t, bytes.Equal(want.IdentityData.MsgPack, got.IdentityData.MsgPack),
			"%s: identity is %q, want %q", call, got.IdentityData.MsgPack, want.IdentityData.MsgPack)
	}
}

// samePrivate compares private state without the keys that only the fast path uses.
func (d *Differential) samePrivate(call string, want, got []byte) {
	w, g := privateKeys(d.t, want), privateKeys(d.t, got)
	delete(w, fastpath.SeenKey)
	delete(g, fastpath.SeenKey)
	assert.Equal(d.t, w, g, "%s: private state", call)
}
