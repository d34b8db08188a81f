package sdk

import (
	"errors"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// maxEventName is the maximum length of an event name in capture v1, in bytes.
const maxEventName = 200

// readBatch reads the header and the body of a request to capture v1. The journal shows the decoded body
// even if the server refuses the header.
func (x *Call) readBatch(payload []byte, limit int, delivers bool) {
	x.SentToken, _ = bearerToken(x.Request.Header)
	header, refused := readBatchHeader(x.Request.Header)
	body, bodyRefused := readBatchBody(payload, contentEncoding(x.Request.Header), limit)

	x.batch, x.Body, x.maxBody = header, body, limit
	if !body.IsAbsent() {
		x.Events = eventsText(body)
	}
	x.isHeaderRefused = refused != nil
	if refused == nil {
		refused = bodyRefused
	}

	switch {
	case !delivers:
		x.refused = plainText(http.StatusNotFound, NotDelivered)
	case refused != nil:
		x.refused = refused.response()
	}
}

// readBatchBody returns a body as compact JSON.
func readBatchBody(payload []byte, encoding string, limit int) (wire.Value, *batchError) {
	if len(payload) == 0 {
		return wire.Value{}, badBatch("empty_body", "request body is empty")
	}
	text, err := decodeContent(payload, encoding, limit)
	switch {
	case errors.Is(err, ErrTooLarge):
		return wire.Value{}, tooLarge(limit)
	case err != nil:
		return wire.Value{}, errDecoding
	}

	if !utf8.Valid(text) || wire.CheckLimits(text) != nil {
		return wire.Value{}, errParsing
	}
	body, err := wire.Decode(text)
	if err != nil {
		return wire.Value{}, errParsing
	}
	return body, nil
}

// IsHeaderRefused reports whether the server refuses the request because of its header, which PostHog
// checks before the body.
func (x *Call) IsHeaderRefused() bool { return x.isHeaderRefused }

// EchoRequestID copies the request ID of the SDK to the response.
func (x *Call) EchoRequestID(header http.Header) {
	if id := x.Request.Header.Get(requestIDHeader); id != "" && x.Operation.HasEventResults() {
		header.Set(requestIDHeader, id)
	}
}

// SetResults sets the results that a fault requests, one for each event. The last result applies to all remaining
// events.
func (x *Call) SetResults(results []string) { x.faultResults = results }

// Refusal returns the response for a failure in the format of capture v1. ok is false on other paths,
// which use the API's format.
func (x *Call) Refusal(f *wire.Failure) (wire.Response, bool) {
	if !x.Operation.HasEventResults() {
		return wire.Response{}, false
	}
	refused := statusError(f.Status).response()
	if f.Status == http.StatusRequestEntityTooLarge {
		refused = tooLarge(x.maxBody).response()
	}
	if f.RetryAfter != "" {
		refused.Header = http.Header{"Retry-After": {f.RetryAfter}}
	}
	return *refused, true
}

// events returns the events of a body that arrived at now.
func (h batchHeader) events(body wire.Value, now time.Time) ([]Event, *batchError) {
	items, refused := batchItems(body)
	if refused != nil {
		return nil, refused
	}

	events := make([]Event, 0, min(len(items), 1000))
	uuids := map[uuid.UUID]bool{}
	for _, raw := range items {
		e, refused := h.event(raw, now)
		if refused == nil && uuids[e.UUID] {
			refused = badBatch("duplicate_event_uuid", "duplicate event uuid: %s", memberText(raw, "uuid"))
		}
		if refused != nil {
			return nil, refused
		}
		uuids[e.UUID] = true
		events = append(events, e)
	}
	return events, nil
}

// batchItems checks the members of a body, and returns the encoded events.
func batchItems(body wire.Value) ([]wire.Value, *batchError) {
	createdAt, migration, batch := body.Get("created_at"), body.Get("historical_migration"), body.Get("batch")
	if !createdAt.IsText() || !batch.IsArray() || !migration.IsAbsent() && !migration.IsBool() {
		return nil, errParsing
	}

	items := batch.Items()
	if len(items) == 0 {
		return nil, badBatch("empty_batch", "request batch is empty")
	}
	text := createdAt.Text()
	if _, err := time.Parse(time.RFC3339, text); err != nil {
		return nil, badBatch("invalid_batch", "invalid batch: created_at is not valid RFC 3339: %s", text)
	}
	return items, nil
}

// requiredTexts are string members that an event must contain. optionalTexts are string members that it
// may contain.
var (
	requiredTexts = []string{"event", "uuid", "distinct_id", "timestamp"}
	optionalTexts = []string{"session_id", "window_id"}
)

// event reads an event that arrived at now. For some errors, PostHog refuses the whole batch. For
// others, it drops the event: see [Event.outcome].
func (h batchHeader) event(raw wire.Value, now time.Time) (Event, *batchError) {
	if !hasTexts(raw) {
		return Event{}, errParsing
	}
	e := Event{
		Name: memberText(raw, "event"), DistinctID: strings.TrimSpace(memberText(raw, "distinct_id")),
		Properties: raw.Get("properties"),
	}
	if refused := e.readUUID(strings.TrimSpace(memberText(raw, "uuid"))); refused != nil {
		return e, refused
	}

	timestamp, isTime := readTimestamp(raw)
	switch {
	case e.Name == "":
		return e, badBatch("missing_event_name", "event submitted without an event name")
	case e.DistinctID == "":
		return e, badBatch("missing_distinct_id", "event submitted without a distinct_id")
	case !isTime:
		return e, badBatch("invalid_event_timestamp", "event submitted with invalid timestamp")
	}

	options, isValid := readOptions(raw.Get("options"))
	e.At = h.adjustTime(timestamp, now, options)
	e.Outcome = e.outcome(len(raw.Spelling()), isValid)
	if e.Outcome.isKept() {
		e.Properties = h.properties(e.Properties, raw, options)
	}
	return e, nil
}

// hasTexts reports whether an event is an object in which the members of requiredTexts and optionalTexts
// are strings or missing.
func hasTexts(raw wire.Value) bool {
	for _, names := range [][]string{requiredTexts, optionalTexts} {
		for _, name := range names {
			if value := raw.Get(name); !value.IsNull() && !value.IsText() {
				return false
			}
		}
	}
	return raw.IsObject()
}

func (e *Event) readUUID(text string) *batchError {
	if text == "" {
		return badBatch("missing_event_uuid", "event submitted without a uuid")
	}
	id, err := uuid.Parse(text)
	if err != nil {
		return badBatch("invalid_event_uuid", "event uuid is not valid: %s", text)
	}
	e.UUID = id
	return nil
}

// readTimestamp returns the time of an event by the device's clock. ok is false if it is missing or
// invalid.
func readTimestamp(raw wire.Value) (time.Time, bool) {
	timestamp, err := time.Parse(time.RFC3339, memberText(raw, "timestamp"))
	// A dump could not be loaded again with a year that has more digits in UTC.
	year := timestamp.UTC().Year()
	return timestamp, err == nil && year > 0 && year < 10_000
}

// adjustTime converts the time of an event to the server's clock, unless the SDK asks for the device's
// clock.
func (h batchHeader) adjustTime(timestamp, now time.Time, options eventOptions) time.Time {
	if options.keepsClock {
		return timestamp
	}
	return plausible(byServerClock(timestamp, h.sentAt, now), now)
}

// properties adds members that capture v1 sends outside of the properties, so that events of all paths
// have the same form.
func (h batchHeader) properties(properties, raw wire.Value, options eventOptions) wire.Value {
	if properties.IsAbsent() {
		properties = wire.EmptyObject
	}
	var moved []wire.Member
	for _, name := range optionalTexts {
		if value := raw.Get(name); value.IsText() {
			moved = append(moved, wire.Member{Name: "$" + name, Value: value})
		}
	}
	moved = append(moved, options.properties...)
	if h.library != "" {
		moved = append(moved, wire.Member{Name: "$lib", Value: wire.NewText(h.library)}, wire.Member{Name: "$lib_version", Value: wire.NewText(h.version)})
	}
	if len(moved) == 0 {
		return properties
	}

	for _, m := range moved {
		properties = properties.With(m.Name, m.Value)
	}
	return properties
}
