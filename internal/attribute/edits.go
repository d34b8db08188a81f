package attribute

import (
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

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
