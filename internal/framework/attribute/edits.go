package attribute

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// Comparison configures how the attributes of one kind of object are compared.
type Comparison struct {
	// Same reports whether two values of an attribute have the same meaning.
	Same func(name string, a, b attr.Value) bool
	// Lines returns the edits to a value that is edited in parts, one per line. It returns nil for other values.
	// Lines may be nil.
	Lines func(name string, base, stored attr.Value) []string
}

// Unseen lists the edits since the plan, one per line. Each argument is a struct with attributes. An attribute counts
// only if matters returns true, and not if it was edited to the planned value.
func (c Comparison) Unseen(matters func(name string) bool, planned, prior, stored any) []string {
	var found []string
	plannedValues, priorValues, storedValues := FromStruct(planned), FromStruct(prior), FromStruct(stored)
	for _, name := range slices.Sorted(maps.Keys(storedValues)) {
		priorValues[name], storedValues[name], plannedValues[name] = NFC(priorValues[name]), NFC(storedValues[name]), NFC(plannedValues[name])
		if !matters(name) || c.Same(name, storedValues[name], priorValues[name]) || c.Same(name, storedValues[name], plannedValues[name]) {
			continue
		}

		var lines []string
		if c.Lines != nil {
			lines = c.Lines(name, priorValues[name], storedValues[name])
		}
		value, isJSON := storedValues[name].(jsontypes.Normalized)
		switch {
		case lines != nil:
			found = append(found, lines...)
		case isJSON:
			oldText, _ := priorValues[name].(jsontypes.Normalized)
			found = append(found, JSONEdits(name, oldText.ValueString(), value.ValueString())...)
		default:
			found = append(found, ValueEdit(name, priorValues[name], storedValues[name]))
		}
	}
	return found
}

// SameValue reports whether two values have the same meaning. Null is equivalent to false and "".
func SameValue(a, b attr.Value) bool {
	if a.Equal(b) {
		return true
	}
	switch a := a.(type) {
	case jsontypes.Normalized:
		b, ok := b.(jsontypes.Normalized)
		return ok && EquivalentJSON(a.ValueString(), b.ValueString())
	case types.Bool:
		b, ok := b.(types.Bool)
		return ok && !b.IsUnknown() && a.ValueBool() == b.ValueBool()
	case types.String:
		b, ok := b.(types.String)
		return ok && !b.IsUnknown() && a.ValueString() == b.ValueString()
	}
	return false
}

// JSONEdits returns the differences between two JSON texts, with one line per value: its path, its old value, and its
// new value. It returns nothing if the texts have the same meaning.
func JSONEdits(path string, oldText, newText string) []string {
	decodedBefore, errBefore := decodedOrNull(oldText)
	decodedAfter, errAfter := decodedOrNull(newText)
	if oldText != newText && (errBefore != nil || errAfter != nil) {
		return []string{edit(path, oldText, newText)}
	}

	var edits []string
	jsonvalue.Diff(decodedBefore, decodedAfter, func(p jsonvalue.Path, a, b any) {
		edits = append(edits, edit(p.Below(path), renderValue(a), renderValue(b)))
	})
	return edits
}

// decodedOrNull decodes JSON. An empty text represents an attribute that is not set.
func decodedOrNull(text string) (any, error) {
	if text == "" {
		return nil, nil //nolint:nilnil // null is a value
	}
	return jsonvalue.Decode(text)
}

func renderValue(v any) string {
	if v == nil {
		return "(not set)"
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return "(not JSON)"
	}
	return string(raw)
}

// ValueEdit returns a line with an attribute's value before and after.
func ValueEdit(path string, oldValue, newValue attr.Value) string {
	text := func(v attr.Value) string {
		if v.IsNull() {
			return "(not set)"
		}
		return v.String()
	}

	return edit(path, text(oldValue), text(newValue))
}

func edit(path, oldText, newText string) string {
	return fmt.Sprintf("%s: %s -> %s", path, shorten(oldText), shorten(newText))
}

// shorten limits a value to 60 characters, to keep an edit on one line.
func shorten(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	if text == "" {
		return "(not set)"
	}
	return text
}
