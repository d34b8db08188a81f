package cli

import (
	"github.com/surveys-as-code/terraform-provider-posthog/internal/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/terraformcli"
)

// terraform returns the program that plans, with the provider of this build on an
// environment. The key reaches the provider within this process: neither the CLI's
// environment nor its arguments have it from here.
func (p *program) terraform(e environment.Environment) (*terraformcli.CLI, error) {
	variables := e.Variables(p.getenv)
	return terraformcli.Find(p.flags.terraform, func() *provider.Provider {
		served := provider.New(p.version)
		served.Transport = p.transport()
		served.Getenv = func(name string) string {
			if value, ok := variables[name]; ok {
				return value
			}
			return p.getenv(name)
		}
		return served
	})
}
