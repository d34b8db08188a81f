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
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/reference"
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

	configured atomic.Pointer[providerdata.Data]
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
		reference.NewFeatureFlag, reference.NewCohort, reference.NewProject,
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
