package acctest

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/require"
)

// Listed is one result of a list resource.
type Listed struct {
	DisplayName string
	// Identity and Resource are values in the terms of [Resource.State]; Resource is nil
	// when it was not asked for.
	Identity, Resource map[string]any

	// generated asks for the configuration of the result.
	generated func() map[string]any
}

// Generated is the configuration that the provider generates for a result with its resource,
// as terraform query does for -generate-config-out and for policies.
func (l Listed) Generated() map[string]any { return l.generated() }

// List lists the objects of a resource type in process, as terraform query does, with
// a provider of its own. It stops after limit objects.
func (env *Env) List(t testing.TB, typeName string, config map[string]any, includeResource bool, limit int64) ([]Listed, Diagnostics) {
	t.Helper()

	server, schemas := env.serve(t)
	schema := schemas.ListResourceSchemas[typeName]
	require.NotNil(t, schema, "no list resource is called %s", typeName)
	lists, ok := server.(tfprotov6.ListResourceServer)
	require.True(t, ok)
	wanted := encode(t, value(t, schema.ValueType(), config))

	valid, err := lists.ValidateListResourceConfig(t.Context(), &tfprotov6.ValidateListResourceConfigRequest{TypeName: typeName, Config: wanted})
	require.NoError(t, err)
	if Diagnostics(valid.Diagnostics).HasError() {
		return nil, valid.Diagnostics
	}

	stream, err := lists.ListResource(t.Context(), &tfprotov6.ListResourceRequest{
		TypeName: typeName, Config: wanted, IncludeResource: includeResource, Limit: limit,
	})
	require.NoError(t, err)

	identities, err := server.GetResourceIdentitySchemas(t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	require.NoError(t, err)
	identityType := identities.IdentitySchemas[typeName].ValueType()

	var found []Listed
	diags := Diagnostics(valid.Diagnostics)
	for one := range stream.Results {
		diags = append(diags, one.Diagnostics...)
		if one.Identity == nil {
			continue
		}
		listed := Listed{DisplayName: one.DisplayName, Identity: valuesOf(t, one.Identity.IdentityData, identityType)}
		if one.Resource != nil && includeResource {
			typ := schemas.ResourceSchemas[typeName].ValueType()
			listed.Resource = valuesOf(t, one.Resource, typ)
			listed.generated = func() map[string]any {
				t.Helper()
				resp, err := server.GenerateResourceConfig(t.Context(), &tfprotov6.GenerateResourceConfigRequest{TypeName: typeName, State: one.Resource})
				require.NoError(t, err)
				require.Empty(t, Diagnostics(resp.Diagnostics).Text())
				return valuesOf(t, resp.Config, typ)
			}
		}
		found = append(found, listed)
	}
	return found, diags
}
