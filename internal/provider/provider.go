// Package provider implements the provider block, and lists the resources, data sources and
// functions. It turns configuration and environment into a client, which every resource and
// data source gets. It knows nothing of what they do.
package provider

import (
	"context"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/terraform"
)

// Address is the provider's source address in the public registry.
const Address = "registry.terraform.io/surveys-as-code/posthog"

// typeName is the prefix of the names of all resource and data source types.
const typeName = "posthog"

var (
	_ provider.ProviderWithActions       = (*Provider)(nil)
	_ provider.ProviderWithListResources = (*Provider)(nil)
)

// Provider is the provider posthog.
type Provider struct {
	// Version is sent in the user agent.
	Version string
	// Now is the clock for the dates of a launch or a stop.
	Now func() time.Time
	// Sleep waits between requests of the client; if it is set, Now is the client's clock
	// too. Nil is the real clock.
	Sleep func(context.Context, time.Duration) error
	// Transport makes the requests; nil is the network.
	Transport http.RoundTripper
	// WrapTransport is put around what makes the requests; nil is nothing.
	WrapTransport func(http.RoundTripper) http.RoundTripper
	// Getenv looks up an environment variable.
	Getenv func(string) string

	// KeyIsOptional is set where a plan without an API key does without the service.
	KeyIsOptional bool

	configured   atomic.Pointer[framework.Data]
	isWithoutKey atomic.Bool
}

// New returns the provider with a version, the real clock and the environment of the
// process.
func New(version string) *Provider {
	return &Provider{Version: version, Now: time.Now, Getenv: os.Getenv}
}

type model struct {
	BaseURL                types.String `tfsdk:"base_url"`
	APIKey                 types.String `tfsdk:"api_key"`
	ProjectID              types.String `tfsdk:"project_id"`
	OrganizationID         types.String `tfsdk:"organization_id"`
	AllowedProjectIDs      types.Set    `tfsdk:"allowed_project_ids"`
	AllowedOrganizationIDs types.Set    `tfsdk:"allowed_organization_ids"`
	Headers                types.Map    `tfsdk:"headers"`
	CACert                 types.String `tfsdk:"ca_cert"`
	ClientCert             types.String `tfsdk:"client_cert"`
	ClientKey              types.String `tfsdk:"client_key"`
	InsecureSkipVerify     types.Bool   `tfsdk:"insecure_skip_verify"`
	RequestTimeout         types.String `tfsdk:"request_timeout"`
	RequestsPerMinute      types.Int64  `tfsdk:"requests_per_minute"`
	MaxRetries             types.Int64  `tfsdk:"max_retries"`
	ReadMode               types.String `tfsdk:"read_mode"`
}

// Metadata implements provider.Provider.
func (p *Provider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = typeName
	resp.Version = p.Version
}

// Schema implements provider.Provider.
func (p *Provider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Manage PostHog surveys and pipeline import apps as code. " +
			"Every argument can be given by an environment variable instead.",
		Attributes: attributes(),
	}
}

// Resources implements provider.Provider.
func (p *Provider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{terraform.NewResource, importapp.NewResource}
}

// DataSources implements provider.Provider.
func (p *Provider) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{
		terraform.NewDataSource, terraform.NewListDataSource,
		terraform.NewActivityDataSource, terraform.NewAllActivityDataSource, terraform.NewResponsesCountDataSource,
		framework.NewFeatureFlag, framework.NewCohort, framework.NewProject,
		importapp.NewDataSource, importapp.NewListDataSource,
		importapp.NewSourceDataSource, importapp.NewUpdatesDataSource, importapp.NewActivityDataSource,
		importapp.NewRepositoryDataSource, importapp.NewUnusedDataSource, importapp.NewUnsubscribeConfigsDataSource,
	}
}

// ListResources implements provider.ProviderWithListResources.
func (p *Provider) ListResources(context.Context) []func() list.ListResource {
	return []func() list.ListResource{terraform.NewListResource, importapp.NewListResource}
}

// Actions implements provider.ProviderWithActions.
func (p *Provider) Actions(context.Context) []func() action.Action {
	return []func() action.Action{
		terraform.NewLaunchAction, terraform.NewStopAction,
		importapp.NewUpgradeAction, importapp.NewUpdateSourceAction,
	}
}

// Functions implements provider.ProviderWithFunctions.
func (p *Provider) Functions(context.Context) []func() function.Function {
	return []func() function.Function{
		terraform.NewQuestionFunction, terraform.NewQuestionsFunction, terraform.NewFlowFunction, terraform.NewResponseKeyFunction,
		terraform.NewResponseTemplateFunction, terraform.NewParseSurveyIDFunction,
	}
}

