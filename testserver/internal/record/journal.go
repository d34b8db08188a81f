// Package record implements the request journal and the problem report of the test server. It
// redacts API keys before it stores a request or response. It does not read stored objects: callers
// decide what to record.
package record

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

const (
	// maxEntries is the number of requests that a journal keeps; older ones are dropped.
	maxEntries = 20_000
	// maxKeptBytes is the total size of the bodies and responses that a journal keeps, in bytes;
	// of older ones it keeps only the size.
	maxKeptBytes = 32 << 20
)

// Journal records every request, including those to which a fault responds. Its memory is
// bounded, however long the server runs. Entries are replaced and never changed, so that those who
// read them need no lock.
type Journal struct {
	mu sync.Mutex
	// entries are in the order of arrival; their sequence numbers have no gaps.
	entries []*Entry
	// sequence is the number of the last entry.
	sequence int64
	// clearedBefore is the sequence number of the last entry before the journal was emptied.
	clearedBefore int64
	// keptBytes is the total size of the bodies and responses that are kept; entries before the
	// sequence number firstKept have none.
	keptBytes int
	firstKept int64
}

// Begin records a request at its arrival, so that one without a response is recorded too.
func (j *Journal) Begin(e Entry) *Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.sequence++
	e.Sequence = j.sequence
	j.entries = append(j.entries, nil)
	j.put(len(j.entries)-1, &e)
	if len(j.entries) > maxEntries {
		j.dropFirst()
	}
	return &e
}

// End records the end of a request: its response, or that there is none.
func (j *Journal) End(begun *Entry, end Outcome) {
	j.mu.Lock()
	defer j.mu.Unlock()
	index := begun.Sequence - j.first()
	if index < 0 {
		return // it has been dropped in the meantime
	}
	ended := *begun
	ended.Ended, ended.Outcome = true, end
	if begun.Sequence < j.firstKept {
		ended = ended.withoutBodies()
	}
	j.put(int(index), &ended)
}

// put puts an entry in a place, and drops the oldest bodies and responses until the rest is within
// the limit.
func (j *Journal) put(index int, e *Entry) {
	if previous := j.entries[index]; previous != nil {
		j.keptBytes -= previous.storedBytes()
	}
	j.entries[index] = e
	j.keptBytes += e.storedBytes()

	for j.keptBytes > maxKeptBytes {
		j.firstKept = max(j.firstKept, j.first())
		oldest := int(j.firstKept - j.first())
		bare := j.entries[oldest].withoutBodies()
		j.keptBytes -= j.entries[oldest].storedBytes()
		j.entries[oldest] = &bare
		j.firstKept++
	}
}

// dropFirst drops the oldest entry.
func (j *Journal) dropFirst() {
	j.keptBytes -= j.entries[0].storedBytes()
	j.entries[0] = nil
	j.entries = j.entries[1:]
}

// first returns the sequence number of the oldest entry, or of the next one if there is none.
func (j *Journal) first() int64 { return j.sequence + 1 - int64(len(j.entries)) }

// Entries returns all entries, oldest first.
func (j *Journal) Entries() []*Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.entries)
}

// EntryByNumber returns the entry with a sequence number; nil when the journal does not have it.
func (j *Journal) EntryByNumber(sequence int64) *Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	if sequence < j.first() || sequence > j.sequence {
		return nil
	}
	return j.entries[sequence-j.first()]
}

// Counts returns the number of requests since the journal was emptied, and of those that it keeps.
func (j *Journal) Counts() (total, stored int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.sequence - j.clearedBefore, int64(len(j.entries))
}

// Clear empties the journal.
func (j *Journal) Clear() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.entries, j.keptBytes = nil, 0
	j.firstKept = j.first()
	j.clearedBefore = j.sequence
}

// MaxKeptResponse is the size above which a journal does not keep a response: pages of a list
// are large.
const MaxKeptResponse = 64 << 10

// Entry is a recorded request.
type Entry struct {
	Sequence int64
	// Started is the time of the arrival, and At the same by the server's clock, which may be
	// stopped.
	Started, At                    time.Time
	Method, Path, Query, Operation string
	// Events says which events of apps it has; it is empty if there is none.
	Events string
	Header http.Header
	// Body is nil when it was dropped in favor of newer ones.
	Body     []byte
	BodySize int
	// Ended is set when the request got its response or was dropped.
	Ended bool
	Outcome
}

// Outcome is the end of a request, with its response.
type Outcome struct {
	// Status is the status of the response, 0 when a fault dropped it.
	Status   int
	Duration time.Duration
	Answer   http.Header
	// AnswerBody is the body as far as it was sent, nil when it is not kept.
	AnswerBody []byte
	AnswerSize int
	// Faults are the rules that had an effect, as they were set.
	Faults []json.RawMessage
}

// withoutBodies returns the entry without body and response.
func (e *Entry) withoutBodies() Entry {
	bare := *e
	bare.Body, bare.AnswerBody = nil, nil
	return bare
}

// storedBytes returns the size of body and response as far as they are kept.
func (e *Entry) storedBytes() int { return len(e.Body) + len(e.AnswerBody) }

// asJSON returns the JSON of a body: null if it is empty, and a JSON string with its text if it is
// not JSON.
func asJSON(body []byte) json.RawMessage {
	if len(body) == 0 {
		return json.RawMessage("null")
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, body); err == nil && utf8.Valid(body) {
		return compact.Bytes()
	}
	return wire.NewText(strings.ToValidUTF8(string(body), "\uFFFD")).JSON()
}
