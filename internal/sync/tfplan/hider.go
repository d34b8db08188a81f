package tfplan

import (
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// neverHidden contains the attributes that show an object's identity, its status, and its flow. Without them,
// a review would miss a launch or a question whose answers are detached.
var neverHidden = map[string]bool{
	"id": true, "project_id": true, "organization_id": true, "deletion_policy": true,
	"type": true, "status": true, "archived": true, "branching": true,
}

// hider replaces sensitive values in a plan or a state with secrets, and numbers the distinct values.
type hider struct{ numbers map[string]int }

func newHider() *hider { return &hider{map[string]int{}} }

// object hides an object's attributes that are marked as sensitive.
func (h *hider) object(attributes map[string]any, marks any, types map[string]attr.Type) map[string]any {
	hidden := make(map[string]any, len(attributes))
	for name, value := range attributes {
		mark := member(marks, name)
		if neverHidden[name] {
			mark = nil
		}
		hidden[name] = h.value(value, mark, types[name])
	}
	return hidden
}

// value hides the marked parts of a value. It hides list elements and object attributes one by one, so that
// the value keeps its structure. It hides a JSON attribute as a whole.
func (h *hider) value(value, mark any, t attr.Type) any {
	if !jsonvalue.HasTrue(mark) {
		return value
	}

	list, isList := value.([]any)
	if t, ok := t.(types.ListType); ok && isList {
		hidden := make([]any, len(list))
		for i, element := range list {
			hidden[i] = h.value(element, elementAt(mark, i), t.ElemType)
		}
		return hidden
	}

	object, isObject := value.(map[string]any)
	if t, ok := t.(types.ObjectType); ok && isObject {
		return h.object(object, mark, t.AttrTypes)
	}
	return h.secret(value)
}

// secret returns the secret for a value. It does not hide empty values, because they reveal nothing.
func (h *hider) secret(value any) any {
	if value == nil || value == "" {
		return value
	}
	key := canonical(value)
	if h.numbers[key] == 0 {
		h.numbers[key] = len(h.numbers) + 1
	}
	return source.NewSecret(h.numbers[key], value)
}

// counterparts hides values of one object in a change that are secret in the other object. If a variable
// becomes sensitive, Terraform marks only the value after the change.
func (h *hider) counterparts(object, other *source.Object) {
	if object == nil || other == nil {
		return
	}
	known := map[string]bool{}
	jsonvalue.Rewrite(other.Attributes, func(_ string, value any) (any, bool) {
		isSecret, plain := source.IsSecret(value), source.Plain(value)
		if _, isNumber := plain.(json.Number); isSecret && !isNumber && plain != true && plain != false {
			known[canonical(plain)] = true
		}
		return value, isSecret
	})
	if len(known) == 0 {
		return
	}
	object.Attributes, _ = jsonvalue.Rewrite(object.Attributes, func(name string, value any) (any, bool) {
		switch {
		case source.IsSecret(value) || neverHidden[name]:
			return value, true
		case known[canonical(value)]:
			return h.secret(value), true
		}
		return value, false
	}).(map[string]any)
	object.Name = jsonvalue.String(object.Attributes["name"])
}

// canonical returns the same text for equal values. Values from JSON can always be encoded, and their keys are
// sorted.
func canonical(value any) string {
	text, _ := json.Marshal(value)
	return string(text)
}

// member returns an attribute's mark. If the whole object is marked, it returns the object's mark.
func member(mark any, name string) any {
	if object, ok := mark.(map[string]any); ok {
		return object[name]
	}
	return mark == true
}

// elementAt returns an element's mark. If the whole list is marked, it returns the list's mark.
func elementAt(mark any, i int) any {
	if list, ok := mark.([]any); ok && i < len(list) {
		return list[i]
	}
	return mark == true
}
