package attribute

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// Memory is the normalization memory: for the path of each configured attribute that the
// service stored in another form than it was sent, a hash of what it stored. While the
// service still returns that, the state keeps the configured form; anything else is
// drift. The memory lives in the private state of a resource.
type Memory map[string]string

// fingerprint returns a hash of a value, its type included.
func fingerprint(v attr.Value) string {
	sum := sha256.Sum256([]byte(v.String()))
	return base64.RawStdEncoding.EncodeToString(sum[:12])
}

// Held remembers which values the attributes of an object had on the service since the object was
// last written. A value in the code that is among them is one that the code was brought in line
// with, or never changed; any other is an edit of the code. It knows no attribute but the list of
// questions, whose elements have ids.
//
// Held are hashes of the values that attributes had before the present one, newest first,
// by path. The last one is that of the last write.
type Held map[string][]string

const (
	// keptValues is the number of values that are remembered of an attribute.
	keptValues = 8
	// keptPaths is the number of attributes of which values are remembered.
	keptPaths = 500
)

// Note adds what an object no longer is to what it was. It returns false when nothing has
// changed.
func (v Held) Note(oldFields, newFields map[string]any) bool {
	oldHashes, newHashes := Hashes("", oldFields), Hashes("", newFields)
	for path := range oldHashes {
		if newHashes[path] == "" {
			newHashes[path] = HashOfNothing
		}
	}

	changed := false
	for _, path := range slices.Sorted(maps.Keys(newHashes)) {
		old := oldHashes[path]
		if old == "" {
			old = HashOfNothing
		}
		if old == newHashes[path] || len(v) >= keptPaths && v[path] == nil {
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
	lastWritten := values[len(values)-1]
	between := slices.DeleteFunc(slices.Clone(values[:len(values)-1]), func(value string) bool { return value == newest })
	return append(append([]string{newest}, between[:min(len(between), keptValues-2)]...), lastWritten)
}

// QuestionPath is the path of a question.
func QuestionPath(question string) string { return "questions/" + question }

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// HashOfNothing is the hash of an attribute that is not set.
var HashOfNothing = hash(nil)

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
	if fields, ok := objectFields(value); ok {
		for name, field := range fields {
			flatten(join(path, name), field, into)
		}
		return
	}
	if list, ok := value.([]any); ok && path == "questions" {
		for _, element := range list {
			if question, ok := element.(map[string]any); ok {
				if id, _ := question["id"].(string); id != "" {
					flatten(QuestionPath(id), question, into)
				}
			}
		}
		return
	}
	if value != nil {
		into[path] = hash(asMeant(value))
	}
}

// asMeant is a list that is written as JSON, however it is spelled; any other value as it is.
func asMeant(value any) any {
	if text, ok := value.(string); ok && strings.HasPrefix(strings.TrimSpace(text), "[") {
		if decoded, err := jsonvalue.Decode(text); err == nil {
			return decoded
		}
	}
	return value
}

// objectFields are the fields of an object, or of one in a JSON text.
func objectFields(value any) (map[string]any, bool) {
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

// afterRead remembers what a read has changed in a state. rootOf returns the one ID by which a
// question is remembered that has another one; nil for an object without questions.
func (v Held) afterRead(oldState, newState tftypes.Value, rootOf func(id string) string) {
	if oldState.Equal(newState) {
		return
	}
	oldTree, _ := Tree(oldState).(map[string]any)
	newTree, _ := Tree(newState).(map[string]any)
	if rootOf != nil {
		underRoots(oldTree, rootOf)
		underRoots(newTree, rootOf)
	}
	v.Note(oldTree, newTree)
}

// underRoots replaces the IDs of the questions in a tree that was just made. Two questions
// of one root keep theirs.
func underRoots(tree map[string]any, rootOf func(id string) string) {
	list, _ := tree["questions"].([]any)
	idOf := func(element any) string {
		question, _ := element.(map[string]any)
		id, _ := question["id"].(string)
		return id
	}

	ids := map[string]bool{}
	for _, element := range list {
		ids[idOf(element)] = true
	}
	for _, element := range list {
		id := idOf(element)
		if root := rootOf(id); root != id && !ids[root] {
			element.(map[string]any)["id"] = root //nolint:forcetypeassert // it has an ID
		}
	}
}

// Tree is a value as encoding/json holds it, without what is null or unknown in objects.
func Tree(v tftypes.Value) any { return withoutNulls(Plain(v)) }

func withoutNulls(value any) any {
	switch value := value.(type) {
	case []any:
		for i := range value {
			value[i] = withoutNulls(value[i])
		}
	case map[string]any:
		for name, member := range value {
			value[name] = withoutNulls(member)
			if member == nil {
				delete(value, name)
			}
		}
	}
	return value
}
