package provider

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/providerdata"
)

const defaultBaseURL = "https://us.posthog.com"

// Configure implements provider.Provider.
func (p *Provider) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	var config model
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	data := &providerdata.Data{
		ProjectID:      p.given(config.ProjectID, "", "POSTHOG_PROJECT_ID"),
		OrganizationID: p.given(config.OrganizationID, "", "POSTHOG_ORGANIZATION_ID"),
		Now:            p.Now,
	}
	resp.ResourceData, resp.DataSourceData = data, data
	resp.ListResourceData, resp.ActionData = data, data
	defer p.configured.Store(data)
	if config.isUnknown() {
		resp.Diagnostics.AddWarning("The provider is not configured yet",
			"An argument of the provider block is known only after apply. What is planned now goes on without the service; "+
				"whatever needs it before then fails, and says so.")
		return
	}
	data.Client = p.client(config, &resp.Diagnostics)
}

func (m model) isUnknown() bool {
	for _, value := range []attr.Value{m.BaseURL, m.APIKey, m.ProjectID, m.OrganizationID, m.Headers, m.RequestTimeout, m.RequestsPerMinute, m.ReadMode} {
		if value.IsUnknown() {
			return true
		}
	}
	for _, value := range m.Headers.Elements() {
		if value.IsUnknown() {
			return true
		}
	}
	return false
}

func (p *Provider) client(config model, diags *diag.Diagnostics) *client.Client {
	key := p.given(config.APIKey, "", "POSTHOG_API_KEY")
	if key == "" {
		diags.AddAttributeError(path.Root("api_key"), "No API key is given",
			"Set api_key in the provider block or the environment variable POSTHOG_API_KEY to a personal API key. "+
				"It is made in the settings of your account, under personal API keys.")
		return nil
	}
	options := client.Options{
		BaseURL:           p.given(config.BaseURL, defaultBaseURL, "POSTHOG_BASE_URL", "POSTHOG_HOST"),
		APIKey:            key,
		UserAgent:         "terraform-provider-posthog/" + p.Version,
		Headers:           p.headers(config.Headers, diags),
		RequestTimeout:    p.timeout(config.RequestTimeout, diags),
		RequestsPerMinute: p.perMinute(config.RequestsPerMinute, diags),
		SingleReads:       p.singleReads(config.ReadMode, diags),
		Transport:         p.Transport,
	}
	if p.Sleep != nil {
		options.Now, options.Sleep = p.Now, p.Sleep
	}
	if diags.HasError() {
		return nil
	}
	warnOfPlainHTTP(options.BaseURL, diags)
	made, err := client.New(options)
	if err != nil {
		diags.AddError("The provider cannot be configured", err.Error()+"\n\nCheck base_url (POSTHOG_BASE_URL) and api_key (POSTHOG_API_KEY).")
		return nil
	}
	return made
}

// given prefers the configuration over the environment, the variables in order.
func (p *Provider) given(value types.String, otherwise string, variables ...string) string {
	if value.ValueString() != "" {
		return value.ValueString()
	}
	for _, variable := range variables {
		if v := p.Getenv(variable); v != "" {
			return v
		}
	}
	return otherwise
}

func (p *Provider) timeout(value types.String, diags *diag.Diagnostics) time.Duration {
	text := p.given(value, "60s", "POSTHOG_REQUEST_TIMEOUT")
	parsed, err := time.ParseDuration(text)
	if err != nil || parsed <= 0 {
		diags.AddAttributeError(path.Root("request_timeout"), "Not a duration", notDuration("request_timeout (POSTHOG_REQUEST_TIMEOUT)", text))
	}
	return parsed
}

func (p *Provider) perMinute(value types.Int64, diags *diag.Diagnostics) int {
	text := p.Getenv("POSTHOG_REQUESTS_PER_MINUTE")
	if !value.IsNull() || text == "" {
		return int(value.ValueInt64())
	}
	parsed, err := strconv.Atoi(text)
	if err != nil || parsed < 0 {
		diags.AddAttributeError(path.Root("requests_per_minute"), "Not a number of requests",
			fmt.Sprintf("POSTHOG_REQUESTS_PER_MINUTE is %q; it must be a whole number, 0 for no bound.", text))
	}
	return parsed
}

// The values of read_mode.
const readAuto, readSingle = "auto", "single"

func (p *Provider) singleReads(value types.String, diags *diag.Diagnostics) bool {
	mode := p.given(value, readAuto, "POSTHOG_READ_MODE")
	if mode != readAuto && mode != readSingle {
		diags.AddAttributeError(path.Root("read_mode"), "Not a way to read",
			fmt.Sprintf("POSTHOG_READ_MODE is %q; it must be %q or %q.", mode, readAuto, readSingle))
	}
	return mode == readSingle
}

// warnOfPlainHTTP: the API key would travel readable.
func warnOfPlainHTTP(base string, diags *diag.Diagnostics) {
	parsed, err := url.Parse(base)
	if err != nil || parsed.Scheme != "http" || parsed.Hostname() == "localhost" {
		return
	}
	if ip := net.ParseIP(parsed.Hostname()); ip != nil && ip.IsLoopback() {
		return
	}
	diags.AddAttributeWarning(path.Root("base_url"), "The API key travels unencrypted",
		fmt.Sprintf("base_url is %s: everybody on the way to %s can read the API key. Use https.", base, parsed.Hostname()))
}

// duration is the validator of request_timeout.
type duration struct{}

// Description implements validator.Describer.
func (duration) Description(context.Context) string { return "a duration such as 30s or 2m" }

// MarkdownDescription implements validator.Describer.
func (d duration) MarkdownDescription(ctx context.Context) string { return d.Description(ctx) }

// ValidateString implements validator.String.
func (duration) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.ValueString() == "" {
		return
	}
	if parsed, err := time.ParseDuration(req.ConfigValue.ValueString()); err != nil || parsed <= 0 {
		resp.Diagnostics.AddAttributeError(req.Path, "Not a duration", notDuration(req.Path.String(), req.ConfigValue.ValueString()))
	}
}

func notDuration(name, text string) string {
	return fmt.Sprintf("%s is %q; it must be a duration longer than nothing, such as 30s or 2m.", name, text)
}
