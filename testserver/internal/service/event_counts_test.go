package service_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire/wiretest"
)

var start = time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)

// randomEvents returns events of a survey. They have few persons, submissions, and times, so that events
// share them.
func randomEvents(t *testing.T, r *rand.Rand) []store.Event {
	var events []store.Event
	for i := range r.IntN(30) {
		e := store.Event{
			UUID: uuid.NewSHA1(uuid.NameSpaceOID, fmt.Append(nil, i)), Name: store.EventNames[r.IntN(4)],
			At: start.Add(time.Duration(r.IntN(5)) * time.Hour), Person: fmt.Sprint("p", r.IntN(4)), Count: 1, Archived: r.IntN(5) == 0,
		}
		if r.IntN(2) == 0 {
			e.Properties = wiretest.Decode(t, `{"$survey_partially_completed":true}`)
		}
		if r.IntN(2) == 0 {
			e.Submission = fmt.Sprint("s", r.IntN(4))
		}
		events = append(events, e)
	}
	return events
}

// The counts equal those of a slow implementation of the definition, for random events in any order.
func TestCountAgreesWithItsDefinition(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 0))
		events := randomEvents(t, r)
		excludeArchived := r.IntN(2) == 0
		want := definition(events, excludeArchived)
		assert.Equal(t, want, service.CountEvents(events, excludeArchived), seed)

		r.Shuffle(len(events), func(i, k int) { events[i], events[k] = events[k], events[i] })
		if !assert.Equal(t, want, service.CountEvents(events, excludeArchived), "shuffled %d", seed) {
			return
		}
	}
}

// definition computes each count separately, with a loop over all events for each event.
func definition(events []store.Event, excludeArchived bool) service.Stats {
	isResponse := func(e store.Event) bool {
		return e.Name == store.Sent || !e.Properties.IsAbsent() && (e.Name == store.Dismissed || e.Name == store.Abandoned)
	}
	hidden := func(e store.Event) bool {
		for _, other := range events {
			same := e.Submission != "" && other.Submission == e.Submission && isResponse(other)
			if same && (other.At.After(e.At) || other.At.Equal(e.At) && other.UUID.String() > e.UUID.String()) {
				return true
			}
		}
		return false
	}
	left := func(e store.Event) bool { return excludeArchived && e.Archived }
	count := func(is func(store.Event) bool) (s service.EventStats) {
		persons := map[string]bool{}
		for _, e := range events {
			if left(e) || !is(e) {
				continue
			}
			persons[e.Person] = true
			if s.Total++; s.Total == 1 || e.At.Before(time.Time(*s.First)) {
				s.First = new(service.Timestamp(e.At))
			}
			if s.Total == 1 || e.At.After(time.Time(*s.Last)) {
				s.Last = new(service.Timestamp(e.At))
			}
		}
		s.Persons = int64(len(persons))
		return s
	}

	isDismissal := func(e store.Event) bool { return e.Name == store.Dismissed && !isResponse(e) }
	stats := service.Stats{
		Shown:     count(func(e store.Event) bool { return e.Name == store.Shown }),
		Dismissed: count(isDismissal),
		Sent:      count(func(e store.Event) bool { return isResponse(e) && !hidden(e) }),
	}
	for i := range 4 {
		did := func(is func(store.Event) bool) bool {
			for _, e := range events {
				if e.Person == fmt.Sprint("p", i) && !left(e) && is(e) {
					return true
				}
			}
			return false
		}
		if did(isDismissal) && did(isResponse) {
			stats.Dismissed.Persons--
		}
	}
	stats.Shown.OnlySeen = max(0, stats.Shown.Total-stats.Dismissed.Total-stats.Sent.Total)
	stats.Shown.PersonsOnlySeen = max(0, stats.Shown.Persons-stats.Dismissed.Persons-stats.Sent.Persons)
	return stats
}

// An entry for several events counts each event for a different person. An entry without a time is in every
// window.
func TestCountOfSeveralEventsAtOnce(t *testing.T) {
	t.Parallel()
	events := []store.Event{
		{Name: store.Shown, Count: 10, At: start},
		{Name: store.Dismissed, Count: 2},
		{Name: store.Sent, Count: 3},
	}
	window := store.Window{From: start.Add(time.Hour), To: start.Add(2 * time.Hour)}
	assert.Equal(t, events[1:], store.In(events, window))

	stats := service.CountEvents(events, false)
	assert.Equal(t, service.EventStats{Total: 10, Persons: 10, OnlySeen: 5, PersonsOnlySeen: 5, First: new(service.Timestamp(start)), Last: new(service.Timestamp(start))}, stats.Shown)
	assert.Equal(t, service.EventStats{Total: 2, Persons: 2}, stats.Dismissed)
	assert.Equal(t, service.EventStats{Total: 3, Persons: 3}, stats.Sent)
}

func TestRatesAreRounded(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		sent, shown int64
		want        service.Float
	}{{1, 3, 33.33}, {2, 3, 66.67}, {1, 8, 12.5}, {1, 800, 0.12}, {3, 800, 0.38}, {5, 4, 125}, {0, 4, 0}, {5, 0, 0}} {
		stats := service.Stats{
			Shown: service.EventStats{Total: row.shown, Persons: row.shown}, Sent: service.EventStats{Total: row.sent, Persons: row.sent},
		}
		assert.Equal(t, service.Rates{Response: row.want, PersonsResponse: row.want}, stats.Rates(), "%d of %d", row.sent, row.shown)
	}
}

func TestWindows(t *testing.T) {
	t.Parallel()
	ran := store.Window{From: start, To: start.Add(time.Hour)}
	assert.Equal(t, ran, store.Window{}.Within(ran))
	assert.Equal(t, ran, ran.Within(store.Window{}))
	narrow := store.Window{From: start.Add(time.Minute), To: start.Add(2 * time.Minute)}
	assert.Equal(t, narrow, ran.Within(narrow))
	assert.Equal(t, narrow, narrow.Within(ran))
}
