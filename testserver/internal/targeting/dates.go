package targeting

import (
	"regexp"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
)

// relativeDate is a date as the distance from today.
var relativeDate = regexp.MustCompile(`^-?(\d+)[hdwmy]$`)

// isFlagDate reports whether a text is a date to the filters of a flag: a relative one,
// below 10000 of its unit, or what reads as a date.
func isFlagDate(s string) bool {
	if parts := relativeDate.FindStringSubmatch(s); parts != nil {
		return len(strings.TrimLeft(parts[1], "0")) < 5
	}
	if _, ok := field.ParseISO(s); ok {
		return true
	}
	return readsAsDate(s)
}

var (
	dateClock = regexp.MustCompile(`\b(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?(?:\s*([ap]m?)\b)?(?:\s*(?:utc|gmt|z)?\s*[+-]\d{1,2}(?::?\d{2})?\b)?`)
	dateHour  = regexp.MustCompile(`\b(\d{1,2})\s*[ap]m\b`)
	dateToken = regexp.MustCompile(`[a-z]+|\d+|\s+|.`)
)

// monthWords begin with the first three letters of a month, and so do days of the week.
var (
	monthWords = strings.Fields("jan january feb february mar march apr april may jun june jul july aug august " +
		"sep sept september oct october nov november dec december")
	dayWords = strings.Fields("mon monday tue tuesday wed wednesday thu thursday fri friday sat saturday sun sunday")
	// joinWords come between the parts of a date and mean nothing by themselves.
	joinWords = strings.Fields("of on at and ad t z utc gmt st nd rd th")
)

// readsAsDate takes what Python's dateutil takes of dates that people write: the parts
// of a date in any order that makes sense, months and days of the week by their English
// names or first three letters, with any of the signs , . / - between them, and a time
// on the clock of 24 or of 12 hours, with an offset in digits or UTC, GMT or Z. A part
// that is left out is today's. It does not take the names of other time zones.
func readsAsDate(s string) bool {
	s = strings.ToLower(strings.TrimSpace(s))
	rest, clocks := cutClock(s)
	if clocks != nil && !isClock(clocks) {
		return false
	}

	var numbers []string
	months, weekdays := 0, 0
	for _, token := range dateToken.FindAllString(rest, -1) {
		switch first := token[0]; {
		case first >= '0' && first <= '9':
			numbers = append(numbers, token)
		case slices.Contains(monthWords, token):
			months++
		case slices.Contains(dayWords, token):
			weekdays++
		case slices.Contains(joinWords, token), strings.TrimSpace(token) == "", strings.Contains(",./-'", token):
		default:
			return false
		}
	}
	if months > 1 || weekdays > 1 {
		return false
	}
	if len(numbers) == 0 {
		return months+weekdays > 0 || clocks != nil
	}
	return isCalendar(numbers, months == 1)
}

// cutClock takes the time out of a text; hour, minute, second and half of the day, nil
// for no time.
func cutClock(s string) (rest string, clock []string) {
	if at := dateClock.FindStringSubmatchIndex(s); at != nil {
		return s[:at[0]] + " " + s[at[1]:], dateClock.FindStringSubmatch(s)[1:]
	}
	if at := dateHour.FindStringSubmatchIndex(s); at != nil {
		return s[:at[0]] + " " + s[at[1]:], []string{s[at[2]:at[3]], "0", "0", "m"}
	}
	return s, nil
}

func isClock(parts []string) bool {
	hour, limit := field.ParseDigits(parts[0]), 24
	if parts[3] != "" {
		limit = 13
	}
	return hour < limit && field.ParseDigits(parts[1]) < 60 && field.ParseDigits(parts[2]) < 60
}

// isCalendar reports whether numbers can be the parts of a date, of which a month may
// be named already.
func isCalendar(numbers []string, monthNamed bool) bool {
	if len(numbers) == 1 && !monthNamed {
		switch n := numbers[0]; len(n) {
		case 8, 12, 14:
			_, ok := field.DateAt(field.ParseDigits(n[:4]), field.ParseDigits(n[4:6]), field.ParseDigits(n[6:8]))
			return ok
		case 6:
			_, ok := field.DateAt(2000+field.ParseDigits(n[:2]), field.ParseDigits(n[2:4]), field.ParseDigits(n[4:6]))
			return ok
		}
	}

	if len(numbers) == 3 && !monthNamed {
		return isDayOfSomeYear(numbers)
	}

	years, months := 0, 0
	for _, n := range numbers {
		switch value := field.ParseDigits(n); {
		case len(n) > 4 || len(n) == 3:
			return false
		case value > 31 || len(n) == 4:
			years++
		case value <= 12:
			months++
		}
	}

	parts := len(numbers)
	if monthNamed {
		return parts <= 2 && years <= 1
	}
	return years <= 1 && parts <= 2 && (parts == 1 || months > 0)
}

// isDayOfSomeYear reports whether three numbers are a day of the calendar in one of the
// orders in which dates are written.
func isDayOfSomeYear(numbers []string) bool {
	for _, order := range [][3]int{{0, 1, 2}, {0, 2, 1}, {2, 0, 1}, {2, 1, 0}} {
		year := numbers[order[0]]
		if len(year) > 4 || len(numbers[order[1]]) > 2 || len(numbers[order[2]]) > 2 {
			continue
		}
		n := field.ParseDigits(year)
		if len(year) < 3 {
			n += 2000
		}
		if _, ok := field.DateAt(n, field.ParseDigits(numbers[order[1]]), field.ParseDigits(numbers[order[2]])); ok {
			return true
		}
	}
	return false
}
