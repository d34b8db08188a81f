package provider

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
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
		ProjectID:      p.setting(config.ProjectID, "", "POSTHOG_PROJECT_ID"),
		OrganizationID: p.setting(config.OrganizationID, "", "POSTHOG_ORGANIZATION_ID"),
		Now:            p.Now,
	}
	resp.ResourceData, resp.DataSourceData = data, data
	resp.ListResourceData, resp.ActionData = data, data
	defer p.configured.Store(data)

	if config.isUnknown() {
		resp.Diagnostics.AddWarning("The provider is not configured yet",
			"An argument of the provider block is known only after apply. The plan continues without the service; "+
				"an operation that needs the service before then fails with an error of its own.")
		return
	}
	data.Allowed = p.allowed(config)
	checkDefaults(data, &resp.Diagnostics)
	data.Client = p.client(config, p.userAgent(req.TerraformVersion, &resp.Diagnostics), &resp.Diagnostics)
}

// isUnknown reports whether an argument, or an element of one, is known only after apply.
func (m model) isUnknown() bool {
	values := []attr.Value{
		m.BaseURL, m.APIKey, m.ProjectID, m.OrganizationID, m.AllowedProjectIDs, m.AllowedOrganizationIDs, m.Headers,
		m.CACert, m.ClientCert, m.ClientKey, m.InsecureSkipVerify,
		m.RequestTimeout, m.RequestsPerMinute, m.MaxRetries, m.ReadMode,
	}
	values = slices.AppendSeq(values, maps.Values(m.Headers.Elements()))
	values = append(values, m.AllowedProjectIDs.Elements()...)
	values = append(values, m.AllowedOrganizationIDs.Elements()...)
	return slices.ContainsFunc(values, attr.Value.IsUnknown)
}

// client returns the client for the configuration and the environment; nil after an error.
func (p *Provider) client(config model, userAgent string, diags *diag.Diagnostics) *client.Client {
	key := p.setting(config.APIKey, "", "POSTHOG_API_KEY")
	if key == "" {
		diags.AddAttributeError(path.Root("api_key"), "Missing API key",
			"Set api_key in the provider block or the environment variable POSTHOG_API_KEY to a personal API key. "+
				"It is created in the settings of your account, under personal API keys.")
		return nil
	}

	if argument := p.argumentWithKey(config, key); argument != "" {
		diags.AddAttributeError(path.Root(argument), "Misplaced API key",
			argument+" holds the API key: were the two swapped? Check the provider block and the environment variables.")
		return nil
	}

	options := client.Options{
		BaseURL:           p.setting(config.BaseURL, defaultBaseURL, "POSTHOG_BASE_URL", "POSTHOG_HOST"),
		APIKey:            key,
		UserAgent:         userAgent,
		Headers:           p.headers(config.Headers, diags),
		RequestTimeout:    p.timeout(config.RequestTimeout, diags),
		RequestsPerMinute: p.perMinute(config.RequestsPerMinute, diags),
		MaxRetries:        p.maxRetries(config.MaxRetries, diags),
		SingleReads:       p.singleReads(config.ReadMode, diags),
		Allowed:           p.allowed(config),
		TLS:               p.tls(config, diags),
		Transport:         p.Transport,
		Wrap:              p.WrapTransport,
	}
	if p.Sleep != nil {
		options.Now, options.Sleep = p.Now, p.Sleep
	}
	if diags.HasError() {
		return nil
	}

	warnOfPlainHTTP(options.BaseURL, diags)
	warnOfUnverified(options, diags)
	configured, err := client.New(options)
	if refused, ok := errors.AsType[*client.SettingError](err); ok {
		refuseSetting(refused, diags)
		return nil
	}
	if err != nil {
		diags.AddError("Invalid provider configuration", err.Error()+"\n\nCheck base_url (POSTHOG_BASE_URL) and api_key (POSTHOG_API_KEY).")
		return nil
	}
	return configured
}

// argumentWithKey is the argument whose value has the API key in it, empty for none: values
// of arguments are in messages.
func (p *Provider) argumentWithKey(config model, key string) string {
	for argument, value := range map[string]string{
		"base_url":        p.setting(config.BaseURL, "", "POSTHOG_BASE_URL", "POSTHOG_HOST"),
		"project_id":      p.setting(config.ProjectID, "", "POSTHOG_PROJECT_ID"),
		"organization_id": p.setting(config.OrganizationID, "", "POSTHOG_ORGANIZATION_ID"),
		"request_timeout": p.setting(config.RequestTimeout, "", "POSTHOG_REQUEST_TIMEOUT"),
		"read_mode":       p.setting(config.ReadMode, "", "POSTHOG_READ_MODE"),

		"allowed_project_ids":      strings.Join(p.allowed(config).ProjectIDs, " "),
		"allowed_organization_ids": strings.Join(p.allowed(config).OrganizationIDs, " "),
	} {
		if len(key) > 8 && strings.Contains(value, key) { // a shorter one is a placeholder
			return argument
		}
	}
	return ""
}

// setting is the value of an argument: that of the configuration, else of the first
// variable that is set, else the default. One that is known only after apply is not
// replaced by a variable: a plan would put objects into the project that the variable names.
func (p *Provider) setting(value types.String, otherwise string, variables ...string) string {
	switch {
	case value.IsUnknown():
		return otherwise
	case value.ValueString() != "":
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
	text := p.setting(value, "60s", "POSTHOG_REQUEST_TIMEOUT")
	parsed, err := time.ParseDuration(text)
	if err != nil || parsed <= 0 {
		diags.AddAttributeError(path.Root("request_timeout"), "Invalid duration", notDuration("request_timeout (POSTHOG_REQUEST_TIMEOUT)", text))
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
		diags.AddAttributeError(path.Root("requests_per_minute"), "Invalid number of requests",
			// Without the value: it may be the key that somebody put there by mistake.
			"POSTHOG_REQUESTS_PER_MINUTE must be a whole number, or 0 for no limit.")
	}
	return parsed
}

func (p *Provider) maxRetries(value types.Int64, diags *diag.Diagnostics) *int {
	text := p.Getenv(client.Variable("max_retries"))
	if !value.IsNull() {
		text = strconv.FormatInt(value.ValueInt64(), 10)
	}
	most, err := client.ParseMaxRetries(text)
	if refused, ok := errors.AsType[*client.SettingError](err); ok {
		refuseSetting(refused, diags)
	}
	return most
}

// The values of read_mode.
const readAuto, readSingle = "auto", "single"

func (p *Provider) singleReads(value types.String, diags *diag.Diagnostics) bool {
	mode := p.setting(value, readAuto, "POSTHOG_READ_MODE")
	if mode != readAuto && mode != readSingle {
		diags.AddAttributeError(path.Root("read_mode"), "Invalid read_mode",
			fmt.Sprintf("POSTHOG_READ_MODE is %q; it must be %q or %q.", mode, readAuto, readSingle))
	}
	return mode == readSingle
}

// warnOfPlainHTTP warns of a service that is reached over a network without encryption.
func warnOfPlainHTTP(base string, diags *diag.Diagnostics) {
	parsed, err := url.Parse(base)
	if err != nil || !client.IsPlainHTTP(base) {
		return
	}

	diags.AddAttributeWarning(path.Root("base_url"), "API key sent unencrypted",
		fmt.Sprintf("base_url is %s: anyone between here and %s can read the API key. Use https.", base, parsed.Hostname()))
}
