// Package responses tells how many responses surveys have: a number, none, or that it is
// unknown, and why. The service counts only from the earliest start of a survey in the
// project on, so a survey that it counts no responses of may have some: one that went back
// to draft, or was launched again.
package responses

import "strconv"

// Number is how many responses a survey has.
type Number struct {
	// Counted are the responses that the service counts.
	Counted int64
	// Reason says why there may be more; empty when Counted is all.
	Reason string
	// Err is the error because of which nothing was counted; nil otherwise.
	Err error
}

// IsKnown reports whether Counted is all.
func (n Number) IsKnown() bool { return n.Reason == "" }

// IsNone reports whether the survey is known to have no responses.
func (n Number) IsNone() bool { return n.IsKnown() && n.Counted == 0 }

// Known is the number; nil if it is unknown.
func (n Number) Known() *int64 {
	if !n.IsKnown() {
		return nil
	}
	return &n.Counted
}

// String is the number, "at least" that many, or "unknown".
func (n Number) String() string {
	switch {
	case n.IsKnown():
		return strconv.FormatInt(n.Counted, 10)
	case n.Counted > 0:
		return "at least " + strconv.FormatInt(n.Counted, 10)
	}
	return "unknown"
}
