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
	// Part is query, request or answer; empty for the operation itself.
	Part string `json:"part,omitempty"`
	// Field is the path of the field: questions[].type.
	Field string `json:"field,omitempty"`
	// What differs: operation, status, parameter, field, or a keyword such as type or enum.
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
		for _, d := range compareOperations(ours, theirs, operation, other) {
			d.Operation = name
			differences = append(differences, d)
		}
	}

	slices.SortFunc(differences, func(a, b difference) int {
		return cmp.Or(cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Part, b.Part), cmp.Compare(a.Field, b.Field), cmp.Compare(a.What, b.What))
	})
	return differences
}

// compareOperations compares an operation that both documents have.
func compareOperations(ours, theirs document, operation, other object) []difference {
	var differences []difference
	if a, b := isSet(operation, "deprecated"), isSet(other, "deprecated"); a != b {
		differences = append(differences, difference{What: "deprecated", Ours: yes(a), Theirs: yes(b)})
	}
	if a, b := orNone(statuses(operation)), orNone(statuses(other)); a != b {
		differences = append(differences, difference{Part: "answer", What: "status", Ours: a, Theirs: b})
	}
	in := func(part string, found []difference) {
		for _, d := range found {
			d.Part = part
			differences = append(differences, d)
		}
	}

	in("query", compareShapes("parameter", ours.query(operation), theirs.query(other)))
	in("request", compareBodies(
		ours.shapeOf(ours.body(operation["requestBody"]), inAnswersOnly),
		theirs.shapeOf(theirs.body(other["requestBody"]), inAnswersOnly)))
	in("answer", compareBodies(ours.shapeOf(ours.answer(operation), inRequestsOnly), theirs.shapeOf(theirs.answer(other), inRequestsOnly)))
	return differences
}

// compareBodies compares the fields of bodies. Where a document describes no body at all,
// there is nothing to compare.
func compareBodies(ours, theirs shape) []difference {
	if len(ours) == 0 || len(theirs) == 0 {
		return nil
	}
	return compareShapes("field", ours, theirs)
}

// compareShapes compares field by field, but for what is below a field that one of the
// documents leaves untyped. A field that belongs to the other part alone is as none.
func compareShapes(noun string, ours, theirs shape) []difference {
	var differences []difference
	for path := range union(ours, theirs) {
		if isBelowOpaque(path, ours) || isBelowOpaque(path, theirs) {
			continue
		}
		a, here := ours[path]
		b, there := theirs[path]
		switch {
		case !here && b.foreign != "" || !there && a.foreign != "":
		case !here:
			differences = append(differences, difference{Field: path, What: noun, Ours: "no such " + noun, Theirs: describe(b)})
		case !there:
			differences = append(differences, difference{Field: path, What: noun, Ours: describe(a), Theirs: "no such " + noun})
		case a.foreign != "" || b.foreign != "":
			if a.foreign != b.foreign {
				what := cmp.Or(a.foreign, b.foreign)
				differences = append(differences, difference{Field: path, What: what, Ours: yes(a.foreign != ""), Theirs: yes(b.foreign != "")})
			}
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
	if len(a.types) > 0 && len(b.types) > 0 {
		differ("format", orNone(a.formats), orNone(b.formats))
	}
	differ("maxLength", length(a.maxLength), length(b.maxLength))
	differ("deprecated", yes(a.deprecated), yes(b.deprecated))
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

// length is a limit of characters.
func length(most int) string {
	if most == 0 {
		return "no limit"
	}
	return fmt.Sprint(most)
}

func orNone(values []string) string { return cmp.Or(strings.Join(values, "|"), "none") }

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
