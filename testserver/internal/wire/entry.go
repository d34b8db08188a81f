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

// Entry reads one object of a hand-written document. It reports a member that is unknown or has the
// wrong type with its path, and keeps only the first error.
type Entry struct {
	// Path is where the object is in the document, as "projects[0]"; empty for the top.
	Path string
	// Fields are the members of the object.
	Fields Fields
	// Err is the first error, or nil if there is none.
	Err error
}

// ReadEntry begins to read an object. Members outside known are an error, unless known is
// nil.
func ReadEntry(path string, value Value, names []string) *Entry {
	o := &Entry{Path: path}
	if !value.IsObject() {
		o.Fail("", "must be an object, is %s", KindWithArticle(value))
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

// Fail notes what is wrong with a member, or with the object when name is empty. After
// the first error it does nothing.
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

// Has reports whether there is a member, null included.
func (o *Entry) Has(name string) bool { return !o.Fields[name].IsAbsent() }

// Require asks for members that have no default.
func (o *Entry) Require(names ...string) {
	for _, name := range names {
		if !o.Has(name) {
			o.Fail("", "needs the key %q", name)
		}
	}
}

// Text reads a string; fallback is what an absent one means.
func (o *Entry) Text(name, fallback string) string {
	value := o.Fields[name]
	if value.IsAbsent() {
		return fallback
	}
	if !value.IsText() {
		o.Fail(name, "must be a string, is %s", KindWithArticle(value))
		return fallback
	}
	return value.Text()
}

// Integer reads an integer; fallback is what an absent one means.
func (o *Entry) Integer(name string, fallback int64) int64 {
	value := o.Fields[name]
	if value.IsAbsent() {
		return fallback
	}
	n, err := strconv.ParseInt(value.spelling, 10, 64)
	if err != nil {
		o.Fail(name, "must be an integer, is %s", KindWithArticle(value))
	}
	return n
}

// ID reads an integer above 0, 0 when it is absent. It may be written as a string too, as IDs in
// environment variables and paths are.
func (o *Entry) ID(name string) int64 {
	value := o.Fields[name]
	if value.IsAbsent() {
		return 0
	}
	n, err := strconv.ParseInt(strings.Trim(value.spelling, `"`), 10, 64)
	if err != nil || n <= 0 {
		o.Fail(name, "must be an integer above 0, is %s", value.spelling)
	}
	return n
}

// Boolean reads true or false; fallback is what an absent one means.
func (o *Entry) Boolean(name string, fallback bool) bool {
	value := o.Fields[name]
	switch {
	case value.IsAbsent():
		return fallback
	case !value.IsBool():
		o.Fail(name, "must be a boolean, is %s", KindWithArticle(value))
	}
	return value.Is("true")
}

// UUID reads a UUID, which is zero when it is absent.
func (o *Entry) UUID(name string) uuid.UUID {
	if !o.Has(name) {
		return uuid.Nil
	}
	id, err := uuid.Parse(o.Text(name, ""))
	if err != nil {
		o.Fail(name, "must be a UUID, is %s", o.Fields[name].spelling)
	}
	return id
}

// List reads an array and calls each with the path and value of its items.
func (o *Entry) List(name string, visit func(path string, item Value) error) {
	value := o.Fields[name]
	if value.IsAbsent() {
		return
	}
	if !value.IsArray() {
		o.Fail(name, "must be an array, is %s", KindWithArticle(value))
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

// IDs reads an array of integers, which may be written as strings too.
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

// readList reads an array of what each item must be.
func readList[T any](o *Entry, name, kind string, read func(Value) (T, bool)) []T {
	var items []T
	o.List(name, func(path string, item Value) error {
		value, ok := read(item)
		if !ok {
			return fmt.Errorf("%s: must be %s, is %s", path, kind, KindWithArticle(item))
		}
		items = append(items, value)
		return nil
	})
	return items
}

// maxTypos is the edit distance at which a key is no longer considered a misspelling of another.
const maxTypos = 3

// UnknownKey returns the message for a key that is not in known. It suggests the most similar known key.
func UnknownKey(name string, names []string) string {
	best, distance := "", maxTypos
	for _, candidate := range names {
		if d := levenshtein.Distance(name, candidate, nil); d < distance {
			best, distance = candidate, d
		}
	}

	if best != "" {
		return fmt.Sprintf("unknown key, did you mean %q?", best)
	}
	return "unknown key. Use one of " + strings.Join(names, ", ")
}
