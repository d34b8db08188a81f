package client

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// creation performs an at-most-once create: when the response is lost, the object is looked
// for by its natural key, which is its name or address.
type creation[T any] struct {
	client *Client
	post   func(context.Context) (T, error)
	// find lists the objects with the natural key of the one to create. The date is the
	// service's when it answered.
	find func(context.Context, failuresBound) (found []T, date time.Time, err error)
	// isOurs reports whether a found object is what was sent, created since a moment of
	// the service's clock.
	isOurs func(object T, since time.Time) bool
	// isConflict reports whether an error means that another object has the natural key.
	isConflict func(error) bool
	// lookupIsComplete is set when find sees every object with the natural key, or else
	// that the service refuses a second one.
	lookupIsComplete bool
	// keyIsUnique is set when the service refuses a second object with the natural key.
	keyIsUnique bool
	// mayRepeat is set when it does so even while it still works on the first one.
	mayRepeat bool
	id        func(T) string
}

const (
	// finishTime is how long a service can be at work on a request that it did not respond to:
	// what is in front of it gives such requests up before.
	finishTime = time.Minute
	// leastLook is how long the object is looked for after a request that took that long,
	// and after the second request.
	leastLook = 15 * time.Second
	// longestLookPause is the longest pause between two looks.
	longestLookPause = 10 * time.Second
)

// run creates the object. After an outcome that leaves open whether the service did
// the work it looks for the object: one that is what was sent, and new, is the
// result. When nothing is found, the request is sent once more if the service was done
// with the first one, or would refuse a second object.
func (c creation[T]) run(ctx context.Context) (T, error) {
	var none T
	start := c.client.gate.now()
	for attempt := 1; ; attempt++ {
		sentAt := c.client.gate.now()
		response, err := c.post(ctx)
		if err == nil {
			c.client.created.Store(c.id(response), nil)
			return response, nil
		}

		conflict := c.isConflict(err)
		if !conflict && !mayHaveTakenEffect(err) {
			return none, err
		}

		look := search{created: start, until: c.lookUntil(ctx, sentAt, attempt), again: mayStillRun(err) || conflict && attempt > 1}
		candidates, ours, lookupErr := c.search(ctx, look)
		switch {
		// Before anything of this create was sent, another object had the key.
		case conflict && attempt == 1:
			id := c.singleID(candidates)
			return none, &ConflictError{ID: id, Own: c.hasCreated(id), cause: err, lookup: lookupErr}

		case len(ours) == 1 && c.isClaimed(ours[0]):
			tflog.Warn(ctx, "the response to a create was lost, but the object was found", map[string]any{"id": c.id(ours[0]), "error": err.Error()})
			recordWrite(ctx)
			return ours[0], nil

		case lookupErr != nil || len(candidates) > 0 || attempt > 1 || !c.isRepeated(err) || !c.pause(ctx, err):
			return none, &AmbiguousCreateError{
				Found: c.ids(candidates), Hidden: conflict || !c.lookupIsComplete, MayDuplicate: !c.keyIsUnique,
				Searched: c.client.gate.now().Sub(start), cause: err, lookup: lookupErr,
			}
		}
	}
}

// isRepeated reports whether the request is sent once more when no object was found.
func (c creation[T]) isRepeated(err error) bool {
	return c.client.mayRetry(0) && c.lookupIsComplete && (isRepeatable(err) || mayStillRun(err) && c.mayRepeat)
}

// lookUntil is when the search for the object ends: when the service cannot be at work on
// the request any more, or the operation's time is over.
func (c creation[T]) lookUntil(ctx context.Context, sentAt time.Time, attempt int) time.Time {
	until := c.client.gate.now().Add(leastLook)
	if finished := sentAt.Add(finishTime); attempt == 1 && finished.After(until) {
		until = finished
	}
	if limit := c.client.gate.limit(ctx); limit.Before(until) {
		return limit
	}
	return until
}

// search is a search for an object whose create got no response.
type search struct {
	// created is when the first request was sent, by the clock of the gate: what is older
	// is another object.
	created time.Time
	// until is when the search ends.
	until time.Time
	// again is set when the service may still be at work on the object.
	again bool
}

// search looks for the object: once, or again and again.
func (c creation[T]) search(ctx context.Context, look search) (found, ours []T, err error) {
	g := c.client.gate
	for n := 0; ; n++ {
		found, ours, err = c.searchOnce(ctx, look)
		if n > 0 && err != nil && (ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded)) {
			return nil, nil, nil //nolint:nilerr // the time was over during one more search
		}

		wait := min(pauseAfter(n, 0), longestLookPause, look.until.Sub(g.now()))
		if err != nil || len(found) > 0 || !look.again || wait <= 0 || ctx.Err() != nil {
			return found, ours, err
		}

		if n == 0 {
			tflog.Warn(ctx, "the response to a create was lost, and PostHog may still be processing it: looking for the object",
				map[string]any{"until": look.until.Format(time.RFC3339)})
		}
		_ = g.sleep(ctx, wait) // the context that ended it ends the search too
	}
}

