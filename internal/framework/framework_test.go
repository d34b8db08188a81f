package framework

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

func TestConfigureReceivesData(t *testing.T) {
	t.Parallel()
	data := &Data{ProjectID: "1"}

	var r Resource[struct{}]
	var resp resource.ConfigureResponse
	r.Configure(t.Context(), resource.ConfigureRequest{ProviderData: data}, &resp)
	require.Empty(t, resp.Diagnostics)
	assert.Same(t, data, r.Data)

	// Terraform doesn't configure the provider before it validates.
	r.Configure(t.Context(), resource.ConfigureRequest{}, &resp)
	require.Empty(t, resp.Diagnostics)
	assert.Nil(t, r.Data)
}

func TestConfigureRefusesOtherData(t *testing.T) {
	t.Parallel()
	var d DataSource[struct{}]
	var resp datasource.ConfigureResponse
	d.Configure(t.Context(), datasource.ConfigureRequest{ProviderData: "text"}, &resp)

	require.True(t, resp.Diagnostics.HasError())
	assert.Equal(t, "Unexpected provider data", resp.Diagnostics[0].Summary())
	assert.Nil(t, d.Data)
}

// Before the provider block is known, there is no client. The error of an operation that needs one contains the
// remedy.
func TestReady(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]*Data{"not configured": nil, "not known yet": {}} {
		var diags diag.Diagnostics
		assert.False(t, data.Ready(&diags), name)
		require.True(t, diags.HasError(), name)
		assert.Contains(t, diags[0].Detail(), "terraform apply -target", name)
	}

	var diags diag.Diagnostics
	assert.True(t, (&Data{Client: &client.Client{}}).Ready(&diags))
	assert.Empty(t, diags)
}

func TestMissingParentsNameTheirAttribute(t *testing.T) {
	t.Parallel()
	var diags diag.Diagnostics
	Project.missing(&diags)
	Organization.missing(&diags)

	require.Len(t, diags, 2)
	for i, want := range []string{"project_id", "organization_id"} {
		onAttribute, ok := diags[i].(diag.DiagnosticWithPath)
		require.True(t, ok)
		assert.Equal(t, path.Root(want), onAttribute.Path())
	}
}
