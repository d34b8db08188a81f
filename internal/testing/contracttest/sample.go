package contracttest

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// mostShapes is how many shapes of one operation's answers a test binary validates:
// property tests make shapes without end.
const mostShapes = 300

// Sample validates the responses of a test binary, one of each operation, status and shape.
// Since answers of one shape differ in values, values are not its business: those of a
// newer service's enumerations and dates without an offset occur in fixtures of many
// tests, and the server's own tests validate the values that it makes itself. The zero
// value is ready for use, from many goroutines.
type Sample struct {
	mu sync.Mutex
	// seen are the responses so far, by the sums of their shapes.
	seen   map[[sha256.Size]byte]bool
	shapes map[string]int
}

// Check fails the test when the document does not allow a response. Answers without an
// operation, a body or JSON in it are not the document's business.
func (s *Sample) Check(t testing.TB, operation string, status int, header http.Header, body []byte) {
	t.Helper()
	if operation == "" || len(body) == 0 || header.Get("Content-Type") != "application/json" || !s.isNew(operation, status, body) {
		return
	}
	op, ok := operationOf(operation)
	if !ok {
		t.Errorf("the document has no operation %s", operation)
		return
	}
	for _, f := range validate(op, status, header, body) {
		if !f.isValue {
			t.Errorf("%s: %d is not as documented: %s %s\n%s", operation, status, f.path, f.reason, body)
		}
	}
}

// isNew reports whether a response is the first of its shape.
func (s *Sample) isNew(operation string, status int, body []byte) bool {
	kind := fmt.Sprint(operation, status)
	sum := sha256.Sum256([]byte(kind + shape(body)))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen[sum] || s.shapes[kind] == mostShapes {
		return false
	}
	if s.seen == nil {
		s.seen, s.shapes = map[[sha256.Size]byte]bool{}, map[string]int{}
	}
	s.seen[sum] = true
	s.shapes[kind]++
	return true
}

func operationOf(id string) (api.Operation, bool) {
	for _, op := range api.AllOperations() {
		if op.ID == id {
			return op, true
		}
	}
	return api.Operation{}, false
}

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
