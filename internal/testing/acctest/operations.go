package acctest

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/require"
)

// ReadDataSource validates and reads a data source in process, with a new provider. It returns the values of
// its attributes in the form of [Resource.State], or nil after an error.
func (env *Env) ReadDataSource(t testing.TB, typeName string, config map[string]any) (map[string]any, Diagnostics) {
	t.Helper()

	server, schemas := env.serve(t)
	schema := schemas.DataSourceSchemas[typeName]
	require.NotNil(t, schema, "data source %s does not exist", typeName)
	encoded := encode(t, value(t, schema.ValueType(), config))

	valid, err := server.ValidateDataResourceConfig(t.Context(), &tfprotov6.ValidateDataResourceConfigRequest{TypeName: typeName, Config: encoded})
	require.NoError(t, err)
	if Diagnostics(valid.Diagnostics).HasError() {
		return nil, valid.Diagnostics
	}

	read, err := server.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{TypeName: typeName, Config: encoded})
	require.NoError(t, err)
	if Diagnostics(read.Diagnostics).HasError() {
		return nil, read.Diagnostics
	}

	return decodeValues(t, read.State, schema.ValueType()), read.Diagnostics
}

// Listed is a result of a list resource.
type Listed struct {
	DisplayName string
	// Identity and Resource are values in the form of [Resource.State]. Resource is nil if it was not
	// requested.
	Identity, Resource map[string]any
}

// List lists the objects of a resource type in process, as terraform query does, with a new provider.
// It stops after limit objects.
func (env *Env) List(t testing.TB, typeName string, config map[string]any, includeResource bool, limit int64) ([]Listed, Diagnostics) {
	t.Helper()

	server, schemas := env.serve(t)
	schema := schemas.ListResourceSchemas[typeName]
	require.NotNil(t, schema, "list resource %s does not exist", typeName)
	lists, ok := server.(tfprotov6.ListResourceServer)
	require.True(t, ok)
	encoded := encode(t, value(t, schema.ValueType(), config))

	valid, err := lists.ValidateListResourceConfig(t.Context(), &tfprotov6.ValidateListResourceConfigRequest{TypeName: typeName, Config: encoded})
	require.NoError(t, err)
	if Diagnostics(valid.Diagnostics).HasError() {
		return nil, valid.Diagnostics
	}

	stream, err := lists.ListResource(t.Context(), &tfprotov6.ListResourceRequest{
		TypeName: typeName, Config: encoded, IncludeResource: includeResource, Limit: limit,
	})
	require.NoError(t, err)

	identities, err := server.GetResourceIdentitySchemas(t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	require.NoError(t, err)
	identityType := identities.IdentitySchemas[typeName].ValueType()

	var results []Listed
	diags := Diagnostics(valid.Diagnostics)
	for result := range stream.Results {
		diags = append(diags, result.Diagnostics...)
		if result.Identity == nil {
			continue
		}
		listed := Listed{DisplayName: result.DisplayName, Identity: decodeValues(t, result.Identity.IdentityData, identityType)}
		if result.Resource != nil && includeResource {
			listed.Resource = decodeValues(t, result.Resource, schemas.ResourceSchemas[typeName].ValueType())
		}
		results = append(results, listed)
	}
	return results, diags
}

// Invoke plans and invokes an action in process, with a new provider, and returns the progress
// messages.
func (env *Env) Invoke(t testing.TB, typeName string, config map[string]any) ([]string, Diagnostics) {
	t.Helper()

	server, schemas := env.serve(t)
	schema := schemas.ActionSchemas[typeName]
	require.NotNil(t, schema, "action %s does not exist", typeName)
	actions, ok := server.(tfprotov6.ActionServer)
	require.True(t, ok)
	encoded := encode(t, value(t, schema.Schema.ValueType(), config))

	valid, err := actions.ValidateActionConfig(t.Context(), &tfprotov6.ValidateActionConfigRequest{ActionType: typeName, Config: encoded})
	require.NoError(t, err)
	plan, err := actions.PlanAction(t.Context(), &tfprotov6.PlanActionRequest{ActionType: typeName, Config: encoded})
	require.NoError(t, err)

	diags := append(Diagnostics(valid.Diagnostics), plan.Diagnostics...)
	if diags.HasError() {
		return nil, diags
	}

	stream, err := actions.InvokeAction(t.Context(), &tfprotov6.InvokeActionRequest{ActionType: typeName, Config: encoded})
	require.NoError(t, err)

	var progress []string
	for event := range stream.Events {
		switch event := event.Type.(type) {
		case tfprotov6.ProgressInvokeActionEventType:
			progress = append(progress, event.Message)
		case tfprotov6.CompletedInvokeActionEventType:
			diags = append(diags, event.Diagnostics...)
		}
	}
	return progress, diags
}
