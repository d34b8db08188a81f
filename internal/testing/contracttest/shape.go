package contracttest

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// shapeDepth is how many levels of objects a shape distinguishes: a page, its surveys, and
// what is in a survey.
const shapeDepth = 3

// shape describes the kinds of the values in a body: two bodies of one shape differ in
// texts and numbers alone. What is no JSON has the shape of its text.
func shape(body []byte) string {
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return string(body)
	}
	var b strings.Builder
	writeShape(&b, value, shapeDepth)
	return b.String()
}

func writeShape(b *strings.Builder, value any, depth int) {
	switch v := value.(type) {
	case nil:
		b.WriteByte('n')
	case bool:
		b.WriteByte('b')
	case float64:
		b.WriteByte('0')
	case string:
		if v == "" { // a text that must not be empty
			b.WriteByte('e')
		}
		b.WriteByte('s')
	case []any:
		writeListShape(b, v, depth)
	case map[string]any:
		b.WriteByte('{')
		if depth > 0 {
			for _, key := range slices.Sorted(maps.Keys(v)) {
				b.WriteString(key)
				b.WriteByte(':')
				writeShape(b, v[key], depth-1)
			}
		}
		b.WriteByte('}')
	}
}

// writeListShape writes each different shape of the elements once.
func writeListShape(b *strings.Builder, list []any, depth int) {
	seen := map[string]bool{}
	for _, element := range list {
		var one strings.Builder
		writeShape(&one, element, depth)
		seen[one.String()] = true
	}
	b.WriteByte('[')
	for _, one := range slices.Sorted(maps.Keys(seen)) {
		b.WriteString(one)
	}
	b.WriteByte(']')
}
