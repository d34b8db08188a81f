package check

import (
	"maps"
	"slices"
)

// Form is what a value in the JSON of an attribute has to be.
type Form string

// The forms of values. A strict text is a text alone; a plain one may be a number or a boolean, with a warning.
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

// Key is a key in the JSON of an attribute. The checks, the documentation, and the JSON Schema for editors are
// made of the tables of keys.
type Key struct {
	Name    string
	Form    Form
	Meaning string
	// Values are the known ones; none for any. Another one is a warning where IsOpen is set, and else an error.
	Values []string
	IsOpen bool
	// Items is what a list has, and what the keys of a map have; nil for any. Keys are those of an object.
	Items *Key
	Keys  []Key
}

// keys are the tables by the attribute.
var keys = map[string][]Key{
	"conditions": conditionTable, "appearance": appearanceTable, "targeting_flag_filters": filterTable,
	"translations": translationTable("The texts of the survey in a language."), "form_content": nil,
}

// KeysOf returns the table of an attribute; none for one whose keys are free.
func KeysOf(attribute string) []Key { return slices.Clone(keys[attribute]) }

// JSONAttributes are the attributes that have tables, in order.
func JSONAttributes() []string { return slices.Sorted(maps.Keys(keys)) }

// shape is the check of a value of the key.
func (k Key) shape() shape {
	if len(k.Values) > 0 && k.Form == Text {
		if k.IsOpen {
			return usuallyOneOf(k.Values...)
		}
		return oneOf(k.Values...)
	}
	items := shape(anyShape)
	if k.Items != nil {
		items = k.Items.shape()
	}
	return map[Form]shape{
		Text: stringShape, StrictText: strictStringShape, Boolean: boolShape, Number: numberShape, Integer: integerShape,
		Percentage: percentageShape, List: listOf(items), Map: mapOf(items), Object: shapeOf(k.Keys).shape, Any: anyShape,
	}[k.Form]
}

// shapeOf is the check of an object with keys.
func shapeOf(table []Key) objectShape {
	shapes := objectShape{}
	for _, key := range table {
		shapes[key.Name] = key.shape()
	}
	return shapes
}

// JSONSchema is the JSON Schema of an attribute whose value is JSON. Keys that are not in its table are allowed:
// they are sent as they are.
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
	of := map[string]any{}
	switch k.Form {
	case Text, StrictText:
		of["type"] = "string"
	case Percentage:
		of["type"], of["minimum"], of["maximum"] = "number", 0, 100
	case Number, Integer:
		of["type"], of["minimum"] = string(k.Form), 0
	case Boolean:
		of["type"] = "boolean"
	case List:
		of["type"] = "array"
		if k.Items != nil {
			of["items"] = k.Items.schema()
		}
	case Map:
		of["type"] = "object"
		if k.Items != nil {
			of["additionalProperties"] = k.Items.schema()
		}
	case Object:
		of["type"] = "object"
		if properties := map[string]any{}; len(k.Keys) > 0 {
			for _, key := range k.Keys {
				properties[key.Name] = key.schema()
			}
			of["properties"] = properties
		}
	case Any:
	}
	if k.Meaning != "" {
		of["description"] = k.Meaning
	}
	if len(k.Values) > 0 {
		of["enum"] = k.Values
	}
	return of
}
