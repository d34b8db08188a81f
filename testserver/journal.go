package testserver

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// Request is an entry of the journal: one request to the API, as it arrived.
type Request struct {
	// Time is when it arrived, by the server's clock.
	Time time.Time `json:"time"`
	// Method is the HTTP method, in capitals.
	Method string `json:"method"`
	// Path is the path, below the mount point when the server is mounted, and Query
	// the query without its question mark.
	Path  string `json:"path"`
	Query string `json:"query"`
	// Operation is the operationId, for example surveys_list; empty when the
	// document has none for the request.
	Operation string `json:"operation"`
	// Status is what was answered, 0 as long as there is no answer: the request is
	// still waiting, or a fault dropped it.
	Status int `json:"status"`
	// Body is the JSON of the request's body; a body that is no JSON is a JSON
	// string with its text, no body is null.
	Body json.RawMessage `json:"body"`
}

// journal writes down every request, those that a fault answered included.
type journal struct {
	mu      sync.Mutex
	entries []*entry
}

// entry holds what a request leaves behind; it is put into words when it is asked for.
type entry struct {
	at                             time.Time
	method, path, query, operation string
	body                           []byte
	status                         atomic.Int64
}

// begin notes a request at its arrival, so that one without an answer is there too.
func (j *journal) begin(x *exchange, arrived time.Time) *entry {
	r := x.request
	e := &entry{at: arrived, method: r.Method, path: r.URL.Path, query: r.URL.RawQuery, body: x.body}
	if x.endpoint != nil {
		e.operation = x.endpoint.ID
	}
	j.mu.Lock()
	j.entries = append(j.entries, e)
	j.mu.Unlock()
	return e
}

func (e *entry) finish(status int) { e.status.Store(int64(status)) }

// all returns the requests, newest last.
func (j *journal) all() []Request {
	j.mu.Lock()
	entries := slices.Clip(j.entries)
	j.mu.Unlock()
	requests := make([]Request, len(entries))
	for i, e := range entries {
		requests[i] = Request{
			Time: e.at.UTC(), Method: e.method, Path: e.path, Query: e.query,
			Operation: e.operation, Status: int(e.status.Load()), Body: e.bodyJSON(),
		}
	}
	return requests
}

func (e *entry) bodyJSON() json.RawMessage {
	switch {
	case len(e.body) == 0:
		return json.RawMessage("null")
	case utf8.Valid(e.body) && json.Valid(e.body):
		return rawjson.MustCompact(e.body)
	}
	return rawjson.Quote(strings.ToValidUTF8(string(e.body), "\uFFFD"))
}

func (j *journal) clear() {
	j.mu.Lock()
	j.entries = nil
	j.mu.Unlock()
}

// Journal returns the requests to the API since the start or the last
// [Server.ResetJournal], newest last.
func (s *Server) Journal() []Request { return s.journal.all() }

// ResetJournal empties the journal.
func (s *Server) ResetJournal() { s.journal.clear() }
