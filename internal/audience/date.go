package audience

import (
	"math"
	"regexp"
	"strconv"
	"time"
)

func dates(holds func(order int) bool) compare {
	return func(p *property, have any, now time.Time) outcome {
		text, isText := p.want.(string)
		date, okHave := toDate(have, now)
		want, okWant := parseDate(text, now)
		return matches(isText && okHave && okWant && holds(date.Compare(want)))
	}
}

// toDate converts a property value to a date. A number, or a text that contains one, is in seconds since 1970.
func toDate(value any, now time.Time) (time.Time, bool) {
	if seconds, ok := toNumber(value); ok {
		return fromSeconds(seconds)
	}
	text, isText := value.(string)
	if !isText {
		return time.Time{}, false
	}
	return parseDate(text, now)
}

// The first and the last second that PostHog's calendar supports.
const (
	firstSecond = -8334601228800
	lastSecond  = 8210266876799
)

func fromSeconds(seconds float64) (time.Time, bool) {
	whole := math.Floor(seconds)
	if math.IsNaN(whole) || whole < firstSecond || whole > lastSecond {
		return time.Time{}, false
	}
	return time.Unix(int64(whole), int64(math.Round((seconds-whole)*1e9))), true
}

var relativeDate = regexp.MustCompile(`^-?([0-9]{1,4})([hdwmy])$`)

// writtenDates are the other supported date formats, in UTC: formats that people and databases commonly use,
// RFC 3339, and JavaScript's format.
var writtenDates = []string{
	"2006-1-2", "2006-1-2 15:4:5", "2006-1-2T15:4:5", "2006-1-2 15:4", "2006-1-2T15:4",
	"2006-01-02T15:04:05Z07:00", "2006-01-02 15:04:05Z07:00", time.RFC1123, time.RFC1123Z,
}

// parseDate parses text as a date: a relative date in the past, a day, or a time.
func parseDate(text string, now time.Time) (time.Time, bool) {
	if parts := relativeDate.FindStringSubmatch(text); parts != nil {
		n, err := strconv.Atoi(parts[1])
		return before(now, n, parts[2][0]), err == nil
	}
	for _, layout := range writtenDates {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// before goes back n units from a time. If a step of a month or a year would end on a day that does not exist, it
// uses the last day of that month.
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
		first := t.AddDate(0, 0, 1-t.Day()).AddDate(0, -months, 0)
		last := first.AddDate(0, 1, -1).Day()
		t = first.AddDate(0, 0, min(t.Day(), last)-1)
	}
	return t
}
