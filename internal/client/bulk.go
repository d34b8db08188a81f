package client

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

const (
	// fresh is how long after a list an object may still be read from it. Each is
	// handed out once, so this bounds only how long a list waits for its readers.
	fresh = 5 * time.Minute
	// listTime bounds one list, with the pauses that the service asks for.
	listTime = 15 * time.Minute
)

// bulk answers the reads of single objects of one collection, from lists when that
// takes fewer requests. Nobody says how many reads will come. So objects are read
// one by one until that has cost as many requests as the whole list would; the first
// page, read early, tells how many that are. Whatever comes, it is at most twice the
// better of the two ways and one request more.
//
// A list proves nothing but that an object is there: one that isn't in it, or that
// this client wrote since, is read by itself. No error of a list reaches a reader.
type bulk[K comparable] struct {
	source[K]
	writes *writes[K]

	mu    sync.Mutex
	round *round[K]
}

// source is how a collection is listed.
type source[K comparable] struct {
	client    *Client
	operation string
	first     func(limit int) (*http.Request, error)
	id        func(json.RawMessage) (K, bool)
}

// round is one refresh: every object is read once. Another read of the same object
// begins another round, which takes nothing from the lists of this one.
type round[K comparable] struct {
	until time.Time
	asked map[K]bool
	// singles are the objects read by themselves so far, pages those of the whole
	// list, 0 while that isn't known.
	singles, pages int
	listed         map[K]onPage
	// turned is closed when the page in flight has come; nil while none is.
	turned chan struct{}
	// next asks for the page after the last one, when there is one.
	next *http.Request
	seen map[string]bool
	over bool // nothing more to list
	// waits are those of the lists. Each reader counts as its own what it sat through.
	waits *Waits
}

// onPage is an object of a list that was begun at a moment of the writes' clock.
type onPage struct {
	value json.RawMessage
	begun uint64
}

// read returns the object with the id, which single reads by itself.
func (b *bulk[K]) read(ctx context.Context, id K, single func(context.Context) (json.RawMessage, error)) (json.RawMessage, error) {
	r := b.enter(id)
	patience, cancel := halfOf(ctx)
	defer cancel()
	for {
		value, found, turned := b.step(ctx, r, id)
		switch {
		case found:
			return value, nil
		case turned == nil:
			return single(ctx)
		}
		counted := r.waits.countedIn(ctx)
		select {
		case <-turned:
			counted()
		case <-patience.Done():
			counted()
			return single(ctx) // which says why, when nothing is sent
		}
	}
}

// halfOf is the time that a reader waits for a list: enough is left to ask by itself
// when the list is slow, or fails for as long as that.
func halfOf(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, time.Until(deadline)/2)
}

// enter finds the round that a read belongs to.
func (b *bulk[K]) enter(id K) *round[K] {
	b.mu.Lock()
	defer b.mu.Unlock()
	r, now := b.round, b.client.gate.now()
	if r == nil || r.asked[id] || r.turned == nil && now.After(r.until) {
		r = &round[K]{until: now.Add(fresh), asked: map[K]bool{}, listed: map[K]onPage{}, seen: map[string]bool{}, waits: &Waits{}}
		b.round = r
	}
	r.asked[id] = true
	return r
}

// step returns the object, or what to wait for, or neither when it is to be read by
// itself. It begins the list when that is due.
func (b *bulk[K]) step(ctx context.Context, r *round[K], id K) (value json.RawMessage, found bool, turned <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if one, ok := r.listed[id]; ok {
		delete(r.listed, id) // handed out once, so nobody else holds its parts
		if b.writes.last(id) > one.begun {
			return value, false, nil
		}
		return one.value, true, nil
	}
	switch {
	case r.turned != nil:
		return value, false, r.turned
	case r.over:
		return value, false, nil
	case r.singles == 0 || r.singles < r.pages:
		r.singles++
		return value, false, nil
	}
	r.turned = make(chan struct{})
	go b.list(context.WithoutCancel(ctx), r)
	return value, false, r.turned
}

// list reads the first page, or all that follow it. It outlives the reader that
// began it, since others wait for it too.
func (b *bulk[K]) list(ctx context.Context, r *round[K]) {
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, waitsKey{}, r.waits), listTime)
	defer cancel()
	b.mu.Lock()
	req, isFirst, err := r.next, r.pages == 0, error(nil)
	b.mu.Unlock()
	if isFirst {
		req, err = b.first(pageSize)
	}
	for more := true; more; {
		begun := b.writes.now()
		var p page[json.RawMessage]
		p, req, err = fetch[json.RawMessage](ctx, b.client, b.operation, req, err, r.seen)
		more = b.turn(ctx, r, p, req, begun, err) && !isFirst
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	close(r.turned)
	r.turned = nil
}

// turn takes in a page, lets the readers look at it, and tells whether another follows.
func (b *bulk[K]) turn(ctx context.Context, r *round[K], p page[json.RawMessage], next *http.Request, begun uint64, err error) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil {
		tflog.Warn(ctx, "a list failed, so objects are read one by one", map[string]any{"operation": b.operation, "error": err.Error()})
		r.over = true
		return false
	}
	for _, one := range p.Results {
		if id, ok := b.id(one); ok {
			r.listed[id] = onPage{one, begun}
		}
	}
	if r.pages == 0 {
		r.pages = pagesOf(p)
	}
	r.next, r.over = next, next == nil || r.pages == 0
	r.until = b.client.gate.now().Add(fresh)
	tflog.Debug(ctx, "objects are read from a list", map[string]any{
		"operation": b.operation, "read_one_by_one": r.singles, "on_this_page": len(p.Results), "pages": r.pages, "last_page": r.over,
	})
	if !r.over {
		close(r.turned)
		r.turned = make(chan struct{})
	}
	return !r.over
}

// pagesOf is how many requests the list takes that begins with a page, by the size
// that the service granted; 0 when the service doesn't tell.
func pagesOf(first page[json.RawMessage]) int {
	size := len(first.Results)
	switch {
	case first.Next == nil:
		return 1
	case first.Count == nil || size == 0:
		return 0
	}
	return (int(*first.Count) + size - 1) / size
}
