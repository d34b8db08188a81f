package provider

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
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

	args := arguments{attribute.FromStruct(&config), p.Getenv, &resp.Diagnostics}
	data := &framework.Data{ProjectID: args.text("project_id"), OrganizationID: args.text("organization_id"), Now: p.Now}
	resp.ResourceData, resp.DataSourceData = data, data
	resp.ListResourceData, resp.ActionData = data, data
	defer p.configured.Store(data)

	if !req.Config.Raw.IsFullyKnown() {
		resp.Diagnostics.AddWarning("The provider is not configured yet",
			"An argument of the provider block is known only after apply. The plan continues without PostHog. "+
				"An operation that needs PostHog before then fails with a separate error.")
		return
	}
	data.Allowed = args.allowlist()
	// Report a default that is not allowed once, instead of once per object.
	framework.Project.Check(data, types.StringValue(data.ProjectID), &resp.Diagnostics)
	framework.Organization.Check(data, types.StringValue(data.OrganizationID), &resp.Diagnostics)
	if p.KeyIsOptional && args.text("api_key") == "" {
		p.isWithoutKey.Store(true)
		return
	}
	if data.Client = p.client(args, p.userAgent(req.TerraformVersion, &resp.Diagnostics)); data.Client != nil {
		refuseProject(data.ProjectID, &resp.Diagnostics) // without the key, in case it is set in the wrong argument
	}
}

