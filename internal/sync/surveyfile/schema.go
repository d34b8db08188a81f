package surveyfile

import (
	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// Schema returns the JSON Schema of hand-written survey files, for use in editors.
func Schema() map[string]any {
	of := schemaOf(writtenSurvey(), "")
	of["required"] = []string{"name", "type"}
	describe(of, surveyschema.HandWrittenAttributes())

	questions := property(of, "questions")
	question, _ := questions["items"].(map[string]any)
	question["required"] = []string{"type", "question"}
	describe(question, surveyschema.QuestionAttributes())
	property(question, survey.NameKey)["description"] = "Name by which branching leads to the question."
	branching := property(question, "branching")
	branching["required"] = []string{"type"}
	property(branching, survey.TargetKey)["description"] = "(`specific_question` only) Name of the question to go to."
	return map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Surveys for posthog-sync",
		"type": "object", "additionalProperties": false, "required": []string{surveysKey},
		"patternProperties": map[string]any{"^x-": map[string]any{"description": "Values to share with anchors, aliases, and merge keys."}},
		"properties":        map[string]any{surveysKey: map[string]any{"type": "array", "items": of}},
	}
}

// property returns the schema of an object's property.
func property(of map[string]any, name string) map[string]any {
	properties, _ := of["properties"].(map[string]any)
	one, _ := properties[name].(map[string]any)
	return one
}

// schemaOf returns a type's schema. at is the attribute's path, without indexes.
func schemaOf(of attr.Type, at string) map[string]any {
	switch of := of.(type) {
	case types.ObjectType:
		properties := map[string]any{}
		for name, one := range of.AttrTypes {
			below := name
			if at != "" {
				below = at + "." + name
			}
			properties[name] = schemaOf(one, below)
		}
		return map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
	case types.ListType:
		return map[string]any{"type": "array", "items": schemaOf(of.ElemType, at)}
	case types.MapType: // branching leads to a name or a position
		return map[string]any{"type": "object", "additionalProperties": map[string]any{"type": []string{"string", "integer"}}}
	case jsontypes.NormalizedType:
		return check.JSONSchema(at)
	}

	switch of {
	case types.BoolType:
		return map[string]any{"type": "boolean"}
	case types.Int64Type:
		return map[string]any{"type": "integer"}
	case types.NumberType:
		return map[string]any{"type": "number"}
	}
	text := map[string]any{"type": "string"}
	if known := check.KnownValues()[at]; known != nil {
		text["enum"] = known
	}
	return text
}

// describe adds the attribute descriptions from the resource schema, including nested attributes.
func describe(of map[string]any, attributes map[string]schema.Attribute) {
	for name, a := range attributes {
		property(of, name)["description"] = a.GetMarkdownDescription()
		if nested, ok := a.(schema.SingleNestedAttribute); ok {
			describe(property(of, name), nested.Attributes)
		}
	}
}
