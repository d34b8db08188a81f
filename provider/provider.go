// Package provider lets other programs embed the provider posthog: bridges such as
// those of Pulumi and Crossplane, which take a provider of the plugin framework apart
// instead of starting its binary.
package provider

import (
	"github.com/hashicorp/terraform-plugin-framework/provider"

	posthog "github.com/surveys-as-code/terraform-provider-posthog/internal/provider"
)

// New returns a function that makes the provider, one instance a call, configured by
// its attributes and the environment of the process as the released binary is. The
// version is what the User-Agent header says.
func New(version string) func() provider.Provider {
	return func() provider.Provider { return posthog.New(version) }
}
