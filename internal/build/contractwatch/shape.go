package main

import (
	"fmt"
	"slices"
)

// field is the description of a field in a document.
type field struct {
	// types are sorted; empty when the document has none.
	types    []string
	enum     []string
	required bool
	nullable bool
	// formats are sorted, without those of numbers, which are a matter of code generators.
	formats    []string
	maxLength  int // 0 for none
	deprecated bool
	// foreign is the keyword by which the field belongs to the other part alone: readOnly in
	// a request, writeOnly in a response. Nothing else is known of such a field.
	foreign string
}

// shape is a schema as a flat list of its fields, by path: questions[].type.
type shape map[string]field

// maxDepth bounds schemas that contain themselves.
const maxDepth = 12

// The keywords for properties of requests or responses alone, in a schema that serves both.
const inAnswersOnly, inRequestsOnly = "readOnly", "writeOnly"

// shapeOf flattens a schema. Properties that have the keyword leftOut are foreign.
func (d document) shapeOf(schema any, leftOut string) shape {
	c := collector{document: d, leftOut: leftOut, into: shape{}}
	c.collect(schema, "", false, 0)
	return c.into
}

var numberFormats = []string{"int32", "int64", "float", "double"}

// isSet reports whether a keyword is true.
func isSet(schema object, keyword string) bool {
	set, _ := schema[keyword].(bool)
	return set
}

// query is the shape of the query parameters of an operation.
func (d document) query(operation object) shape {
	c := collector{document: d, into: shape{}}
	parameters, _ := operation["parameters"].([]any)
	for _, parameter := range parameters {
		description := d.resolve(parameter)
		name, _ := description["name"].(string)
		if description["in"] != "query" || name == "" {
			continue
		}

		delete(c.into, name) // that of the path, which the operation's replaces
		c.collect(description["schema"], name, isSet(description, "required"), 0)
		f := c.into[name]
		f.required, f.deprecated = isSet(description, "required"), f.deprecated || isSet(description, "deprecated")
		c.into[name] = f
	}
	return c.into
}

// collector flattens one schema.
type collector struct {
	document

	leftOut string
	into    shape
}

// collect adds a schema at a path, and everything below it.
func (c collector) collect(schema any, path string, required bool, depth int) {
	resolved := c.resolve(schema)
	if resolved == nil || depth > maxDepth {
		return
	}

	if path != "" {
		f := c.into[path]
		f.required = f.required || required
		f.add(resolved)
		c.into[path] = f
	}

	// The alternatives of a schema are merged: a value that one of them allows is allowed.
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		alternatives, _ := resolved[keyword].([]any)
		for _, one := range alternatives {
			c.collect(one, path, required, depth+1)
		}
	}

	if items, ok := resolved["items"]; ok {
		c.collect(items, path+"[]", false, depth+1)
	}
	// Untyped values of a map are not a field.
	if values := c.resolve(resolved["additionalProperties"]); isTyped(values) {
		c.collect(values, below(path, "*"), false, depth+1)
	}

	properties, _ := resolved["properties"].(object)
	needed := texts(resolved["required"])
	for name, property := range properties {
		at := below(path, name)
		if description := c.resolve(property); isSet(description, c.leftOut) || c.leftOut == inAnswersOnly && isSet(description, "x-read-only") {
			c.into[at] = field{foreign: c.leftOut}
			continue
		}
		c.collect(property, at, slices.Contains(needed, name), depth+1)
	}
}

// below is the path of a property of the schema at a path.
func below(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// isTyped reports whether a schema restricts its values.
func isTyped(schema object) bool {
	return slices.ContainsFunc([]string{"type", "properties", "enum", "const", "allOf", "anyOf", "oneOf"}, func(keyword string) bool {
		_, ok := schema[keyword]
		return ok
	})
}

// add merges the description by a schema into the field.
func (f *field) add(schema object) {
	given := texts(schema["type"])
	if one, ok := schema["type"].(string); ok {
		given = []string{one}
	}
	for _, one := range given {
		if one == "null" {
			f.nullable = true
		} else if !slices.Contains(f.types, one) {
			f.types = append(f.types, one)
		}
	}
	slices.Sort(f.types)

	f.nullable = f.nullable || isSet(schema, "nullable")
	f.deprecated = f.deprecated || isSet(schema, "deprecated")
	if most, ok := schema["maxLength"].(int); ok {
		f.maxLength = max(f.maxLength, most)
	}
	if format, _ := schema["format"].(string); format != "" && !slices.Contains(numberFormats, format) && !slices.Contains(f.formats, format) {
		f.formats = append(f.formats, format)
		slices.Sort(f.formats)
	}

	values, _ := schema["enum"].([]any)
	if constant, ok := schema["const"]; ok {
		values = append(slices.Clone(values), constant)
	}
	for _, value := range values {
		if value == nil {
			f.nullable = true
			continue
		}
		if text := fmt.Sprint(value); text != "" && !slices.Contains(f.enum, text) {
			f.enum = append(f.enum, text)
		}
	}
	slices.Sort(f.enum)
}

// texts are the strings of a list.
func texts(list any) []string {
	values, _ := list.([]any)
	var found []string
	for _, value := range values {
		if text, ok := value.(string); ok {
			found = append(found, text)
		}
	}
	return found
}
