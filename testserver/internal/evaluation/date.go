package evaluation

import (
	"math"
	"regexp"
	"strconv"
	"time"
)

// clock is the time of an evaluation, and where the days of the project begin.
type clock struct {
	now      time.Time
	location *time.Location
}

func onDates(holds func(order int) bool) func(*property, value, clock) outcome {
	return func(p *property, have value, now clock) outcome {
		has, ok := now.dateOf(have)
		if !ok || p.want.kind != textKind {
			return miss
		}
		want, ok := now.parse(p.want.text)
		if !ok {
			return miss
		}
		return matches(holds(has.Compare(want)))
	}
}

// dateOf reads the value of a property as a date. A number, or a text that is one, is
// seconds since 1970.
func (c clock) dateOf(v value) (time.Time, bool) {
	if v.kind != numberKind && v.kind != textKind {
		return time.Time{}, false
	}
	if seconds, ok := number(v); ok {
		return fromSeconds(seconds)
	}
	return c.parse(v.text)
}

// The first and the last second of the calendar that the service counts with.
const (
	firstSecond = -8334601228800
	lastSecond  = 8210266876799
)

func fromSeconds(seconds float64) (time.Time, bool) {
	whole := math.Floor(seconds)
	if math.IsNaN(whole) || whole < firstSecond || whole > lastSecond {
		return time.Time{}, false
	}

	// A fraction before 1970 is lost, as on the service.
	fraction := max(0, math.Round(math.Mod(seconds, 1)*1e9))
	return time.Unix(int64(whole), int64(fraction)), true
}

var relativeDate = regexp.MustCompile(`^-?([0-9]+)([hdwmy])$`)

// parse reads a text as a date: a distance into the past, a date or a time of the project,
// or one with an offset.
func (c clock) parse(s string) (time.Time, bool) {
	if parts := relativeDate.FindStringSubmatch(s); parts != nil {
		n, err := strconv.Atoi(parts[1])
		if err != nil || n >= 10000 {
			return c.parseWritten(s)
		}
		return c.resolve(before(c.wall(), n, parts[2][0]))
	}

	if t, ok := parseOffset(s); ok {
		return t, true
	}
	for _, layout := range []string{"2006-1-2", "2006-1-2 15:4:5", "2006-1-2T15:4:5", "2006-1-2 15:4", "2006-1-2T15:4"} {
		if t, err := time.Parse(layout, s); err == nil {
			return c.resolve(t)
		}
	}
	return c.parseWritten(s)
}

// wall is what the clocks of the project show, as if it was in UTC.
func (c clock) wall() time.Time {
	t := c.now.In(c.location)
	_, offset := t.Zone()
	return t.UTC().Add(time.Duration(offset) * time.Second)
}

// resolve is when the clocks of the project show a time: the first of two times, and never
// for one that they skip.
func (c clock) resolve(wall time.Time) (time.Time, bool) {
	const day = 24 * time.Hour
	var found time.Time
	ok := false
	for _, near := range []time.Time{wall.Add(-day), wall.Add(day)} {
		_, offset := near.In(c.location).Zone()
		candidate := wall.Add(-time.Duration(offset) * time.Second)
		if _, actual := candidate.In(c.location).Zone(); actual != offset {
			continue
		}
		if !ok || candidate.Before(found) {
			found, ok = candidate, true
		}
	}
	return found, ok
}

// before goes back from a time. Months and years go back one by one, each to a day that
// it has.
func before(t time.Time, n int, unit byte) time.Time {
	switch unit {
	case 'h':
		return t.Add(-time.Duration(n) * time.Hour)
	case 'd':
		return t.AddDate(0, 0, -n)
	case 'w':
		return t.AddDate(0, 0, -7*n)
	}

	months := 1
	if unit == 'y' {
		months = 12
	}
	for range n {
		t = backMonths(t, months)
	}
	return t
}

// backMonths is the same day some months ago, or the last one of that month.
func backMonths(t time.Time, months int) time.Time {
	first := time.Date(t.Year(), t.Month()-time.Month(months), 1, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), t.Location())
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(t.Day(), last)-1)
}

// parseOffset reads the form of RFC 3339, in which a blank may stand for the T.
func parseOffset(s string) (time.Time, bool) {
	if len(s) < len("2006-01-02T15:04:05Z") {
		return time.Time{}, false
	}
	b := []byte(s)
	if b[10] == 't' || b[10] == ' ' {
		b[10] = 'T'
	}
	if last := len(b) - 1; b[last] == 'z' {
		b[last] = 'Z'
	}
	t, err := time.Parse(time.RFC3339, string(b))
	return t, err == nil
}
