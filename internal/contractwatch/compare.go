package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// difference is something that the service's document says otherwise than openapi.yaml.
type difference struct {
	// Operation is its method and path.
	Operation string `json:"operation"`
	// Part is request or answer; empty for an operation that is missing.
	Part string `json:"part,omitempty"`
	// Field is the path of the field: questions[].type.
	Field string `json:"field,omitempty"`
	// What differs: operation, field, type, enum, required or nullable.
	What string `json:"what"`
	// Ours and Theirs are what the two documents say.
	Ours   string `json:"ours"`
	Theirs string `json:"theirs"`
}

// String is the difference on one line.
func (d difference) String() string {
	where := strings.Join(slices.DeleteFunc([]string{d.Operation, d.Part, d.Field}, func(s string) bool { return s == "" }), " ")
	return fmt.Sprintf("%s: %s: openapi.yaml has %s, the service %s", where, d.What, d.Ours, d.Theirs)
}

// compare cuts both documents to the operations of ours and lists what differs, in the
// order of operations and fields.
func compare(ours, theirs document) []difference {
	differences := []difference{}
	there := theirs.operations()

	for name, operation := range ours.operations() {
		other, ok := there[name]
		if !ok {
			differences = append(differences, difference{Operation: name, What: "operation", Ours: "it", Theirs: "does not"})
			continue
		}
		for part, shapes := range map[string][2]shape{
			"request": {
				ours.shapeOf(ours.body(operation["requestBody"]), inAnswersOnly),
				theirs.shapeOf(theirs.body(other["requestBody"]), inAnswersOnly),
			},
			"answer": {ours.shapeOf(ours.answer(operation), inRequestsOnly), theirs.shapeOf(theirs.answer(other), inRequestsOnly)},
		} {
			for _, d := range compareShapes(shapes[0], shapes[1]) {
				d.Operation, d.Part = name, part
				differences = append(differences, d)
			}
		}
	}

	slices.SortFunc(differences, func(a, b difference) int {
		return cmp.Or(cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Part, b.Part), cmp.Compare(a.Field, b.Field), cmp.Compare(a.What, b.What))
	})
	return differences
}

// compareShapes compares field by field. Where a document describes no body at all,
// there is nothing to compare; below a field that one of them leaves untyped neither.
func compareShapes(ours, theirs shape) []difference {
	if len(ours) == 0 || len(theirs) == 0 {
		return nil
	}

	var differences []difference
	for path := range union(ours, theirs) {
		if isBelowOpaque(path, ours) || isBelowOpaque(path, theirs) {
			continue
		}
		a, here := ours[path]
		b, there := theirs[path]
		switch {
		case !here:
			differences = append(differences, difference{Field: path, What: "field", Ours: "no such field", Theirs: describe(b)})
		case !there:
			differences = append(differences, difference{Field: path, What: "field", Ours: describe(a), Theirs: "no such field"})
		default:
			differences = append(differences, compareFields(path, a, b)...)
		}
	}
	return differences
}

func union(a, b shape) map[string]bool {
	paths := map[string]bool{}
	for path := range a {
		paths[path] = true
	}
	for path := range b {
		paths[path] = true
	}
	return paths
}

// isBelowOpaque reports whether a path lies below a field that the document does not
// describe further: an untyped value, or an object without properties.
func isBelowOpaque(path string, s shape) bool {
	if _, known := s[path]; known {
		return false
	}
	for parent := range maps.Keys(s) {
		below := strings.HasPrefix(path, parent+".") || strings.HasPrefix(path, parent+"[]")
		if !below {
			continue
		}
		hasChildren := false
		for other := range s {
			hasChildren = hasChildren || strings.HasPrefix(other, parent+".") || strings.HasPrefix(other, parent+"[]")
		}
		if !hasChildren {
			return true
		}
	}
	return false
}

// compareFields compares a field that both documents have.
func compareFields(path string, a, b field) []difference {
	var differences []difference
	differ := func(what, ours, theirs string) {
		if ours != theirs {
			differences = append(differences, difference{Field: path, What: what, Ours: ours, Theirs: theirs})
		}
	}

	// An untyped field accepts everything.
	if len(a.types) > 0 && len(b.types) > 0 {
		differ("type", strings.Join(a.types, " or "), strings.Join(b.types, " or "))
	}
	if len(a.enum) > 0 || len(b.enum) > 0 {
		differ("enum", list(a.enum), list(b.enum))
	}
	differ("required", yes(a.required), yes(b.required))
	// Our document declares every field of a survey or app as nullable on purpose, so only
	// null in theirs and not in ours counts.
	if b.nullable && !a.nullable {
		differ("nullable", yes(a.nullable), yes(b.nullable))
	}
	return differences
}

func describe(f field) string {
	text := strings.Join(f.types, " or ")
	if text == "" {
		text = "an untyped field"
	}
	if len(f.enum) > 0 {
		text += " " + list(f.enum)
	}
	return text
}

func list(values []string) string {
	if len(values) == 0 {
		return "any value"
	}
	return strings.Join(values, "|")
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
