package testserver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// The hosted service takes JSON apart into ordered maps and puts it together again;
// what it stored comes back in the order of its database. Here are the pieces.

// pairs are the members of a JSON object in their order.
type pairs []member

// pairsOf splits a compact JSON object: a key that is there twice stays in its first
// place with its last value.
func pairsOf(raw json.RawMessage) pairs {
	var p pairs
	places := map[string]int{}
	for rest := raw[1:]; rest[0] != '}'; {
		if rest[0] == ',' {
			rest = rest[1:]
		}
		end := extent(rest)
		size := extent(rest[end+1:])
		name, value := unquote(rest[:end]), rest[end+1:end+1+size:end+1+size]
		if i, known := places[name]; known {
			p[i].value = value
		} else {
			places[name] = len(p)
			p = append(p, member{name, value})
		}
		rest = rest[end+1+size:]
	}
	return p
}

// readPythonJSON checks and compacts JSON as Python reads it, which also takes NaN,
// Infinity and -Infinity. The latter are numbers too great for a float then, and NaN
// is notANumber.
func readPythonJSON(body []byte) (json.RawMessage, error) {
	if bytes.Contains(body, []byte("NaN")) || bytes.Contains(body, []byte("Infinity")) {
		body = withoutNaN(body)
	}
	return readJSON(body)
}

// infinite is a number that no float holds.
const infinite = "1e999"

// withoutNaN replaces the names of numbers outside of strings.
func withoutNaN(body []byte) []byte {
	out := make([]byte, 0, len(body))
	for len(body) > 0 {
		n := 1
		switch {
		case body[0] == '"':
			n = stringExtent(body)
			out = append(out, body[:n]...)
		case bytes.HasPrefix(body, []byte("NaN")):
			n = len("NaN")
			out = append(out, notANumber...)
		case bytes.HasPrefix(body, []byte("Infinity")):
			n = len("Infinity")
			out = append(out, infinite...)
		default:
			out = append(out, body[0])
		}
		body = body[n:]
	}
	return out
}

// holdsInfinity reports whether there is a number in JSON that is infinite or none,
// which Python reads and does not write.
func holdsInfinity(raw json.RawMessage) bool {
	if !bytes.ContainsAny(raw, "eE") && len(raw) < maxFloatDigits {
		return false
	}
	for rest := []byte(raw); len(rest) > 0; {
		n := 1
		switch c := rest[0]; {
		case c == '"':
			n = stringExtent(rest)
		case c == '-' || c >= '0' && c <= '9':
			n = numberExtent(rest)
			literal := string(rest[:n])
			if !strings.ContainsAny(literal, ".eE") {
				break
			}
			if _, err := strconv.ParseFloat(literal, 64); err != nil {
				return true
			}
		}
		rest = rest[n:]
	}
	return false
}

// maxFloatDigits are the digits before the point that a float holds.
const maxFloatDigits = 308

// numberExtent is the length of the number at the beginning.
func numberExtent(raw []byte) int {
	n := 1
	for n < len(raw) && strings.IndexByte("0123456789+-.eE", raw[n]) >= 0 {
		n++
	}
	return n
}

// get returns the value of a key, nil when it is not there.
func (p pairs) get(name string) json.RawMessage {
	for _, m := range p {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// with sets a key: in its place, or at the end when it is new.
func (p pairs) with(name string, value json.RawMessage) pairs {
	for i := range p {
		if p[i].name == name {
			p[i].value = value
			return p
		}
	}
	return append(p, member{name, value})
}

// without takes a key away.
func (p pairs) without(name string) pairs {
	return slices.DeleteFunc(p, func(m member) bool { return m.name == name })
}

func (p pairs) json() json.RawMessage {
	b := []byte{'{'}
	for i, m := range p {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendQuoted(b, m.name), ':')
		b = append(b, m.value...)
	}
	return append(b, '}')
}

// listOf returns the items of a compact JSON array.
func listOf(raw json.RawMessage) []json.RawMessage {
	items := []json.RawMessage{}
	for _, item := range elements(raw) {
		items = append(items, item)
	}
	return items
}

func listJSON(items []json.RawMessage) json.RawMessage {
	b := []byte{'['}
	for i, item := range items {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, item...)
	}
	return append(b, ']')
}

// isObject, isList and isText say what a value is; absent is nothing of it.
func isObject(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '{' }
func isList(raw json.RawMessage) bool   { return len(raw) > 0 && raw[0] == '[' }
func isText(raw json.RawMessage) bool   { return len(raw) > 0 && raw[0] == '"' }

// isNothing says whether a value is absent or null.
func isNothing(raw json.RawMessage) bool { return len(raw) == 0 || raw[0] == 'n' }

// isTruthy says whether the service takes a value for something: absent, null, false,
// zero and what is empty are nothing to it.
func isTruthy(raw json.RawMessage) bool {
	switch string(raw) {
	case "", "null", "false", `""`, "[]", "{}":
		return false
	}
	n, ok := number(raw)
	return !ok || n != 0
}

// number reads a JSON number; true and false are numbers to the service.
func number(raw json.RawMessage) (float64, bool) {
	switch string(raw) {
	case "true":
		return 1, true
	case "false":
		return 0, true
	}
	n, err := strconv.ParseFloat(string(raw), 64)
	return n, err == nil
}

// said is a value as the service puts it into a sentence.
func said(raw json.RawMessage) string {
	switch string(raw) {
	case "null":
		return "None"
	case "true":
		return "True"
	case "false":
		return "False"
	}
	if isText(raw) {
		return unquote(raw)
	}
	return string(raw)
}

// databaseOrder is JSON as it comes back out of the service's database: the keys of
// every object by length, then by their bytes.
func databaseOrder(raw json.RawMessage) json.RawMessage {
	switch {
	case isObject(raw):
		p := pairsOf(raw)
		slices.SortFunc(p, func(a, b member) int {
			return cmp.Or(cmp.Compare(len(a.name), len(b.name)), strings.Compare(a.name, b.name))
		})
		for i := range p {
			p[i].value = databaseOrder(p[i].value)
		}
		return p.json()
	case isList(raw):
		items := listOf(raw)
		for i := range items {
			items[i] = databaseOrder(items[i])
		}
		return listJSON(items)
	}
	return raw
}
