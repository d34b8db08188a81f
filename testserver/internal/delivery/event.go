package delivery

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// maxDistinctID is the length to which the service cuts the id of a person.
const maxDistinctID = 200

// maxEvent is the size of the largest event that the service takes.
const maxEvent = 1 << 20

// ErrEventTooLarge is the error for an event that is larger than the service takes.
var ErrEventTooLarge = fmt.Errorf("maximum event size exceeded: an event has more than %d bytes", maxEvent)

// aheadAtMost is how far an event may be ahead of the server: one that is further happened now.
const aheadAtMost = 23 * time.Hour

// oldestOffset is how long ago an event can have happened; a date before that is a mistake.
const oldestOffset = 50 * 365 * 24 * time.Hour

// The errors for events that the service refuses, with its words.
var (
	errEmpty        = errors.New("empty batch")
	errNoEvent      = errors.New("event submitted with an empty event name")
	errNoDistinctID = errors.New("event submitted without a distinct_id")
	errTokens       = errors.New("batch submitted with inconsistent api_key values")
)

// Event is something that happened in an app.
type Event struct {
	// UUID is zero when the SDK gives none.
	UUID       uuid.UUID
	Name       string
	DistinctID string
	// At is when it happened, by the server's clock.
	At time.Time
	// Properties are a JSON object.
	Properties json.RawMessage
	// raw is the whole event.
	raw json.RawMessage
}

// Events are the events of a body that arrived at a time: one of them, a list, or a batch.
func Events(body json.RawMessage, now time.Time) ([]Event, error) {
	sent := eventsIn(body)
	sentAt := rawjson.Lookup(body, "sent_at")
	if len(sent) == 0 {
		return nil, errEmpty
	}

	if !shareToken(body, sent) {
		return nil, errTokens
	}

	events := make([]Event, 0, min(len(sent), 1000))
	for _, raw := range sent {
		if len(raw) > maxEvent {
			return nil, ErrEventTooLarge
		}
		e, err := readEvent(raw)
		if err != nil {
			return nil, err
		}
		e.At = timeOf(raw, sentAt, now)
		events = append(events, e)
	}
	return events, nil
}

// eventsIn are the events of a body as they are written.
func eventsIn(body json.RawMessage) []json.RawMessage {
	if batch := rawjson.Lookup(body, "batch"); rawjson.IsArray(batch) {
		return rawjson.List(batch)
	}
	if rawjson.IsArray(body) {
		return rawjson.List(body)
	}
	return []json.RawMessage{body}
}

// Names are the names of the events of a body in the order in which they first occur, with the
// number of each.
func Names(body json.RawMessage) (names []string, counts map[string]int) {
	counts = map[string]int{}
	for _, raw := range eventsIn(body) {
		name := textIn(raw, "event")
		if counts[name]++; counts[name] == 1 {
			names = append(names, name)
		}
	}
	return names, counts
}

func readEvent(raw json.RawMessage) (Event, error) {
	e := Event{Name: textIn(raw, "event"), Properties: rawjson.Lookup(raw, "properties"), raw: raw}
	if !rawjson.IsObject(e.Properties) {
		e.Properties = json.RawMessage("{}")
	}
	if e.Name == "" {
		return e, errNoEvent
	}

	for _, holder := range []json.RawMessage{raw, e.Properties} {
		if e.DistinctID == "" {
			e.DistinctID = idIn(holder, "distinct_id")
		}
	}
	if e.DistinctID == "" {
		return e, errNoDistinctID
	}
	// An id of another form is as good as none: the server makes one.
	e.UUID, _ = uuid.Parse(textIn(raw, "uuid"))
	return e, nil
}

// idIn is the distinct id in an object: any value that is not null, as its text.
func idIn(holder json.RawMessage, name string) string {
	raw := rawjson.Lookup(holder, name)
	id := string(raw)
	switch {
	case rawjson.IsNull(raw):
		return ""
	case rawjson.IsString(raw):
		id = rawjson.Unquote(raw)
	}
	letters := []rune(id)
	return string(letters[:min(len(letters), maxDistinctID)])
}

func textIn(object json.RawMessage, name string) string {
	if raw := rawjson.Lookup(object, name); rawjson.IsString(raw) {
		return rawjson.Unquote(raw)
	}
	return ""
}

// timeOf is when an event happened. The clock of the device may be wrong, so the time from the
// event until it was sent counts; without that time, the date that it was given.
func timeOf(raw, sentAt json.RawMessage, now time.Time) time.Time {
	offset, err := strconv.ParseInt(string(rawjson.Lookup(raw, "offset")), 10, 64)
	if err == nil && offset >= 0 && offset <= oldestOffset.Milliseconds() {
		return now.Add(-time.Duration(offset) * time.Millisecond)
	}

	at, ok := dateOf(rawjson.Lookup(raw, "timestamp"))
	if !ok {
		return now
	}
	if rawjson.IsNull(sentAt) {
		sentAt = rawjson.Lookup(raw, "sent_at")
	}
	if sent, isSent := dateOf(sentAt); isSent {
		at = now.Add(-sent.Sub(at))
	}

	if at.After(now.Add(aheadAtMost)) || at.Before(now.Add(-oldestOffset)) {
		return now
	}
	return at
}

// dateOf is the date in a JSON string.
func dateOf(raw json.RawMessage) (time.Time, bool) {
	if !rawjson.IsString(raw) {
		return time.Time{}, false
	}
	return field.ParseTimestamp(rawjson.Unquote(raw))
}
