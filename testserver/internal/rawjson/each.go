package rawjson

import (
	"encoding/json"
	"iter"
)

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
