package acctest

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/require"
)

// Resource runs one resource in process over protocol version 6: validate, plan, apply, refresh, and import. It
// keeps the state between calls as Terraform does. Use it for tests that need no command line, such as plans,
// property tests, and large numbers of inputs.
type Resource struct {
	t        testing.TB
	env      *Env
	server   tfprotov6.ProviderServer
	typeName string
	schema   *tfprotov6.SchemaBlock
	version  int64
	objType  tftypes.Type
	state    tftypes.Value
	private  []byte
	identity *tfprotov6.ResourceIdentityData
	// unrefreshed is the state before the last refresh. It is nil if there was no refresh since the last
	// write.
	unrefreshed *tftypes.Value
	// isPlanned is true if this run has planned to create the object, which Terraform does once in a run.
	isPlanned bool
	// tainted is true after a create with errors. Terraform then replaces the object.
	tainted bool
}

// writeOnlyAllowed is the capability that Terraform 1.11 and later advertise.
var writeOnlyAllowed = &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true}

// Resource returns a resource of the provider whose object does not exist yet.
func (env *Env) Resource(t testing.TB, typeName string) *Resource {
	t.Helper()
	return env.Resources(t, typeName, 1)[0]
}

// Resources returns n resources that share a provider, as in one Terraform run.
func (env *Env) Resources(t testing.TB, typeName string, n int) []*Resource {
	t.Helper()
	server, types := env.serve(t)
	schema := types.ResourceSchemas[typeName]
	require.NotNil(t, schema, "resource %s does not exist", typeName)

	objects := make([]*Resource, n)
	for i := range objects {
		objects[i] = &Resource{
			t: t, env: env, server: server, typeName: typeName, schema: schema.Block, version: schema.Version, objType: schema.ValueType(),
			state: tftypes.NewValue(schema.ValueType(), nil),
		}
	}
	return objects
}

// Validate checks a configuration with an unconfigured provider, as terraform validate does. The configuration
// maps attributes to values: lists are []any, objects are map[string]any, and an unknown value is
// [tftypes.UnknownValue].
func (o *Resource) Validate(config map[string]any) Diagnostics {
	o.t.Helper()
	unconfigured, err := o.env.Factories()["posthog"]()
	require.NoError(o.t, err)
	resp, err := unconfigured.ValidateResourceConfig(o.t.Context(), &tfprotov6.ValidateResourceConfigRequest{
		TypeName: o.typeName, Config: encode(o.t, value(o.t, o.objType, config)), ClientCapabilities: writeOnlyAllowed,
	})
	require.NoError(o.t, err)
	return resp.Diagnostics
}

// Encode returns a configuration in the form in which Terraform sends it.
func (o *Resource) Encode(config map[string]any) *tfprotov6.DynamicValue {
	o.t.Helper()
	return encode(o.t, value(o.t, o.objType, config))
}

// Plan validates and plans a configuration.
func (o *Resource) Plan(config map[string]any) Plan {
	o.t.Helper()
	return o.PlanIgnoring(config)
}

// PlanIgnoring is [Resource.Plan] with ignore_changes: like Terraform, it validates the configuration unchanged, and
// plans it with the prior values of ignored attributes.
func (o *Resource) PlanIgnoring(config map[string]any, ignored ...string) Plan {
	o.t.Helper()
	decoded := value(o.t, o.objType, config)
	resp, err := o.server.ValidateResourceConfig(o.t.Context(), &tfprotov6.ValidateResourceConfigRequest{
		TypeName: o.typeName, Config: encode(o.t, decoded), ClientCapabilities: writeOnlyAllowed,
	})
	require.NoError(o.t, err)

	if len(ignored) > 0 {
		config, prior := attributeValues(o.t, decoded), attributeValues(o.t, o.state)
		for _, name := range ignored {
			config[name] = prior[name]
		}
		decoded = tftypes.NewValue(o.objType, config)
	}
	return o.plan(decoded, resp.Diagnostics)
}

func (o *Resource) plan(config tftypes.Value, diags Diagnostics) Plan {
	o.t.Helper()
	if diags.HasError() {
		return Plan{Diagnostics: diags}
	}

	prior, private, identity := o.state, o.private, o.identity
	if o.tainted { // Terraform plans a tainted object without its prior state
		prior, private, identity = tftypes.NewValue(o.objType, nil), nil, nil
	}
	if prior.IsNull() {
		if o.isPlanned {
			o.env.NextRun(o.t, o)
		}
		o.isPlanned = true
	}

	resp, err := o.server.PlanResourceChange(o.t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: o.typeName, PriorState: encode(o.t, prior), Config: encode(o.t, config),
		ProposedNewState: encode(o.t, propose(o.t, o.schema.Attributes, config, prior)),
		PriorPrivate:     private, PriorIdentity: identity,
	})
	require.NoError(o.t, err)

	plan := Plan{
		Diagnostics: append(diags, resp.Diagnostics...), RequiresReplace: resp.RequiresReplace,
		private: resp.PlannedPrivate, identity: resp.PlannedIdentity, config: config,
	}

	if resp.PlannedState != nil && !plan.Diagnostics.HasError() {
		plan.Planned = decode(o.t, resp.PlannedState, o.objType)
	}

	return plan
}

// IsEmpty reports whether the plan changes nothing.
func (o *Resource) IsEmpty(p Plan) bool {
	return !p.Diagnostics.HasError() && !o.tainted && p.Planned.Equal(o.state)
}

// Apply plans and applies a configuration.
func (o *Resource) Apply(config map[string]any) Diagnostics {
	o.t.Helper()
	return o.ApplyPlan(o.Plan(config))
}

