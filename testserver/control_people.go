package testserver

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// maxWait is the longest time for which a request waits for an event, and maxWaiting the number
// of requests that wait at a time: each of them looks at all events when one arrives.
const (
	maxWait    = time.Minute
	maxWaiting = 64
)

// waiting is the number of requests that wait for events.
type waiting struct{ count atomic.Int64 }

// begin reports whether one more may wait, and counts it.
func (w *waiting) begin() bool {
	for {
		count := w.count.Load()
		if count >= maxWaiting {
			return false
		}
		if w.count.CompareAndSwap(count, count+1) {
			return true
		}
	}
}

func (w *waiting) end() { w.count.Add(-1) }

// postPeople adds a person, or merges what is known of its distinct ids, and responds with it.
func (c control) postPeople(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = checkLimits(body)
	}
	if err != nil {
		writeFailure(w, controlFailure(fmt.Errorf("people: %w", err)))
		return
	}

	raw, err := rawjson.Compact(body)
	if err != nil || !rawjson.IsObject(raw) {
		writeFailure(w, field.BadRequest("invalid_input", `people: the body must be {"project_id": 1, "distinct_ids": ["ann"], "properties": {}}, it is no JSON object`))
		return
	}

	fields := rawjson.Members(raw)
	if _, projectID, _ := c.server.Credentials(); fields.IsNull("project_id") && projectID != "" {
		fields["project_id"] = rawjson.Quote(projectID)
	}
	person, err := c.server.contents.putPerson(rawjson.Encode(fields))
	if err != nil {
		writeFailure(w, controlFailure(fmt.Errorf("people: %w", err)))
		return
	}
	w.Header().Set("Content-Type", jsonContent[0])
	_, _ = w.Write(append(rawjson.Encode(person), '\n'))
}

// eventParameters are the parameters by which events are selected.
var eventParameters = []string{"distinct_id", "event", "survey_id", "wait", "world"}

// getEvents responds with events of surveys: those that there are, or, with the parameter wait,
// as soon as there is one.
func (c control) getEvents(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	wait, err := readWait(query)
	if err != nil {
		writeFailure(w, field.BadRequest("invalid_input", "events: "+err.Error()))
		return
	}

	filter := EventFilter{Event: query.Get("event"), SurveyID: query.Get("survey_id"), DistinctID: query.Get("distinct_id")}
	events := c.server.contents.eventsOf(filter)
	if len(events) == 0 && wait > 0 {
		if !c.server.waiting.begin() {
			writeFailure(w, &field.Failure{
				Status: http.StatusServiceUnavailable, Kind: "invalid_request", Code: "too_many_waiting",
				Detail: fmt.Sprintf("events: %d requests wait for events already.", maxWaiting),
			})
			return
		}
		defer c.server.waiting.end()
		// It ends with the connection of the client, too.
		ctx, cancel := context.WithTimeout(r.Context(), wait)
		defer cancel()
		events = c.server.contents.waitEvents(ctx, filter)
	}

	entries := make([]eventEntry, len(events))
	for i, e := range events {
		entries[i] = entryOfEvent(e)
	}
	w.Header().Set("Content-Type", jsonContent[0])
	if err := writeLines(w, entries); err != nil {
		panic(http.ErrAbortHandler)
	}
}

// readWait checks the parameters for events, and reads for how long to wait for one.
func readWait(query url.Values) (time.Duration, error) {
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if !slices.Contains(eventParameters, name) {
			return 0, fmt.Errorf("unknown parameter %q; there are %s", name, strings.Join(eventParameters, ", "))
		}
	}
	if !query.Has("wait") {
		return 0, nil
	}
	wait, err := time.ParseDuration(query.Get("wait"))
	if err != nil || wait < 0 || wait > maxWait {
		return 0, fmt.Errorf("wait must be a time as 5s, of at most %s, is %q", maxWait, query.Get("wait"))
	}
	return wait, nil
}
