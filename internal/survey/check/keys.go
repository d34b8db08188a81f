package check

import (
	"maps"
	"slices"
)

// Form is the required form of a value in an attribute's JSON.
type Form string

// The forms of values. StrictText accepts only strings. Text also accepts numbers and booleans, with a warning.
const (
	Text       Form = "text"
	StrictText Form = "strict text"
	Boolean    Form = "boolean"
	Number     Form = "number"
	Integer    Form = "integer"
	Percentage Form = "percentage"
	List       Form = "list"
	Object     Form = "object"
	Map        Form = "map"
	Any        Form = "any"
)

// Key is a key in an attribute's JSON. The checks, the documentation, and the JSON Schemas for editors are generated
// from the key tables.
type Key struct {
	Name    string
	Form    Form
	Meaning string
	// Values lists the known values. If it is empty, any value is valid. An unknown value causes a warning if IsOpen is
	// set, and an error otherwise.
	Values []string
	IsOpen bool
	// Items describes a list's items or a map's values. If it is nil, any value is valid. Keys lists an object's
	// keys.
	Items *Key
	Keys  []Key
}

// keys contains the tables by attribute.
var keys = map[string][]Key{
	"conditions": conditionTable, "appearance": appearanceTable, "targeting_flag_filters": filterTable,
	"translations": translationTable("Text of the survey in a language.", surveyTextTable), "form_content": nil,
}

// AttributeKeys returns an attribute's table, or none if any key is allowed.
func AttributeKeys(attribute string) []Key { return slices.Clone(keys[attribute]) }

// JSONAttributes returns the sorted names of the attributes that have tables.
func JSONAttributes() []string { return slices.Sorted(maps.Keys(keys)) }

// shape returns the check for the key's value.
func (k Key) shape() shape {
	if len(k.Values) > 0 && k.Form == Text {
		if k.IsOpen {
			return openEnumeration(k.Values...)
		}
		return enumeration(k.Values...)
	}
	items := shape(anyShape)
	if k.Items != nil {
		items = k.Items.shape()
	}
	return map[Form]shape{
		Text: stringShape, StrictText: strictStringShape, Boolean: boolShape, Number: numberShape, Integer: integerShape,
		Percentage: percentageShape, List: listShape(items), Map: mapShape(items), Object: newObjectShape(k.Keys).shape, Any: anyShape,
	}[k.Form]
}

// newObjectShape returns the check for an object with a table's keys.
func newObjectShape(table []Key) objectShape {
	shapes := objectShape{}
	for _, key := range table {
		shapes[key.Name] = key.shape()
	}
	return shapes
}

// JSONSchema returns the JSON Schema for an attribute whose value is JSON. It allows keys that are not in the table,
// because the provider sends them unchanged.
func JSONSchema(attribute string) map[string]any {
	if attribute == "questions.translations" {
		return Key{Form: Map, Items: &Key{Form: Object, Keys: questionTextTable}}.schema()
	}
	if attribute == "translations" {
		return Key{Form: Map, Items: &Key{Form: Object, Keys: surveyTextTable}}.schema()
	}
	return Key{Form: Object, Keys: keys[attribute]}.schema()
}

func (k Key) schema() map[string]any {
	schema := map[string]any{}
	switch k.Form {
	case Text, StrictText:
		schema["type"] = "string"
	case Percentage:
		schema["type"], schema["minimum"], schema["maximum"] = "number", 0, 100
	case Number, Integer:
		schema["type"], schema["minimum"] = string(k.Form), 0
	case Boolean:
		schema["type"] = "boolean"
	case List:
		schema["type"] = "array"
		if k.Items != nil {
			schema["items"] = k.Items.schema()
		}
	case Map:
		schema["type"] = "object"
		if k.Items != nil {
			schema["additionalProperties"] = k.Items.schema()
		}
	case Object:
		schema["type"] = "object"
		if properties := map[string]any{}; len(k.Keys) > 0 {
			for _, key := range k.Keys {
				properties[key.Name] = key.schema()
			}
			schema["properties"] = properties
		}
	case Any:
	}

	if k.Meaning != "" {
		schema["description"] = k.Meaning
	}
	if len(k.Values) > 0 {
		schema["enum"] = k.Values
	}
	return schema
}
