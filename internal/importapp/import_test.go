package importapp

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
)

func TestParseImportID(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]identityModel{
		"5":          {OrganizationID: types.StringValue(""), ID: types.Int64Value(5)},
		"here/5":     {OrganizationID: types.StringValue("here"), ID: types.Int64Value(5)},
		"@current/5": {OrganizationID: types.StringValue("@current"), ID: types.Int64Value(5)},
	} {
		got, ok := parseImportID(text)
		assert.True(t, ok, text)
		assert.Equal(t, want, got, text)
	}
	for _, text := range []string{
		"", "/", "5/", "/5", "here/", "here/there/5", "5/here", "orders", "0", "-5", "+5", "05", "5.0", " 5", "5 ",
		"018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d", "99999999999999999999",
	} {
		_, ok := parseImportID(text)
		assert.False(t, ok, text)
	}
}

// An import by identity fills in the provider's organization, and refuses what
// cannot be a number of an app.
func TestImportByIdentity(t *testing.T) {
	t.Parallel()

	for name, c := range map[string]struct {
		organization any
		id           int64
		want         types.String
	}{
		"whole":           {"there", 5, types.StringValue("there")},
		"no organization": {nil, 5, types.StringValue("here")},
		"no number":       {"there", 0, types.StringNull()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			resp := importByIdentity(t, c.organization, c.id)

			if c.want.IsNull() {
				require.Len(t, resp.Diagnostics, 1)
				assert.Equal(t, `Could not import pipeline import app "0"`, resp.Diagnostics[0].Summary())
				return
			}

			require.Empty(t, resp.Diagnostics)

			var state Model
			require.Empty(t, resp.State.Get(t.Context(), &state))
			assert.Equal(t, Fields{ID: types.Int64Value(c.id), OrganizationID: c.want}, state.Fields)
			assert.True(t, state.Timeouts.IsNull())

			var identity identityModel
			require.Empty(t, resp.Identity.Get(t.Context(), &identity))
			assert.Equal(t, identityModel{ID: types.Int64Value(c.id), OrganizationID: c.want}, identity)
		})
	}
}

func importByIdentity(t *testing.T, organization any, id int64) resource.ImportStateResponse {
	t.Helper()
	r := &Resource{providerdata.Resource{Data: &providerdata.Data{OrganizationID: "here"}}}
	var schema resource.IdentitySchemaResponse
	r.IdentitySchema(t.Context(), resource.IdentitySchemaRequest{}, &schema)
	given := func() *tfsdk.ResourceIdentity {
		return &tfsdk.ResourceIdentity{
			Schema: schema.IdentitySchema,
			Raw: tftypes.NewValue(schema.IdentitySchema.Type().TerraformType(t.Context()), map[string]tftypes.Value{
				"organization_id": tftypes.NewValue(tftypes.String, organization), "id": tftypes.NewValue(tftypes.Number, id),
			}),
		}
	}
	importSchema := ResourceSchema()
	resp := resource.ImportStateResponse{
		Identity: given(),
		State:    tfsdk.State{Schema: importSchema, Raw: tftypes.NewValue(importSchema.Type().TerraformType(t.Context()), nil)},
	}
	r.ImportState(t.Context(), resource.ImportStateRequest{Identity: given()}, &resp)
	return resp
}
