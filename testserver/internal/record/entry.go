package record

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// MaxKeptResponse is the size above which a journal does not keep a response: pages of a list
// are large.
const MaxKeptResponse = 64 << 10

// Entry is a recorded request.
type Entry struct {
	Sequence, revision int64
	// Started is the time of the arrival, and At the same by the server's clock, which may be
	// stopped.
	Started, At                    time.Time
	Method, Path, Query, Operation string
	// Events says which events of apps it has; empty for none.
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

// withoutBodies is the entry without body and response.
func (e *Entry) withoutBodies() Entry {
	bare := *e
	bare.Body, bare.AnswerBody = nil, nil
	return bare
}

// kept is the size of body and response as far as they are kept.
func (e *Entry) kept() int { return len(e.Body) + len(e.AnswerBody) }

// jsonOf is the JSON of a body: null if it is empty, and a JSON string with its text if it is
// not JSON.
func jsonOf(body []byte) json.RawMessage {
	if len(body) == 0 {
		return json.RawMessage("null")
	}
	if raw, err := wire.Compact(body); err == nil && utf8.Valid(body) {
		return raw
	}
	return wire.Quote(strings.ToValidUTF8(string(body), "\uFFFD"))
}
