package importapp

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// received maps the attributes that correspond to the response field with the same name. sent maps
// those that requests contain.
var (
	received = attribute.MustMap[api.PipelineImportApp, Fields]("organization_id", "organization_name", "url", "latest_tag", "hog_function_migration_available")
	sent     = attribute.MustMap[api.PipelineImportAppRequest, Fields]("is_global", "url")
)

// FromAPI converts a response. prior is the plan or the state. Its values replace missing ones, and
// are kept if they are equivalent. a specifies whether the response belongs to a write, and what the
// provider remembers. FromAPI adds the missing fields, the changed fields, and the values to
// remember to a.
func FromAPI(wire api.PipelineImportApp, prior Fields, a *attribute.Response) Fields {
	// Only PostHog sets these attributes, so there is nothing to report about them.
	readOnly := &attribute.Response{IsWrite: a.IsWrite}
	values := attribute.FromStruct(&prior)
	received.Receive(a, wire, values)
	values["latest_tag"] = attribute.String(readOnly, "latest_tag", wire.LatestTag, prior.LatestTag)
	values["organization_name"] = attribute.String(readOnly, "organization_name", wire.OrganizationName, prior.OrganizationName)

	var m Fields
	attribute.ToStruct(&m, values)
	m.URL = urlFromAPI(a, wire.URL, prior.URL)
	m.HogFunctionMigrationAvailable = attribute.String(readOnly, "hog_function_migration_available",
		stringFromAPI(wire.HogFunctionMigrationAvailable), prior.HogFunctionMigrationAvailable)
	if wire.ID != nil {
		m.ID = types.Int64Value(*wire.ID)
	}
	// Keep a configured organization: its list contains the app, but a global app may belong to
	// another organization.
	if m.OrganizationID.IsNull() {
		m.OrganizationID = attribute.String(readOnly, "organization_id", wire.OrganizationID, m.OrganizationID)
	}

	return m
}

// stringFromAPI converts a field that is a string in the API document, but a boolean in PostHog.
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

// ToAPI returns a request with every field that differs between planned and prior. If prior is the
// zero Fields, it returns a create request. Only a create request contains a URL.
func ToAPI(planned, prior Fields) api.PipelineImportAppRequest {
	var r api.PipelineImportAppRequest
	sent.Send(&r, attribute.FromStruct(&planned), attribute.FromStruct(&prior))
	sendIsGlobal(&r, planned, prior)
	if prior.ID.IsNull() {
		attribute.SendString(&r.URL, planned.URL, prior.URL)
	}
	return r
}

// sendIsGlobal omits is_global if the app neither is nor becomes global, because PostHog requires
// the highest access level whenever a request contains the key, even if it is false.
func sendIsGlobal(r *api.PipelineImportAppRequest, planned, prior Fields) {
	if planned.IsGlobal.IsNull() {
		return // no response contained it, and null is not a valid value
	}
	priorGlobal := types.BoolValue(prior.IsGlobal.ValueBool())
	attribute.SendBool(&r.IsGlobal, planned.IsGlobal, priorGlobal)
}

// IsEmptyRequest reports whether a request changes nothing.
func IsEmptyRequest(r api.PipelineImportAppRequest) bool {
	raw, err := json.Marshal(r)
	return err == nil && string(raw) == "{}"
}

// Promote returns the import app that makes live equal to desired, which may belong to another
// organization. A zero live is a new app.
//
// The ID, the URL, and fields that only PostHog sets stay unchanged. If an app was installed from a
// URL, its tag also stays unchanged, because it identifies the installed version of the code. Secret
// defaults that the desired app lacks stay unchanged, too.
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
	values, liveValues := attribute.FromStruct(&planned), attribute.FromStruct(&live)
	attribute.KeepEquivalent(values, liveValues, nil)
	attribute.ResetClearedValues(values, liveValues, clearedValues)
	attribute.ToStruct(&planned, values)
	return planned
}

