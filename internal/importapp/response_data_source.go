package importapp

import (
	"context"
	"encoding/json"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/diagnose"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/lookup"
)

// sessionOnly is the last sentence of the descriptions of what API keys cannot do.
const sessionOnly = " The hosted service offers this to people in the web interface only and refuses API keys; a self-hosted or compatible service may allow them."

// responseModel has the attributes that the data sources share which return the response of
// an operation.
type responseModel struct {
	OrganizationID types.String `tfsdk:"organization_id"`
	JSON           types.String `tfsdk:"json"`
}

// ParentID implements lookup.Response.
func (m *responseModel) ParentID() *types.String { return &m.OrganizationID }

// Body implements lookup.Response.
func (m *responseModel) Body() *types.String { return &m.JSON }

// appModel is a responseModel of an operation on one app.
type appModel struct {
	responseModel
	AppID types.Int64 `tfsdk:"app_id"`
}

// responseOf is a data source with the response of an operation on an organization's apps.
func responseOf[M any, P lookup.Response[M]](
	typeName, description string, attributes map[string]schema.Attribute, attempt func(P) diagnose.Attempt,
	request func(context.Context, *client.PipelineImportApps, P) (json.RawMessage, error), fill func(P, json.RawMessage) error,
) *lookup.ResponseDataSource[M, P] {
	return &lookup.ResponseDataSource[M, P]{
		TypeName:    typeName,
		Description: description + sessionOnly,
		Attributes: func() map[string]schema.Attribute {
			attributes := maps.Clone(attributes)
			attributes["organization_id"] = organizationAttribute()
			attributes["json"] = schema.StringAttribute{Computed: true, MarkdownDescription: "The whole response as JSON text. Null when it has no body, as the interface documents it."}
			return attributes
		},
		Parent:  lookup.Organization,
		Attempt: attempt,
		Request: func(ctx context.Context, c *client.Client, m P) (json.RawMessage, error) {
			return request(ctx, c.PipelineImportApps(m.ParentID().ValueString()), m)
		},
		Fill: fill,
	}
}

// tries is the attempt of an operation on all apps.
func tries[P any](verb, noun string) func(P) diagnose.Attempt {
	return func(P) diagnose.Attempt { return diagnose.Attempt{Verb: verb, Noun: noun} }
}

func appIDAttribute() schema.Attribute {
	return schema.Int64Attribute{Required: true, MarkdownDescription: "Number of the app."}
}
