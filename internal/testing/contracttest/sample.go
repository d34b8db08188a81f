package contracttest

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"sync"
	"testing"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// mostShapes is the maximum number of response shapes that a test binary validates for an operation. Property tests
// generate an unlimited number.
const mostShapes = 300

// Sample validates the responses of a test binary: one response for each operation, status, and shape. It ignores
// values, because fixtures of many tests contain new enumeration values and dates without an offset. The server's own
// tests validate the values that the server computes. The zero value is ready to use. Sample is safe for concurrent
// use.
type Sample struct {
	mu sync.Mutex
	// seen contains the checksums of validated shapes.
	seen   map[[sha256.Size]byte]bool
	shapes map[string]int
}

// Check fails the test if the document does not allow a response. It ignores responses without an operation,
// a body, or JSON.
func (s *Sample) Check(t testing.TB, operation string, status int, header http.Header, body []byte) {
	t.Helper()
	if operation == "" || len(body) == 0 || header.Get("Content-Type") != "application/json" || !s.isNew(operation, status, body) {
		return
	}
	operations := api.AllOperations()
	i := slices.IndexFunc(operations, func(op api.Operation) bool { return op.ID == operation })
	if i < 0 {
		t.Errorf("the document does not contain operation %s", operation)
		return
	}
	for _, f := range validate(operations[i], status, header, body) {
		if !f.isValue {
			t.Errorf("%s: the response with status %d violates the document: %s %s\n%s", operation, status, f.path, f.reason, body)
		}
	}
}

// isNew reports whether a response is the first with its shape.
func (s *Sample) isNew(operation string, status int, body []byte) bool {
	kind := fmt.Sprint(operation, status)
	sum := sha256.Sum256(append([]byte(kind), shape(body)...))
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

// values matches strings, with a colon after member names, and numbers in JSON.
var values = regexp.MustCompile(`("(?:[^"\\]|\\.)+")(\s*:)?|-?[0-9][0-9.eE+-]*`)

// shape returns a body without its values. Bodies with the same shape differ only in numbers and non-empty strings.
func shape(body []byte) []byte {
	return values.ReplaceAllFunc(body, func(value []byte) []byte {
		switch {
		case value[0] != '"':
			return []byte("0")
		case value[len(value)-1] == ':':
			return value
		}
		return []byte(`"text"`)
	})
}
