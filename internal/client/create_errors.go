package client

import (
	"strings"
	"time"
)

// AmbiguousCreateError is a create whose outcome is not known: its response was lost, and
// no object was found that is certainly the one.
type AmbiguousCreateError struct {
	// Found are the ids of the objects that have the name or address, but differ from
	// what was sent or may have been there before.
	Found []string
	// Hidden is set when the service may have created the object and not show it.
	Hidden bool
	// MayDuplicate is set when the service would create a second one on another request.
	MayDuplicate bool
	// Searched is for how long the object was looked for.
	Searched time.Duration

	cause, lookup error
}

// Error implements error.
func (e *AmbiguousCreateError) Error() string {
	text := e.cause.Error() + ". Whether it was created is not known: "

	switch {
	case e.lookup != nil:
		return text + "the search for it failed too: " + e.lookup.Error()
	case len(e.Found) > 0:
		return text + "there is one of that name or address that differs from what was sent, or was there before, with id " +
			strings.Join(e.Found, ", id ")
	case e.Hidden:
		return text + "none of that name is shown, and the service may hide this one"
	}

	if e.Searched >= time.Second {
		return text + "none of that name or address came up within " + roundDuration(e.Searched)
	}
	return text + "none of that name or address is there now, but the service may still be working on it"
}

// Unwrap returns how the create ended.
func (e *AmbiguousCreateError) Unwrap() error { return e.cause }

// ConflictError is a create that was refused because another object has the name or the
// address.
type ConflictError struct {
	// ID of the other object; empty when the service does not show it.
	ID string
	// Own is set when this client created the other one, for another resource.
	Own bool

	cause, lookup error
}

// Error implements error.
func (e *ConflictError) Error() string {
	switch {
	case e.lookup != nil:
		return e.cause.Error() + " (which one has it is not known: " + e.lookup.Error() + ")"
	case e.ID == "":
		return e.cause.Error() + " (which one has it, the service does not show)"
	case e.Own:
		return e.cause.Error() + " (this run created the one that has it, with id " + e.ID + ")"
	}
	return e.cause.Error() + " (the one that has it has id " + e.ID + ")"
}

// Unwrap returns the refusal.
func (e *ConflictError) Unwrap() error { return e.cause }
