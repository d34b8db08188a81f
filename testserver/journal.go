package testserver

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// maxEntries is the number of requests that a journal keeps; older ones are dropped.
	maxEntries = 20_000
	// maxKeptBytes is the total size of the bodies and responses that a journal keeps, in bytes; of
	// older ones it keeps the size alone.
	maxKeptBytes = 32 << 20
	// maxKeptResponse is the size above which a journal does not keep a response: pages of a list
	// are large, and copying them would slow the server down.
	maxKeptResponse = 64 << 10
)

// journal records every request, including those to which a fault responds. Its memory is
// bounded, however long the server runs.
type journal struct {
	mu sync.Mutex
	// entries are in the order of arrival; their sequence numbers have no gaps.
	entries []*entry
	// sequence is the number of the last entry, revision the number of changes.
	sequence, revision int64
	// cleared is the revision at which the journal was last emptied, clearedBefore the sequence
	// number of the last entry before that.
	cleared, clearedBefore int64
	// weight is an estimate of the memory of all entries, and all the sum of all worlds, nil
	// when the world is dropped. They change with the lock held.
	weight atomic.Int64
	all    *journals
	// keptBytes is the total size of the bodies and responses that are kept; entries before the
	// sequence number firstKept have none.
	keptBytes int
	firstKept int64
	// wake is closed at the next revision; nil when no one waits for it.
	wake chan struct{}
}

// begin records a request at its arrival, so that one without a response is recorded too.
func (j *journal) begin(x *exchange, started, arrived time.Time) *entry {
	e := newEntry(x, started, arrived)
	defer x.journals.bound()

	j.mu.Lock()
	defer j.mu.Unlock()
	j.sequence++
	e.sequence = j.sequence
	j.entries = append(j.entries, e)
	j.keptBytes += len(e.body)
	j.grow(e.weight() + len(e.body))
	j.changed(e)

	if len(j.entries) > maxEntries {
		j.dropFirst()
	}
	j.evict()
	return e
}

// grow counts memory.
func (j *journal) grow(size int) {
	j.weight.Add(int64(size))
	if j.all != nil {
		j.all.total.Add(int64(size))
	}
}

// dropFirst drops the oldest entry.
func (j *journal) dropFirst() {
	first := j.entries[0]
	j.omit(first)
	j.grow(-first.weight())
	j.entries[0] = nil
	j.entries = j.entries[1:]
}

// omit drops the body and the response of an entry.
func (j *journal) omit(e *entry) {
	size := e.omit()
	j.keptBytes -= size
	j.grow(-size)
}

// finish records the end of a request: its response, or that there is none.
func (j *journal) finish(e *entry, end outcome) {
	j.mu.Lock()
	defer j.mu.Unlock()
	before := e.weight()
	e.ended, e.outcome = true, end
	j.changed(e)

	// The entry may have been dropped in the meantime, or its body.
	if e.sequence >= j.first() {
		j.grow(e.weight() - before)
	}
	if e.sequence < max(j.firstKept, j.first()) {
		e.omit()
		return
	}
	j.keptBytes += len(end.responseBody)
	j.grow(len(end.responseBody))
	j.evict()
}

// changed counts a revision and wakes those who wait for one.
func (j *journal) changed(e *entry) {
	j.revision++
	if e != nil {
		e.revision = j.revision
	}
	if j.wake != nil {
		close(j.wake)
		j.wake = nil
	}
}

// first is the sequence number of the oldest entry, or of the next one if there is none.
func (j *journal) first() int64 { return j.sequence + 1 - int64(len(j.entries)) }

// evict drops the oldest bodies and responses until the rest is within the limit.
func (j *journal) evict() {
	for j.keptBytes > maxKeptBytes {
		j.evictFirst()
	}
}

// evictFirst drops the oldest body and response.
func (j *journal) evictFirst() {
	j.firstKept = max(j.firstKept, j.first())
	j.omit(j.entries[j.firstKept-j.first()])
	j.firstKept++
}

// since returns copies of the entries that changed after a revision, oldest first: the newest
// limit of them, or all if it is 0. It also returns the current revision, and whether the
// journal was emptied since.
func (j *journal) since(revision int64, limit int) (entries []entry, now int64, cleared bool) {
	j.mu.Lock()
	defer j.mu.Unlock()

	changed := 0
	for _, e := range j.entries {
		if e.revision > revision {
			changed++
		}
	}
	skip := 0
	if limit > 0 {
		skip = max(changed-limit, 0)
	}

	entries = make([]entry, 0, changed-skip)
	for _, e := range j.entries {
		if e.revision <= revision {
			continue
		}
		if skip--; skip < 0 {
			entries = append(entries, *e)
		}
	}
	return entries, j.revision, j.cleared > revision
}

// numbered returns a copy of the entry with a sequence number.
func (j *journal) numbered(sequence int64) (entry, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if sequence < j.first() || sequence > j.sequence {
		return entry{}, false
	}
	return *j.entries[sequence-j.first()], true
}

// wait returns when the journal has another revision, or the context ends.
func (j *journal) wait(ctx context.Context, revision int64) error {
	j.mu.Lock()
	if j.revision != revision {
		j.mu.Unlock()
		return nil
	}
	if j.wake == nil {
		j.wake = make(chan struct{})
	}
	wake := j.wake
	j.mu.Unlock()

	select {
	case <-wake:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (j *journal) clear() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.entries, j.keptBytes = nil, 0
	j.grow(-int(j.weight.Load()))
	j.firstKept = j.first()
	j.changed(nil)
	j.cleared, j.clearedBefore = j.revision, j.sequence
}