// searchOnce finds the objects with the natural key, and those among them that are the
// one created. It goes on for a moment after the operation was canceled: what was
// created is kept.
func (c creation[T]) searchOnce(ctx context.Context, look search) (candidates, ours []T, err error) {
	ctx, cancel := withGrace(ctx)
	defer cancel()

	candidates, date, err := c.find(ctx, failuresBound{isSet: true, end: look.until})
	if err != nil || date.IsZero() {
		return candidates, nil, err // without the service's time nothing is known to be new
	}

	// A header has no fractions of a second.
	since := date.Add(look.created.Sub(c.client.gate.now()) - 2*time.Second)
	for _, candidate := range candidates {
		if c.isOurs(candidate, since) && !c.hasCreated(c.id(candidate)) {
			ours = append(ours, candidate)
		}
	}
	return candidates, ours, nil
}

// pause waits before the second request; false when there is no time for it.
func (c creation[T]) pause(ctx context.Context, err error) bool {
	var requested time.Duration
	if e, ok := asAPIError(err); ok {
		requested = e.RetryAfter
	}

	g := c.client.gate
	wait := pauseAfter(0, requested)
	wait += g.jitter(wait)
	return ctx.Err() == nil && !g.now().Add(wait).After(g.limit(ctx)) && g.sleep(ctx, wait) == nil
}

// isClaimed takes an object for the outcome of this create, and reports whether it was of no
// other one: two resources may be configured alike.
func (c creation[T]) isClaimed(object T) bool {
	_, isTaken := c.client.created.LoadOrStore(c.id(object), nil)
	return !isTaken
}

// hasCreated reports whether the client has created the object with an id.
func (c creation[T]) hasCreated(id string) bool {
	_, ok := c.client.created.Load(id)
	return ok
}

func (c creation[T]) ids(candidates []T) []string {
	var ids []string
	for _, candidate := range candidates {
		ids = append(ids, c.id(candidate))
	}
	return ids
}

// singleID is the id of the one object found; empty when there are none or several.
func (c creation[T]) singleID(candidates []T) string {
	if len(candidates) != 1 {
		return ""
	}
	return c.id(candidates[0])
}

// mayHaveTakenEffect reports whether the service may have done what failed with err.
func mayHaveTakenEffect(err error) bool {
	if _, down := errors.AsType[*UnavailableError](err); down {
		return false // not even sent
	}
	if _, isHeldBack := errors.AsType[*HeldBackError](err); isHeldBack {
		return false // what it wraps is an attempt that certainly was not carried out
	}

	if e, ok := asAPIError(err); ok {
		return e.Status >= http.StatusInternalServerError
	}
	if e, ok := errors.AsType[*ConnectionError](err); ok {
		return e.Sent
	}
	if e, ok := errors.AsType[*ResponseError](err); ok {
		return e.Status < http.StatusMultipleChoices
	}
	_, cutOff := errors.AsType[*CutOffError](err)
	return cutOff
}

// mayStillRun reports whether the service may go on with a request that failed with
// err: nothing of the service itself said that it is done. A page in place of the response
// comes from something else, which another request would meet too.
func mayStillRun(err error) bool {
	unusable, ok := errors.AsType[*ResponseError](err)
	isPage := ok && unusable.Status < http.StatusMultipleChoices
	return mayHaveTakenEffect(err) && !isRepeatable(err) && !isPage
}

// isRepeatable reports whether the service is done with a request that failed: after
// any other failure it may still be at work.
func isRepeatable(err error) bool {
	e, ok := asAPIError(err)
	return ok && (e.Status == http.StatusInternalServerError || e.Status == http.StatusBadGateway || e.Status == http.StatusServiceUnavailable)
}

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
	text := e.cause.Error() + ". It is unknown whether the object was created: "

	switch {
	case e.lookup != nil:
		return text + "searching for it also failed: " + e.lookup.Error()
	case len(e.Found) > 0:
		return text + "an object with that name or URL exists, but it differs from the request or is older, and has ID " +
			strings.Join(e.Found, ", id ")
	case e.Hidden:
		return text + "PostHog shows no object with that name, but it may hide this one"
	}

	if e.Searched >= time.Second {
		return text + "no object with that name or URL appeared within " + roundDuration(e.Searched)
	}
	return text + "no object with that name or URL exists now, but PostHog may still be creating it"
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
		return e.cause.Error() + " (the object that uses it is unknown: " + e.lookup.Error() + ")"
	case e.ID == "":
		return e.cause.Error() + " (PostHog does not show which object uses it)"
	case e.Own:
		return e.cause.Error() + " (an object that this run created uses it: ID " + e.ID + ")"
	}
	return e.cause.Error() + " (the object that uses it has ID " + e.ID + ")"
}

// Unwrap returns the refusal.
func (e *ConflictError) Unwrap() error { return e.cause }
