// Package officialprovider is for tests: a stand-in for the provider posthog/posthog, which
// tests cannot download. It has the type names and the attributes of its surveys and of what
// surveys stand beside; it reaches no service.
package officialprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	providerschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Source is the source of the provider in a configuration.
const Source = "posthog/posthog"

// New serves the stand-in to one run of Terraform.
func New() tfprotov6.ProviderServer {
	return providerserver.NewProtocol6(officialProvider{})()
}

// Serve serves the stand-in as a program that Terraform starts. It returns when Terraform
// ends it.
func Serve(ctx context.Context) error {
	return providerserver.Serve(ctx, func() provider.Provider { return officialProvider{} },
		providerserver.ServeOpts{Address: "registry.terraform.io/" + Source})
}

type officialProvider struct{}

func (officialProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "posthog"
}

func (officialProvider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = providerschema.Schema{Attributes: map[string]providerschema.Attribute{
		"host":            providerschema.StringAttribute{Optional: true},
		"api_key":         providerschema.StringAttribute{Optional: true, Sensitive: true},
		"project_id":      providerschema.StringAttribute{Optional: true},
		"organization_id": providerschema.StringAttribute{Optional: true},
	}}
}

func (officialProvider) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {
}

func (officialProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (officialProvider) Resources(context.Context) []func() resource.Resource {
	var constructors []func() resource.Resource
	for typeName, attributes := range map[string]map[string]schema.Attribute{
		"posthog_survey":           survey(),
		"posthog_feature_flag":     featureFlag(),
		"posthog_cohort":           cohort(),
		"posthog_hog_function":     hogFunction(),
		"posthog_project_settings": projectSettings(),
	} {
		constructors = append(constructors, func() resource.Resource {
			return officialResource{typeName, schema.Schema{Attributes: attributes}}
		})
	}
	return constructors
}
