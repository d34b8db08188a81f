package importapp

import (
	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// Promote returns what an import app is to become so that it is like a desired one, which
// may belong to another organization. The zero live is a new app.
//
// The id, the address and what only the service sets stay. So does the tag of an app that
// is installed from an address: it says which version of the code there is. Secret defaults
// that the desired app lacks stay, too.
func Promote(desired api.PipelineImportApp, live Fields) Fields {
	planned := FromAPI(desired, live, &attribute.Response{})
	planned.ID, planned.OrganizationID, planned.OrganizationName = live.ID, live.OrganizationID, live.OrganizationName
	planned.LatestTag, planned.HogFunctionMigrationAvailable = live.LatestTag, live.HogFunctionMigrationAvailable
	if live.ID.IsNull() {
		return planned
	}

	planned.URL = live.URL
	if !live.URL.IsNull() {
		planned.Tag = live.Tag
	}
	planned.ConfigSchema = keepSecretDefaults(planned.ConfigSchema, live.ConfigSchema)
	resetCleared(&planned, live)
	return planned
}

// resetCleared plans the service's default where the desired app has no value and the live
// one has. What is empty on both sides stays.
func resetCleared(planned *Fields, live Fields) {
	for _, one := range []struct {
		planned *jsontypes.Normalized
		live    jsontypes.Normalized
	}{
		{&planned.ConfigSchema, live.ConfigSchema},
		{&planned.Capabilities, live.Capabilities},
		{&planned.Metrics, live.Metrics},
		{&planned.PublicJobs, live.PublicJobs},
	} {
		switch {
		case attribute.IsEmptyJSON(*one.planned) && attribute.IsEmptyJSON(one.live):
			*one.planned = one.live
		case one.planned.IsNull():
			*one.planned = jsontypes.NewNormalizedValue("{}")
		}
	}

	if planned.IsGlobal.IsNull() && !live.IsGlobal.IsNull() {
		planned.IsGlobal = types.BoolValue(false)
	}
	attributes, before := attribute.FromStruct(planned), attribute.FromStruct(&live)
	for name, value := range attributes {
		if attribute.IsEmpty(value) && attribute.IsEmpty(before[name]) {
			attributes[name] = before[name]
		}
	}
	attribute.ToStruct(planned, attributes)
}

// IsShown reports whether every service shows the app that a request creates: the hosted
// service hides one whose capabilities do not say that it imports.
func IsShown(request api.PipelineImportAppRequest) bool {
	capabilities, err := request.Capabilities.Get()
	return err == nil && isShown(attribute.JSON(capabilities))
}
