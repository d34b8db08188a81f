package importapp

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/protocol"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
)

// GeneratedConfig describes how Terraform generates the configuration of an import app:
// with the attributes that posthog-sync export writes.
func GeneratedConfig() protocol.GeneratedConfig {
	return protocol.GeneratedConfig{Type: objectType().TerraformType(context.Background()), Configuration: generatedConfig}
}

func generatedConfig(ctx context.Context, data *providerdata.Data, state tftypes.Value, diags *diag.Diagnostics) tftypes.Value {
	var m Model
	attribute.Decode(ctx, state, objectType(), &m, diags)
	if diags.HasError() {
		return state
	}

	organization := m.OrganizationID
	m.Fields = configurationFor(m.Fields)
	if data == nil || organization.ValueString() != data.OrganizationID {
		m.OrganizationID = organization
	}

	config := state
	attribute.Encode(ctx, m, objectType(), &config, diags)
	return config
}
