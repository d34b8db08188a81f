package client

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

const (
	// listLifetime is how long objects from a list can be read. Each object is handed out once, so
	// this only limits how long a list waits for its readers.
	listLifetime = 5 * time.Minute
	// listTimeout limits the duration of one list, including the pauses that PostHog requests.
	listTimeout = 15 * time.Minute
)

// bulk serves reads of single objects in one collection, from lists if that takes fewer requests.
// The number of future reads is unknown. Therefore bulk reads objects one by one until that has
// cost as many requests as the whole list would. It fetches the first page early to learn that
// number. The total is at most twice the cheaper of the two ways, plus one request.
//
// A list only proves that an object exists. If an object is not in the list, or if this client has
// written it since, bulk reads it individually. Readers never receive a list's error.
type bulk[K comparable] struct {
	source[K]
	writes *writeClock[K]

	mu      sync.Mutex
	current *refresh[K]
}

// source describes how to list a collection.
type source[K comparable] struct {
	client *Client
	call   func(context.Context) call
	reader func() *pageReader[json.RawMessage]
	id     func(json.RawMessage) (K, bool)
}

// refresh is one refresh by Terraform, which reads each object once. Reading the same object again
// starts a new refresh, which ignores the lists of this one.
type refresh[K comparable] struct {
	until time.Time
	read  map[K]bool
	// singles counts the objects that were read individually. pages is the whole list's number of
	// pages, or 0 while it is unknown.
	singles, pages int
	listed         map[K]listedObject
	// pageDone is closed when the requested page arrives. It is nil if no page is requested.
	pageDone chan struct{}
	// reader reads the list. It is nil before the first page.
	reader *pageReader[json.RawMessage]
	done   bool // the list is complete or has failed
}

// listedObject is an object in a list, with the write clock's time at the list's request.
type listedObject struct {
	value   json.RawMessage
	askedAt uint64
}

// read returns the object with an ID. single reads it individually.
func (b *bulk[K]) read(ctx context.Context, id K, single func(context.Context) (json.RawMessage, error)) (json.RawMessage, error) {
	r := b.join(id)
	patience, cancel := untilHalfTime(ctx)
	defer cancel()

	for {
		value, isListed, pageDone := b.take(ctx, r, id)
		switch {
		case isListed:
			return value, nil
		case pageDone == nil:
			return single(ctx)
		}

		select {
		case <-pageDone:
		case <-patience.Done():
			return single(ctx) // if nothing can be sent, single's error explains why
		}
	}
}

// untilHalfTime limits how long a reader waits for a list, so that enough time remains to read the
// object individually if the list is slow or fails.
func untilHalfTime(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, time.Until(deadline)/2)
}

// join returns the refresh that a read belongs to.
func (b *bulk[K]) join(id K) *refresh[K] {
	b.mu.Lock()
	defer b.mu.Unlock()

	r, now := b.current, b.client.gate.now()
	if r == nil || r.read[id] || r.pageDone == nil && now.After(r.until) {
		r = &refresh[K]{
			until:  now.Add(listLifetime),
			read:   map[K]bool{},
			listed: map[K]listedObject{},
		}
		b.current = r
	}
	r.read[id] = true
	return r
}

// take returns the object, or a channel to wait for. It returns neither if the object must be read individually. It
// starts reading the list if necessary.
func (b *bulk[K]) take(ctx context.Context, r *refresh[K], id K) (value json.RawMessage, found bool, pageDone <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()

	if object, ok := r.listed[id]; ok {
		delete(r.listed, id) // handed out once, so that no other reader shares its parts
		if b.writes.last(id) > object.askedAt {
			return value, false, nil
		}
		return object.value, true, nil
	}

	switch {
	case r.pageDone != nil:
		return value, false, r.pageDone
	case r.done:
		return value, false, nil
	case r.singles == 0 || r.singles < r.pages:
		r.singles++
		return value, false, nil
	}

	r.pageDone = make(chan struct{})
	go b.list(context.WithoutCancel(ctx), r)
	return value, false, r.pageDone
}

// list reads the first page, or all following pages. It continues after the reader that started it
// has returned, because other readers wait for it.
func (b *bulk[K]) list(ctx context.Context, r *refresh[K]) {
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()

	// No other goroutine uses the reader while pageDone is open.
	isFirst := r.reader == nil
	if isFirst {
		r.reader = b.reader()
	}
	for more := true; more; {
		askedAt := b.writes.now()
		p, err := r.reader.read(ctx, b.call(ctx))
		if err != nil {
			b.giveUp(ctx, r, err)
			break
		}
		more = b.addPage(ctx, r, p, askedAt) && !isFirst
	}

	b.mu.Lock()
	defer b.mu.Unlock()

	close(r.pageDone)
	r.pageDone = nil
}

