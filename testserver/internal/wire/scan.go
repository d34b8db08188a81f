package wire

import (
	"bytes"
	"encoding/json"
	"iter"
)

// Finding the parts of valid, compact JSON takes a look at brackets and quotes. The
// standard library checks every byte again, several times over, which is most of the
// time that loading 100,000 surveys takes.

// extent is the length of the value at the beginning of compact JSON.
func extent(raw []byte) int {
	depth := 0
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			i += stringExtent(raw[i:]) - 1
		case '{', '[':
			depth++
			continue
		case '}', ']':
			depth--
		default:
			// The rest of a number, true, false or null, or a separator inside.
			if depth > 0 || (i+1 < len(raw) && !endsValue(raw[i+1])) {
				continue
			}
		}

		if depth == 0 {
			return i + 1
		}
	}
	return len(raw)
}

// endsValue reports whether a byte can follow a value.
func endsValue(b byte) bool { return b == ',' || b == '}' || b == ']' || b == ':' }

// stringExtent is the length of the string at the beginning, quotes included. Most of a large
// document is in its strings, so only their quotes and backslashes are looked at.
func stringExtent(raw []byte) int {
	for end := 1; end < len(raw); end++ {
		next := bytes.IndexByte(raw[end:], '"')
		if next < 0 {
			break
		}

		end += next
		if !endsInEscape(raw[1:end]) {
			return end + 1
		}
	}
	return len(raw)
}

// endsInEscape reports whether a part of a string ends in a backslash that escapes what follows:
// backslashes in pairs stand for themselves.
func endsInEscape(part []byte) bool {
	backslashes := 0
	for backslashes < len(part) && part[len(part)-1-backslashes] == '\\' {
		backslashes++
	}
	return backslashes%2 == 1
}

// Each iterates over the members of an object without taking memory: names are as they
// are written, with their quotes, and one that occurs twice comes twice.
func Each(raw json.RawMessage) iter.Seq2[json.RawMessage, json.RawMessage] {
	return func(yield func(name, value json.RawMessage) bool) {
		for rest := raw[1:]; rest[0] != '}'; {
			if rest[0] == ',' {
				rest = rest[1:]
			}
			end := extent(rest)
			size := extent(rest[end+1:])
			if !yield(rest[:end:end], rest[end+1:end+1+size:end+1+size]) {
				return
			}
			rest = rest[end+1+size:]
		}
	}
}

// Items iterates over the items of an array.
func Items(raw json.RawMessage) iter.Seq2[int, json.RawMessage] {
	return func(yield func(int, json.RawMessage) bool) {
		rest := raw[1:]
		for i := 0; rest[0] != ']'; i++ {
			if rest[0] == ',' {
				rest = rest[1:]
			}

			n := extent(rest)
			if !yield(i, rest[:n:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

// List returns the items of an array.
func List(raw json.RawMessage) []json.RawMessage {
	items := []json.RawMessage{}
	for _, item := range Items(raw) {
		items = append(items, item)
	}
	return items
}

// Array is the array of these items.
func Array(items []json.RawMessage) json.RawMessage {
	size := len("[]") + len(items)
	for _, item := range items {
		size += len(item)
	}
	b := append(make([]byte, 0, size), '[')
	for i, item := range items {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, item...)
	}
	return append(b, ']')
}

// MapItems returns an array with every item rewritten.
func MapItems(array json.RawMessage, rewrite func(json.RawMessage) json.RawMessage) json.RawMessage {
	items := List(array)
	for i, item := range items {
		items[i] = rewrite(item)
	}
	return Array(items)
}

// Lookup returns the value of a member of an object; nil when there is none, or when the value
// is not an object. Of a name that occurs twice the last value counts. It takes no memory
// unless a name is written with escapes.
func Lookup(raw json.RawMessage, name string) json.RawMessage {
	if !IsObject(raw) {
		return nil
	}

	var found json.RawMessage
	for quoted, value := range Each(raw) {
		if string(quoted[1:len(quoted)-1]) == name || Unquote(quoted) == name {
			found = value
		}
	}
	return found
}
