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

// mostShapes is how many shapes of one operation's answers a test binary validates:
// property tests make shapes without end.
const mostShapes = 300

// Sample validates the responses of a test binary: one response for each operation, status, and shape.
// It ignores values, because responses of one shape differ only in values. Fixtures of many tests
// contain new values of enumerations and dates without an offset, and the server's own tests validate
// the values that the server computes. The zero value is ready for use, from many goroutines.
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

// isNew reports whether a response is the first of its shape.
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

// values are the texts, with what stands behind the name of a member, and the numbers of JSON.
var values = regexp.MustCompile(`("(?:[^"\\]|\\.)+")(\s*:)?|-?[0-9][0-9.eE+-]*`)

// shape returns a body without its values. Two bodies of one shape differ only in numbers and in texts
// that are not empty.
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
