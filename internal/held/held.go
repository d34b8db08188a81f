// Package held remembers which values the attributes of an object had on the service since
// the object was last written. A value in the code that is among them is one that the code
// was brought in line with, or never changed; any other is an edit of the code. Values are
// kept as hashes, by the path of the attribute, in the private state of a resource. It knows
// no attribute but the list of questions, whose elements have ids.
package held

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// Values are hashes of the values that attributes had before the present one, newest first,
// by path. The last one is that of the last write.
type Values map[string][]string

// Key is the key of the private state that holds them.
const Key = "held"

const (
	// keptValues is the number of values that are remembered of an attribute.
	keptValues = 8
	// keptPaths is the number of attributes of which values are remembered.
	keptPaths = 500
)

// Decode reads values from private state; no bytes are none.
func Decode(raw []byte) (Values, error) {
	v := Values{}
	if len(raw) == 0 {
		return v, nil
	}
	err := json.Unmarshal(raw, &v)
	return v, err
}

// Note adds what an object no longer is to what it was. It returns false when nothing has
// changed.
func (v Values) Note(before, after map[string]any) bool {
	was, is := Hashes("", before), Hashes("", after)
	for path := range was {
		if is[path] == "" {
			is[path] = Nothing
		}
	}

	changed := false
	for _, path := range slices.Sorted(maps.Keys(is)) {
		old := was[path]
		if old == "" {
			old = Nothing
		}
		if old == is[path] || len(v) >= keptPaths && v[path] == nil {
			continue
		}
		if values := withValue(v[path], old); !slices.Equal(values, v[path]) {
			v[path], changed = values, true
		}
	}
	return changed
}

// withValue are values with a newest one. The oldest is that of the last write, and stays.
func withValue(values []string, newest string) []string {
	if len(values) == 0 || values[len(values)-1] == newest {
		return append([]string{}, append(values[:max(0, len(values)-1)], newest)...)
	}
	written := values[len(values)-1]
	between := slices.DeleteFunc(slices.Clone(values[:len(values)-1]), func(other string) bool { return other == newest })
	return append(append([]string{newest}, between[:min(len(between), keptValues-2)]...), written)
}

// Of is the path of a question.
func Of(question string) string { return "questions/" + question }

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// Nothing is the hash of an attribute that is not set.
var Nothing = hash(nil)

// Hashes are the hashes of all values in the value of a path, by their paths.
func Hashes(path string, value any) map[string]string {
	hashes := map[string]string{}
	flatten(path, value, hashes)
	return hashes
}

// flatten adds the hash of every value in an object by its path. Questions are found by
// their ids, other elements of lists by the list.
func flatten(path string, value any, into map[string]string) {
	if text, ok := value.(jsonvalue.Text); ok {
		value = string(text)
	}
	if fields, ok := fieldsOf(value); ok {
		for name, field := range fields {
			flatten(join(path, name), field, into)
		}
		return
	}
	if list, ok := value.([]any); ok && path == "questions" {
		for _, element := range list {
			if question, ok := element.(map[string]any); ok {
				if id, _ := question["id"].(string); id != "" {
					flatten(Of(id), question, into)
				}
			}
		}
		return
	}
	if value != nil {
		into[path] = hash(meant(value))
	}
}

// meant is a list that is written as JSON, however it is spelled; any other value as it is.
func meant(value any) any {
	if text, ok := value.(string); ok && strings.HasPrefix(strings.TrimSpace(text), "[") {
		if decoded, err := jsonvalue.Decode(text); err == nil {
			return decoded
		}
	}
	return value
}

// fieldsOf are the fields of an object, or of one in a JSON text.
func fieldsOf(value any) (map[string]any, bool) {
	switch value := value.(type) {
	case map[string]any:
		return value, true
	case string:
		if !strings.HasPrefix(strings.TrimSpace(value), "{") {
			return nil, false
		}
		decoded, err := jsonvalue.Decode(value)
		fields, ok := decoded.(map[string]any)
		return fields, err == nil && ok
	}
	return nil, false
}

// hash is a short hash of a value.
func hash(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:9])
}
