package client

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// creation performs a create at most once. If the response is lost, it searches for the object by
// its natural key, which is the name or the URL.
type creation[T any] struct {
	client *Client
	call   call
	post   func(context.Context) (T, error)
	// find lists the objects with the natural key. date is when PostHog responded, on PostHog's clock.
	find func(ctx context.Context, until time.Time) (found []T, date time.Time, err error)
	// isOurs reports whether an object matches the request and was created after since, which is on
	// PostHog's clock.
	isOurs func(object T, since time.Time) bool
	// isConflict reports whether an error means that another object has the natural key.
	isConflict func(error) bool
	// lookupIsComplete is set if find returns every object with the natural key, or if PostHog
	// rejects a second one.
	lookupIsComplete bool
	// keyIsUnique is set if PostHog rejects a second object with the same natural key.
	keyIsUnique bool
	// mayRepeat is set if PostHog rejects the second object even while it is still processing the first one.
	mayRepeat bool
	id        func(T) string
}

const (
	// finishTime is how long PostHog may still process a request that got no response. Its load
	// balancers give up earlier.
	finishTime = time.Minute
	// leastLook is the minimum time to search after a request that took as long as finishTime, and
	// after the second request.
	leastLook = 15 * time.Second
	// longestLookPause is the longest pause between two searches.
	longestLookPause = 10 * time.Second
)

// clockTolerance is the maximum time by which an object's date may precede the response. The Date header
// has no fractions of a second, and the proxy that writes it may use a different clock.
const clockTolerance = 2 * time.Second

// run creates the object. If the outcome is unclear, it searches for the object. An object that
// matches the request and is new is the result. If there is none, run repeats the request once,
// provided that PostHog has finished the first request or would reject a second object.
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
		// Another object had the key before this create sent anything.
		case conflict && attempt == 1:
			id := c.singleID(candidates)
			return none, &ConflictError{ID: id, Own: c.hasCreated(id), cause: err, lookup: lookupErr}

		case len(ours) == 1 && c.isClaimed(ours[0]):
			tflog.Warn(ctx, "the response to a create was lost, but the object was found", map[string]any{"id": c.id(ours[0]), "error": err.Error()})
			c.call.recordWrite()
			return ours[0], nil

		case lookupErr != nil || len(candidates) > 0 || attempt > 1 || !c.isRepeated(err) || !c.pause(ctx, err):
			return none, &AmbiguousCreateError{
				Found: c.ids(candidates), Hidden: conflict || !c.lookupIsComplete, MayDuplicate: !c.keyIsUnique,
				Searched: c.client.gate.now().Sub(start), cause: err, lookup: lookupErr,
			}
		}
	}
}

// isRepeated reports whether to repeat the request if no object was found.
func (c creation[T]) isRepeated(err error) bool {
	return c.client.mayRetry(0) && c.lookupIsComplete && (isRepeatable(err) || mayStillRun(err) && c.mayRepeat)
}

// lookUntil returns when to end the search: when PostHog can no longer be processing the request,
// or when the operation's time is over.
func (c creation[T]) lookUntil(ctx context.Context, sentAt time.Time, attempt int) time.Time {
	until := c.client.gate.now().Add(leastLook)
	if finished := sentAt.Add(finishTime); attempt == 1 && finished.After(until) {
		until = finished
	}
	if limit := c.client.gate.limit(ctx, c.call); limit.Before(until) {
		return limit
	}
	return until
}

// search describes the search for an object whose create got no response.
type search struct {
	// created is when the first request was sent, on the gate's clock. Older objects are different
	// objects.
	created time.Time
	// until is when the search ends.
	until time.Time
	// again is set if PostHog may still be processing the request.
	again bool
}

// search searches for the object once, or repeatedly if it may still appear.
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
		_ = g.sleep(ctx, wait) // if the context ended the sleep, it also ends the search
	}
}

