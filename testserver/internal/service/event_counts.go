package service

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Stats are the counts of each survey event.
type Stats struct {
	Shown     EventStats `json:"survey shown"`
	Dismissed EventStats `json:"survey dismissed"`
	Sent      EventStats `json:"survey sent"`
}

// EventStats are the counts of one event.
type EventStats struct {
	Total   int64 `json:"total_count"`
	Persons int64 `json:"unique_persons"`
	// First and Last are the times of the first and the last event. They are nil if there is none.
	First *Timestamp `json:"first_seen"`
	Last  *Timestamp `json:"last_seen"`
	// OnlySeen counts the views without an answer or a dismissal, and PersonsOnlySeen counts the persons who neither
	// answered nor dismissed the survey. Both are set only for survey shown.
	PersonsOnlySeen int64 `json:"unique_persons_only_seen"`
	OnlySeen        int64 `json:"total_count_only_seen"`
}

// Timestamp is a time in PostHog's format.
type Timestamp time.Time

// MarshalJSON implements [json.Marshaler].
func (t Timestamp) MarshalJSON() ([]byte, error) { return wire.TimestampText(time.Time(t)).JSON(), nil }

// CountEvents counts events as PostHog does. With excludeArchived, it omits archived events. An archived
// event still replaces earlier events of its submission.
func CountEvents(events []store.Event, excludeArchived bool) Stats {
	var stats Stats
	impressions, dismissed, completions := newTally(), newTally(), newTally()
	dismissals, responses := map[string]bool{}, map[string]bool{}

	for _, e := range events {
		if excludeArchived && e.Archived {
			continue
		}
		switch {
		case e.Name == store.Shown:
			impressions.add(e)
		case e.IsDismissal():
			dismissed.add(e)
			dismissals[e.Person] = true
		case e.IsResponse():
			responses[e.Person] = true
		}
	}

	for _, e := range store.Responses(events) {
		if !excludeArchived || !e.Archived {
			completions.add(e)
		}
	}

	stats.Shown, stats.Dismissed, stats.Sent = impressions.stats(), dismissed.stats(), completions.stats()
	stats.Dismissed.Persons = max(0, stats.Dismissed.Persons-both(dismissals, responses))
	stats.Shown.OnlySeen = max(0, stats.Shown.Total-stats.Dismissed.Total-stats.Sent.Total)
	stats.Shown.PersonsOnlySeen = max(0, stats.Shown.Persons-stats.Dismissed.Persons-stats.Sent.Persons)
	return stats
}

// both returns the number of persons in both sets.
func both(persons, rest map[string]bool) int64 {
	var count int64
	for person := range persons {
		if person != "" && rest[person] {
			count++
		}
	}
	return count
}

// tally counts one kind of event.
type tally struct {
	EventStats
	persons map[string]bool
}

func newTally() *tally { return &tally{persons: map[string]bool{}} }

func (t *tally) add(e store.Event) {
	t.Total += e.Count
	if e.Person == "" {
		t.Persons += e.Count
	} else {
		t.persons[e.Person] = true
	}

	if e.At.IsZero() {
		return
	}
	if t.First == nil || e.At.Before(time.Time(*t.First)) {
		t.First = new(Timestamp(e.At))
	}
	if t.Last == nil || e.At.After(time.Time(*t.Last)) {
		t.Last = new(Timestamp(e.At))
	}
}

func (t *tally) stats() EventStats {
	t.Persons += int64(len(t.persons))
	return t.EventStats
}

// Rates are percentages of the number of times that surveys were shown, with two decimals.
type Rates struct {
	Response         Float `json:"response_rate"`
	Dismissal        Float `json:"dismissal_rate"`
	PersonsResponse  Float `json:"unique_users_response_rate"`
	PersonsDismissal Float `json:"unique_users_dismissal_rate"`
}

// Float is a number that encodes to JSON as in Python. NaN and infinities become null.
type Float float64

// MarshalJSON implements [json.Marshaler].
func (f Float) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(f)) {
		return []byte("null"), nil
	}
	text := strconv.FormatFloat(float64(f), 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return []byte(text), nil
}

// Rates returns the rates. All are 0 if no survey was shown.
func (s Stats) Rates() Rates {
	if s.Shown.Total == 0 {
		return Rates{}
	}
	return Rates{
		Response:         percent(s.Sent.Total, s.Shown.Total),
		Dismissal:        percent(s.Dismissed.Total, s.Shown.Total),
		PersonsResponse:  percent(s.Sent.Persons, s.Shown.Persons),
		PersonsDismissal: percent(s.Dismissed.Persons, s.Shown.Persons),
	}
}

// percent returns a percentage with two decimals. Like PostHog, it rounds the exact value of the binary
// fraction.
func percent(part, whole int64) Float {
	if whole == 0 {
		return 0
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(float64(part)/float64(whole)*100, 'f', 2, 64), 64)
	if err != nil {
		return Float(math.NaN())
	}
	return Float(rounded)
}
