package sdk

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// maxEventName is the length of the longest name of an event in capture v1, in bytes.
const maxEventName = 200

// readBatch reads the header and the body of a request to capture v1. The journal shows the decoded body even if the
// header is refused.
func (x *Call) readBatch(payload []byte, limit int, delivers bool) {
	x.SentToken, _ = bearerToken(x.Request.Header)
	header, refused := readBatchHeader(x.Request.Header)
	body, bodyRefused := readBatchBody(payload, contentEncoding(x.Request.Header), limit)

	x.batch, x.Body, x.maxBody = header, body, limit
	if body != nil {
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

// readBatchBody is a body as compact JSON.
func readBatchBody(payload []byte, encoding string, limit int) (json.RawMessage, *batchError) {
	if len(payload) == 0 {
		return nil, badBatch("empty_body", "request body is empty")
	}
	text, err := decodeContent(payload, encoding, limit)
	switch {
	case errors.Is(err, ErrTooLarge):
		return nil, tooLarge(limit)
	case err != nil:
		return nil, errDecoding
	}

	if !utf8.Valid(text) || wire.CheckLimits(text) != nil {
		return nil, errParsing
	}
	body, err := wire.Compact(text)
	if err != nil {
		return nil, errParsing
	}
	return body, nil
}

// IsHeaderRefused reports whether the request is refused for its header, which PostHog checks before it reads
// the body.
func (x *Call) IsHeaderRefused() bool { return x.isHeaderRefused }

// EchoRequestID gives the response the ID that the SDK gave the request.
func (x *Call) EchoRequestID(header http.Header) {
	if id := x.Request.Header.Get(requestIDHeader); id != "" && x.Operation.HasEventResults() {
		header.Set(requestIDHeader, id)
	}
}

// SetResults sets the results that the events get: one for each event, the last one also for all that follow.
func (x *Call) SetResults(results []string) { x.faultResults = results }

// Refusal is the response to a failure in the form of capture v1; false on other paths, which have the form
// of the API.
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

// events are the events of a body that arrived now.
func (h batchHeader) events(body json.RawMessage, now time.Time) ([]Event, *batchError) {
	items, refused := batchItems(body)
	if refused != nil {
		return nil, refused
	}

	events := make([]Event, 0, min(len(items), 1000))
	uuids := map[uuid.UUID]bool{}
	for _, raw := range items {
		e, refused := h.event(raw, now)
		if refused == nil && uuids[e.UUID] {
			refused = badBatch("duplicate_event_uuid", "duplicate event uuid: %s", textIn(raw, "uuid"))
		}
		if refused != nil {
			return nil, refused
		}
		uuids[e.UUID] = true
		events = append(events, e)
	}
	return events, nil
}

// batchItems checks the members of a body, and returns its events as they are written.
func batchItems(body json.RawMessage) ([]json.RawMessage, *batchError) {
	createdAt, migration, batch := wire.Lookup(body, "created_at"), wire.Lookup(body, "historical_migration"), wire.Lookup(body, "batch")
	if !wire.IsString(createdAt) || !wire.IsArray(batch) || migration != nil && !isBoolean(migration) {
		return nil, errParsing
	}

	items := wire.List(batch)
	if len(items) == 0 {
		return nil, badBatch("empty_batch", "request batch is empty")
	}
	text := wire.Unquote(createdAt)
	if _, err := time.Parse(time.RFC3339, text); err != nil {
		return nil, badBatch("invalid_batch", "invalid batch: created_at is not valid RFC 3339: %s", text)
	}
	return items, nil
}

func isBoolean(raw json.RawMessage) bool { return raw[0] == 't' || raw[0] == 'f' }

// requiredTexts are the members that an event must have, optionalTexts those that it may have.
var (
	requiredTexts = []string{"event", "uuid", "distinct_id", "timestamp"}
	optionalTexts = []string{"session_id", "window_id"}
)

// event reads an event that arrived now. An invalid event refuses the whole batch, or is dropped: see outcome.
func (h batchHeader) event(raw json.RawMessage, now time.Time) (Event, *batchError) {
	if !hasTexts(raw) {
		return Event{}, errParsing
	}
	e := Event{
		Name: textIn(raw, "event"), DistinctID: strings.TrimSpace(textIn(raw, "distinct_id")),
		Properties: wire.Lookup(raw, "properties"),
	}
	if refused := e.readUUID(strings.TrimSpace(textIn(raw, "uuid"))); refused != nil {
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

	options, isValid := readOptions(wire.Lookup(raw, "options"))
	e.At = h.adjustTime(timestamp, now, options)
	e.Outcome = e.outcome(len(raw), isValid)
	if e.Outcome.isKept() {
		e.Properties = h.properties(e.Properties, raw, options)
	}
	return e, nil
}

// hasTexts reports whether an event is an object whose texts are texts, if they are there.
func hasTexts(raw json.RawMessage) bool {
	for _, names := range [][]string{requiredTexts, optionalTexts} {
		for _, name := range names {
			if value := wire.Lookup(raw, name); !wire.IsNull(value) && !wire.IsString(value) {
				return false
			}
		}
	}
	return wire.IsObject(raw)
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

// readTimestamp returns when an event happened, by the clock of the device; false without a valid timestamp.
func readTimestamp(raw json.RawMessage) (time.Time, bool) {
	timestamp, err := time.Parse(time.RFC3339, textIn(raw, "timestamp"))
	// A date whose year has more digits in UTC could not be read again.
	year := timestamp.UTC().Year()
	return timestamp, err == nil && year > 0 && year < 10_000
}

// adjustTime returns when an event happened, by the server's clock unless the SDK wants the device's.
func (h batchHeader) adjustTime(timestamp, now time.Time, options eventOptions) time.Time {
	if options.keepsClock {
		return timestamp
	}
	return plausible(byServerClock(timestamp, h.sentAt, now), now)
}

// properties adds the members that capture v1 moved out of the properties, so that every path has the same form.
func (h batchHeader) properties(properties, raw json.RawMessage, options eventOptions) json.RawMessage {
	if properties == nil {
		properties = json.RawMessage("{}")
	}
	var moved wire.Pairs
	for _, name := range optionalTexts {
		if value := wire.Lookup(raw, name); wire.IsString(value) {
			moved = append(moved, wire.Pair{Name: "$" + name, Value: value})
		}
	}
	moved = append(moved, options.properties...)
	if h.library != "" {
		moved = append(moved, wire.Pair{Name: "$lib", Value: wire.Quote(h.library)}, wire.Pair{Name: "$lib_version", Value: wire.Quote(h.version)})
	}
	if len(moved) == 0 {
		return properties
	}

	merged := wire.PairsOf(properties)
	for _, pair := range moved {
		merged = merged.With(pair.Name, pair.Value)
	}
	return merged.JSON()
}