// clearedValues are PostHog's defaults, by attribute.
var clearedValues = map[string]attr.Value{
	"config_schema": noJSON, "capabilities": noJSON, "metrics": noJSON, "public_jobs": noJSON, "is_global": types.BoolValue(false),
}

var noJSON = jsontypes.NewNormalizedValue("{}")

// IsShown reports whether PostHog certainly lists the app that a request creates. PostHog hides
// apps whose capabilities contain no import method.
func IsShown(request api.PipelineImportAppRequest) bool {
	capabilities, err := request.Capabilities.Get()
	return err == nil && isShown(attribute.JSON(capabilities))
}

// WithoutSecretDefaults returns a config_schema without the defaults of its secret fields, and the
// keys of these fields.
func WithoutSecretDefaults(schema jsontypes.Normalized) (jsontypes.Normalized, []string) {
	decoded := decodedSchema(schema)
	keys := api.WithoutSecretDefaults(decoded)
	if len(keys) == 0 {
		return schema, nil
	}
	return encodedSchema(decoded), keys
}

// keepSecretDefaults copies the live app's defaults to the secret fields of a desired
// config_schema. A config_schema from a snapshot lacks them.
func keepSecretDefaults(desired, live jsontypes.Normalized) jsontypes.Normalized {
	defaults := map[string]any{}
	api.EachSecretDefault(decodedSchema(live), func(key string, field map[string]any) { defaults[key] = field["default"] })
	decoded, isChanged := decodedSchema(desired), false
	api.EachSecretField(decoded, func(key string, field map[string]any) {
		_, hasDefault := field["default"]
		if secret, isKnown := defaults[key]; isKnown && !hasDefault {
			field["default"], isChanged = secret, true
		}
	})
	if !isChanged {
		return desired
	}
	return encodedSchema(decoded)
}

// decodedSchema decodes the JSON of a config_schema. It returns nil if there is none.
func decodedSchema(schema jsontypes.Normalized) any {
	decoded, err := jsonvalue.Decode(schema.ValueString())
	if err != nil {
		return nil
	}
	return decoded
}

// encodedSchema encodes a decoded config_schema.
func encodedSchema(decoded any) jsontypes.Normalized {
	text, _ := json.Marshal(decoded) // a decoded value always encodes
	return attribute.JSON(text)
}

// ConfigurationFromAPI returns the attributes that a configuration needs, so that the plan after an
// app's import is empty. Omitted attributes are null. The URL is as PostHog returns it, without its
// query.
func ConfigurationFromAPI(wire api.PipelineImportApp, organizationID string) Fields {
	return minimalConfiguration(FromAPI(wire, Fields{OrganizationID: types.StringValue(organizationID)}, &attribute.Response{}))
}

// minimalConfiguration is [ConfigurationFromAPI] for a converted app.
func minimalConfiguration(read Fields) Fields {
	var config Fields
	attribute.ToStruct(&config, attribute.MinimalConfig(configurable(), attribute.FromStruct(&read), "url"))
	return config
}

// configurable returns the resource's attributes, built once.
var configurable = sync.OnceValue(func() map[string]schema.Attribute { return ResourceSchema().Attributes })

// ForeignOwner returns the organization that owns an app in another organization's list. A global
// app is in every organization's list, but only its owner can change it. The result is empty if the
// organization itself owns the app, and for the list of "@current", whose ID is unknown.
func ForeignOwner(wire api.PipelineImportApp, organizationID string) string {
	owner, err := wire.OrganizationID.Get()
	if err != nil || strings.HasPrefix(organizationID, "@") || plainUUID(owner) == plainUUID(organizationID) {
		return ""
	}
	return owner
}

// plainUUID normalizes a UUID in one of the forms that PostHog accepts.
func plainUUID(id string) string { return strings.ToLower(strings.ReplaceAll(id, "-", "")) }
