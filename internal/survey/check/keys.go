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
	"translations": translationTable("Text of the survey in a language."), "form_content": nil,
}

// AttributeKeys returns the table of an attribute; none for one whose keys are free.
func AttributeKeys(attribute string) []Key { return slices.Clone(keys[attribute]) }

// JSONAttributes are the attributes that have tables, in order.
func JSONAttributes() []string { return slices.Sorted(maps.Keys(keys)) }

// shape is the check of a value of the key.
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

// newObjectShape is the check of an object with keys.
func newObjectShape(table []Key) objectShape {
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