// searchOnce returns the objects with the natural key, and those among them that this create may
// have created. It continues for a moment after the operation was canceled, so that a created
// object ends up in the state.
func (c creation[T]) searchOnce(ctx context.Context, look search) (candidates, ours []T, err error) {
	ctx, cancel := withGrace(ctx)
	defer cancel()

	candidates, date, err := c.find(ctx, look.until)
	if err != nil || date.IsZero() {
		return candidates, nil, err // without PostHog's time, no object can be proven new
	}

	since := date.Add(look.created.Sub(c.client.gate.now()) - clockTolerance)
	for _, candidate := range candidates {
		if c.isOurs(candidate, since) && !c.hasCreated(c.id(candidate)) {
			ours = append(ours, candidate)
		}
	}
	return candidates, ours, nil
}

// pause waits before the second request. It returns false if there is not enough time.
func (c creation[T]) pause(ctx context.Context, err error) bool {
	var requested time.Duration
	if e, ok := asAPIError(err); ok {
		requested = e.RetryAfter
	}

	g := c.client.gate
	wait := pauseAfter(0, requested)
	wait += g.jitter(wait)
	return ctx.Err() == nil && !g.now().Add(wait).After(g.limit(ctx, c.call)) && g.sleep(ctx, wait) == nil
}

// isClaimed claims an object as the outcome of this create, and reports whether no other create has
// claimed it. Two resources may have the same configuration.
func (c creation[T]) isClaimed(object T) bool {
	_, isTaken := c.client.created.LoadOrStore(c.id(object), nil)
	return !isTaken
}

// hasCreated reports whether this client created the object with an ID.
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

// singleID returns the ID of the only object, or an empty string if there is none or more than one.
func (c creation[T]) singleID(candidates []T) string {
	if len(candidates) != 1 {
		return ""
	}
	return c.id(candidates[0])
}

// mayHaveTakenEffect reports whether PostHog may have carried out a request that failed with err.
func mayHaveTakenEffect(err error) bool {
	if _, down := errors.AsType[*UnavailableError](err); down {
		return false // the request was not sent
	}
	if _, isHeldBack := errors.AsType[*HeldBackError](err); isHeldBack {
		return false // the attempt that it wraps was certainly not carried out
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

// mayStillRun reports whether PostHog may still be processing a request that failed with err, because no response
// shows that PostHog has finished. An HTML page instead of a response comes from a proxy, which would also answer a
// second request.
func mayStillRun(err error) bool {
	unusable, ok := errors.AsType[*ResponseError](err)
	isPage := ok && unusable.Status < http.StatusMultipleChoices
	return mayHaveTakenEffect(err) && !isRepeatable(err) && !isPage
}

// isRepeatable reports whether PostHog has certainly finished a request that failed.
func isRepeatable(err error) bool {
	e, ok := asAPIError(err)
	return ok && (e.Status == http.StatusInternalServerError || e.Status == http.StatusBadGateway || e.Status == http.StatusServiceUnavailable)
}

// AmbiguousCreateError is a create whose outcome is unknown: its response was lost, and no object
// is certainly the created one.
type AmbiguousCreateError struct {
	// Found are the IDs of objects that have the name or URL, but differ from the request or may be
	// older.
	Found []string
	// Hidden is set if PostHog may have created the object but may not list it.
	Hidden bool
	// MayDuplicate is set if PostHog would create a second object when the request is repeated.
	MayDuplicate bool
	// Searched is how long the search took.
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

// Unwrap returns the create's failure.
func (e *AmbiguousCreateError) Unwrap() error { return e.cause }

// ConflictError is a create that PostHog rejected because another object has the name or the URL.
type ConflictError struct {
	// ID is the other object's ID, or empty if PostHog does not list it.
	ID string
	// Own is set if this client created the other object for another resource.
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

// Unwrap returns PostHog's response.
func (e *ConflictError) Unwrap() error { return e.cause }
