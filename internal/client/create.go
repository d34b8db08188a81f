package client

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// creation is how one object is made once, and not twice.
type creation[T any] struct {
	client *Client
	post   func(context.Context) (T, error)
	// find lists the objects that bear the mark of the one to make: its name or
	// address. The date is the service's when it answered.
	find func(context.Context) (found []T, date time.Time, err error)
	// isOurs tells whether a found object is what was sent, made since a moment of
	// the service's clock.
	isOurs func(found T, since time.Time) bool
	// isTaken tells that a refusal means that the mark is taken.
	isTaken func(error) bool
	// isTold tells that find sees every object with the mark, or else that the
	// service refuses a second one.
	isTold bool
	// isOnly tells that the service refuses a second object with the mark.
	isOnly bool
	id     func(T) string
}

// once makes the object. After an outcome that leaves open whether the service did
// the work it looks for the object: one that is what was sent, and new, is the
// answer. Only a 500, 502 or 503 after which nothing is found is followed by another
// request, and that once.
func (m creation[T]) once(ctx context.Context) (T, error) {
	var none T
	began := m.client.gate.now()
	for sent := 1; ; sent++ {
		answer, err := m.post(ctx)
		taken := m.isTaken(err)
		if err == nil {
			m.client.made.claim(m.id(answer))
			return answer, nil
		}
		if !taken && !mayHaveWorked(err) {
			return none, err
		}

		lost := m.client.gate.now()
		found, ours, looked := m.lookFor(ctx, began, mayBeAtWork(err) || taken && sent > 1)
		switch {
		case taken && sent == 1:
			id := m.only(found)
			return none, &ConflictError{ID: id, Own: m.client.made.has(id), cause: err, lookup: looked}
		case len(ours) == 1 && m.client.made.claim(m.id(ours[0])):
			tflog.Warn(ctx, "the answer to a create was lost, and the object found", map[string]any{"id": m.id(ours[0]), "error": err.Error()})
			noteWrite(ctx)
			return ours[0], nil
		case looked != nil || len(found) > 0 || sent > 1 || !m.isTold || !isRepeatable(err):
			return none, &AmbiguousCreateError{
				Found: m.ids(found), Hidden: taken || !m.isTold, Repeats: !m.isOnly,
				Looked: m.client.gate.now().Sub(lost), cause: err, lookup: looked,
			}
		}
		if !m.pause(ctx, err) {
			return none, &AmbiguousCreateError{Repeats: !m.isOnly, cause: err}
		}
	}
}

// lookFor looks for the object: once, or when the service may still be at work on it,
// again and again until the operation's time is over or it is stopped.
func (m creation[T]) lookFor(ctx context.Context, began time.Time, atWork bool) (found, ours []T, err error) {
	g := m.client.gate
	limit := g.limit(ctx)
	if at := g.now().Add(failuresEnd); !m.isTold && at.Before(limit) {
		limit = at // the service may hide it, and no look can tell
	}

	for n := 0; ; n++ {
		found, ours, err = m.look(ctx, began)
		if n > 0 && err != nil && (ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded)) {
			return nil, nil, nil // the time was over during one look more
		}
		wait := min(pauseAfter(n, 0), limit.Sub(g.now()))
		if err != nil || len(found) > 0 || !atWork || wait <= 0 || ctx.Err() != nil {
			return found, ours, err
		}

		if n == 0 {
			tflog.Warn(ctx, "the answer to a create was lost, and the service may still be at work: looking for the object",
				map[string]any{"until": limit.Format(time.RFC3339)})
		}
		if g.sleep(ctx, wait) == nil {
			count(ctx, waitFailure, wait)
		}
	}
}

// look finds the objects with the mark, and those among them that are the one. It
// goes on for a moment after the operation was stopped: what was made is kept.
func (m creation[T]) look(ctx context.Context, began time.Time) (found, ours []T, err error) {
	ctx, cancel := lingering(ctx)
	defer cancel()
	found, date, err := m.find(ctx)
	if err != nil || date.IsZero() {
		return found, nil, err // without the service's time nothing is known to be new
	}
	// A header has no fractions of a second.
	since := date.Add(began.Sub(m.client.gate.now()) - 2*time.Second)
	for _, one := range found {
		if m.isOurs(one, since) && !m.client.made.has(m.id(one)) {
			ours = append(ours, one)
		}
	}
	return found, ours, nil
}

// pause waits before the second request; false when there is no time for it.
func (m creation[T]) pause(ctx context.Context, err error) bool {
	var asked time.Duration
	if e, ok := refusal(err); ok {
		asked = e.RetryAfter
	}
	g := m.client.gate
	wait := pauseAfter(0, asked)
	wait += g.jitter(wait)
	if g.now().Add(wait).After(g.limit(ctx)) || g.sleep(ctx, wait) != nil {
		return false
	}
	count(ctx, waitFailure, wait)
	return true
}

func (m creation[T]) ids(found []T) []string {
	var ids []string
	for _, one := range found {
		ids = append(ids, m.id(one))
	}
	return ids
}

// only is the id of the one object found; empty when there are none or several.
func (m creation[T]) only(found []T) string {
	if len(found) != 1 {
		return ""
	}
	return m.id(found[0])
}

// mayHaveWorked tells whether the service may have done what failed with err.
func mayHaveWorked(err error) bool {
	if _, refused := errors.AsType[*UnavailableError](err); refused {
		return false // not even sent
	}
	if _, held := errors.AsType[*HeldBackError](err); held {
		return false // and what it wraps is a try that came to nothing
	}
	if e, ok := refusal(err); ok {
		return e.Status >= http.StatusInternalServerError
	}
	if e, ok := errors.AsType[*ConnectionError](err); ok {
		return e.Sent
	}
	if e, ok := errors.AsType[*AnswerError](err); ok {
		return e.Status < http.StatusMultipleChoices
	}
	_, cut := errors.AsType[*CutOffError](err)
	return cut
}

// mayBeAtWork reports whether the service may go on with a request that failed with
// err: nothing of the service itself said that it is done.
func mayBeAtWork(err error) bool {
	_, page := errors.AsType[*AnswerError](err)
	return mayHaveWorked(err) && !isRepeatable(err) && !page
}

// isRepeatable tells whether the service is done with a request that failed: after
// any other failure it may still be at work.
func isRepeatable(err error) bool {
	e, ok := refusal(err)
	return ok && (e.Status == http.StatusInternalServerError || e.Status == http.StatusBadGateway || e.Status == http.StatusServiceUnavailable)
}

// search reads a whole list and returns what matches in it, with the time that the
// service's last answer bears; zero when it bears none.
func search[T any](ctx context.Context, c *Client, operation string, first func(limit int) (*http.Request, error), matches func(T) bool) ([]T, time.Time, error) {
	var found []T
	var date time.Time
	req, err := first(pageSize)
	seen := map[string]bool{}
	for more := true; more; more = req != nil {
		var p page[T]
		if p, req, err = fetch[T](ctx, c, operation, req, err, seen); err != nil {
			return nil, date, err
		}
		date = p.date
		for _, one := range p.Results {
			if matches(one) {
				found = append(found, one)
			}
		}
	}
	return found, date, nil
}
