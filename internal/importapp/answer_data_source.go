package importapp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/diagnose"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
)

// answerDataSource is the base of the data sources that return the response of an
// operation. The interface documents no body for these operations, so everything but the id
// arguments can be null.
type answerDataSource struct {
	providerdata.DataSource
	typeName string
}

// Metadata implements datasource.DataSource.
func (d *answerDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + d.typeName
}

// answerModel has the attributes that all these data sources share.
type answerModel struct {
	OrganizationID types.String `tfsdk:"organization_id"`
	JSON           types.String `tfsdk:"json"`
}

// answerAttributes are the attributes of an answerModel and some more.
func answerAttributes(more map[string]schema.Attribute) map[string]schema.Attribute {
	more["organization_id"] = organizationAttribute()
	more["json"] = schema.StringAttribute{Computed: true, MarkdownDescription: "The whole answer as JSON text. Null when the service answers nothing, as the interface documents it."}
	return more
}

func appIDAttribute() schema.Attribute {
	return schema.Int64Attribute{Required: true, MarkdownDescription: "Number of the app."}
}

// sessionOnly is the last sentence of all descriptions.
const sessionOnly = " The hosted service offers this to people in the web interface only and refuses API keys; a self-hosted or compatible service may answer."

// call makes the request of a data source and decodes the response. The interface documents
// no body, so one that differs from that of the hosted service is no error: json has it, and
// into is zero.
func (d *answerDataSource) call(
	m *answerModel, attempt diagnose.Attempt, into any, resp *datasource.ReadResponse,
	request func(*client.PipelineImportApps) (json.RawMessage, error),
) bool {
	organization, ok := organizationOf(d.Data, m.OrganizationID, &resp.Diagnostics)
	if !ok {
		return false
	}
	m.OrganizationID = organization
	attempt.Parent = "organization " + organization.ValueString()

	body, err := request(d.Client.PipelineImportApps(organization.ValueString()))
	if err != nil {
		resp.Diagnostics.Append(attempt.Diagnostic(err, nil))
		return false
	}
	if body == nil {
		return true
	}

	m.JSON = types.StringValue(string(body))
	if err := decodeAnswer(body, into); err != nil {
		reflect.ValueOf(into).Elem().SetZero() // the part that fits would be misleading
		resp.Diagnostics.Append(attempt.OtherShape(err))
	}
	return true
}

// decodeAnswer decodes the response of the hosted service. Numbers are not rounded.
func decodeAnswer(body json.RawMessage, into any) error {
	err := jsonvalue.Unmarshal(body, into)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%s is a JSON %s", cmp.Or(wrong.Field, "a value in it"), wrong.Value)
	}
	return err
}
