package attribute

import (
	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// TypesOf returns the types of those attributes of a schema that are wanted.
func TypesOf(of schema.Schema, wanted func(name string, a schema.Attribute) bool) map[string]attr.Type {
	byName := map[string]attr.Type{}
	for name, a := range of.Attributes {
		if wanted(name, a) {
			byName[name] = a.GetType()
		}
	}
	return byName
}

// ObjectFromPlan returns an object of a plan's or a state's JSON by the types of its
// attributes: numbers with their digits, and JSON by a function of its text. Attributes that
// are null or have no type are left out. What fits no type stays as it is, such as a mark of
// something that is known only after apply.
func ObjectFromPlan(object map[string]any, of map[string]attr.Type, fromJSON func(text string) any) map[string]any {
	converted := map[string]any{}
	for name, value := range object {
		if typ, ok := of[name]; ok && value != nil {
			converted[name] = fromPlan(value, typ, fromJSON)
		}
	}
	return converted
}

func fromPlan(value any, of attr.Type, fromJSON func(text string) any) any {
	switch value := value.(type) {
	case float64:
		return jsonvalue.FromFloat(value)
	case string:
		if _, isJSON := of.(jsontypes.NormalizedType); isJSON {
			return fromJSON(value)
		}
	case []any:
		list, ok := of.(types.ListType)
		if !ok {
			break
		}
		converted := make([]any, len(value))
		for i, element := range value {
			converted[i] = fromPlan(element, list.ElemType, fromJSON)
		}
		return converted
	case map[string]any:
		if object, ok := of.(types.ObjectType); ok {
			return ObjectFromPlan(value, object.AttrTypes, fromJSON)
		}
	}
	return value
}
