package attribute

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/attr"
)

// JSONEdits returns the differences between two texts of JSON, "" for none: a line for
// each value, with its path, the value before and the value after. It is empty when the
// texts mean the same.
func JSONEdits(path string, before, after string) []string {
	if SameJSON(before, after) {
		return nil
	}

	was, errWas := decodedOrAbsent(before)
	is, errIs := decodedOrAbsent(after)
	if errWas != nil || errIs != nil {
		return []string{edit(path, before, after)}
	}

	return jsonEdits(path, was, is)
}

// decodedOrAbsent decodes JSON; an empty text is an attribute that is not set.
func decodedOrAbsent(text string) (any, error) {
	if text == "" {
		return absent{}, nil
	}
	return decodeJSON(text)
}

func jsonEdits(path string, was, is any) []string {
	var edits []string

	old, okOld := was.(map[string]any)
	now, okNow := is.(map[string]any)
	if okOld && okNow {
		names := maps.Clone(old)
		maps.Copy(names, now)
		for _, name := range slices.Sorted(maps.Keys(names)) {
			edits = append(edits, jsonEdits(path+"."+name, member(old, name), member(now, name))...)
		}
		return edits
	}

	before, okBefore := was.([]any)
	after, okAfter := is.([]any)
	if okBefore && okAfter && len(before) == len(after) {
		for i := range before {
			edits = append(edits, jsonEdits(path+"["+strconv.Itoa(i)+"]", before[i], after[i])...)
		}
		return edits
	}

	_, absentBefore := was.(absent)
	_, absentNow := is.(absent)
	if absentBefore == absentNow && (absentBefore || sameValue(was, is)) {
		return nil
	}
	return []string{edit(path, rendered(was), rendered(is))}
}

// absent is the value of a key that an object lacks.
type absent struct{}

func member(object map[string]any, name string) any {
	if value, ok := object[name]; ok {
		return value
	}
	return absent{}
}

func rendered(v any) string {
	if _, ok := v.(absent); ok {
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
