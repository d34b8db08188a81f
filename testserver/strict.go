package testserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agext/levenshtein"
	"github.com/google/uuid"
)

// strict reads an object of a document that people write by hand: what is unknown
// or of the wrong type is an error that names its path. The first error stays.
type strict struct {
	path    string
	members fields
	err     error
}

// readStrict begins to read an object; keys outside known are an error unless
// known is nil.
func readStrict(path string, raw json.RawMessage, known []string) *strict {
	o := &strict{path: path}
	if raw[0] != '{' {
		o.fail("", "must be an object, is %s", kindOf(raw))
		return o
	}
	o.members = members(raw)
	if known == nil {
		return o
	}
	for _, name := range slices.Sorted(maps.Keys(o.members)) {
		if !slices.Contains(known, name) {
			o.fail(name, "%s", unknownKey(name, known))
			return o
		}
	}
	return o
}

func (o *strict) fail(name, format string, args ...any) {
	if o.err != nil {
		return
	}
	message := fmt.Sprintf(format, args...)
	if name != "" {
		name = "." + name
	}
	if path := strings.TrimPrefix(o.path+name, "."); path != "" {
		message = path + ": " + message
	}
	o.err = errors.New(message)
}

func (o *strict) has(name string) bool { return o.members[name] != nil }

// need asks for keys that have no default.
func (o *strict) need(names ...string) {
	for _, name := range names {
		if !o.has(name) {
			o.fail("", "needs the key %q", name)
		}
	}
}

func (o *strict) text(name, fallback string) string {
	raw := o.members[name]
	if raw == nil {
		return fallback
	}
	if raw[0] != '"' {
		o.fail(name, "must be a string, is %s", kindOf(raw))
		return fallback
	}
	return unquote(raw)
}

func (o *strict) integer(name string, fallback int64) int64 {
	raw := o.members[name]
	if raw == nil {
		return fallback
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil {
		o.fail(name, "must be an integer, is %s", kindOf(raw))
	}
	return n
}

// id reads an integer above 0, which may be written as a string too, as ids in
// environment variables and paths are.
func (o *strict) id(name string) int64 {
	raw := o.members[name]
	if raw == nil {
		return 0
	}
	n, err := strconv.ParseInt(strings.Trim(string(raw), `"`), 10, 64)
	if err != nil || n <= 0 {
		o.fail(name, "must be an integer above 0, is %s", raw)
	}
	return n
}

func (o *strict) boolean(name string, fallback bool) bool {
	raw := o.members[name]
	switch {
	case raw == nil:
		return fallback
	case raw[0] != 't' && raw[0] != 'f':
		o.fail(name, "must be a boolean, is %s", kindOf(raw))
	}
	return string(raw) == "true"
}

func (o *strict) uuid(name string) uuid.UUID {
	if !o.has(name) {
		return uuid.Nil
	}
	id, err := uuid.Parse(o.text(name, ""))
	if err != nil {
		o.fail(name, "must be a UUID, is %s", o.members[name])
	}
	return id
}

// list reads an array and calls each with the path and value of its items.
func (o *strict) list(name string, each func(path string, item json.RawMessage) error) {
	raw := o.members[name]
	if raw == nil {
		return
	}
	if raw[0] != '[' {
		o.fail(name, "must be an array, is %s", kindOf(raw))
		return
	}
	for i, item := range elements(raw) {
		path := strings.TrimPrefix(fmt.Sprintf("%s.%s[%d]", o.path, name, i), ".")
		if err := each(path, item); err != nil && o.err == nil {
			o.err = err
		}
	}
}

func (o *strict) texts(name string) []string {
	var texts []string
	o.list(name, func(path string, item json.RawMessage) error {
		if item[0] != '"' {
			return fmt.Errorf("%s: must be a string, is %s", path, kindOf(item))
		}
		texts = append(texts, unquote(item))
		return nil
	})
	return texts
}

func (o *strict) ids(name string) []int64 {
	var ids []int64
	o.list(name, func(path string, item json.RawMessage) error {
		id, err := strconv.ParseInt(strings.Trim(string(item), `"`), 10, 64)
		if err != nil {
			return fmt.Errorf("%s: must be an integer, is %s", path, kindOf(item))
		}
		ids = append(ids, id)
		return nil
	})
	return ids
}

func (o *strict) uuids(name string) []uuid.UUID {
	var ids []uuid.UUID
	o.list(name, func(path string, item json.RawMessage) error {
		id, err := uuid.Parse(strings.Trim(string(item), `"`))
		if err != nil {
			return fmt.Errorf("%s: must be a UUID, is %s", path, item)
		}
		ids = append(ids, id)
		return nil
	})
	return ids
}

// columns checks the members against a table; null stands for the default unless
// the column can hold it.
func (o *strict) columns(t *table) {
	for _, c := range t.columns {
		raw := o.members[c.name]
		switch {
		case raw == nil:
		case raw[0] == 'n' && c.notNull:
			o.fail(c.name, "can't be null")
		case raw[0] != 'n':
			if misfit := c.misfit(raw); misfit != "" {
				o.fail(c.name, "%s", misfit)
			}
		}
	}
}

// unknownKey says that a key is unknown, and which one may be meant.
func unknownKey(name string, known []string) string {
	best, distance := "", 3
	for _, candidate := range known {
		if d := levenshtein.Distance(name, candidate, nil); d < distance {
			best, distance = candidate, d
		}
	}
	if best != "" {
		return fmt.Sprintf("unknown key, did you mean %q?", best)
	}
	return "unknown key; there are " + strings.Join(known, ", ")
}
