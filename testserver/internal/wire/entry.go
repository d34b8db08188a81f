package wire

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agext/levenshtein"
	"github.com/google/uuid"
)

// Entry reads one object of a hand-written document. It reports members that are unknown or have the wrong
// type, with their paths. It keeps only the first error.
type Entry struct {
	// Path is the object's path in the document, such as "projects[0]". It is empty for the document itself.
	Path string
	// Fields are the members of the object.
	Fields Fields
	// Err is the first error, or nil if there is none.
	Err error
}

// ReadEntry begins to read an object. A member that is not in names causes an error, unless names is nil.
func ReadEntry(path string, value Value, names []string) *Entry {
	o := &Entry{Path: path}
	if !value.IsObject() {
		o.Fail("", "must be an object, not %s", KindWithArticle(value))
		return o
	}

	o.Fields = value.Fields()
	if names == nil {
		return o
	}
	for _, name := range slices.Sorted(maps.Keys(o.Fields)) {
		if !slices.Contains(names, name) {
			o.Fail(name, "%s", UnknownKey(name, names))
			return o
		}
	}
	return o
}

// Fail records an error about a member, or about the object if name is empty. It does nothing after the first
// error.
func (o *Entry) Fail(name, format string, args ...any) {
	if o.Err != nil {
		return
	}

	message := fmt.Sprintf(format, args...)
	if name != "" {
		name = "." + name
	}
	if path := strings.TrimPrefix(o.Path+name, "."); path != "" {
		message = path + ": " + message
	}
	o.Err = errors.New(message)
}

// Has reports whether the object contains a member, which may be null.
func (o *Entry) Has(name string) bool { return !o.Fields[name].IsAbsent() }

// Require fails if a member is missing.
func (o *Entry) Require(names ...string) {
	for _, name := range names {
		if !o.Has(name) {
			o.Fail("", "the key %q is missing", name)
		}
	}
}

// Text reads a string. It returns fallback if the member is missing.
func (o *Entry) Text(name, fallback string) string {
	value := o.Fields[name]
	if value.IsAbsent() {
		return fallback
	}
	if !value.IsText() {
		o.Fail(name, "must be a string, not %s", KindWithArticle(value))
		return fallback
	}
	return value.Text()
}

// Integer reads an integer. It returns fallback if the member is missing.
func (o *Entry) Integer(name string, fallback int64) int64 {
	value := o.Fields[name]
	if value.IsAbsent() {
		return fallback
	}
	n, err := strconv.ParseInt(value.spelling, 10, 64)
	if err != nil {
		o.Fail(name, "must be an integer, not %s", found(value, "an integer"))
	}
	return n
}

// ID reads an integer above 0, or returns 0 if the member is missing. The member may be a string, like an ID in
// an environment variable or a path.
func (o *Entry) ID(name string) int64 {
	value := o.Fields[name]
	if value.IsAbsent() {
		return 0
	}
	n, err := strconv.ParseInt(strings.Trim(value.spelling, `"`), 10, 64)
	if err != nil || n <= 0 {
		o.Fail(name, "must be a positive integer, not %s", value.spelling)
	}
	return n
}

// Boolean reads true or false. It returns fallback if the member is missing.
func (o *Entry) Boolean(name string, fallback bool) bool {
	value := o.Fields[name]
	switch {
	case value.IsAbsent():
		return fallback
	case !value.IsBool():
		o.Fail(name, "must be a boolean, not %s", KindWithArticle(value))
	}
	return value.Is("true")
}

// UUID reads a UUID. It returns the zero UUID if the member is missing.
func (o *Entry) UUID(name string) uuid.UUID {
	if !o.Has(name) {
		return uuid.Nil
	}
	id, err := uuid.Parse(o.Text(name, ""))
	if err != nil {
		o.Fail(name, "must be a UUID, not %s", o.Fields[name].spelling)
	}
	return id
}

// List reads an array and calls visit with the path and the value of each item.
func (o *Entry) List(name string, visit func(path string, item Value) error) {
	value := o.Fields[name]
	if value.IsAbsent() {
		return
	}
	if !value.IsArray() {
		o.Fail(name, "must be an array, not %s", KindWithArticle(value))
		return
	}
	for i, item := range value.Items() {
		path := strings.TrimPrefix(fmt.Sprintf("%s.%s[%d]", o.Path, name, i), ".")
		if err := visit(path, item); err != nil && o.Err == nil {
			o.Err = err
		}
	}
}

// Texts reads an array of strings.
func (o *Entry) Texts(name string) []string {
	return readList(o, name, "a string", func(item Value) (string, bool) { return item.Text(), item.IsText() })
}

// IDs reads an array of integers, which may be strings.
func (o *Entry) IDs(name string) []int64 {
	return readList(o, name, "an integer", func(item Value) (int64, bool) {
		id, err := strconv.ParseInt(strings.Trim(item.spelling, `"`), 10, 64)
		return id, err == nil
	})
}

// UUIDs reads an array of UUIDs.
func (o *Entry) UUIDs(name string) []uuid.UUID {
	return readList(o, name, "a UUID", func(item Value) (uuid.UUID, bool) {
		id, err := uuid.Parse(item.Text())
		return id, err == nil
	})
}

// readList reads an array. kind describes the items in an error.
func readList[T any](o *Entry, name, kind string, read func(Value) (T, bool)) []T {
	var items []T
	o.List(name, func(path string, item Value) error {
		value, ok := read(item)
		if !ok {
			return fmt.Errorf("%s: must be %s, not %s", path, kind, found(item, kind))
		}
		items = append(items, value)
		return nil
	})
	return items
}

// maxTypos is the edit distance from which a key no longer counts as a misspelling of another key.
const maxTypos = 3

// UnknownKey returns the message for a key that is not in names. It suggests the most similar name.
func UnknownKey(name string, names []string) string {
	if best := Nearest(name, names); best != "" {
		return fmt.Sprintf("unknown key, did you mean %q?", best)
	}
	return "unknown key. Use one of " + strings.Join(names, ", ")
}

// Nearest returns the name that is most similar to a misspelled name, or "" if none is similar.
func Nearest(name string, names []string) string {
	best, distance := "", maxTypos
	for _, candidate := range names {
		if d := levenshtein.Distance(name, candidate, nil); d < distance {
			best, distance = candidate, d
		}
	}
	return best
}
