package cli

import (
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/terraformcli"
)

// terraform returns the program that plans, with the provider of this build and an
// environment. The provider runs in this process and gets the key here: it is passed to the
// CLI neither in its environment nor in its arguments.
func (p *program) terraform(e environment.Environment) (*terraformcli.CLI, error) {
	p.announce(e)
	variables := e.Variables(p.getenv)
	return terraformcli.Find(p.flags.terraform, func() *provider.Provider {
		instance := provider.New(p.version)
		instance.Transport, instance.WrapTransport = p.roundTripper, p.wrap
		instance.Getenv = func(name string) string {
			if value, ok := variables[name]; ok {
				return value
			}
			return p.getenv(name)
		}
		return instance
	})
}
