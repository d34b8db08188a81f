package importapp

import (
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// ToAPI writes what a plan changes: every field that differs from prior, nothing
// else. The zero Model as prior makes it the request of a create, the only one that
// carries the url.
func ToAPI(planned, prior Fields) api.PipelineImportAppRequest {
	var r api.PipelineImportAppRequest
	attribute.SendString(&r.PluginType, planned.PluginType, prior.PluginType)
	attribute.SendString(&r.Name, planned.Name, prior.Name)
	attribute.SendString(&r.Description, planned.Description, prior.Description)
	attribute.SendString(&r.Icon, planned.Icon, prior.Icon)
	attribute.SendJSON(&r.ConfigSchema, planned.ConfigSchema, prior.ConfigSchema)
	attribute.SendString(&r.Tag, planned.Tag, prior.Tag)
	attribute.SendJSON(&r.Capabilities, planned.Capabilities, prior.Capabilities)
	attribute.SendJSON(&r.Metrics, planned.Metrics, prior.Metrics)
	attribute.SendJSON(&r.PublicJobs, planned.PublicJobs, prior.PublicJobs)

	sendIsGlobal(&r, planned, prior)
	if prior.ID.IsNull() {
		attribute.SendString(&r.URL, planned.URL, prior.URL)
	}
	return r
}

// sendIsGlobal omits the field for an app that is not global before or after: the
// service asks for its highest access level whenever the key is there, false or not.
func sendIsGlobal(r *api.PipelineImportAppRequest, planned, prior Fields) {
	if planned.IsGlobal.IsNull() {
		return // it was never in a response, and null is no value of it
	}
	before := types.BoolValue(prior.IsGlobal.ValueBool())
	attribute.SendBool(&r.IsGlobal, planned.IsGlobal, before)
}

// IsEmptyRequest reports whether a request changes nothing.
func IsEmptyRequest(r api.PipelineImportAppRequest) bool {
	raw, err := json.Marshal(r)
	return err == nil && string(raw) == "{}"
}
