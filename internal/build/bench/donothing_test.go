//go:build unix

package main

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/terraform"
)

// The comparison is fair only if both providers have the same type.
func TestStrippedSchemaHasTheSameType(t *testing.T) {
	t.Parallel()
	var described resource.SchemaResponse
	terraform.NewResource().Schema(t.Context(), resource.SchemaRequest{}, &described)
	plain := typedSchema(t.Context())

	want := described.Schema.Type().TerraformType(t.Context())
	require.True(t, want.Equal(plain.Type().TerraformType(t.Context())))
	require.Equal(t, described.Schema.Version, plain.Version)
	require.Empty(t, plain.ValidateImplementation(t.Context()))
	requireSameSetters(t, "", described.Schema.Attributes, plain.Attributes)
}

// requireSameSetters compares who sets each attribute, and fails if the stripped schema contains anything
// except plain types.
func requireSameSetters(t *testing.T, parent string, had, has map[string]schema.Attribute) {
	t.Helper()

	for name, before := range had {
		after, where := has[name], parent+name
		require.NotNil(t, after, where)

		require.Equal(t,
			[]bool{before.IsRequired(), before.IsOptional(), before.IsComputed()},
			[]bool{after.IsRequired(), after.IsOptional(), after.IsComputed()}, where)

		switch after := after.(type) {
		case schema.StringAttribute:
			require.Equal(t, attr.Type(types.StringType), after.GetType(), where)
			require.Empty(t, after.PlanModifiers, where)
			require.Empty(t, after.Validators, where)
			require.Nil(t, after.Default, where)
		case schema.SingleNestedAttribute:
			require.Nil(t, after.Default, where)
			require.Empty(t, after.PlanModifiers, where)
			requireSameSetters(t, where+".", before.(schema.SingleNestedAttribute).Attributes, after.Attributes)
		case schema.ListNestedAttribute:
			require.Empty(t, after.PlanModifiers, where)
			requireSameSetters(t, where+".", before.(schema.ListNestedAttribute).NestedObject.Attributes, after.NestedObject.Attributes)
		}
	}
}
