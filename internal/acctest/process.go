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

// schemas are asked for once: they are the same in every World.
var schemas = sync.OnceValues(func() (*tfprotov6.GetProviderSchemaResponse, error) {
	return providerserver.NewProtocol6(&provider.Provider{})().GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
})

// serve starts the provider as a run of Terraform does: configured by its environment,
// nothing remembered.
func (w *World) serve(t testing.TB) (tfprotov6.ProviderServer, *tfprotov6.GetProviderSchemaResponse) {
	t.Helper()
	types, err := schemas()
	require.NoError(t, err)
	require.Empty(t, Diagnostics(types.Diagnostics).Text())
	server, err := w.Factories()["posthog"]()
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
func (w *World) NextRun(t testing.TB, objects ...*Object) {
	t.Helper()
	server, _ := w.serve(t)
	for _, o := range objects {
		o.server = server
	}
}

// concurrency is how many objects Terraform works on at a time.
const concurrency = 10

// Each calls a function for each object and its place, as many at a time as Terraform
// works on, and returns when all are done.
func Each(objects []*Object, do func(i int, o *Object)) {
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
func (w *World) Data(t testing.TB, typeName string, config map[string]any) (map[string]any, Diagnostics) {
	t.Helper()
	server, types := w.serve(t)
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
		values[name] = golang(t, one)
	}
	return values, resp.Diagnostics
}

// ApplyLike applies the plan of another object of the same kind, with this one's
// configuration and state in it. Planning asks nothing of the service: where many
// objects differ in their names alone, one plan serves all.
func (o *Object) ApplyLike(other Plan, config map[string]any) Diagnostics {
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
func (w *World) Configure(t testing.TB, block map[string]any, environment map[string]string) Diagnostics {
	t.Helper()
	types, err := schemas()
	require.NoError(t, err)
	other := *w
	other.Environment = maps.Clone(w.Environment)
	maps.Copy(other.Environment, environment)
	server, err := other.Factories()["posthog"]()
	require.NoError(t, err)
	resp, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		Config: encode(t, value(t, types.Provider.ValueType(), block)),
	})
	require.NoError(t, err)
	return resp.Diagnostics
}