// client returns the client for the configuration and the environment, or nil after an error.
func (p *Provider) client(args arguments, userAgent string) *client.Client {
	diags, key := args.diags, args.text("api_key")
	if key == "" {
		diags.AddAttributeError(path.Root("api_key"), "Missing API key",
			"Set api_key in the provider block or the environment variable POSTHOG_API_KEY to a personal API key. "+
				"To create one, open the settings of your PostHog account, under personal API keys.")
		return nil
	}
	if argument := args.withKey(key); argument != "" {
		diags.AddAttributeError(path.Root(argument), "Misplaced API key",
			argument+" contains the API key. Check the provider block and the environment variables for swapped values.")
		return nil
	}

	options := client.Options{
		BaseURL:           cmp.Or(args.baseURL(), defaultBaseURL),
		APIKey:            key,
		UserAgent:         userAgent,
		Headers:           args.headers(),
		RequestTimeout:    parseArgument(args, "request_timeout", "60s", parseDuration),
		RequestsPerMinute: parseArgument(args, "requests_per_minute", "0", parsePace),
		MaxRetries:        parseArgument(args, "max_retries", "", client.ParseMaxRetries),
		SingleReads:       parseArgument(args, "read_mode", readAuto, parseReadMode),
		Allowed:           args.allowlist(),
		TLS: client.TLS{
			CACert: args.pem("ca_cert"), ClientCert: args.pem("client_cert"), ClientKey: args.pem("client_key"),
			InsecureSkipVerify: parseArgument(args, "insecure_skip_verify", "false", parseTruth),
		},
		Transport: p.Transport,
		Wrap:      p.WrapTransport,
	}
	if p.Sleep != nil {
		options.Now, options.Sleep = p.Now, p.Sleep
	}
	if diags.HasError() {
		return nil
	}

	warnOfPlainHTTP(options.BaseURL, diags)
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

// arguments are the arguments of the provider block. The environment provides values that the configuration does not
// set.
type arguments struct {
	values map[string]attr.Value
	getenv func(string) string
	diags  *diag.Diagnostics
}

// text returns a string, number, or boolean argument as text, or an empty string if it is not set. If an argument
// is known only after apply, text does not use the environment variable instead, because the plan would then use the
// variable's project.
func (a arguments) text(name string) string {
	switch value := a.values[name].(type) {
	case types.String:
		if value.IsUnknown() || value.ValueString() != "" {
			return value.ValueString()
		}
	default:
		if attribute.IsKnown(value) {
			return value.String()
		}
	}
	return a.getenv(client.Variable(name))
}

// baseURL returns the URL of PostHog, or an empty string if it is not set.
func (a arguments) baseURL() string { return cmp.Or(a.text("base_url"), a.getenv("POSTHOG_HOST")) }

// withKey returns the name of an argument whose value contains the API key, or an empty string. Such an argument
// would reveal the key, because messages contain argument values.
func (a arguments) withKey(key string) string {
	if len(key) <= 8 {
		return "" // a placeholder
	}
	texts := map[string]string{
		"base_url": a.baseURL(), "allowed_project_ids": strings.Join(a.allowlist().ProjectIDs, " "),
		"allowed_organization_ids": strings.Join(a.allowlist().OrganizationIDs, " "),
	}
	for _, name := range []string{"project_id", "organization_id", "request_timeout", "read_mode"} {
		texts[name] = a.text(name)
	}
	for name, text := range texts {
		if strings.Contains(text, key) {
			return name
		}
	}
	return ""
}

// parseArgument parses an argument with a function. The function's error explains what is wrong with the text.
func parseArgument[T any](a arguments, name, otherwise string, parse func(text string) (T, error)) T {
	value, err := parse(cmp.Or(a.text(name), otherwise))
	if refused, ok := errors.AsType[*client.SettingError](err); ok {
		refuseSetting(refused, a.diags)
	} else if err != nil {
		refuseSetting(&client.SettingError{Setting: name, Reason: err.Error()}, a.diags)
	}
	return value
}

// pem returns an argument's PEM text, or the content of the file that the argument names. Paths are relative to
// the CLI's working directory.
func (a arguments) pem(name string) string {
	return parseArgument(a, name, "", func(text string) (string, error) { return client.PEMText(text, "") })
}

func parseDuration(text string) (time.Duration, error) {
	length, err := time.ParseDuration(text)
	if err != nil || length <= 0 {
		return 0, fmt.Errorf("is %q. Use a duration greater than zero, such as 30s or 2m", text)
	}
	return length, nil
}

// The errors of the following functions do not contain the text, because it may be an API key that was set by
// mistake.
func parsePace(text string) (int, error) {
	perMinute, err := strconv.Atoi(text)
	if err != nil || perMinute < 0 {
		return 0, errors.New("must be a whole number, or 0 for no limit")
	}
	return perMinute, nil
}

func parseTruth(text string) (bool, error) {
	truth, err := strconv.ParseBool(text)
	if err != nil {
		return false, errors.New("must be true or false")
	}
	return truth, nil
}

// The values of read_mode.
const readAuto, readSingle = "auto", "single"

func parseReadMode(text string) (isSingle bool, err error) {
	if text != readAuto && text != readSingle {
		return false, fmt.Errorf("is %q. Use %q or %q", text, readAuto, readSingle)
	}
	return text == readSingle, nil
}

// warnOfPlainHTTP warns if requests to PostHog cross a network without encryption.
func warnOfPlainHTTP(base string, diags *diag.Diagnostics) {
	parsed, err := url.Parse(base)
	if err != nil || !client.IsPlainHTTP(base) {
		return
	}

	diags.AddAttributeWarning(path.Root("base_url"), "API key sent unencrypted",
		fmt.Sprintf("base_url is %s, so anyone on the network path to %s can read the API key. Use https.", base, parsed.Hostname()))
}

// allowlist returns the projects and organizations that requests may access.
func (a arguments) allowlist() client.Allowed {
	return client.Allowed{ProjectIDs: a.ids("allowed_project_ids"), OrganizationIDs: a.ids("allowed_organization_ids")}
}

func (a arguments) ids(name string) []string {
	configured, _ := a.values[name].(types.Set)
	if configured.IsNull() {
		return client.ParseIDs(a.getenv(client.Variable(name)))
	}

	var ids []string
	for _, element := range configured.Elements() {
		if id, ok := element.(types.String); ok {
			ids = append(ids, id.ValueString())
		}
	}
	return ids
}

// someIDs validates sets of IDs. It rejects an empty set, which would allow everything.
var someIDs = attribute.Set("at least one id", func(p path.Path, ids types.Set) (title, detail string) {
	title = fmt.Sprintf("Invalid %s", p)
	if len(ids.Elements()) == 0 {
		return title, fmt.Sprintf("%s is empty, which would allow nothing. To allow everything, omit it or set it to null.", p)
	}
	for _, element := range ids.Elements() {
		// The path ends at the set, because some CLIs do not support paths into sets.
		if id, ok := element.(types.String); ok && !id.IsUnknown() && strings.TrimSpace(id.ValueString()) == "" {
			return title, fmt.Sprintf("%s contains an ID that is null or empty.", p)
		}
	}
	return "", ""
})

// headers returns the headers to send with every request.
func (a arguments) headers() (headers map[string]string) {
	configured, _ := a.values["headers"].(types.Map)
	var err error
	if configured.IsNull() {
		headers, err = client.ParseHeaders(a.getenv(client.HeadersVariable))
	} else {
		headers = headerValues(configured)
		err = client.CheckHeaders(headers)
	}
	if err != nil {
		// The path ends at the map, because some CLIs do not support paths into maps.
		a.diags.AddAttributeError(path.Root("headers"), invalidHeader, headersError(err))
	}
	return headers
}

// headerValues omits null values, so that a condition in the configuration can remove a header.
func headerValues(configured types.Map) map[string]string {
	headers := map[string]string{}
	for name, value := range configured.Elements() {
		if text, ok := value.(types.String); ok && !text.IsNull() && !text.IsUnknown() {
			headers[name] = text.ValueString()
		}
	}
	return headers
}

const invalidHeader = "Invalid header"

func headersError(err error) string {
	return "headers (" + client.HeadersVariable + "): " + err.Error() + "."
}

// sendableHeaders validates headers.
var sendableHeaders = attribute.Map("headers that can be sent with every request", func(_ path.Path, headers types.Map) (title, detail string) {
	if err := client.CheckHeaders(headerValues(headers)); err != nil {
		return invalidHeader, headersError(err)
	}
	return "", ""
})

// refuseProject rejects a project ID that PostHog cannot have.
func refuseProject(id string, diags *diag.Diagnostics) {
	if _, err := strconv.ParseUint(id, 10, 63); err == nil || id == "" || id == "@current" {
		return
	}
	diags.AddAttributeError(path.Root("project_id"), "Invalid project_id",
		fmt.Sprintf("project_id (POSTHOG_PROJECT_ID) is %q. Use the number of the project, which follows /project/ in the URLs of PostHog.", id))
}

// refuseSetting adds an error at the argument of the provider block.
func refuseSetting(err *client.SettingError, diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root(err.Setting), "Invalid "+err.Setting, err.Error()+".")
}

