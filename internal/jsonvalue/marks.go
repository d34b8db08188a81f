package jsonvalue

import (
	"maps"
	"slices"
)

// HasTrue reports whether true is anywhere in a value: so a plan marks the parts of one that
// are unknown or sensitive.
func HasTrue(marks any) bool {
	switch marks := marks.(type) {
	case bool:
		return marks
	case []any:
		return slices.ContainsFunc(marks, HasTrue)
	case map[string]any:
		for _, mark := range marks {
			if HasTrue(mark) {
				return true
			}
		}
	}
	return false
}

// Replace returns a value with others in place of the parts that are marked in this way. An
// object gets the marked keys that it lacks: a plan leaves out what is unknown.
func Replace(value, marks any, replacement func(part any) any) any {
	switch marks := marks.(type) {
	case bool:
		if marks {
			return replacement(value)
		}

	case map[string]any:
		object, ok := value.(map[string]any)
		if !ok || !HasTrue(marks) {
			return value
		}
		replaced := map[string]any{}
		maps.Copy(replaced, object)
		for key, mark := range marks {
			if HasTrue(mark) {
				replaced[key] = Replace(object[key], mark, replacement)
			}
		}
		return replaced

	case []any:
		list, ok := value.([]any)
		if !ok {
			return value
		}
		replaced := slices.Clone(list)
		for i := range min(len(list), len(marks)) {
			replaced[i] = Replace(list[i], marks[i], replacement)
		}
		return replaced
	}
	return value
}
