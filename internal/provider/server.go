package provider

import (
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/fastpath"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// NewServer serves the provider over protocol version 6, with the fast path before
// the framework. Each server needs a Provider of its own.
func NewServer(p *Provider) (tfprotov6.ProviderServer, error) {
	return fastpath.New(providerserver.NewProtocol6(p)(), p.Version, p.configured.Load, map[string]fastpath.Noun{
		"posthog_survey":              survey.FastPath(),
		"posthog_pipeline_import_app": importapp.FastPath(),
	})
}
