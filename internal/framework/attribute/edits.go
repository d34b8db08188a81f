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

// Comparison is what the attributes of a kind of object mean.
type Comparison struct {
	// Same reports whether two values of an attribute mean the same.
	Same func(name string, one, other attr.Value) bool
	// Lines are the edits of a value; nil for one that is edited as a whole. Nil for no such
	// values.
	Lines func(name string, before, after attr.Value) []string
}

// Unseen lists, in a line each, the edits since the plan of the attributes that matter, of structs with the
// attributes. An edit to the planned value is none.
func (c Comparison) Unseen(matters func(name string) bool, planned, prior, stored any) []string {
	var found []string
	wanted, before, after := FromStruct(planned), FromStruct(prior), FromStruct(stored)
	for _, name := range slices.Sorted(maps.Keys(after)) {
		before[name], after[name], wanted[name] = NFC(before[name]), NFC(after[name]), NFC(wanted[name])
		if !matters(name) || c.Same(name, after[name], before[name]) || c.Same(name, after[name], wanted[name]) {
			continue
		}

		var lines []string
		if c.Lines != nil {
			lines = c.Lines(name, before[name], after[name])
		}
		value, isJSON := after[name].(jsontypes.Normalized)
		switch {
		case lines != nil:
			found = append(found, lines...)
		case isJSON:
			was, _ := before[name].(jsontypes.Normalized)
			found = append(found, JSONEdits(name, was.ValueString(), value.ValueString())...)
		default:
			found = append(found, ValueEdit(name, before[name], after[name]))
		}
	}
	return found
}

// SameValue reports whether two values mean the same: null is false and "" too.
func SameValue(one, other attr.Value) bool {
	if one.Equal(other) {
		return true
	}
	switch one := one.(type) {
	case jsontypes.Normalized:
		other, ok := other.(jsontypes.Normalized)
		return ok && EquivalentJSON(one.ValueString(), other.ValueString())
	case types.Bool:
		other, ok := other.(types.Bool)
		return ok && !other.IsUnknown() && one.ValueBool() == other.ValueBool()
	case types.String:
		other, ok := other.(types.String)
		return ok && !other.IsUnknown() && one.ValueString() == other.ValueString()
	}
	return false
}

// JSONEdits returns the differences between two texts of JSON, "" for none: a line for
// each value, with its path, the value before and the value after. It is empty when the
// texts mean the same.
func JSONEdits(path string, before, after string) []string {
	decodedBefore, errBefore := decodedOrNull(before)
	decodedAfter, errAfter := decodedOrNull(after)
	if before != after && (errBefore != nil || errAfter != nil) {
		return []string{edit(path, before, after)}
	}

	var edits []string
	jsonvalue.Diff(decodedBefore, decodedAfter, func(at jsonvalue.Path, a, b any) {
		edits = append(edits, edit(at.Below(path), rendered(a), rendered(b)))
	})
	return edits
}

// decodedOrNull decodes JSON; an empty text is an attribute that is not set.
func decodedOrNull(text string) (any, error) {
	if text == "" {
		return nil, nil //nolint:nilnil // null is a value
	}
	return jsonvalue.Decode(text)
}

func rendered(v any) string {
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
func ValueEdit(path string, before, after attr.Value) string {
	text := func(v attr.Value) string {
		if v.IsNull() {
			return "(not set)"
		}
		return v.String()
	}

	return edit(path, text(before), text(after))
}

func edit(path, before, after string) string {
	return fmt.Sprintf("%s: %s -> %s", path, shortened(before), shortened(after))
}

// shortened limits a value to 60 characters, to keep an edit on one line.
func shortened(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	if text == "" {
		return "(not set)"
	}
	return text
}
