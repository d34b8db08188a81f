package upjet

import (
	"github.com/crossplane/upjet/v2/pkg/config"

	posthog "github.com/surveys-as-code/terraform-provider-posthog/provider"
)

// NewProvider takes schemas/provider.json and the version of the provider.
func NewProvider(schema []byte, version string) *config.Provider {
	return config.NewProvider(schema, "posthog", "example.com/provider-posthog", []byte("name: surveys-as-code/posthog\nresources: {}\n"),
		config.WithRootGroup("posthog.example.com"),
		config.WithIncludeList(nil),
		config.WithTerraformPluginFrameworkIncludeList([]string{"posthog_survey$", "posthog_pipeline_import_app$"}),
		config.WithTerraformPluginFrameworkProvider(posthog.New(version)()),
		config.WithDefaultResourceOptions(func(r *config.Resource) {
			r.ExternalName = config.IdentifierFromProvider
			r.ShortGroup = ""
		}),
	)
}
