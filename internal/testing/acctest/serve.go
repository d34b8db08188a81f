package acctest

import (
	"context"
	"maps"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider"
)

// providerSchemas caches the provider's schemas, which are the same in every Env.
var providerSchemas = sync.OnceValues(func() (*tfprotov6.GetProviderSchemaResponse, error) {
	return providerserver.NewProtocol6(&provider.Provider{})().GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
})

// serve starts a provider with its environment, as a new Terraform run does.
func (env *Env) serve(t testing.TB) (tfprotov6.ProviderServer, *tfprotov6.GetProviderSchemaResponse) {
	t.Helper()
	types, err := providerSchemas()
	require.NoError(t, err)
	require.Empty(t, Diagnostics(types.Diagnostics).Text())
	server, diags := env.configure(t, map[string]any{})
	require.Empty(t, diags.Text())
	return server, types
}

// configure starts a provider and configures it with a provider block.
func (env *Env) configure(t testing.TB, block map[string]any) (tfprotov6.ProviderServer, Diagnostics) {
	t.Helper()
	types, err := providerSchemas()
	require.NoError(t, err)
	server, err := env.Factories()["posthog"]()
	require.NoError(t, err)
	resp, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		Config: encode(t, value(t, types.Provider.ValueType(), block)),
	})
	require.NoError(t, err)
	return server, resp.Diagnostics
}

// NextRun gives the objects a new provider that remembers nothing, as the next Terraform run would.
func (env *Env) NextRun(t testing.TB, objects ...*Resource) {
	t.Helper()
	server, _ := env.serve(t)
	for _, o := range objects {
		o.server, o.isPlanned = server, false
	}
}

// concurrency is the number of objects on which Terraform works at the same time.
const concurrency = 10

// Each calls do for each object and its index. It processes as many objects at a time as Terraform does. It returns
// when all calls have returned.
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

// Configure configures the provider with a provider block and further environment variables, and returns the
// diagnostics.
func (env *Env) Configure(t testing.TB, block map[string]any, environment map[string]string) Diagnostics {
	t.Helper()
	configured := *env
	configured.Environment = maps.Clone(env.Environment)
	maps.Copy(configured.Environment, environment)
	_, diags := configured.configure(t, block)
	return diags
}
