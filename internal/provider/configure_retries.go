package provider

import (
	"errors"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// retries bounds how failed requests are sent again.
func (p *Provider) retries(config model, diags *diag.Diagnostics) client.Retries {
	maxRetries := p.Getenv(client.Variable("max_retries"))
	if !config.MaxRetries.IsNull() {
		maxRetries = strconv.FormatInt(config.MaxRetries.ValueInt64(), 10)
	}

	retries, err := client.ParseRetries(maxRetries,
		p.setting(config.RetryWaitMin, "", client.Variable("retry_wait_min")),
		p.setting(config.RetryWaitMax, "", client.Variable("retry_wait_max")))
	if refused, ok := errors.AsType[*client.SettingError](err); ok {
		refuseSetting(refused, diags)
	}
	return retries
}
