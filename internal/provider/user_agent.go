package provider

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// appendUserAgent is the variable that Terraform's own providers add to their user agents.
const appendUserAgent = "TF_APPEND_USER_AGENT"

// userAgent names the provider, the CLI that runs it, and what the environment adds.
// OpenTofu gives its own version in the place of Terraform's.
func (p *Provider) userAgent(cliVersion string, diags *diag.Diagnostics) string {
	products := []string{"terraform-provider-posthog/" + p.Version}
	if cliVersion != "" {
		products = append(products, "Terraform/"+cliVersion)
	}

	if added := strings.TrimSpace(p.Getenv(appendUserAgent)); strings.ContainsFunc(added, isUnsendable) {
		diags.AddError("Invalid "+appendUserAgent,
			fmt.Sprintf("The environment variable %s is %q. It must be printable ASCII, since it is sent in the header User-Agent.", appendUserAgent, added))
	} else if added != "" {
		products = append(products, added)
	}
	return strings.Join(products, " ")
}

// isUnsendable reports whether a header cannot carry the character.
func isUnsendable(r rune) bool { return r < ' ' || r > '~' }
