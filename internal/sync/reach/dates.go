package reach

import (
	"regexp"
	"strconv"
	"time"
)

// datesExclude reports whether no date is after that of a and before that of b; one of them
// may ask for the date itself.
func datesExclude(a, b property) bool {
	exactA, exactB := a.operator == "is_date_exact", b.operator == "is_date_exact"
	if a.operator != "is_date_after" && !exactA || b.operator != "is_date_before" && !exactB {
		return false
	}
	textA, isTextA := a.value.(string)
	textB, isTextB := b.value.(string)
	if !isTextA || !isTextB {
		return false
	}

	order, ok := compareDates(textA, textB)
	switch {
	case !ok:
		return false
	case exactA && exactB:
		return order != 0
	}
	return order >= 0
}

var relative = regexp.MustCompile(`^-?(\d{1,4})([hdwmy])$`)

// compareDates compares two dates that are written in one way; false when which is the later
// one depends on the day, or on the time zone of the project.
func compareDates(a, b string) (order int, ok bool) {
	if x, y := relative.FindStringSubmatch(a), relative.FindStringSubmatch(b); x != nil && y != nil {
		return compareDistances(x, y)
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		x, errX := time.Parse(layout, a)
		y, errY := time.Parse(layout, b)
		if errX == nil && errY == nil {
			return x.Compare(y), true
		}
	}
	return 0, false
}

// hours are the fewest and the most hours of a unit.
var hours = map[string][2]int{"h": {1, 1}, "d": {24, 24}, "w": {168, 168}, "m": {28 * 24, 31 * 24}, "y": {365 * 24, 366 * 24}}

// compareDistances compares two dates in the past by how long ago they are: the longer, the
// earlier.
func compareDistances(a, b []string) (order int, ok bool) {
	x, _ := strconv.Atoi(a[1]) // digits
	y, _ := strconv.Atoi(b[1])
	if a[2] == b[2] {
		switch {
		case x < y:
			return 1, true
		case x > y:
			return -1, true
		}
		return 0, true
	}
	switch unitA, unitB := hours[a[2]], hours[b[2]]; {
	case x*unitA[1] < y*unitB[0]:
		return 1, true
	case x*unitA[0] > y*unitB[1]:
		return -1, true
	}
	return 0, false
}
