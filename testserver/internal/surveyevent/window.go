package surveyevent

import "time"

// Window is the time in which events are counted, both ends included; a zero end is none.
type Window struct{ From, To time.Time }

// Holds reports whether a window holds an event.
func (w Window) Holds(e Event) bool {
	return e.At.IsZero() || (w.From.IsZero() || !e.At.Before(w.From)) && (w.To.IsZero() || !e.At.After(w.To))
}

// Within returns the window inside both of two.
func (w Window) Within(other Window) Window {
	if w.From.Before(other.From) {
		w.From = other.From
	}
	if w.To.IsZero() || !other.To.IsZero() && other.To.Before(w.To) {
		w.To = other.To
	}
	return w
}

// In returns the events that a window holds.
func In(events []Event, w Window) []Event {
	held := make([]Event, 0, len(events))
	for _, e := range events {
		if w.Holds(e) {
			held = append(held, e)
		}
	}
	return held
}
