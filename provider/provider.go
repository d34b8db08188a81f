// Package provider lets other programs embed the provider posthog: bridges such as those of
// Pulumi and Crossplane, which use a provider of the plugin framework as a library instead
// of starting its binary.
package provider

import (
	"github.com/hashicorp/terraform-plugin-framework/provider"

	posthog "github.com/surveys-as-code/terraform-provider-posthog/internal/provider"
)

// New returns a function that returns a new instance of the provider on each call,
// configured by its attributes and the environment of the process, like the released
// binary. The version is part of the User-Agent header.
func New(version string) func() provider.Provider {
	return func() provider.Provider { return posthog.New(version) }
}
