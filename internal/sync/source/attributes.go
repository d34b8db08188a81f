package source

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// FromSurvey converts a survey in an API response.
func FromSurvey(ctx context.Context, wire api.Survey, projectID string) (Object, error) {
	fields, err := survey.FromAPI(ctx, wire, survey.Fields{ProjectID: types.StringValue(projectID)}, &attribute.Response{})
	if err != nil {
		return Object{}, err
	}
	object, err := FromSurveyFields(ctx, fields)
	object.SurveyResponse = &wire
	object.Unknown = missingAttributes(attribute.Names(&fields), attribute.SentAttributes(wire))
	return object, err
}

// FromSurveyFields converts a survey in the provider's model.
func FromSurveyFields(ctx context.Context, fields survey.Fields) (Object, error) {
	attributes, err := jsonValues(ctx, attribute.FromStruct(&fields))
	return Object{
		Kind: Survey, ID: fields.ID.ValueString(), Name: fields.Name.ValueString(), ParentID: fields.ProjectID.ValueString(), Attributes: attributes,
	}, err
}

// FromApp converts an import app in an API response.
func FromApp(ctx context.Context, wire api.PipelineImportApp, organizationID string) (Object, error) {
	fields := importapp.FromAPI(wire, importapp.Fields{OrganizationID: types.StringValue(organizationID)}, &attribute.Response{})
	object, err := FromAppFields(ctx, fields)
	object.AppResponse = &wire
	object.Unknown = missingAttributes(attribute.Names(&fields), attribute.SentAttributes(wire))
	return object, err
}

// FromAppFields converts an import app in the provider's model.
func FromAppFields(ctx context.Context, fields importapp.Fields) (Object, error) {
	attributes, err := jsonValues(ctx, attribute.FromStruct(&fields))
	HideDefaults(attributes)
	object := Object{Kind: App, Name: fields.Name.ValueString(), ParentID: fields.OrganizationID.ValueString(), Attributes: attributes}
	if !fields.ID.IsNull() {
		object.ID = fields.ID.String()
	}
	return object, err
}

// HideDefaults hides the defaults of an import app's secret fields.
func HideDefaults(attributes map[string]any) {
	api.EachSecretDefault(attributes["config_schema"], func(_ string, field map[string]any) {
		field["default"] = Hidden(field["default"])
	})
}

// responseFields maps attributes to the response fields from which they are computed, if the names differ.
var responseFields = map[string][]string{
	"project_id": {"id"}, "status": {"start_date", "end_date"}, "linked_flag_id": {"linked_flag_id", "linked_flag"},
	"targeting_flag_id": {"targeting_flag"}, "targeting_flag_filters": {"targeting_flag"},
}

// missingAttributes returns the attributes whose fields are missing from a response, for example because a
// different PostHog version sent it. has reports whether the response contains a field.
func missingAttributes(names []string, has func(field string) bool) []string {
	var missing []string
	for _, name := range names {
		fields, differ := responseFields[name]
		if !differ {
			fields = []string{name}
		}
		if !slices.ContainsFunc(fields, has) {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	return missing
}

// jsonValues converts framework attributes to JSON values. It omits null and unknown attributes.
func jsonValues(ctx context.Context, attributes map[string]attr.Value) (map[string]any, error) {
	converted := map[string]any{}
	for name, value := range attributes {
		element, err := jsonValue(ctx, value)
		if err != nil {
			return nil, err
		}
		if element != nil {
			converted[name] = element
		}
	}
	return converted, nil
}

// jsonValue converts a framework value to a JSON value. It returns nil if the value is null or unknown.
func jsonValue(ctx context.Context, value attr.Value) (any, error) {
	if value.IsNull() || value.IsUnknown() {
		return nil, nil //nolint:nilnil // null is a value
	}

	switch value := value.(type) {
	case jsontypes.Normalized:
		return DecodeJSON(value.ValueString()), nil
	case types.List:
		list := make([]any, 0, len(value.Elements()))
		for _, element := range value.Elements() {
			converted, err := jsonValue(ctx, element)
			if err != nil {
				return nil, err
			}
			list = append(list, converted)
		}
		return list, nil
	case survey.Questions:
		list, _ := value.ToListValue(ctx)
		return jsonValue(ctx, list)
	case types.Map:
		return jsonValues(ctx, value.Elements())
	case types.Object:
		return jsonValues(ctx, value.Attributes())
	case interface{ ValueString() string }:
		return value.ValueString(), nil
	case types.Bool:
		return value.ValueBool(), nil
	}

	// Every number's format is valid JSON.
	return json.Number(value.String()), nil
}

// DecodeJSON decodes a JSON text. If the text is not JSON, it returns the text itself.
func DecodeJSON(text string) any {
	value, err := jsonvalue.Decode(text)
	if err != nil {
		return text
	}
	return value
}

// AttributeTypes returns the types of the attributes that PostHog stores for a kind. It omits attributes that
// exist only in the provider, such as deletion_policy.
func AttributeTypes(kind Kind) map[string]attr.Type {
	served, fields := surveyschema.Resource(), attribute.FromStruct(&survey.Fields{})
	if kind == App {
		served, fields = importapp.ResourceSchema(), attribute.FromStruct(&importapp.Fields{})
	}
	return attribute.AttributeTypes(served, func(name string, _ schema.Attribute) bool { return fields[name] != nil })
}
