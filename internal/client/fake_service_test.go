package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fakeService is an in-memory service that grants pages up to a maximum size. A survey's description is the number of
// times it was written.
type fakeService struct {
	largest int

	mu       sync.Mutex
	order    []string
	versions map[string]int
	requests map[string]int
	// before is called before each request, without the lock.
	before func(*http.Request)
	// after is called after each response is made and before it arrives, without the lock.
	after func(*http.Request)
}

func newFakeService(n, largest int) *fakeService {
	s := &fakeService{largest: largest, versions: map[string]int{}, requests: map[string]int{}, before: func(*http.Request) {}, after: func(*http.Request) {}}
	for i := range n {
		s.order = append(s.order, fmt.Sprintf("00000000-0000-4000-8000-%012d", i))
		s.versions[s.order[i]] = 0
	}
	return s
}

func (s *fakeService) client(t testing.TB, change ...func(*Options)) *Client {
	t.Helper()
	o := Options{BaseURL: "http://posthog.example", APIKey: testKey, Transport: memory(s.serve)}
	for _, f := range change {
		f(&o)
	}
	c, err := New(o)
	require.NoError(t, err)
	return c
}

func (s *fakeService) survey(id string) map[string]any {
	return map[string]any{"id": id, "name": id, "description": strconv.Itoa(s.versions[id])}
}

func (s *fakeService) serve(req *http.Request) (*http.Response, error) {
	s.before(req)
	defer s.after(req)
	if err := req.Context().Err(); err != nil {
		return nil, err
	}

	s.mu.Lock()
	defer s.mu.Unlock()

	id := strings.Trim(strings.TrimPrefix(req.URL.Path, "/api/projects/1/surveys"), "/")
	_, exists := s.versions[id]
	switch {
	case id == "":
		s.requests["LIST"]++
		return answered(200, s.page(req)), nil
	case !exists:
		s.requests[req.Method]++
		return answered(404, map[string]any{"code": "not_found", "detail": "Not found."}), nil
	case req.Method == http.MethodPatch:
		s.versions[id]++
	}

	s.requests[req.Method]++
	return answered(200, s.survey(id)), nil
}

func (s *fakeService) page(req *http.Request) map[string]any {
	query := req.URL.Query()
	limit, _ := strconv.Atoi(query.Get("limit"))
	offset, _ := strconv.Atoi(query.Get("offset"))
	limit = min(limit, s.largest)
	end := min(offset+limit, len(s.order))
	results := []any{}
	for _, id := range s.order[min(offset, end):end] {
		results = append(results, s.survey(id))
	}
	page := map[string]any{"count": len(s.order), "next": nil, "results": results}
	if end < len(s.order) {
		page["next"] = fmt.Sprintf("?limit=%d&offset=%d", limit, end)
	}
	return page
}

// remove deletes a survey without a request from the client.
func (s *fakeService) remove(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.versions, id)
	for i := range s.order {
		if s.order[i] == id {
			s.order = append(s.order[:i:i], s.order[i+1:]...)
			return
		}
	}
}

// counts returns the number of requests so far, by kind. A list may continue after all its readers have received their
// objects.
func (s *fakeService) counts() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.requests)
}

func (s *fakeService) sum() int {
	sum := 0
	for _, n := range s.counts() {
		sum += n
	}
	return sum
}

func answered(status int, body any) *http.Response {
	raw, err := json.Marshal(body)
	if err != nil {
		panic(err) // plain maps can always be encoded
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(raw))}
}

// readAll reads surveys, wide at a time, and returns the IDs of deleted ones.
func readAll(t testing.TB, c *Client, ids []string, wide int) (gone []string) {
	t.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	var next atomic.Int64

	for range wide {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(ids); i = int(next.Add(1)) - 1 {
				survey, err := c.Surveys("1").Read(t.Context(), ids[i])
				switch {
				case IsNotFound(err):
					mu.Lock()
					gone = append(gone, ids[i])
					mu.Unlock()
				case assert.NoError(t, err):
					assert.Equal(t, ids[i], deref(survey.ID))
				}
			}
		})
	}
	wg.Wait()

	return gone
}

// manySurveys returns a fixtures document with n surveys.
func manySurveys(t *testing.T, n int) (document string, ids []string) {
	t.Helper()
	surveys := make([]any, n)
	for i := range surveys {
		ids = append(ids, fmt.Sprintf("00000000-0000-4000-8000-%012d", i))
		surveys[i] = map[string]any{
			"project_id": "1", "id": ids[i], "name": ids[i], "type": "popover", "conditions": map[string]any{"url": "https://example.com"},
			"questions": []any{map[string]any{"type": "open", "id": ids[i], "question": "Why?"}},
		}
	}
	raw, err := json.Marshal(map[string]any{"surveys": surveys})
	require.NoError(t, err)
	return string(raw), ids
}
