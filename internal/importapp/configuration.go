package importapp

import (
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// ConfigurationOf returns the attributes that a configuration needs so that the plan after
// an import of the app in a response is empty; omitted attributes are null. The url is that
// of the service, without its query.
func ConfigurationOf(wire api.PipelineImportApp, organizationID string) Fields {
	return configurationFor(FromAPI(wire, Fields{OrganizationID: types.StringValue(organizationID)}, &attribute.Response{}))
}

// configurationFor is [ConfigurationOf] for a converted app.
func configurationFor(read Fields) Fields {
	var stated Fields
	attribute.ToStruct(&stated, attribute.MinimalConfig(configurable(), attribute.FromStruct(&read), "url"))
	return stated
}

// configurable are the attributes of the resource, built once.
var configurable = sync.OnceValue(func() map[string]schema.Attribute { return ResourceSchema().Attributes })
