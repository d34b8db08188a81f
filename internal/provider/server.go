package provider

import (
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/fastpath"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/linepath"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// NewServer serves the provider over protocol version 6, with the fast path before
// the framework, and diagnostics that point at lines in every version of the CLI. Each
// server needs a Provider of its own.
func NewServer(p *Provider) (tfprotov6.ProviderServer, error) {
	fast, err := fastpath.New(providerserver.NewProtocol6(p)(), p.Version, p.configured.Load, map[string]fastpath.Noun{
		"posthog_survey":              survey.FastPath(),
		"posthog_pipeline_import_app": importapp.FastPath(),
	})
	if err != nil {
		return nil, err
	}

	return linepath.New(fast)
}
