package attribute_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	dataschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// configured returns a configuration with two attributes.
func configured(t *testing.T, id, name any) tfsdk.Config {
	t.Helper()
	schema := dataschema.Schema{Attributes: map[string]dataschema.Attribute{"id": dataschema.StringAttribute{Optional: true}, "name": dataschema.StringAttribute{Optional: true}}}
	object := schema.Type().TerraformType(t.Context())
	return tfsdk.Config{Schema: schema, Raw: tftypes.NewValue(object, map[string]tftypes.Value{
		"id": tftypes.NewValue(tftypes.String, id), "name": tftypes.NewValue(tftypes.String, name),
	})}
}

func TestCombinations(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		of           validator.String
		id, name     any
		title, wants string
	}{
		"both":              {attribute.ConflictsWith("name"), "1", "a", "id conflicts with name", "Both id and name are set. Remove one of them."},
		"one":               {attribute.ConflictsWith("name"), "1", nil, "", ""},
		"other":             {attribute.ConflictsWith("name"), nil, "a", "", ""},
		"not known":         {attribute.ConflictsWith("name"), "1", tftypes.UnknownValue, "", ""},
		"needed":            {attribute.AlsoRequires("name"), "1", nil, "Missing name", "id is set, and name is not. Set both, or remove id."},
		"needed, there":     {attribute.AlsoRequires("name"), "1", "a", "", ""},
		"needed, not known": {attribute.AlsoRequires("name"), "1", tftypes.UnknownValue, "", ""},
		"neither":           {attribute.AlsoRequires("name"), nil, nil, "", ""},
	} {
		config := configured(t, c.id, c.name)
		var id types.String
		require.Empty(t, config.GetAttribute(t.Context(), path.Root("id"), &id))
		var resp validator.StringResponse
		c.of.ValidateString(t.Context(), validator.StringRequest{Path: path.Root("id"), ConfigValue: id, Config: config}, &resp)
		if c.title == "" {
			assert.Empty(t, resp.Diagnostics, name)
			continue
		}
		require.Len(t, resp.Diagnostics, 1, name)
		assert.Equal(t, c.title, resp.Diagnostics[0].Summary(), name)
		assert.Equal(t, c.wants, resp.Diagnostics[0].Detail(), name)
	}
}

func TestExactlyOneOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		id, name     any
		title, wants string
	}{
		{"1", nil, "", ""},
		{nil, "a", "", ""},
		{tftypes.UnknownValue, nil, "", ""},
		{"1", tftypes.UnknownValue, "", ""},
		{"1", "a", "name conflicts with id", "Both id and name are set. Use one of them."},
		{nil, nil, "Missing id or name", "Neither id nor name is set. Set one of them."},
	} {
		var resp datasource.ValidateConfigResponse
		attribute.ExactlyOneOf("id", "name").ValidateDataSource(t.Context(), datasource.ValidateConfigRequest{Config: configured(t, c.id, c.name)}, &resp)
		if c.title == "" {
			assert.Empty(t, resp.Diagnostics, c)
			continue
		}
		require.Len(t, resp.Diagnostics, 1, c)
		assert.Equal(t, c.title, resp.Diagnostics[0].Summary())
		assert.Equal(t, c.wants, resp.Diagnostics[0].Detail())
	}
}
