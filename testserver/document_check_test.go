package testserver_test

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/contracttest"
)

// documents holds answers against the document by the strict reading of OpenAPI 3.0.3,
// each different one once.
var documents = &documentCheck{seen: map[[sha256.Size]byte]bool{}}

type documentCheck struct {
	mu sync.Mutex
	// seen are the answers so far, by their sums.
	seen map[[sha256.Size]byte]bool
}

// check fails the test when the document does not allow an answer. Answers at paths that
// it does not have, and to methods that a path does not have, are not its business.
func (d *documentCheck) check(t testing.TB, method, path string, response *http.Response, body []byte) {
	t.Helper()
	method = strings.Replace(method, http.MethodHead, http.MethodGet, 1)
	op, known := operationAt(method, path)
	if !known || response.Header.Get("Content-Type") != "application/json" || len(body) == 0 {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	key := sha256.Sum256(fmt.Append(nil, op.ID, response.StatusCode, string(body)))
	if d.seen[key] {
		return
	}
	d.seen[key] = true
	for _, fault := range contracttest.Validate(op, response.StatusCode, response.Header, body) {
		t.Errorf("%s %s: %d is not as documented: %s\n%s", method, path, response.StatusCode, fault, body)
	}
}

// operationAt finds the operation of a request.
func operationAt(method, path string) (api.Operation, bool) {
	segments := strings.Split(strings.Trim(path, "/"), "/")
	var found api.Operation
	for _, op := range api.AllOperations() {
		want := strings.Split(strings.Trim(op.Path, "/"), "/")
		if op.Method != method || len(want) != len(segments) {
			continue
		}
		fits, literal := true, true
		for i := range want {
			parameter := strings.HasPrefix(want[i], "{")
			fits = fits && (parameter || want[i] == segments[i])
			literal = literal && (!parameter || i < 3)
		}
		if fits && (found.ID == "" || literal) {
			found = op
		}
	}
	return found, found.ID != ""
}

// A validator that lets everything pass would prove nothing.
func TestDocumentCheckNoticesDeviations(t *testing.T) {
	t.Parallel()
	op, ok := operationAt(http.MethodGet, surveys+"019b0000-0000-7000-8000-0000000000aa/")
	assert.True(t, ok)
	assert.Equal(t, "surveys_retrieve", op.ID)
	header := http.Header{"Content-Type": {"application/json"}}
	for _, body := range []string{
		`{"archived":"no"}`, `{"start_date":"yesterday"}`, `{"questions":{}}`, `[]`, `{"id":5}`, `{"id":null}`,
		`{"type":"full_screen"}`, `{"linked_flag":{"id":null}}`, `{"linked_flag":5}`, `{"created_by":{"email":null}}`,
	} {
		assert.NotEmpty(t, contracttest.Validate(op, http.StatusOK, header, []byte(body)), body)
	}
	for _, body := range []string{
		`{}`, `{"type":null,"schedule":null,"linked_flag":null,"created_by":null}`, `{"conditions":null,"appearance":{}}`,
		`{"linked_flag":{"id":1,"filters":{}}}`, `{"schedule":"once"}`, `{"unheard_of":null}`,
	} {
		assert.Empty(t, contracttest.Validate(op, http.StatusOK, header, []byte(body)), body)
	}
}
