package importapp

import (
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// ConfigurationOf returns what a configuration has to state for the app in an answer,
// so that a plan after an import changes nothing: attributes are null where it says
// nothing. The url is the one that the service shows, without its query.
func ConfigurationOf(wire api.PipelineImportApp, organizationID string) Fields {
	return configurationFor(FromAPI(wire, Fields{OrganizationID: types.StringValue(organizationID)}, &attribute.Answer{}))
}

// configurationFor is [ConfigurationOf] for an app that was read.
func configurationFor(read Fields) Fields {
	var stated Fields
	attribute.ToStruct(&stated, attribute.MinimalConfig(configurable(), attribute.FromStruct(&read), "url"))
	return stated
}

// configurable are the attributes of the resource, made once.
var configurable = sync.OnceValue(func() map[string]schema.Attribute { return resourceSchema().Attributes })
