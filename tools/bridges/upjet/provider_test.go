// Package upjet_test tests that the provider works with Crossplane's upjet: it loads the
// provider as a library and generates the API types of its resources.
// tools/bridges/README.md lists the differences.
package upjet_test

import (
	"github.com/crossplane/upjet/v2/pkg/config"

	posthog "github.com/surveys-as-code/terraform-provider-posthog/provider"
)

// newProvider takes schemas/provider.json and the version of the provider.
func newProvider(schema []byte, version string) *config.Provider {
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
