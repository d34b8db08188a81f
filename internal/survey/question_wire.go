package survey

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// A question on the wire has a key for each attribute except extra. Everything that an attribute cannot hold goes to
// extra, so that nothing is lost: unknown keys, known keys with a value of a different type, and explicit nulls.

const extraName = "extra"

// wireName returns the name of an attribute on the wire, such as buttonText for button_text.
func wireName(attribute string) string {
	words := strings.Split(attribute, "_")
	for i, word := range words[1:] {
		words[i+1] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}

// ByWireName returns the attributes of a question by their wire names.
func (q Question) ByWireName() map[string]attr.Value {
	values := map[string]attr.Value{}
	for name, value := range attribute.FromStruct(&q) {
		if name != extraName {
			values[wireName(name)] = value
		}
	}
	return values
}

// QuestionFromAPI converts a question from its JSON.
func QuestionFromAPI(raw json.RawMessage) (Question, error) {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(raw, &keys); err != nil || keys == nil {
		return Question{}, fmt.Errorf("a question is not an object: %.80s", raw)
	}

	values := map[string]attr.Value{}
	for name, typ := range QuestionType.AttrTypes {
		values[name] = attribute.NullValue(typ)
		value, fits := valueFromAPI(keys[wireName(name)], typ)
		if fits && name != extraName {
			values[name] = value
			delete(keys, wireName(name))
		}
	}
	if len(keys) > 0 {
		values[extraName] = attribute.RawObject(keys)
	}

	var q Question
	attribute.ToStruct(&q, values)
	return q, nil
}

// CanHold reports whether the attribute for a key can hold a value without loss.
func CanHold(key string, value json.RawMessage) bool {
	for name, typ := range QuestionType.AttrTypes {
		if wireName(name) == key && name != extraName {
			_, fits := valueFromAPI(value, typ)
			return fits
		}
	}
	return false
}

// valueFromAPI decodes an attribute's value. It returns false if the type cannot hold the value without loss. No type
// can hold null, because null also represents a missing key.
func valueFromAPI(raw json.RawMessage, typ attr.Type) (attr.Value, bool) {
	if attribute.IsJSONNull(raw) {
		return nil, false
	}

	switch typ := typ.(type) {
	case types.ObjectType:
		return objectOnWire(raw, typ)
	case types.ListType:
		raws, fits := decode[[]json.RawMessage](raw)
		elements := make([]attr.Value, len(raws))
		for i := 0; fits && i < len(raws); i++ {
			elements[i], fits = valueFromAPI(raws[i], typ.ElemType)
		}
		if !fits {
			return nil, false
		}
		return types.ListValueMust(typ.ElemType, elements), true
	case types.MapType: // branching targets
		targets, fits := decode[map[string]json.RawMessage](raw)
		elements := map[string]attr.Value{}
		for key, target := range targets {
			elements[key] = types.StringValue(targetFromAPI(target))
		}
		return types.MapValueMust(typ.ElemType, elements), fits
	case jsontypes.NormalizedType:
		return attribute.JSON(raw), true
	}

	switch typ {
	case types.BoolType:
		value, fits := decode[bool](raw)
		return types.BoolValue(value), fits
	case types.Int64Type:
		value, fits := decode[int64](raw)
		return types.Int64Value(value), fits
	case types.NumberType:
		value, isNumber := decode[json.Number](raw) // json.Number also accepts a string
		number, fits := attribute.NumberField(nullable.NewNullableWithValue(value))
		return number, isNumber && fits && raw[0] != '"'
	}
	value, fits := decode[string](raw)
	return types.StringValue(value), fits
}

func decode[T any](raw json.RawMessage) (T, bool) {
	var value T
	err := json.Unmarshal(raw, &value)
	return value, err == nil
}

// objectOnWire decodes an object in a question, which always contains a type.
func objectOnWire(raw json.RawMessage, typ types.ObjectType) (attr.Value, bool) {
	keys, fits := decode[map[string]json.RawMessage](raw)
	values := map[string]attr.Value{}
	for name, typ := range typ.AttrTypes {
		key, isThere := keys[wireName(name)]
		delete(keys, wireName(name))
		values[name] = attribute.NullValue(typ)
		if isThere && fits {
			values[name], fits = valueFromAPI(key, typ)
		}
	}
	if !fits || len(keys) > 0 || values["type"].IsNull() {
		return nil, false
	}
	return types.ObjectValueMust(typ.AttrTypes, values), true
}

// targetFromAPI converts a branching target to text. It keeps a string, converts an integer to its digits, and
// converts anything ambiguous to its JSON.
func targetFromAPI(raw json.RawMessage) string {
	var word string
	if json.Unmarshal(raw, &word) == nil && !attribute.IsJSONNull(raw) && !json.Valid([]byte(word)) && word != "" {
		return word
	}
	return attribute.JSON(raw).ValueString()
}

// targetToAPI is the inverse of targetFromAPI. It sends valid JSON unchanged, and anything else as a string.
func targetToAPI(word string) json.RawMessage {
	if json.Valid([]byte(word)) {
		return json.RawMessage(word)
	}
	// Marshalling a string cannot fail.
	raw, _ := json.Marshal(word)
	return raw
}

// QuestionToAPI converts a question and its extra. If the question's ID is unknown, newID provides one, so that a
// retried request refers to the same question.
func QuestionToAPI(q Question, newID func() string, p path.Path, diags *diag.Diagnostics) json.RawMessage {
	if q.ID.IsUnknown() {
		q.ID = types.StringValue(newID())
	}

	keys := keysToAPI(attribute.FromStruct(&q), p, diags)
	delete(keys, extraName)
	if !q.Extra.IsNull() && !q.Extra.IsUnknown() {
		var extra map[string]json.RawMessage
		if err := json.Unmarshal([]byte(q.Extra.ValueString()), &extra); err != nil {
			diags.AddAttributeError(p.AtName(extraName), "Not a JSON object", p.String()+".extra must hold a JSON object: "+err.Error())
		}
		for key, value := range extra {
			keys[key] = value
		}
	}

	raw, err := json.Marshal(keys)
	if err != nil {
		diags.AddAttributeError(p, "Not JSON", p.String()+" cannot be written as JSON: "+err.Error())
	}
	return raw
}

// keysToAPI returns the attributes of an object by wire name, without attributes that are not set.
func keysToAPI(values map[string]attr.Value, p path.Path, diags *diag.Diagnostics) map[string]any {
	keys := map[string]any{}
	for name, value := range values {
		if !value.IsNull() && !value.IsUnknown() {
			keys[wireName(name)] = valueToAPI(value, p.AtName(name), diags)
		}
	}
	return keys
}

func valueToAPI(value attr.Value, p path.Path, diags *diag.Diagnostics) any {
	if value.IsNull() || value.IsUnknown() {
		diags.AddAttributeError(p, "Missing value", p.String()+" is null, and must have a value.")
		return nil
	}

	switch value := value.(type) {
	case types.Object:
		return keysToAPI(value.Attributes(), p, diags)
	case types.List:
		elements := make([]any, len(value.Elements()))
		for i, element := range value.Elements() {
			elements[i] = valueToAPI(element, p.AtListIndex(i), diags)
		}
		return elements
	case types.Map: // branching targets
		targets := map[string]json.RawMessage{}
		for key, target := range value.Elements() {
			word, _ := valueToAPI(target, p.AtMapKey(key), diags).(string)
			targets[key] = targetToAPI(word)
		}
		return targets
	case jsontypes.Normalized:
		return json.RawMessage(value.ValueString())
	case types.Bool:
		return value.ValueBool()
	case types.Int64:
		return value.ValueInt64()
	case types.Number:
		return numberToAPI(value.ValueBigFloat())
	}
	text, _ := value.(types.String)
	return text.ValueString()
}

// numberToAPI formats integers with all digits, and other numbers in the shortest exact form.
func numberToAPI(value *big.Float) json.Number {
	if value.IsInt() {
		return json.Number(value.Text('f', 0))
	}
	return json.Number(value.Text('f', -1))
}
