package acctest

import (
	"context"
	"maps"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider"
)

// schemas are asked for once: they are the same in every Env.
var providerSchemas = sync.OnceValues(func() (*tfprotov6.GetProviderSchemaResponse, error) {
	return providerserver.NewProtocol6(&provider.Provider{})().GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
})

// serve starts the provider as a run of Terraform does: configured by its environment,
// nothing remembered.
func (env *Env) serve(t testing.TB) (tfprotov6.ProviderServer, *tfprotov6.GetProviderSchemaResponse) {
	t.Helper()
	types, err := providerSchemas()
	require.NoError(t, err)
	require.Empty(t, Diagnostics(types.Diagnostics).Text())
	server, err := env.Factories()["posthog"]()
	require.NoError(t, err)
	resp, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		Config: encode(t, value(t, types.Provider.ValueType(), map[string]any{})),
	})
	require.NoError(t, err)
	require.Empty(t, Diagnostics(resp.Diagnostics).Text())
	return server, types
}

// NextRun gives objects a provider that knows nothing of what the one before did, as
// the next run of Terraform does.
func (env *Env) NextRun(t testing.TB, objects ...*Resource) {
	t.Helper()
	server, _ := env.serve(t)
	for _, o := range objects {
		o.server = server
	}
}

// concurrency is how many objects Terraform works on at a time.
const concurrency = 10

// Each calls a function for each object and its place, as many at a time as Terraform
// works on, and returns when all are done.
func Each(objects []*Resource, do func(i int, o *Resource)) {
	places := make(chan int)
	var wg sync.WaitGroup
	for range concurrency {
		wg.Go(func() {
			for i := range places {
				do(i, objects[i])
			}
		})
	}
	for i := range objects {
		places <- i
	}
	close(places)
	wg.Wait()
}

// Data reads a data source in a run of its own; the values are in the terms of State.
func (env *Env) Data(t testing.TB, typeName string, config map[string]any) (map[string]any, Diagnostics) {
	t.Helper()
	server, types := env.serve(t)
	schema := types.DataSourceSchemas[typeName]
	require.NotNil(t, schema, "no data source is called %s", typeName)
	resp, err := server.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{
		TypeName: typeName, Config: encode(t, value(t, schema.ValueType(), config)),
	})
	require.NoError(t, err)
	if resp.State == nil || Diagnostics(resp.Diagnostics).HasError() {
		return nil, resp.Diagnostics
	}
	values := map[string]any{}
	for name, one := range attributesOf(t, decode(t, resp.State, schema.ValueType())) {
		values[name] = goValue(t, one)
	}
	return values, resp.Diagnostics
}

// ApplyLike applies the plan of another object of the same kind, with this one's
// configuration and state in it. Planning asks nothing of the service: where many
// objects differ in their names alone, one plan serves all.
func (o *Resource) ApplyLike(other Plan, config map[string]any) Diagnostics {
	o.t.Helper()
	plan := Plan{config: value(o.t, o.objType, config), private: other.private, identity: other.identity}
	configured, planned, had := attributesOf(o.t, plan.config), attributesOf(o.t, other.Planned), map[string]tftypes.Value{}
	if o.Exists() {
		plan.private, plan.identity, had = o.private, o.identity, attributesOf(o.t, o.state)
	}
	for name := range planned {
		if own, ok := had[name]; ok && planned[name].IsKnown() {
			planned[name] = own
		}
		if !configured[name].IsNull() {
			planned[name] = configured[name]
		}
	}
	plan.Planned = tftypes.NewValue(o.objType, planned)
	return o.apply(plan)
}

// Configure configures the provider with a provider block and more variables of the
// environment, and returns the diagnostics.
func (env *Env) Configure(t testing.TB, block map[string]any, environment map[string]string) Diagnostics {
	t.Helper()
	types, err := providerSchemas()
	require.NoError(t, err)
	other := *env
	other.Environment = maps.Clone(env.Environment)
	maps.Copy(other.Environment, environment)
	server, err := other.Factories()["posthog"]()
	require.NoError(t, err)
	resp, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		Config: encode(t, value(t, types.Provider.ValueType(), block)),
	})
	require.NoError(t, err)
	return resp.Diagnostics
}
