package field

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// acceptTimestamp normalizes a date-time to the form in which the service writes it.
func (c Column) acceptTimestamp(raw json.RawMessage) (json.RawMessage, *Failure) {
	if !rawjson.IsString(raw) {
		return nil, badTimestamp(c.Name)
	}
	t, ok := ParseISO(rawjson.Unquote(raw))
	if !ok {
		return nil, badTimestamp(c.Name)
	}
	if year := t.UTC().Year(); year < 1 || year > LastYear {
		return nil, Invalid("overflow", c.Name, "Datetime value out of range.")
	}
	return TimestampText(t), nil
}

// ParseISO reads a date-time as the service does: what datetime.fromisoformat of
// Python 3.11 takes, which is ISO 8601 but for ordinal dates (extended or basic form,
// week dates, any sign between date and time, hours alone, a comma before fractions,
// offsets up to seconds), and what Django takes beyond it, parts of one digit. Without
// a time it is midnight, without an offset UTC.
func ParseISO(s string) (time.Time, bool) {
	if t, ok := ParseISOStrict(s); ok {
		return t, true
	}
	return parseLoose(s)
}

// LastYear is the last year that a date of the service can have.
const LastYear = 9999

const day = 24 * time.Hour

// isoDates are the forms of a date; a week date has week and perhaps a weekday.
var isoDates = []*regexp.Regexp{
	regexp.MustCompile(`^(\d{4})-(\d\d)-(\d\d)`),
	regexp.MustCompile(`^(\d{4})-W(\d\d)-(\d)`),
	regexp.MustCompile(`^(\d{4})-W(\d\d)`),
	regexp.MustCompile(`^(\d{4})(\d\d)(\d\d)`),
	regexp.MustCompile(`^(\d{4})W(\d\d)(\d)`),
	regexp.MustCompile(`^(\d{4})W(\d\d)`),
}

// weekdayForm is the place of the week date with a weekday, in extended form.
const weekdayForm = 1

// isoTimes are the forms of a time, isoOffsets those of an offset.
var (
	isoTimes = []*regexp.Regexp{
		regexp.MustCompile(`^(\d\d)(?::(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)?$`),
		regexp.MustCompile(`^(\d\d)(?:(\d\d)(?:(\d\d)(?:[.,](\d+))?)?)?$`),
	}
	isoOffsets = []*regexp.Regexp{
		regexp.MustCompile(`^(\d\d)(?::(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)?$`),
		regexp.MustCompile(`^(\d\d)(?:(\d\d)(?:(\d\d)(?:[.,](\d+))?)?)?$`),
	}
)

// ParseISOStrict reads what datetime.fromisoformat of Python 3.11 takes: it tries each form of a date that the text can begin with. Behind it
// stands nothing, or any one sign and a time.
func ParseISOStrict(s string) (time.Time, bool) {
	for i, form := range isoDates {
		parts := form.FindStringSubmatch(s)
		if parts == nil {
			continue
		}

		date, ok := dateOf(parts, i)
		if !ok {
			continue
		}

		rest := s[len(parts[0]):]
		if rest == "" {
			return date, true
		}
		if i == weekdayForm && rest[0] >= '0' && rest[0] <= '9' {
			// The sign before these digits was the one between date and time.
			continue
		}

		_, size := utf8.DecodeRuneInString(rest)
		if clock, ok := parseClock(rest[size:]); ok {
			return date.Add(clock), true
		}
	}
	return time.Time{}, false
}

