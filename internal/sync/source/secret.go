package source

import (
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// Secret is a value that a plan or a state marks as sensitive. It is compared like the value
// itself, and prints as a text that stands for it: the same for equal values of a plan.
type Secret struct {
	// number counts the distinct values of a plan or a state; 0 where only one is shown.
	number int
	value  any
}

// String is the text in place of the value.
func (s Secret) String() string {
	if s.number == 0 {
		return "(sensitive value)"
	}
	return fmt.Sprintf("(sensitive value %d)", s.number)
}

// GoString keeps the value out of %#v, too.
func (s Secret) GoString() string { return s.String() }

// MarshalJSON encodes the text in place of the value.
func (s Secret) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }

// Plain is a value for comparing, which must not be printed: that of a secret, or the value
// itself.
func Plain(value any) any {
	if secret, ok := value.(Secret); ok {
		return secret.value
	}
	return value
}

// Hidden is a value as it is printed where its counterpart is secret; nil stays nil.
func Hidden(value any) any {
	switch value := value.(type) {
	case nil, Secret:
		return value
	default:
		return Secret{value: value}
	}
}

// IsSecret reports whether a value is marked as sensitive.
func IsSecret(value any) bool {
	_, ok := value.(Secret)
	return ok
}

// Shown is a value as the flow and the renderer take it: with texts in place of secret ones.
// They are made of numbers and switches, such as a scale, so these stay; secret JSON is left
// out.
func Shown(value any) any {
	return jsonvalue.Rewrite(value, func(_ string, value any) (any, bool) {
		secret, ok := value.(Secret)
		if !ok {
			return value, false
		}
		switch plain := secret.value.(type) {
		case string:
			return secret.String(), true
		case json.Number, bool:
			return plain, true
		}
		return nil, true
	})
}

// neverHidden are the attributes that tell objects, their state and their flow apart: a
// review without them would miss a launch or a question that loses its answers.
var neverHidden = map[string]bool{
	"id": true, "project_id": true, "organization_id": true, "deletion_policy": true,
	"type": true, "status": true, "archived": true, "branching": true,
}

// hider replaces the values of a plan or a state that are marked as sensitive, with a number
// for each distinct value.
type hider struct{ numbers map[string]int }

func newHider() *hider { return &hider{map[string]int{}} }

// object hides the marked attributes of an object.
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

// value hides the marked parts of a value: the elements of a list and the attributes of an
// object one by one, so that it keeps its form; a JSON attribute as a whole.
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

// secret is the secret of a value; an empty one tells nothing.
func (h *hider) secret(value any) any {
	if value == nil || value == "" {
		return value
	}
	key := canonical(value)
	if h.numbers[key] == 0 {
		h.numbers[key] = len(h.numbers) + 1
	}
	return Secret{h.numbers[key], value}
}

// counterparts hides the texts of one side of a change that are secret on its other side:
// a value whose variable became sensitive is marked after the change alone.
func (h *hider) counterparts(object, other *Object) {
	if object == nil || other == nil {
		return
	}
	known := map[string]bool{}
	jsonvalue.Rewrite(other.Attributes, func(_ string, value any) (any, bool) {
		secret, ok := value.(Secret)
		if _, isNumber := secret.value.(json.Number); ok && !isNumber && secret.value != true && secret.value != false {
			known[canonical(secret.value)] = true
		}
		return value, ok
	})
	if len(known) == 0 {
		return
	}
	object.Attributes, _ = jsonvalue.Rewrite(object.Attributes, func(name string, value any) (any, bool) {
		switch {
		case IsSecret(value) || neverHidden[name]:
			return value, true
		case known[canonical(value)]:
			return h.secret(value), true
		}
		return value, false
	}).(map[string]any)
	object.Name = jsonvalue.String(object.Attributes["name"])
}

// canonical is the text by which values are told apart. What was decoded from JSON always
// encodes, with sorted keys.
func canonical(value any) string {
	text, _ := json.Marshal(value)
	return string(text)
}

// member is the mark of an attribute; that of the whole object where that is marked.
func member(mark any, name string) any {
	if object, ok := mark.(map[string]any); ok {
		return object[name]
	}
	return mark == true
}

// elementAt is the mark of an element; that of the whole list where that is marked.
func elementAt(mark any, i int) any {
	if list, ok := mark.([]any); ok && i < len(list) {
		return list[i]
	}
	return mark == true
}
