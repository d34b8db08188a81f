package rawjson

import (
	"encoding/json"
	"iter"
)

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
	b := []byte{'['}
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
	b := []byte{'['}
	for i, item := range Items(array) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, rewrite(item)...)
	}
	return append(b, ']')
}
