package terraform

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/protocol"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// GeneratedConfig describes how Terraform generates the configuration of a survey: with the
// attributes that posthog-sync export writes.
func GeneratedConfig() protocol.GeneratedConfig {
	return protocol.GeneratedConfig{Type: surveyschema.ObjectType().TerraformType(context.Background()), Configuration: generatedConfig}
}

func generatedConfig(ctx context.Context, data *providerdata.Data, state tftypes.Value, diags *diag.Diagnostics) tftypes.Value {
	m := modelOf(ctx, state, diags)
	if diags.HasError() {
		return state
	}

	project := m.ProjectID
	m.Fields = surveyschema.ConfigurationFor(m.Fields, surveyschema.ConfigurationOptions{}).Fields
	if data == nil || project.ValueString() != data.ProjectID {
		m.ProjectID = project
	}
	if m.DeletionPolicy.ValueString() == surveyschema.PolicyDelete {
		m.DeletionPolicy = types.StringNull()
	}

	config := state
	attribute.Encode(ctx, m, surveyschema.ObjectType(), &config, diags)
	return config
}
