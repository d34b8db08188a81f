// Package provider is the provider block and the list of everything served:
// configuration and environment become a client, which every resource and data
// source is handed. What one of them does never enters it.
package provider

import (
	"context"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/providerdata"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// Address is the provider's source address in the public registry.
const Address = "registry.terraform.io/surveys-as-code/posthog"

// typeName is what the names of all resource and data source types begin with.
const typeName = "posthog"

var (
	_ provider.ProviderWithActions       = (*Provider)(nil)
	_ provider.ProviderWithListResources = (*Provider)(nil)
)

// Provider is the provider posthog.
type Provider struct {
	// Version is what the user agent says.
	Version string
	// Now is the clock that stamps a launch or a stop.
	Now func() time.Time
	// Sleep waits as the client does between requests, and then Now is the client's
	// clock too. Nil is the machine's clock.
	Sleep func(context.Context, time.Duration) error
	// Transport carries the requests; nil is the network.
	Transport http.RoundTripper
	// Getenv looks an environment variable up.
	Getenv func(string) string

	configured atomic.Pointer[providerdata.Data]
}

// New returns the provider of a build of this version, with the clock and the
// environment of the machine.
func New(version string) *Provider {
	return &Provider{Version: version, Now: time.Now, Getenv: os.Getenv}
}

type model struct {
	BaseURL           types.String `tfsdk:"base_url"`
	APIKey            types.String `tfsdk:"api_key"`
	ProjectID         types.String `tfsdk:"project_id"`
	OrganizationID    types.String `tfsdk:"organization_id"`
	Headers           types.Map    `tfsdk:"headers"`
	RequestTimeout    types.String `tfsdk:"request_timeout"`
	RequestsPerMinute types.Int64  `tfsdk:"requests_per_minute"`
	ReadMode          types.String `tfsdk:"read_mode"`
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
		Attributes: map[string]schema.Attribute{
			"base_url": schema.StringAttribute{
				Optional: true, MarkdownDescription: "Address of the service, a path prefix included; `POSTHOG_BASE_URL` or `POSTHOG_HOST`. " +
					"`https://us.posthog.com` when not given.",
			},
			"api_key": schema.StringAttribute{
				Optional: true, Sensitive: true, MarkdownDescription: "Personal API key; `POSTHOG_API_KEY`. " +
					"Surveys need the scopes `survey:read` and `survey:write`, import apps `plugin:read` and `plugin:write`. " +
					"The provider writes it nowhere. Terraform itself writes variables into plan files: " +
					"give it by the environment, or by a variable that is `ephemeral`.",
			},
			"project_id": schema.StringAttribute{
				Optional: true, MarkdownDescription: "Project of the surveys that name none; `POSTHOG_PROJECT_ID`.",
			},
			"organization_id": schema.StringAttribute{
				Optional: true, MarkdownDescription: "Organization of the import apps that name none; `POSTHOG_ORGANIZATION_ID`.",
			},
			"headers": schema.MapAttribute{
				Optional: true, Sensitive: true, ElementType: types.StringType,
				MarkdownDescription: "Headers to send with every request, by name, for a service behind an access proxy; " +
					"`POSTHOG_HEADERS`, as a JSON object such as `{\"CF-Access-Client-Id\": \"...\"}`. The values are treated as secrets, " +
					"and are sent to the service alone. `Authorization`, `Host` and other headers of the connection are refused.",
				Validators: []validator.Map{sendableHeaders{}},
			},
			"request_timeout": schema.StringAttribute{
				Optional: true, MarkdownDescription: "How long one request may take, such as `30s` or `2m`; `POSTHOG_REQUEST_TIMEOUT`. `60s` when not given.",
				Validators: []validator.String{duration{}},
			},
			"requests_per_minute": schema.Int64Attribute{
				Optional: true, MarkdownDescription: "Upper bound of requests a minute; `POSTHOG_REQUESTS_PER_MINUTE`. " +
					"0, the default, waits only when the service demands it.",
				Validators: []validator.Int64{int64validator.Between(0, 1_000_000)},
			},
			"read_mode": schema.StringAttribute{
				Optional: true, MarkdownDescription: "How a refresh reads objects; `POSTHOG_READ_MODE`. `auto`, the default, reads many from a few lists; " +
					"`single` asks for each by itself.",
				Validators: []validator.String{stringvalidator.OneOf(readAuto, readSingle)},
			},
		},
	}
}

// Resources implements provider.Provider.
func (p *Provider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{survey.NewResource, importapp.NewResource}
}

// DataSources implements provider.Provider.
func (p *Provider) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{
		survey.NewDataSource, survey.NewListDataSource,
		survey.NewActivityDataSource, survey.NewAllActivityDataSource, survey.NewResponsesCountDataSource,
		importapp.NewDataSource, importapp.NewListDataSource,
		importapp.NewSourceDataSource, importapp.NewUpdatesDataSource, importapp.NewActivityDataSource,
		importapp.NewRepositoryDataSource, importapp.NewUnusedDataSource, importapp.NewUnsubscribeConfigsDataSource,
	}
}

// ListResources implements provider.ProviderWithListResources.
func (p *Provider) ListResources(context.Context) []func() list.ListResource {
	return []func() list.ListResource{survey.NewListResource, importapp.NewListResource}
}

// Actions implements provider.ProviderWithActions.
func (p *Provider) Actions(context.Context) []func() action.Action {
	return []func() action.Action{
		survey.NewLaunchAction, survey.NewStopAction,
		importapp.NewUpgradeAction, importapp.NewUpdateSourceAction,
	}
}

// Functions implements provider.ProviderWithFunctions.
func (p *Provider) Functions(context.Context) []func() function.Function {
	return []func() function.Function{
		survey.NewQuestionFunction, survey.NewQuestionsFunction, survey.NewFlowFunction, survey.NewResponseKeyFunction,
	}
}
