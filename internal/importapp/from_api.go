package importapp

import (
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// FromAPI reads an answer. prior is what plan or state hold: it fills what the
// answer does not have, its spelling stays where it means the same, and what a says
// about memory and writing decides the rest. Afterwards a says what the service did
// not have, what it changed, and what is to be remembered.
func FromAPI(wire api.PipelineImportApp, prior Fields, a *attribute.Answer) Fields {
	// Only the service sets these: there is nothing to report about them.
	readOnly := &attribute.Answer{IsWrite: a.IsWrite}

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
	// An organization that is named stays: it is the one whose list the app is
	// reached by, and a global app may belong to another.
	if m.OrganizationID.IsNull() {
		m.OrganizationID = attribute.String(readOnly, "organization_id", wire.OrganizationID, m.OrganizationID)
	}

	return m
}

// stringFromAPI reads a field that is documented as a string and a boolean on the hosted service.
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
