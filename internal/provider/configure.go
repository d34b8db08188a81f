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
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

const defaultBaseURL = "https://us.posthog.com"

// Configure implements provider.Provider.
func (p *Provider) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	var config model
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}

	data := &framework.Data{
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

// allowed are the projects and organizations that requests may be about.
func (p *Provider) allowed(config model) client.Allowed {
	return client.Allowed{
		ProjectIDs:      p.ids(config.AllowedProjectIDs, "allowed_project_ids"),
		OrganizationIDs: p.ids(config.AllowedOrganizationIDs, "allowed_organization_ids"),
	}
}

// ids are those of the configuration, else of the environment.
func (p *Provider) ids(configured types.Set, setting string) []string {
	if configured.IsNull() {
		return client.ParseIDs(p.Getenv(client.Variable(setting)))
	}

	var ids []string
	for _, element := range configured.Elements() {
		if id, ok := element.(types.String); ok {
			ids = append(ids, id.ValueString())
		}
	}
	return ids
}

// checkDefaults refuses a project or an organization of the provider that is not allowed, so
// that one error stands for all objects in it.
func checkDefaults(data *framework.Data, diags *diag.Diagnostics) {
	framework.Project.Check(data, types.StringValue(data.ProjectID), diags)
	framework.Organization.Check(data, types.StringValue(data.OrganizationID), diags)
}

// someIDs is the validator of sets of ids. An empty set would allow everything, which nobody
// means by it.
var someIDs = attribute.Set("at least one id", func(at path.Path, ids types.Set) (title, detail string) {
	title = fmt.Sprintf("Invalid %s", at)
	if len(ids.Elements()) == 0 {
		return title, fmt.Sprintf("%s is empty, so that nothing would be allowed. Leave it out, or set it to null, to allow everything.", at)
	}
	for _, element := range ids.Elements() {
		// The path ends at the set: not every CLI takes a path into one.
		if id, ok := element.(types.String); ok && !id.IsUnknown() && strings.TrimSpace(id.ValueString()) == "" {
			return title, fmt.Sprintf("%s has an id that is null or empty.", at)
		}
	}
	return "", ""
})

// headers are those of the configuration, else of the environment.
func (p *Provider) headers(configured types.Map, diags *diag.Diagnostics) map[string]string {
	if configured.IsNull() {
		headers, err := client.ParseHeaders(p.Getenv(client.HeadersVariable))
		if err != nil {
			refuseHeaders(err, diags)
		}
		return headers
	}

	headers := headerValues(configured)
	if err := client.CheckHeaders(headers); err != nil {
		refuseHeaders(err, diags)
	}
	return headers
}

// headerValues omits null, by which a condition can remove a header.
func headerValues(configured types.Map) map[string]string {
	headers := map[string]string{}
	for name, value := range configured.Elements() {
		if text, ok := value.(types.String); ok && !text.IsNull() && !text.IsUnknown() {
			headers[name] = text.ValueString()
		}
	}
	return headers
}

// refuseHeaders ends the path at the map: not every CLI takes a path into one.
func refuseHeaders(err error, diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root("headers"), invalidHeader, headersError(err))
}

const invalidHeader = "Invalid header"

func headersError(err error) string { return "headers (" + client.HeadersVariable + "): " + err.Error() + "." }

// sendableHeaders is the validator of headers.
var sendableHeaders = attribute.Map("headers that can be sent with every request", func(_ path.Path, headers types.Map) (title, detail string) {
	if err := client.CheckHeaders(headerValues(headers)); err != nil {
		return invalidHeader, headersError(err)
	}
	return "", ""
})

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
	text, err := client.PEMText(p.setting(value, "", client.Variable(setting)), "")
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

// duration is the validator of request_timeout. An empty text is none.
var duration = attribute.Text("a duration such as 30s or 2m", func(at path.Path, text string) (title, detail string) {
	if parsed, err := time.ParseDuration(text); text != "" && (err != nil || parsed <= 0) {
		return "Invalid duration", notDuration(at.String(), text)
	}
	return "", ""
})

func notDuration(name, text string) string {
	return fmt.Sprintf("%s is %q; it must be a duration greater than zero, such as 30s or 2m.", name, text)
}
