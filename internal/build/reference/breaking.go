package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// breakingChanges lists the changes that can break a configuration, or a reader of a state:
// removed attributes, changed types, arguments that are now required.
func breakingChanges(before, after []byte) ([]string, error) {
	old, err := facts(before)
	if err != nil {
		return nil, err
	}
	current, err := facts(after)
	if err != nil {
		return nil, err
	}

	var changes []string
	for _, path := range slices.Sorted(maps.Keys(old)) {
		value, kept := current[path]
		switch {
		case !kept && !isOptionalNow(path, current):
			changes = append(changes, path+" is gone")
		case kept && value != old[path]:
			changes = append(changes, path+" was "+old[path]+" and is "+value)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(current)) {
		if _, had := old[path]; !had && strings.HasSuffix(path, ".required") && isOf(path, old) {
			changes = append(changes, path+" is new")
		}
	}
	return changes, nil
}

// isOptionalNow reports whether a fact is that an argument was required, and it no longer
// is.
func isOptionalNow(path string, current map[string]string) bool {
	argument, required := strings.CutSuffix(path, ".required")
	return required && current[argument+".optional"] == "true"
}

// isOf reports whether an argument belongs to something that existed before: of a new
// resource everything is new.
func isOf(path string, old map[string]string) bool {
	owner := path[:strings.LastIndex(path, ".attributes.")+1]
	return slices.ContainsFunc(slices.Collect(maps.Keys(old)), func(other string) bool { return strings.HasPrefix(other, owner) })
}

// facts are the leaves of a schema by path. Descriptions are none, and neither is the
// version of a schema: the provider upgrades states.
func facts(document []byte) (map[string]string, error) {
	var schema any
	if err := json.Unmarshal(document, &schema); err != nil {
		return nil, err
	}
	found := map[string]string{}
	collect(schema, "", found)
	return found, nil
}

// notFacts are keys whose values nothing depends on.
var notFacts = []string{"description", "description_kind", "summary", "version", "format_version", "deprecated"}

func collect(value any, path string, found map[string]string) {
	switch value := value.(type) {
	case map[string]any:
		for name, child := range value {
			_, nested := child.(map[string]any)
			switch {
			case !nested && slices.Contains(notFacts, name):
			case name == "type" && !nested:
				found[join(path, name)] = jsonText(child)
			default:
				collect(child, join(path, name), found)
			}
		}

	case []any: // the parameters of a function
		for i, child := range value {
			collect(child, join(path, strconv.Itoa(i)), found)
		}

	default:
		found[path] = jsonText(value)
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func jsonText(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // it was decoded from JSON
	}
	return string(text)
}
