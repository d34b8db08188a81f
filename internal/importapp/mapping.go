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

// received maps the attributes that follow from the field of their name alone, and sent those that
// are sent in it.
var (
	received = attribute.MustMap[api.PipelineImportApp, Fields]("organization_id", "organization_name", "url", "latest_tag", "hog_function_migration_available")
	sent     = attribute.MustMap[api.PipelineImportAppRequest, Fields]("is_global", "url")
)

// FromAPI converts a response. prior is the plan or the state: its values replace missing
// ones, and stay where they are equivalent. a says whether it is the response to a write,
// and what the provider remembers; afterwards it also has the missing fields, the changed
// ones, and what is to be remembered.
func FromAPI(wire api.PipelineImportApp, prior Fields, a *attribute.Response) Fields {
	// Only the service sets these: there is nothing to report about them.
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

// ToAPI writes what a plan changes: every field that differs from prior, nothing
// else. The zero Model as prior makes it the request of a create, the only one that
// carries the url.
func ToAPI(planned, prior Fields) api.PipelineImportAppRequest {
	var r api.PipelineImportAppRequest
	sent.Send(&r, attribute.FromStruct(&planned), attribute.FromStruct(&prior))
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
	priorGlobal := types.BoolValue(prior.IsGlobal.ValueBool())
	attribute.SendBool(&r.IsGlobal, planned.IsGlobal, priorGlobal)
}

// IsEmptyRequest reports whether a request changes nothing.
func IsEmptyRequest(r api.PipelineImportAppRequest) bool {
	raw, err := json.Marshal(r)
	return err == nil && string(raw) == "{}"
}

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
	values, liveValues := attribute.FromStruct(&planned), attribute.FromStruct(&live)
	attribute.KeepEquivalent(values, liveValues, nil)
	attribute.ResetCleared(values, liveValues, clearedValues)
	attribute.ToStruct(&planned, values)
	return planned
}

// clearedValues are the service's defaults of attributes that have one.
var clearedValues = map[string]attr.Value{
	"config_schema": noJSON, "capabilities": noJSON, "metrics": noJSON, "public_jobs": noJSON, "is_global": types.BoolValue(false),
}

var noJSON = jsontypes.NewNormalizedValue("{}")

// IsShown reports whether every service shows the app that a request creates: the hosted
// service hides one whose capabilities do not say that it imports.
func IsShown(request api.PipelineImportAppRequest) bool {
	capabilities, err := request.Capabilities.Get()
	return err == nil && isShown(attribute.JSON(capabilities))
}

// WithoutSecretDefaults returns a config_schema without the defaults of its secret fields,
// and the keys of these fields.
func WithoutSecretDefaults(schema jsontypes.Normalized) (jsontypes.Normalized, []string) {
	decoded := decodedSchema(schema)
	keys := api.WithoutSecretDefaults(decoded)
	if len(keys) == 0 {
		return schema, nil
	}
	return encodedSchema(decoded), keys
}

// keepSecretDefaults gives the secret fields of a desired config_schema, which lacks their
// defaults if it comes from a snapshot, those of the live app.
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

// decodedSchema is the JSON of a config_schema; nil where there is none.
func decodedSchema(schema jsontypes.Normalized) any {
	decoded, err := jsonvalue.Decode(schema.ValueString())
	if err != nil {
		return nil
	}
	return decoded
}

// encodedSchema is the attribute of a config_schema that was decoded from JSON.
func encodedSchema(decoded any) jsontypes.Normalized {
	text, _ := json.Marshal(decoded) // what was decoded encodes
	return attribute.JSON(text)
}

// ConfigurationFromAPI returns the attributes that a configuration needs so that the plan after
// an import of the app in a response is empty; omitted attributes are null. The url is that
// of the service, without its query.
func ConfigurationFromAPI(wire api.PipelineImportApp, organizationID string) Fields {
	return minimalConfiguration(FromAPI(wire, Fields{OrganizationID: types.StringValue(organizationID)}, &attribute.Response{}))
}

// minimalConfiguration is [ConfigurationOf] for a converted app.
func minimalConfiguration(read Fields) Fields {
	var config Fields
	attribute.ToStruct(&config, attribute.MinimalConfig(configurable(), attribute.FromStruct(&read), "url"))
	return config
}

// configurable are the attributes of the resource, built once.
var configurable = sync.OnceValue(func() map[string]schema.Attribute { return ResourceSchema().Attributes })

// ForeignOwner returns the organization that owns an app which another organization's list
// has: a global app is in the lists of all, and its owner alone can change it. It is empty
// for an app of that organization itself, and in the list of "@current", of which the id
// is not known.
func ForeignOwner(wire api.PipelineImportApp, organizationID string) string {
	owner, err := wire.OrganizationID.Get()
	if err != nil || strings.HasPrefix(organizationID, "@") || plainUUID(owner) == plainUUID(organizationID) {
		return ""
	}
	return owner
}

// plainUUID is a UUID in one of the forms in which the service takes it.
func plainUUID(id string) string { return strings.ToLower(strings.ReplaceAll(id, "-", "")) }
