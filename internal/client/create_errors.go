package client

import (
	"strings"
	"time"
)

// AmbiguousCreateError is a create that nobody knows the outcome of: its answer was
// lost, and no object was found that is certainly the one.
type AmbiguousCreateError struct {
	// Found are the ids of the objects that have the name or address, but differ from
	// what was sent or may have been there before.
	Found []string
	// Hidden tells that the service may have made the object and not show it.
	Hidden bool
	// Repeats tells that the service would make a second one, were it asked again.
	Repeats bool
	// Looked is for how long the object was looked for.
	Looked time.Duration

	cause, lookup error
}

func (e *AmbiguousCreateError) Error() string {
	text := e.cause.Error() + ". Whether it was made is not known: "
	switch {
	case e.lookup != nil:
		return text + "the search for it failed too: " + e.lookup.Error()
	case len(e.Found) > 0:
		return text + "there is one of that name or address that differs from what was sent, or was there before, with id " +
			strings.Join(e.Found, ", id ")
	case e.Hidden:
		return text + "none of that name is shown, and the service may hide this one"
	}
	if e.Looked >= time.Second {
		return text + "none of that name or address came up within " + waiting(e.Looked)
	}
	return text + "none of that name or address is there now, but the service may still be at work on it"
}

// Unwrap returns how the create ended.
func (e *AmbiguousCreateError) Unwrap() error { return e.cause }

// ConflictError is a create that was refused because another object has the name or the
// address.
type ConflictError struct {
	// ID of the other object; empty when the service doesn't show it.
	ID string
	// Own tells that this client made the other one, for another resource.
	Own bool

	cause, lookup error
}

func (e *ConflictError) Error() string {
	switch {
	case e.lookup != nil:
		return e.cause.Error() + " (which one has it is not known: " + e.lookup.Error() + ")"
	case e.ID == "":
		return e.cause.Error() + " (which one has it, the service doesn't show)"
	case e.Own:
		return e.cause.Error() + " (this run made the one that has it, with id " + e.ID + ")"
	}
	return e.cause.Error() + " (the one that has it has id " + e.ID + ")"
}

// Unwrap returns the refusal.
func (e *ConflictError) Unwrap() error { return e.cause }
