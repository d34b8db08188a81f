package client

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

const (
	// listLifetime is how long after a list an object may still be read from it. Each is
	// handed out once, so this bounds only how long a list waits for its readers.
	listLifetime = 5 * time.Minute
	// listTimeout bounds one list, with the pauses that the service asks for.
	listTimeout = 15 * time.Minute
)

// bulk answers the reads of single objects of one collection, from lists when that
// takes fewer requests. How many reads will come is not known. So objects are read
// one by one until that has cost as many requests as the whole list would; the first
// page, read early, says how many that are. Whatever comes, it is at most twice the
// better of the two ways and one request more.
//
// A list proves nothing but that an object is there: one that is not in it, or that
// this client wrote since, is read by itself. No error of a list reaches a reader.
type bulk[K comparable] struct {
	source[K]
	writes *writeClock[K]

	mu      sync.Mutex
	current *refresh[K]
}

// source is how a collection is listed.
type source[K comparable] struct {
	client *Client
	reader func() *pageReader[json.RawMessage]
	id     func(json.RawMessage) (K, bool)
}

// refresh is one refresh of Terraform's: every object is read once. Another read of the
// same object begins another refresh, which takes nothing from the lists of this one.
type refresh[K comparable] struct {
	until time.Time
	read  map[K]bool
	// singles is how many objects were read by themselves so far, pages how many pages
	// the whole list has, 0 while that is not known.
	singles, pages int
	listed         map[K]listedObject
	// pageDone is closed when the page that was asked for has come; nil while none is.
	pageDone chan struct{}
	// reader reads the list; nil before its first page.
	reader *pageReader[json.RawMessage]
	done   bool // nothing more to list
}

// listedObject is an object of a list, and when that was asked for by the clock of the
// writes.
type listedObject struct {
	value   json.RawMessage
	askedAt uint64
}

// read returns the object with the id, which single reads by itself.
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
			return single(ctx) // whose error says why, when nothing is sent
		}
	}
}

// untilHalfTime is the time that a reader waits for a list: enough is left to read the
// object by itself when the list is slow, or fails for as long as that.
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

// take returns the object, or what to wait for, or neither when it is to be read by
// itself. It begins the list when that is due.
func (b *bulk[K]) take(ctx context.Context, r *refresh[K], id K) (value json.RawMessage, found bool, pageDone <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()

	if object, ok := r.listed[id]; ok {
		delete(r.listed, id) // handed out once, so no other reader holds its parts
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

// list reads the first page, or all that follow it. It outlives the reader that
// began it, since others wait for it too.
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
		p, err := r.reader.read(ctx)
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

	tflog.Warn(ctx, "a list failed, so objects are read one by one", map[string]any{"operation": r.reader.call.operation, "error": err.Error()})
	r.done = true
}

// addPage adds the objects of a page, wakes the readers that wait for it, and reports
// whether another page follows.
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
		"operation": r.reader.call.operation, "read_one_by_one": r.singles, "on_this_page": len(p.Results), "pages": r.pages, "last_page": r.done,
	})

	if !r.done {
		close(r.pageDone)
		r.pageDone = make(chan struct{})
	}
	return !r.done
}

// countPages is how many requests the list takes that begins with a page, by the size
// that the service granted; 0 when the service does not say.
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

// collections are the bulk reads of one kind of object, a collection for each parent.
// Writes are recorded for all of them together: a parent goes by more than one name,
// "@current" is one of them.
type collections[K comparable] struct {
	writes writeClock[K]

	mu       sync.Mutex
	byParent map[string]*bulk[K]
}

// collection returns the collection of a parent.
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

// memo holds what was found out about projects or organizations: the first that needs it asks,
// and the others wait for it.
type memo[T any] struct {
	now func() time.Time
	// pause is how long a failure is remembered: each of many objects would wait as long as the
	// first.
	pause time.Duration

	mu       sync.Mutex
	byParent map[string]*remembered[T]
}

type remembered[T any] struct {
	lock  chan struct{} // held while the service is asked; a select can give up on it
	value T
	err   error
	// until is when to ask again after a failure.
	until   time.Time
	isAsked bool
}

// get returns what is known of a parent, and asks for it if nothing is.
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

// decodeID returns the id of an object, false when it has none.
func decodeID[K any](raw json.RawMessage) (id K, ok bool) {
	var object struct {
		ID *K `json:"id"`
	}
	if json.Unmarshal(raw, &object) != nil || object.ID == nil {
		return id, false
	}
	return *object.ID, true
}

type prefetchedKey struct{}

// prefetched is the outcome of a ReadRaw that was made before the Read that needs it.
type prefetched struct {
	raw json.RawMessage
	err error
}

// WithPrefetch returns a context in which Read returns the outcome of an earlier
// ReadRaw instead of sending a request. The caller is one that compared the bytes first
// and found that they have to be decoded; the context is the only way through the
// framework, which calls Read itself.
func WithPrefetch(ctx context.Context, raw json.RawMessage, err error) context.Context {
	return context.WithValue(ctx, prefetchedKey{}, prefetched{raw: raw, err: err})
}

// takePrefetch returns what was prefetched, or else reads it.
func takePrefetch(ctx context.Context, read func() (json.RawMessage, error)) (json.RawMessage, error) {
	if earlier, ok := ctx.Value(prefetchedKey{}).(prefetched); ok {
		return earlier.raw, earlier.err
	}
	return read()
}

// writeClock records when objects were last written, by a clock that counts the writes.
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

// writing records that an object is about to be written, and, when the returned function is
// called, that it was written: a list that is read in between may have either value.
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