// attributes are the arguments of the provider block.
func attributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"base_url": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "Address of the service, a path prefix included; `POSTHOG_BASE_URL` or `POSTHOG_HOST`. " +
				"`https://us.posthog.com` when not given.",
		},
		"api_key": schema.StringAttribute{
			Optional: true, Sensitive: true,
			MarkdownDescription: "Personal API key; `POSTHOG_API_KEY`. " +
				"Surveys need the scopes `survey:read` and `survey:write`, import apps `plugin:read` and `plugin:write`. " +
				"The provider writes it nowhere. Terraform itself writes variables into plan files: " +
				"give it by the environment, or by a variable that is `ephemeral`.",
		},
		"project_id": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Project of surveys that do not set `project_id`; `POSTHOG_PROJECT_ID`.",
		},
		"organization_id": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Organization of import apps that do not set `organization_id`; `POSTHOG_ORGANIZATION_ID`.",
		},
		"allowed_project_ids": schema.SetAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Projects that this configuration may be about, a guard against a run with the settings of another " +
				"environment; `POSTHOG_ALLOWED_PROJECT_IDS`, separated by commas. No request about another project is sent, " +
				"whether a resource, an import, a data source or the provider names it, and `@current` is refused. Every project when not given.",
			Validators: []validator.Set{someIDs},
		},
		"allowed_organization_ids": schema.SetAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Organizations whose import apps this configuration may be about, as `allowed_project_ids` for surveys; " +
				"`POSTHOG_ALLOWED_ORGANIZATION_IDS`, separated by commas. Every organization when not given.",
			Validators: []validator.Set{someIDs},
		},
		"headers": schema.MapAttribute{
			Optional: true, Sensitive: true, ElementType: types.StringType,
			MarkdownDescription: "Headers to send with every request, by name, for a service behind an access proxy; " +
				"`POSTHOG_HEADERS`, as a JSON object such as `{\"CF-Access-Client-Id\": \"...\"}`. The values are treated as secrets, " +
				"and are sent to the service alone. `Authorization`, `Host` and other headers of the connection are refused.",
			Validators: []validator.Map{sendableHeaders},
		},
		"ca_cert": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "Certificates of the authorities that signed the certificate of a private service, trusted besides those of the machine: " +
				"PEM text, or the path of a file with it; `POSTHOG_CA_CERT`.",
		},
		"client_cert": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "Certificate to show to a service that asks its clients for one: PEM text, or the path of a file with it; " +
				"`POSTHOG_CLIENT_CERT`. Needs `client_key`.",
		},
		"client_key": schema.StringAttribute{
			Optional: true, Sensitive: true,
			MarkdownDescription: "Private key of `client_cert`: PEM text, or the path of a file with it; `POSTHOG_CLIENT_KEY`. " +
				"With the path, the key itself is in no plan file.",
		},
		"insecure_skip_verify": schema.BoolAttribute{
			Optional: true,
			MarkdownDescription: "Take any certificate of the service; `POSTHOG_INSECURE_SKIP_VERIFY`. Whoever is between here and the service " +
				"can then read the API key: for a try alone, and `ca_cert` for anything else.",
		},
		"request_timeout": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "How long one request may take, such as `30s` or `2m`; `POSTHOG_REQUEST_TIMEOUT`. `60s` when not given.",
			Validators:          []validator.String{duration},
		},
		"requests_per_minute": schema.Int64Attribute{
			Optional: true,
			MarkdownDescription: "Maximum number of requests per minute; `POSTHOG_REQUESTS_PER_MINUTE`. " +
				"0, the default, waits only when the service asks for it.",
			Validators: []validator.Int64{attribute.Between(0, 1_000_000)},
		},
		"max_retries": schema.Int64Attribute{
			Optional: true,
			MarkdownDescription: "How often a request that failed, or that the service sent away with 429, is sent again at most; `POSTHOG_MAX_RETRIES`. " +
				"0 sends nothing again. As often as the `timeouts` of the operation allow when not given. " +
				"A create is repeated only where that cannot make a second object, whatever the number.",
			Validators: []validator.Int64{attribute.Between(0, 1000)},
		},
		"read_mode": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "How a refresh reads objects; `POSTHOG_READ_MODE`. `auto`, the default, reads many from a few lists; " +
				"`single` asks for each by itself.",
			Validators: []validator.String{attribute.OneOf(readAuto, readSingle)},
		},
	}
}
