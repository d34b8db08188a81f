package rawjson

import (
	"encoding/json"
	"iter"
	"slices"
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

// AppendArray appends the array of some items, of which each appends one.
func AppendArray[T any](b []byte, items iter.Seq2[int, T], each func(b []byte, item T) []byte) []byte {
	b = append(b, '[')
	for i, item := range items {
		if i > 0 {
			b = append(b, ',')
		}
		b = each(b, item)
	}
	return append(b, ']')
}

// Array is the array of these items.
func Array(items []json.RawMessage) json.RawMessage {
	return AppendArray(nil, slices.All(items), func(b []byte, item json.RawMessage) []byte { return append(b, item...) })
}

// MapItems returns an array with every item rewritten.
func MapItems(array json.RawMessage, rewrite func(json.RawMessage) json.RawMessage) json.RawMessage {
	return AppendArray(nil, Items(array), func(b []byte, item json.RawMessage) []byte { return append(b, rewrite(item)...) })
}
