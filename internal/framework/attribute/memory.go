package attribute

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// Memory is the normalization memory: for the path of each configured attribute that the
// service stored in another form than it was sent, a hash of what it stored. While the
// service still returns that, the state keeps the configured form; anything else is
// drift. The memory lives in the private state of a resource.
type Memory map[string]string

// memoryKey is the key of the memory in the private state. States that exist hold it.
const memoryKey = "echo"

// PrivateState is the part of the private state of a request or a response that this
// package needs.
type PrivateState interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// IsMarked reports whether private state has a mark.
func IsMarked(ctx context.Context, private PrivateState, key string, diags *diag.Diagnostics) bool {
	raw, found := private.GetKey(ctx, key)
	diags.Append(found...)
	return string(raw) == "true"
}

// Mark sets or removes a mark in private state.
func Mark(ctx context.Context, private PrivateState, key string, is bool, diags *diag.Diagnostics) {
	if is != IsMarked(ctx, private, key, diags) {
		diags.Append(private.SetKey(ctx, key, fmt.Append(nil, is))...)
	}
}

// LoadMemory reads the memory of an object from private state. One that cannot be read is
// dropped with a warning: at worst, a plan shows a difference that is none. Terraform folds
// warnings of one title into one, so the title names the object.
func LoadMemory(ctx context.Context, private PrivateState, object string, diags *diag.Diagnostics) Memory {
	raw, found := private.GetKey(ctx, memoryKey)
	diags.Append(found...)

	memory, err := decodeMemory(raw)
	if err != nil {
		diags.AddWarning("Could not read the values that PostHog normalized from the private state: "+object,
			err.Error()+". The plan may once show values as changed that PostHog stores in another form.")
	}
	return memory
}

// HasMemory reports whether private state holds a memory, be it an empty one. That of a
// tainted object, which Terraform destroys without its private state, does not.
func HasMemory(ctx context.Context, private PrivateState) bool {
	raw, _ := private.GetKey(ctx, memoryKey)
	return len(raw) > 0
}

// Save writes the memory to private state, in place of the previous one.
func (m Memory) Save(ctx context.Context, private PrivateState, diags *diag.Diagnostics) {
	diags.Append(private.SetKey(ctx, memoryKey, m.encode())...)
}

// decodeMemory decodes a memory from private state; no bytes are an empty one.
func decodeMemory(raw []byte) (Memory, error) {
	memory := Memory{}
	if len(raw) == 0 {
		return memory, nil
	}

	if err := json.Unmarshal(raw, &memory); err != nil {
		return nil, fmt.Errorf("private state %q: %w", memoryKey, err)
	}
	return memory, nil
}

func (m Memory) encode() []byte {
	if m == nil {
		m = Memory{}
	}

	raw, err := json.Marshal(m)
	if err != nil {
		panic(err) // a map of strings always encodes
	}
	return raw
}

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

// HeldKey is the key of the private state that holds them.
const HeldKey = "held"

const (
	// keptValues is the number of values that are remembered of an attribute.
	keptValues = 8
	// keptPaths is the number of attributes of which values are remembered.
	keptPaths = 500
)

// DecodeHeld reads values from private state; no bytes are none.
func DecodeHeld(raw []byte) (Held, error) {
	v := Held{}
	if len(raw) == 0 {
		return v, nil
	}
	err := json.Unmarshal(raw, &v)
	return v, err
}

// Note adds what an object no longer is to what it was. It returns false when nothing has
// changed.
func (v Held) Note(before, after map[string]any) bool {
	was, is := Hashes("", before), Hashes("", after)
	for path := range was {
		if is[path] == "" {
			is[path] = HashOfNothing
		}
	}

	changed := false
	for _, path := range slices.Sorted(maps.Keys(is)) {
		old := was[path]
		if old == "" {
			old = HashOfNothing
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
	if fields, ok := objectIn(value); ok {
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

// objectIn are the fields of an object, or of one in a JSON text.
func objectIn(value any) (map[string]any, bool) {
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

// LoadHeld reads values from private state. What cannot be read is dropped: pull then takes an edit
// outside of the code for one in the code.
func LoadHeld(ctx context.Context, private PrivateState, diags *diag.Diagnostics) Held {
	raw, found := private.GetKey(ctx, HeldKey)
	diags.Append(found...)
	values, err := DecodeHeld(raw)
	if err != nil {
		return Held{}
	}
	return values
}

// AfterRead remembers what a read has changed in a state. rootOf returns the one ID by which a
// question is remembered that has another one; nil for an object without questions.
func (v Held) AfterRead(before, after tftypes.Value, rootOf func(id string) string) {
	if before.Equal(after) {
		return
	}
	was, _ := Tree(before).(map[string]any)
	is, _ := Tree(after).(map[string]any)
	if rootOf != nil {
		underRoots(was, rootOf)
		underRoots(is, rootOf)
	}
	v.Note(was, is)
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

// Save stores values in private state, if it has others.
func (v Held) Save(ctx context.Context, private PrivateState, diags *diag.Diagnostics) {
	raw, found := private.GetKey(ctx, HeldKey)
	diags.Append(found...)
	if encoded, err := json.Marshal(v); err == nil && !bytes.Equal(raw, encoded) && len(v)+len(raw) > 0 {
		diags.Append(private.SetKey(ctx, HeldKey, encoded)...)
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

// WrittenKey is the key of the private state that holds when an object was last written: the
// name of that write.
const WrittenKey = "written"

// NextWrite is the time of a write after another one: no two writes of an object have the same,
// so that it names the write.
func NextWrite(last, now time.Time) time.Time {
	if now = now.UTC(); now.After(last) {
		return now
	}
	return last.Add(1)
}

// NoteWritten remembers that an object was written now.
func NoteWritten(ctx context.Context, private PrivateState, now time.Time, diags *diag.Diagnostics) {
	raw, found := private.GetKey(ctx, WrittenKey)
	diags.Append(found...)
	if encoded, err := json.Marshal(NextWrite(DecodeWritten(raw), now)); err == nil {
		diags.Append(private.SetKey(ctx, WrittenKey, encoded)...)
	}
}

// DecodeWritten reads a time from private state; what is none is the zero time.
func DecodeWritten(raw []byte) time.Time {
	var at time.Time
	if json.Unmarshal(raw, &at) != nil {
		return time.Time{}
	}
	return at
}
