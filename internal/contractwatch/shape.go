package main

import (
	"fmt"
	"slices"
)

// field is what a document says of one field.
type field struct {
	// types are sorted; empty when the document gives none.
	types    []string
	enum     []string
	required bool
	nullable bool
}

// shape is a schema as a flat list of its fields, by path: questions[].type.
type shape map[string]field

// maxDepth bounds schemas that contain themselves.
const maxDepth = 12

// shapeOf flattens a schema.
func (d document) shapeOf(schema any) shape {
	s := shape{}
	d.collect(schema, "", false, 0, s)
	return s
}

// collect adds a schema at a path, and everything below it.
func (d document) collect(schema any, path string, required bool, depth int, into shape) {
	resolved := d.resolve(schema)
	if resolved == nil || depth > maxDepth {
		return
	}

	if path != "" {
		f := into[path]
		f.required = f.required || required
		f.add(resolved)
		into[path] = f
	}

	// The alternatives of a schema are taken together: what one of them allows is allowed.
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		alternatives, _ := resolved[keyword].([]any)
		for _, one := range alternatives {
			d.collect(one, path, required, depth+1, into)
		}
	}

	if items, ok := resolved["items"]; ok {
		d.collect(items, path+"[]", false, depth+1, into)
	}
	properties, _ := resolved["properties"].(object)
	needed := texts(resolved["required"])
	for name, property := range properties {
		below := name
		if path != "" {
			below = path + "." + name
		}
		d.collect(property, below, slices.Contains(needed, name), depth+1, into)
	}
}

// add takes in what one schema says of the field.
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

	if nullable, _ := schema["nullable"].(bool); nullable {
		f.nullable = true
	}
	values, _ := schema["enum"].([]any)
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