// giveUp ends a list that failed.
func (b *bulk[K]) giveUp(ctx context.Context, r *refresh[K], err error) {
	b.mu.Lock()
	defer b.mu.Unlock()

	tflog.Warn(ctx, "a list failed, so objects are read one by one", map[string]any{"operation": b.call(ctx).operation, "error": err.Error()})
	r.done = true
}

// addPage adds the objects of a page, wakes the readers that wait for it, and reports whether
// another page follows.
func (b *bulk[K]) addPage(ctx context.Context, r *refresh[K], p page[json.RawMessage], askedAt uint64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()

	for _, object := range p.Results {
		if id, ok := b.id(object); ok {
			r.listed[id] = listedObject{value: object, askedAt: askedAt}
		}
	}

	if r.pages == 0 {
		r.pages = countPages(p)
	}
	r.done = r.reader.next == nil || r.pages == 0
	r.until = b.client.gate.now().Add(listLifetime)
	tflog.Debug(ctx, "objects are read from a list", map[string]any{
		"operation": b.call(ctx).operation, "read_one_by_one": r.singles, "on_this_page": len(p.Results), "pages": r.pages, "last_page": r.done,
	})

	if !r.done {
		close(r.pageDone)
		r.pageDone = make(chan struct{})
	}
	return !r.done
}

// countPages returns the number of requests for the whole list, from the page size that PostHog
// granted. It returns 0 if the response lacks the total.
func countPages(first page[json.RawMessage]) int {
	size := len(first.Results)
	switch {
	case first.Next == nil:
		return 1
	case first.Count == nil || size == 0:
		return 0
	}
	return (int(*first.Count) + size - 1) / size
}

// collections holds the bulk readers for one kind of object, one per parent. All of them share the
// record of writes, because a parent has more than one name, such as "@current".
type collections[K comparable] struct {
	writes writeClock[K]

	mu       sync.Mutex
	byParent map[string]*bulk[K]
}

// collection returns the bulk reader of a parent.
func (c *collections[K]) collection(parent string, src source[K]) *bulk[K] {
	c.mu.Lock()
	defer c.mu.Unlock()

	if c.byParent == nil {
		c.byParent = map[string]*bulk[K]{}
	}
	if c.byParent[parent] == nil {
		c.byParent[parent] = &bulk[K]{source: src, writes: &c.writes}
	}
	return c.byParent[parent]
}

// memo remembers facts about projects or organizations. The first caller requests a fact, and the
// others wait for the result.
type memo[T any] struct {
	now func() time.Time
	// pause is how long a failure is remembered, so that many objects do not each wait as long as
	// the first.
	pause time.Duration

	mu       sync.Mutex
	byParent map[string]*remembered[T]
}

type remembered[T any] struct {
	lock  chan struct{} // held during a request; a channel, so that a select can stop waiting for it
	value T
	err   error
	// until is when to request the fact again after a failure.
	until   time.Time
	isAsked bool
}

// get returns the remembered fact about a parent, and calls ask if there is none.
func (m *memo[T]) get(ctx context.Context, parent string, ask func() (T, error)) (T, error) {
	m.mu.Lock()
	entry, ok := m.byParent[parent]
	if !ok {
		entry = &remembered[T]{lock: make(chan struct{}, 1)}
		m.byParent[parent] = entry
	}
	m.mu.Unlock()

	select {
	case entry.lock <- struct{}{}:
		defer func() { <-entry.lock }()
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}

	if !entry.isAsked || entry.err != nil && !m.now().Before(entry.until) {
		entry.value, entry.err = ask()
		entry.isAsked, entry.until = true, m.now().Add(m.pause)
	}
	return entry.value, entry.err
}

func newMemo[T any](now func() time.Time, pause time.Duration) *memo[T] {
	return &memo[T]{now: now, pause: pause, byParent: map[string]*remembered[T]{}}
}

// decodeID returns an object's ID, or false if the object has none.
func decodeID[K any](raw json.RawMessage) (id K, ok bool) {
	var object struct {
		ID *K `json:"id"`
	}
	if json.Unmarshal(raw, &object) != nil || object.ID == nil {
		return id, false
	}
	return *object.ID, true
}

// writeClock records when objects were last written, on a clock that counts writes.
type writeClock[K comparable] struct {
	mu    sync.Mutex
	clock uint64
	at    map[K]uint64
}

func (w *writeClock[K]) now() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()

	return w.clock
}

func (w *writeClock[K]) last(id K) uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()

	return w.at[id]
}

// writing records the start of a write, and its end when the returned function is called. A list
// that is read in between may contain either value.
func (w *writeClock[K]) writing(id K) func() {
	w.record(id)
	return func() { w.record(id) }
}

func (w *writeClock[K]) record(id K) {
	w.mu.Lock()
	defer w.mu.Unlock()

	w.clock++
	if w.at == nil {
		w.at = map[K]uint64{}
	}
	w.at[id] = w.clock
}
