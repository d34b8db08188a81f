package acctest

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/require"
)

// ReadDataSource validates and reads a data source in process, with a provider of its
// own: the values of its attributes in the terms of [Resource.State], nil after an error.
func (env *Env) ReadDataSource(t testing.TB, typeName string, config map[string]any) (map[string]any, Diagnostics) {
	t.Helper()

	server, schemas := env.serve(t)
	schema := schemas.DataSourceSchemas[typeName]
	require.NotNil(t, schema, "no data source is called %s", typeName)
	wanted := encode(t, value(t, schema.ValueType(), config))

	valid, err := server.ValidateDataResourceConfig(t.Context(), &tfprotov6.ValidateDataResourceConfigRequest{TypeName: typeName, Config: wanted})
	require.NoError(t, err)
	if Diagnostics(valid.Diagnostics).HasError() {
		return nil, valid.Diagnostics
	}

	read, err := server.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{TypeName: typeName, Config: wanted})
	require.NoError(t, err)
	if Diagnostics(read.Diagnostics).HasError() {
		return nil, read.Diagnostics
	}

	return valuesOf(t, read.State, schema.ValueType()), read.Diagnostics
}
