// Package provider implements the provider block, and registers the resources, data sources, and functions. It
// creates a client from configuration and environment variables, and passes it to every resource and data source. The
// package must not depend on how these are implemented. Start reading at [Provider].
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

// typeName is the prefix for the names of all resource and data source types.
const typeName = "posthog"

var (
	_ provider.ProviderWithActions       = (*Provider)(nil)
	_ provider.ProviderWithListResources = (*Provider)(nil)
)

// Provider is the provider posthog.
type Provider struct {
	// Version is part of the User-Agent header.
	Version string
	// Now is the clock for launch and stop dates.
	Now func() time.Time
	// Sleep is the function that the client calls to wait between requests. If Sleep is set, the client also uses Now
	// as its clock. Nil means the real clock.
	Sleep func(context.Context, time.Duration) error
	// Transport sends the requests. Nil means the network.
	Transport http.RoundTripper
	// WrapTransport wraps the transport. Nil means no wrapper.
	WrapTransport func(http.RoundTripper) http.RoundTripper
	// Getenv looks up an environment variable.
	Getenv func(string) string

	// KeyIsOptional allows a plan without an API key, which sends no requests.
	KeyIsOptional bool

	configured   atomic.Pointer[framework.Data]
	isWithoutKey atomic.Bool
}

// New returns the provider with the real clock and the process environment.
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
			"You can set each argument with an environment variable instead.",
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

// attributes returns the arguments of the provider block.
func attributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"base_url": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "URL of PostHog, including a path prefix (`POSTHOG_BASE_URL` or `POSTHOG_HOST`). " +
				"Defaults to `https://us.posthog.com`.",
		},
		"api_key": schema.StringAttribute{
			Optional: true, Sensitive: true,
			MarkdownDescription: "Personal API key (`POSTHOG_API_KEY`). " +
				"Surveys need the scopes `survey:read` and `survey:write`. Import apps need `plugin:read` and `plugin:write`. " +
				"The provider never stores the key. However, Terraform writes variables into plan files. " +
				"Use the environment variable, or a variable that is `ephemeral`.",
		},
		"project_id": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "ID of the project for surveys that don't set `project_id` (`POSTHOG_PROJECT_ID`).",
		},
		"organization_id": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "ID of the organization for import apps that don't set `organization_id` (`POSTHOG_ORGANIZATION_ID`).",
		},

		"allowed_project_ids": schema.SetAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "IDs of the projects that this configuration can access (`POSTHOG_ALLOWED_PROJECT_IDS`, comma-separated). " +
				"Use it to guard against a run with the settings of another environment. The provider sends no request about another project, " +
				"even if a resource, an import, or a data source sets it, and rejects `@current`. If omitted, all projects are allowed.",
			Validators: []validator.Set{someIDs},
		},
		"allowed_organization_ids": schema.SetAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "IDs of the organizations whose import apps this configuration can access (`POSTHOG_ALLOWED_ORGANIZATION_IDS`, comma-separated). " +
				"See `allowed_project_ids`. If omitted, all organizations are allowed.",
			Validators: []validator.Set{someIDs},
		},

		"headers": schema.MapAttribute{
			Optional: true, Sensitive: true, ElementType: types.StringType,
			MarkdownDescription: "Headers to send with every request, for a PostHog instance behind an access proxy " +
				"(`POSTHOG_HEADERS`, as a JSON object such as `{\"CF-Access-Client-Id\": \"...\"}`). The provider treats the values as secrets, " +
				"and sends them only to PostHog. It rejects `Authorization`, `Host`, and other headers of the connection.",
			Validators: []validator.Map{sendableHeaders},
		},
		"ca_cert": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "Certificates of private authorities to trust in addition to those of the machine, " +
				"as PEM text or the path of a file (`POSTHOG_CA_CERT`).",
		},
		"client_cert": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "Client certificate, as PEM text or the path of a file " +
				"(`POSTHOG_CLIENT_CERT`). Requires `client_key`.",
		},
		"client_key": schema.StringAttribute{
			Optional: true, Sensitive: true,
			MarkdownDescription: "Private key of `client_cert`, as PEM text or the path of a file (`POSTHOG_CLIENT_KEY`). " +
				"If you use a path, plan files don't contain the key.",
		},
		"insecure_skip_verify": schema.BoolAttribute{
			Optional: true,
			MarkdownDescription: "Whether to accept any certificate (`POSTHOG_INSECURE_SKIP_VERIFY`). Anyone on the network can then " +
				"read the API key. Use it only for experiments. Otherwise, use `ca_cert`.",
		},

		"request_timeout": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Time limit for one request, such as `30s` or `2m` (`POSTHOG_REQUEST_TIMEOUT`). Defaults to `60s`.",
			Validators:          []validator.String{duration},
		},
		"requests_per_minute": schema.Int64Attribute{
			Optional: true,
			MarkdownDescription: "Maximum number of requests per minute (`POSTHOG_REQUESTS_PER_MINUTE`). " +
				"Defaults to 0, which means that the provider waits only if PostHog requires it.",
			Validators: []validator.Int64{attribute.Between(0, 1_000_000)},
		},
		"max_retries": schema.Int64Attribute{
			Optional: true,
			MarkdownDescription: "Maximum number of retries of a request that failed or that PostHog throttled with 429 (`POSTHOG_MAX_RETRIES`). " +
				"With 0, the provider retries nothing. If omitted, only the `timeouts` of the operation limit the retries. " +
				"A create is retried only if the retry can't create a second object.",
			Validators: []validator.Int64{attribute.Between(0, 1000)},
		},
		"read_mode": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "How a refresh reads objects (`POSTHOG_READ_MODE`). `auto` reads many objects with a few requests, and " +
				"`single` reads each object with a separate request. Defaults to `auto`.",
			Validators: []validator.String{attribute.OneOf(readAuto, readSingle)},
		},
	}
}
