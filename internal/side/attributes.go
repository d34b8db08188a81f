package side

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// FromSurvey is a survey as the service answers it.
func FromSurvey(ctx context.Context, wire api.Survey, projectID string) (Object, error) {
	fields, err := survey.FromAPI(ctx, wire, survey.Fields{ProjectID: types.StringValue(projectID)}, &attribute.Answer{})
	if err != nil {
		return Object{}, err
	}
	object, err := OfSurvey(ctx, fields)
	object.SurveyAnswer = &wire
	object.Unknown = notAnswered(attribute.Names(&fields), attribute.SentIn(wire))
	return object, err
}

// OfSurvey is a survey in the model of the provider.
func OfSurvey(ctx context.Context, fields survey.Fields) (Object, error) {
	attributes, err := values(ctx, attribute.FromStruct(&fields))
	return Object{
		Kind: Survey, ID: fields.ID.ValueString(), Name: fields.Name.ValueString(), ParentID: fields.ProjectID.ValueString(), Attributes: attributes,
	}, err
}

// FromApp is an import app as the service answers it.
func FromApp(ctx context.Context, wire api.PipelineImportApp, organizationID string) (Object, error) {
	fields := importapp.FromAPI(wire, importapp.Fields{OrganizationID: types.StringValue(organizationID)}, &attribute.Answer{})
	object, err := OfApp(ctx, fields)
	object.AppAnswer = &wire
	object.Unknown = notAnswered(attribute.Names(&fields), attribute.SentIn(wire))
	return object, err
}

// OfApp is an import app in the model of the provider.
func OfApp(ctx context.Context, fields importapp.Fields) (Object, error) {
	attributes, err := values(ctx, attribute.FromStruct(&fields))
	object := Object{Kind: App, Name: fields.Name.ValueString(), ParentID: fields.OrganizationID.ValueString(), Attributes: attributes}
	if !fields.ID.IsNull() {
		object.ID = fields.ID.String()
	}
	return object, err
}

// answeredBy are the fields of a response that attributes come from, where the names
// differ.
var answeredBy = map[string][]string{
	"project_id": {"id"}, "status": {"start_date", "end_date"}, "linked_flag_id": {"linked_flag_id", "linked_flag"},
	"targeting_flag_id": {"targeting_flag"}, "targeting_flag_filters": {"targeting_flag"},
}

// notAnswered are the attributes that come from no field which a response has: a service
// of another version does not know them.
func notAnswered(names []string, has func(field string) bool) []string {
	var missing []string
	for _, name := range names {
		fields, renamed := answeredBy[name]
		if !renamed {
			fields = []string{name}
		}
		if !slices.ContainsFunc(fields, has) {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	return missing
}

// values are attributes as JSON holds them.
func values(ctx context.Context, attributes map[string]attr.Value) (map[string]any, error) {
	converted := map[string]any{}
	for name, value := range attributes {
		one, err := plain(ctx, value)
		if err != nil {
			return nil, err
		}
		if one != nil {
			converted[name] = one
		}
	}
	return converted, nil
}

// plain is a value of the framework as JSON holds it; nil for null and unknown.
func plain(ctx context.Context, value attr.Value) (any, error) {
	if value.IsNull() || value.IsUnknown() {
		return nil, nil //nolint:nilnil // null is a value
	}

	switch value := value.(type) {
	case jsontypes.Normalized:
		return decoded(value.ValueString()), nil
	case types.List:
		list := make([]any, 0, len(value.Elements()))
		for _, element := range value.Elements() {
			one, err := plain(ctx, element)
			if err != nil {
				return nil, err
			}
			list = append(list, one)
		}
		return list, nil
	case types.Map:
		return values(ctx, value.Elements())
	case types.Object:
		return values(ctx, value.Attributes())
	case interface{ ValueString() string }:
		return value.ValueString(), nil
	case types.Bool:
		return value.ValueBool(), nil
	}

	// Numbers of all kinds write themselves as JSON does.
	return json.Number(value.String()), nil
}

// decoded is the value of a JSON text, or the text itself when it is none.
func decoded(text string) any {
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return text
	}
	return value
}

// answered are the types of the attributes of a kind that the service answers. What a
// configuration says beside them is for the provider alone.
func answered(ctx context.Context, kind Kind) map[string]attr.Type {
	made, fields := survey.NewResource(), attribute.FromStruct(&survey.Fields{})
	if kind == App {
		made, fields = importapp.NewResource(), attribute.FromStruct(&importapp.Fields{})
	}
	var resp resource.SchemaResponse
	made.Schema(ctx, resource.SchemaRequest{}, &resp)

	all := map[string]attr.Type{}
	for name := range fields {
		if known, ok := resp.Schema.Attributes[name]; ok {
			all[name] = known.GetType()
		}
	}
	return all
}

// normalized is a value of Terraform's JSON in the form of Object.Attributes.
func normalized(value any, t attr.Type) any {
	switch t := t.(type) {
	case jsontypes.NormalizedType:
		if text, ok := value.(string); ok {
			return decoded(text)
		}
	case types.ListType:
		list, ok := value.([]any)
		if !ok {
			return value
		}
		converted := make([]any, len(list))
		for i, element := range list {
			converted[i] = normalized(element, t.ElemType)
		}
		return converted
	case types.ObjectType:
		object, ok := value.(map[string]any)
		if !ok {
			return value
		}
		return normalizedObject(object, t.AttrTypes)
	}

	if number, ok := value.(float64); ok {
		return json.Number(strconv.FormatFloat(number, 'f', -1, 64))
	}
	return value
}

// normalizedObject leaves out what is null, and what has no type.
func normalizedObject(object map[string]any, attributes map[string]attr.Type) map[string]any {
	converted := map[string]any{}
	for name, value := range object {
		if t, ok := attributes[name]; ok && value != nil {
			converted[name] = normalized(value, t)
		}
	}
	return converted
}
