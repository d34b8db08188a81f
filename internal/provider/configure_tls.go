package provider

import (
	"fmt"
	"net/url"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/pemfile"
)

// tls is what connections to a private service need. Paths are relative to the working
// directory of the CLI.
func (p *Provider) tls(config model, diags *diag.Diagnostics) client.TLS {
	return client.TLS{
		CACert:             p.pem(config.CACert, "ca_cert", diags),
		ClientCert:         p.pem(config.ClientCert, "client_cert", diags),
		ClientKey:          p.pem(config.ClientKey, "client_key", diags),
		InsecureSkipVerify: p.insecure(config.InsecureSkipVerify, diags),
	}
}

// pem is the PEM text of a setting, from the configuration, the environment or a file.
func (p *Provider) pem(value types.String, setting string, diags *diag.Diagnostics) string {
	text, err := pemfile.Text(p.setting(value, "", client.Variable(setting)), "")
	if err != nil {
		refuseSetting(&client.SettingError{Setting: setting, Reason: err.Error()}, diags)
	}
	return text
}

// insecure reports whether certificates of the service are not verified.
func (p *Provider) insecure(value types.Bool, diags *diag.Diagnostics) bool {
	const setting = "insecure_skip_verify"
	text := p.Getenv(client.Variable(setting))
	if !value.IsNull() || text == "" {
		return value.ValueBool()
	}

	insecure, err := strconv.ParseBool(text)
	if err != nil {
		refuseSetting(&client.SettingError{Setting: setting, Reason: "must be true or false"}, diags)
	}
	return insecure
}

// refuseSetting puts the error on the argument of the provider block.
func refuseSetting(err *client.SettingError, diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root(err.Setting), "Invalid "+err.Setting, err.Error()+".")
}

// warnOfUnverified warns of a service that could be anyone.
func warnOfUnverified(options client.Options, diags *diag.Diagnostics) {
	parsed, err := url.Parse(options.BaseURL)
	if err != nil || !options.TLS.InsecureSkipVerify || parsed.Scheme != "https" {
		return
	}

	diags.AddAttributeWarning(path.Root("insecure_skip_verify"), "Certificate of the service not verified",
		fmt.Sprintf("insecure_skip_verify is set: anyone between here and %s can pose as the service and read the API key. "+
			"Set ca_cert to the certificate of its authority instead.", parsed.Hostname()))
}