// ApplyPlan applies a plan, and returns the diagnostics of the plan and the apply. It does not apply an empty
// plan.
func (o *Resource) ApplyPlan(plan Plan) Diagnostics {
	o.t.Helper()
	diags := plan.Diagnostics
	if o.tainted && !diags.HasError() {
		diags = append(diags, o.Destroy()...)
	}

	if diags.HasError() || o.IsEmpty(plan) {
		return diags
	}
	return append(diags, o.apply(plan)...)
}

// ApplyLike applies the plan of another object of the same type with this object's configuration and state.
// Planning sends no requests, so many objects that differ only in their names can share one plan.
func (o *Resource) ApplyLike(model Plan, config map[string]any) Diagnostics {
	o.t.Helper()
	plan := Plan{config: value(o.t, o.objType, config), private: model.private, identity: model.identity}
	configured, planned, prior := attributeValues(o.t, plan.config), attributeValues(o.t, model.Planned), map[string]tftypes.Value{}

	if o.Exists() {
		plan.private, plan.identity, prior = o.private, o.identity, attributeValues(o.t, o.state)
	}

	for name := range planned {
		if value, ok := prior[name]; ok && planned[name].IsKnown() {
			planned[name] = value
		}
		if !configured[name].IsNull() {
			planned[name] = configured[name]
		}
	}

	plan.Planned = tftypes.NewValue(o.objType, planned)
	return o.apply(plan)
}

// Destroy plans and applies the destruction of the object.
func (o *Resource) Destroy() Diagnostics {
	o.t.Helper()
	nothing := tftypes.NewValue(o.objType, nil)
	return o.apply(Plan{Planned: nothing, config: nothing, private: o.private})
}

// PlanDestroy plans the destruction of the object.
func (o *Resource) PlanDestroy() Plan {
	o.t.Helper()
	nothing := encode(o.t, tftypes.NewValue(o.objType, nil))
	resp, err := o.server.PlanResourceChange(o.t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: o.typeName, PriorState: encode(o.t, o.state), Config: nothing, ProposedNewState: nothing,
		PriorPrivate: o.private, PriorIdentity: o.identity,
	})
	require.NoError(o.t, err)
	return Plan{Diagnostics: resp.Diagnostics, Planned: decode(o.t, resp.PlannedState, o.objType), private: resp.PlannedPrivate}
}

// PlanReplace plans as terraform plan -replace does: first a change to the configuration, and then a create
// without a prior state. It returns the plan of the create, with the diagnostics of both.
func (o *Resource) PlanReplace(config map[string]any) Plan {
	o.t.Helper()
	if o.isPlanned {
		o.env.NextRun(o.t, o)
	}
	change := o.Plan(config)
	if change.Diagnostics.HasError() {
		return change
	}

	asNew := *o
	asNew.tainted, o.isPlanned = true, true
	return asNew.plan(change.config, change.Diagnostics)
}

func (o *Resource) apply(plan Plan) Diagnostics {
	o.t.Helper()
	resp, err := o.server.ApplyResourceChange(o.t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: o.typeName, PriorState: encode(o.t, o.state), PlannedState: encode(o.t, plan.Planned),
		Config: encode(o.t, plan.config), PlannedPrivate: plan.private, PlannedIdentity: plan.identity,
	})
	require.NoError(o.t, err)

	isNew := o.state.IsNull()
	o.unrefreshed, o.isPlanned = nil, o.isPlanned && !isNew
	o.setState(resp.NewState, resp.Private, resp.NewIdentity)
	failed := Diagnostics(resp.Diagnostics).HasError()
	o.tainted = o.Exists() && (o.tainted || isNew && failed)
	if !failed {
		requirePlanned(o.t, plan.Planned, o.state, o.typeName)
	}
	return resp.Diagnostics
}

// Exists reports whether the state contains the object.
func (o *Resource) Exists() bool { return !o.state.IsNull() }

// Refresh reads the object into the state.
func (o *Resource) Refresh() Diagnostics {
	o.t.Helper()
	resp, err := o.server.ReadResource(o.t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: o.typeName, CurrentState: encode(o.t, o.state), Private: o.private, CurrentIdentity: o.identity,
	})
	require.NoError(o.t, err)
	prior := o.state
	o.unrefreshed = &prior
	o.setState(resp.NewState, resp.Private, resp.NewIdentity)
	return resp.Diagnostics
}

// Import imports an existing object and reads it.
func (o *Resource) Import(id string) Diagnostics {
	o.t.Helper()
	resp, err := o.server.ImportResourceState(o.t.Context(), &tfprotov6.ImportResourceStateRequest{TypeName: o.typeName, ID: id})
	require.NoError(o.t, err)
	if len(resp.ImportedResources) != 1 {
		return resp.Diagnostics
	}

	saved := *o
	o.setState(resp.ImportedResources[0].State, resp.ImportedResources[0].Private, resp.ImportedResources[0].Identity)

	read := o.Refresh()
	if read.HasError() {
		*o = saved
	}
	return append(resp.Diagnostics, read...)
}

func (o *Resource) setState(state *tfprotov6.DynamicValue, private []byte, identity *tfprotov6.ResourceIdentityData) {
	if state != nil {
		o.state = decode(o.t, state, o.objType)
	}
	o.private, o.identity = private, identity
}

// State returns the value of an attribute in the state, as a string, bool, *big.Float, []any, map[string]any,
// or nil.
func (o *Resource) State(attribute string) any {
	o.t.Helper()
	return goValue(o.t, attributeValues(o.t, o.state)[attribute])
}
