package importapp

import (
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// FromAPI converts a response. prior is the plan or the state: its values replace missing
// ones, and stay where they are equivalent. a says whether it is the response to a write,
// and what the provider remembers; afterwards it also has the missing fields, the changed
// ones, and what is to be remembered.
func FromAPI(wire api.PipelineImportApp, prior Fields, a *attribute.Response) Fields {
	// Only the service sets these: there is nothing to report about them.
	readOnly := &attribute.Response{IsWrite: a.IsWrite}

	m := Fields{
		ID:               prior.ID,
		OrganizationID:   prior.OrganizationID,
		PluginType:       attribute.String(a, "plugin_type", wire.PluginType, prior.PluginType),
		Name:             attribute.String(a, "name", wire.Name, prior.Name),
		Description:      attribute.String(a, "description", wire.Description, prior.Description),
		URL:              urlFromAPI(a, wire.URL, prior.URL),
		Icon:             attribute.String(a, "icon", wire.Icon, prior.Icon),
		ConfigSchema:     a.JSON("config_schema", wire.ConfigSchema, prior.ConfigSchema),
		Tag:              attribute.String(a, "tag", wire.Tag, prior.Tag),
		LatestTag:        attribute.String(readOnly, "latest_tag", wire.LatestTag, prior.LatestTag),
		IsGlobal:         a.Bool("is_global", wire.IsGlobal, prior.IsGlobal),
		OrganizationName: attribute.String(readOnly, "organization_name", wire.OrganizationName, prior.OrganizationName),
		Capabilities:     a.JSON("capabilities", wire.Capabilities, prior.Capabilities),
		Metrics:          a.JSON("metrics", wire.Metrics, prior.Metrics),
		PublicJobs:       a.JSON("public_jobs", wire.PublicJobs, prior.PublicJobs),
		HogFunctionMigrationAvailable: attribute.String(readOnly, "hog_function_migration_available",
			stringFromAPI(wire.HogFunctionMigrationAvailable), prior.HogFunctionMigrationAvailable),
	}

	if wire.ID != nil {
		m.ID = types.Int64Value(*wire.ID)
	}
	// A configured organization stays: its list contains the app, and a global app may
	// belong to another one.
	if m.OrganizationID.IsNull() {
		m.OrganizationID = attribute.String(readOnly, "organization_id", wire.OrganizationID, m.OrganizationID)
	}

	return m
}

// stringFromAPI converts a field that is documented as a string, but a boolean on the
// hosted service.
func stringFromAPI(field nullable.Nullable[json.RawMessage]) nullable.Nullable[string] {
	raw, err := field.Get()
	var text string
	switch {
	case !field.IsSpecified():
		return nil
	case err != nil || attribute.IsJSONNull(raw):
		return nullable.NewNullNullable[string]()
	case json.Unmarshal(raw, &text) != nil:
		text = string(raw)
	}
	return nullable.NewNullableWithValue(text)
}
