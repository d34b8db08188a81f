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
	"github.com/zclconf/go-cty/cty"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// Memory is the normalization memory in a resource's private state. It maps the path of each configured attribute
// that PostHog normalized to a hash of the stored value. While PostHog returns that value, the state keeps the
// configured form. Any other value is drift.
type Memory map[string]string

// fingerprint returns a hash of a value and its type.
func fingerprint(v attr.Value) string {
	sum := sha256.Sum256([]byte(v.String()))
	return base64.RawStdEncoding.EncodeToString(sum[:12])
}

// Held records the values that an object's attributes had in PostHog since the last write. If a configured value is
// one of them, the configuration was not edited. Otherwise, it was.
//
// Held maps attribute paths to hashes of earlier values, newest first. The last hash belongs to the last write.
// Questions are recorded by ID. All other attributes are treated alike.
type Held map[string][]string

const (
	// keptValues is the maximum number of values to record per attribute.
	keptValues = 8
	// keptPaths is the maximum number of attributes to record.
	keptPaths = 500
)

// Note records the old values of changed attributes. It returns false if nothing changed.
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

// withValue adds the newest value to a list. It always keeps the oldest value, which belongs to the last write.
func withValue(values []string, newest string) []string {
	if len(values) == 0 || values[len(values)-1] == newest {
		return append([]string{}, append(values[:max(0, len(values)-1)], newest)...)
	}
	lastWritten := values[len(values)-1]
	between := slices.DeleteFunc(slices.Clone(values[:len(values)-1]), func(value string) bool { return value == newest })
	return append(append([]string{newest}, between[:min(len(between), keptValues-2)]...), lastWritten)
}

// QuestionPath returns the path of a question.
func QuestionPath(question string) string { return "questions/" + question }

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// HashOfNothing is the hash of an unset attribute.
var HashOfNothing = hash(nil)

// Hashes returns the hashes of a value and all values inside it, by path.
func Hashes(path string, value any) map[string]string {
	hashes := map[string]string{}
	flatten(path, value, hashes)
	return hashes
}

// flatten adds the hash of every value in an object under the value's path. A question's path contains its ID. Other
// lists have one hash for the whole list.
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

// asMeant decodes a list that is written as JSON, so that its formatting does not matter. It returns any other value
// unchanged.
func asMeant(value any) any {
	if text, ok := value.(string); ok && strings.HasPrefix(strings.TrimSpace(text), "[") {
		if decoded, err := jsonvalue.Decode(text); err == nil {
			return decoded
		}
	}
	return value
}

// objectFields returns the fields of an object, or of the object in a JSON text.
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

// hash returns a short hash of a value. It is the same for composed and decomposed letters.
func hash(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256([]byte(cty.NormalizeString(string(text))))
	return base64.RawURLEncoding.EncodeToString(sum[:9])
}

// AfterRead records the changes that a read made to a state. rootOf returns the ID under which a question is recorded.
// rootOf is nil for objects without questions.
func (v Held) AfterRead(oldState, newState tftypes.Value, rootOf func(id string) string) {
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

// underRoots replaces the question IDs in a tree with their root IDs. It modifies the tree. Two questions with the same
// root keep their own IDs.
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

// Tree returns a value as encoding/json decodes it, without null and unknown values in objects.
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