// appendUserAgent is the environment variable that Terraform's own providers append to their User-Agent headers.
const appendUserAgent = "TF_APPEND_USER_AGENT"

// userAgent returns the User-Agent header: the provider, the CLI, and the text in the environment variable. OpenTofu
// reports its own version in the field for Terraform's version.
func (p *Provider) userAgent(cliVersion string, diags *diag.Diagnostics) string {
	products := []string{"terraform-provider-posthog/" + p.Version}
	if cliVersion != "" {
		products = append(products, "Terraform/"+cliVersion)
	}

	if added := strings.TrimSpace(p.Getenv(appendUserAgent)); strings.ContainsFunc(added, isUnsendable) {
		diags.AddError("Invalid "+appendUserAgent,
			fmt.Sprintf("The environment variable %s is %q. It must be printable ASCII, because the provider sends it in the header User-Agent.", appendUserAgent, added))
	} else if added != "" {
		products = append(products, added)
	}
	return strings.Join(products, " ")
}

// isUnsendable reports whether a header value cannot contain a character.
func isUnsendable(r rune) bool { return r < ' ' || r > '~' }

// duration validates request_timeout. Empty text means that it is not set.
var duration = attribute.Text("a duration such as 30s or 2m", func(p path.Path, text string) (title, detail string) {
	if _, err := parseDuration(text); text != "" && err != nil {
		return "Invalid duration", p.String() + " " + err.Error() + "."
	}
	return "", ""
})
