// Package record implements the test server's request journal and problem report. It redacts API keys before it
// returns a request or response. It does not read stored objects: callers decide what to record.
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
	// maxEntries is the maximum number of requests in a journal. The journal drops older requests.
	maxEntries = 20_000
	// maxKeptBytes is the maximum total size of the bodies and responses in a journal. The journal
	// keeps only the size of older ones.
	maxKeptBytes = 32 << 20
)

// Journal records every request, including requests to which a fault responds. Its memory use is bounded, however
// long the server runs. Entries are replaced and never modified, so readers need no lock.
type Journal struct {
	mu sync.Mutex
	// entries are in the order of arrival. Their sequence numbers have no gaps.
	entries []*Entry
	// sequence is the sequence number of the last entry.
	sequence int64
	// clearedBefore is the last sequence number before the journal was emptied.
	clearedBefore int64
	// keptBytes is the total size of the stored bodies and responses. Entries before the sequence
	// number firstKept have none.
	keptBytes int
	firstKept int64
}

// Begin records a request when it arrives, so that the journal contains requests without a response, too.
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

// End records the response of a request, or that there is none.
func (j *Journal) End(begun *Entry, end Outcome) {
	j.mu.Lock()
	defer j.mu.Unlock()
	index := begun.Sequence - j.first()
	if index < 0 {
		return // dropped in the meantime
	}
	ended := *begun
	ended.Ended, ended.Outcome = true, end
	if begun.Sequence < j.firstKept {
		ended = ended.withoutBodies()
	}
	j.put(int(index), &ended)
}

// put stores an entry at an index. It then drops the oldest bodies and responses until the total size is
// within the limit.
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

// first returns the sequence number of the oldest entry, or of the next entry if the journal is empty.
func (j *Journal) first() int64 { return j.sequence + 1 - int64(len(j.entries)) }

// Entries returns all entries, oldest first.
func (j *Journal) Entries() []*Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.entries)
}

// EntryByNumber returns the entry with the given sequence number, or nil if the journal does not contain
// it.
func (j *Journal) EntryByNumber(sequence int64) *Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	if sequence < j.first() || sequence > j.sequence {
		return nil
	}
	return j.entries[sequence-j.first()]
}

// Counts returns the number of requests since the journal was emptied, and the number that the journal
// still contains.
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

// MaxKeptResponse is the maximum size of a response that a journal stores. Pages of a list can be large.
const MaxKeptResponse = 64 << 10

// Entry is a recorded request.
type Entry struct {
	Sequence int64
	// Started is the time at which the request arrived. At is the same time by the server's clock, which
	// may be stopped.
	Started, At                    time.Time
	Method, Path, Query, Operation string
	// Events describes the app events in the request. It is empty if there are none.
	Events string
	Header http.Header
	// Body is nil if the journal dropped it to make room for newer bodies.
	Body     []byte
	BodySize int
	// Ended reports whether the response was sent or dropped.
	Ended bool
	Outcome
}

// Outcome is the end of a request: its response, or the fact that there is none.
type Outcome struct {
	// Status is the status of the response. It is 0 if a fault dropped the response.
	Status   int
	Duration time.Duration
	Answer   http.Header
	// AnswerBody is the part of the body that was sent. It is nil if the journal did not store it.
	AnswerBody []byte
	AnswerSize int
	// Faults are the rules that had an effect, as the client set them.
	Faults []json.RawMessage
}

// withoutBodies returns a copy of the entry without the bodies of the request and the response.
func (e *Entry) withoutBodies() Entry {
	bare := *e
	bare.Body, bare.AnswerBody = nil, nil
	return bare
}

// storedBytes returns the total size of the stored bodies.
func (e *Entry) storedBytes() int { return len(e.Body) + len(e.AnswerBody) }

// asJSON returns a body as JSON. An empty body becomes null, and a body that is not JSON becomes a JSON
// string.
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
