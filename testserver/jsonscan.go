package testserver

import (
	"encoding/json"
	"iter"
)

// Stored JSON is valid and compact, so finding its parts takes a look at brackets
// and quotes. The standard library checks every byte anew, several times over, which
// is most of the time that loading 100,000 surveys takes.

// members splits a compact JSON object; of a key that is there twice the last counts.
func members(raw json.RawMessage) fields {
	found := make(fields, min(len(raw)/40, 24))
	for rest := raw[1:]; rest[0] != '}'; {
		if rest[0] == ',' {
			rest = rest[1:]
		}
		name := extent(rest)
		value := extent(rest[name+1:])
		found[unquote(rest[:name])] = rest[name+1 : name+1+value : name+1+value]
		rest = rest[name+1+value:]
	}
	return found
}

// elements goes through a compact JSON array.
func elements(raw json.RawMessage) iter.Seq2[int, json.RawMessage] {
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
			if depth > 0 || (i+1 < len(raw) && !ends(raw[i+1])) {
				continue
			}
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(raw)
}

// ends says whether a byte stands after a value.
func ends(b byte) bool { return b == ',' || b == '}' || b == ']' || b == ':' }

// stringExtent is the length of the string at the beginning, quotes included.
func stringExtent(raw []byte) int {
	for i := 1; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}
