package evaluation

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// writtenTimes are the forms in which people write a date with a time, of those that the
// evaluator of the service reads. They are in UTC.
var writtenTimes = []string{
	time.RFC1123Z,
	"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04Z07:00", "2006-01-02 15:04:05Z0700", "2006-01-02 15:04Z0700",
	"2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 -07:00", "2006-01-02 15:04 -0700", "2006-01-02 15:04 -07:00",
	"2006-01-02 3:04:05 pm", "2006-01-02 3:04 pm", "2006-01-02 3:04:05pm", "2006-01-02 3:04pm",
	"January 2, 2006 15:04:05", "January 2, 2006 15:04", "January 2, 2006 3:04:05 pm", "January 2, 2006 3:04 pm",
	"January 2, 2006, 15:04:05", "January 2, 2006, 15:04", "January 2, 2006, 3:04:05 pm", "January 2, 2006, 3:04 pm",
	"2 January 2006, 15:04:05", "2 January 2006, 15:04", "2 January 2006 15:04:05", "2 January 2006 15:04",
	"1/2/2006 15:04:05", "1/2/2006 15:04", "1/2/2006 3:04:05 pm", "1/2/2006 3:04 pm", "1/2/06 15:04:05", "1/2/06 15:04",
	"2006/1/2 15:04:05", "2006/1/2 15:04", "2006/1/2 3:04:05 pm", "2006/1/2 3:04 pm",
	"1-2-2006 15:04:05", "1-2-2006 15:04", "1-2-06 15:04:05", "1-2-06 15:04",
}

// writtenDates are such forms of a date alone. They have the time of day at which they are
// read.
var writtenDates = []string{
	"2006-Jan-02", "2006-January-02", "January 2, 2006", "January 2, 06", "2 January 2006", "2 January 06",
	"1/2/2006", "1/2/06", "2006/1/2", "1-2-2006", "1-2-06", "1.2.2006", "1.2.06", "2006.1.2",
}

// writtenClocks are such forms of a time alone. They are of the day on which they are read.
var writtenClocks = []string{"15:04:05", "15:04", "3:04:05 pm", "3:04 pm", "3:04:05pm", "3:04pm"}

var (
	epochDigits = regexp.MustCompile(`^(?:\d{10}|\d{13}|\d{19})$`)
	shortMonth  = regexp.MustCompile(`(?i)\b(Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b\.?`)
)

// monthNames are the names of months behind their first letters.
var monthNames = map[string]string{
	"Jan": "January", "Feb": "February", "Mar": "March", "Apr": "April", "Jun": "June", "Jul": "July",
	"Aug": "August", "Sep": "September", "Oct": "October", "Nov": "November", "Dec": "December",
}

// parseWritten reads the other forms of dates, and digits as seconds, milliseconds or
// nanoseconds since 1970.
func (c clock) parseWritten(s string) (time.Time, bool) {
	if epochDigits.MatchString(s) {
		return fromDigits(s)
	}

	s = spelled(s)
	if t, ok := parseAny(writtenTimes, s); ok {
		return t, true
	}
	now := c.now.UTC()
	if t, ok := parseAny(writtenDates, s); ok {
		midnight := now.Truncate(24 * time.Hour)
		return t.Add(now.Sub(midnight)), true
	}
	if t, ok := parseAny(writtenClocks, s); ok {
		return time.Date(now.Year(), now.Month(), now.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC), true
	}
	return time.Time{}, false
}

func parseAny(layouts []string, s string) (time.Time, bool) {
	for _, layout := range layouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// spelled is a date with one blank between words, months by their whole names and the
// half of a day in small letters, as in the layouts.
func spelled(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	s = strings.ReplaceAll(strings.ReplaceAll(s, "AM", "am"), "PM", "pm")
	for _, zone := range []string{" GMT", " UTC"} {
		if rest, ok := strings.CutSuffix(s, zone); ok {
			s = rest + " +0000"
		}
	}
	if strings.Contains(s, ",") && len(s) > 4 && s[3] == ',' || strings.Contains(s, "-") {
		// A day of the week or a month between hyphens has its short form in the layouts.
		return s
	}
	return shortMonth.ReplaceAllStringFunc(s, func(month string) string {
		return monthNames[strings.ToUpper(month[:1])+strings.ToLower(month[1:3])]
	})
}

func fromDigits(s string) (time.Time, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return time.Time{}, false
	}
	switch len(s) {
	case 10:
		return time.Unix(n, 0), true
	case 13:
		return time.UnixMilli(n), true
	}
	return time.Unix(0, n), true
}