// dateOf is the date of a form of isoDates.
func dateOf(parts []string, form int) (time.Time, bool) {
	year, month := ParseDigits(parts[1]), ParseDigits(parts[2])
	if form == 0 || form == 3 {
		return DateAt(year, month, ParseDigits(parts[3]))
	}
	weekday := 1
	if len(parts) == 4 {
		weekday = ParseDigits(parts[3])
	}
	if year < 1 || month < 1 || weekday < 1 || weekday > 7 || month > weeksIn(year) {
		return time.Time{}, false
	}
	// The fourth of January is in the first week.
	fourth := time.Date(year, time.January, 4, 0, 0, 0, 0, time.UTC)
	monday := fourth.AddDate(0, 0, -(int(fourth.Weekday())+6)%7)
	t := monday.AddDate(0, 0, (month-1)*7+weekday-1)
	return t, t.Year() >= 1 && t.Year() <= LastYear
}

// weeksIn is the number of weeks of a year.
func weeksIn(year int) int {
	_, week := time.Date(year, time.December, 28, 0, 0, 0, 0, time.UTC).ISOWeek()
	return week
}

// DateAt is a day of the calendar, if there is such a day.
func DateAt(year, month, date int) (time.Time, bool) {
	t := time.Date(year, time.Month(month), date, 0, 0, 0, 0, time.UTC)
	return t, year >= 1 && t.Year() == year && int(t.Month()) == month && t.Day() == date
}

// parseClock reads a time with its offset: how long after midnight UTC it is.
func parseClock(s string) (time.Duration, bool) {
	offset := time.Duration(0)
	if at := strings.IndexAny(s, "+-Z"); at >= 0 {
		var ok bool
		if offset, ok = parseOffset(s[at:]); !ok {
			return 0, false
		}
		s = s[:at]
	}
	for _, form := range isoTimes {
		if parts := form.FindStringSubmatch(s); parts != nil {
			hour, minute, second := ParseDigits(parts[1]), ParseDigits(parts[2]), ParseDigits(parts[3])
			if hour > 23 || minute > 59 || second > 59 {
				return 0, false
			}
			return clockOf(hour, minute, second, parts[4]) - offset, true
		}
	}
	return 0, false
}

// clockOf is a time of day; digits behind the sixth of a fraction are dropped.
func clockOf(hour, minute, second int, fraction string) time.Duration {
	micros := ParseDigits((fraction + "000000")[:6])
	return time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute +
		time.Duration(second)*time.Second + time.Duration(micros)*time.Microsecond
}

// parseOffset reads Z or a sign and a time below a day.
func parseOffset(s string) (time.Duration, bool) {
	if s == "Z" {
		return 0, true
	}
	for _, form := range isoOffsets {
		parts := form.FindStringSubmatch(s[1:])
		if parts == nil || s[0] == 'Z' {
			continue
		}
		offset := clockOf(ParseDigits(parts[1]), ParseDigits(parts[2]), ParseDigits(parts[3]), parts[4])
		if s[0] == '-' {
			offset = -offset
		}
		return offset, offset.Abs() < day
	}
	return 0, false
}

// looseForm are the dates that Django takes beyond ISO 8601.
var looseForm = regexp.MustCompile(`^(\d{4})-(\d{1,2})-(\d{1,2})[T ](\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:[.,](\d{1,6})\d{0,6})?)?` +
	`\s*(Z|[+-]\d{2}(?::?\d{2})?)?\n?$`)

func parseLoose(s string) (time.Time, bool) {
	parts := looseForm.FindStringSubmatch(s)
	if parts == nil {
		return time.Time{}, false
	}
	date, ok := DateAt(ParseDigits(parts[1]), ParseDigits(parts[2]), ParseDigits(parts[3]))
	hour, minute, second := ParseDigits(parts[4]), ParseDigits(parts[5]), ParseDigits(parts[6])
	if !ok || hour > 23 || minute > 59 || second > 59 {
		return time.Time{}, false
	}
	offset := time.Duration(0)
	if parts[8] != "" {
		// The offset has two digits of minutes at most, each of them below 100.
		if offset, ok = parseOffset(parts[8]); !ok {
			return time.Time{}, false
		}
	}
	return date.Add(clockOf(hour, minute, second, parts[7]) - offset), true
}

// ParseDigits reads digits that a form has found; none are 0.
func ParseDigits(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}
