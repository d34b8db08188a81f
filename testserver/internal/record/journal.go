// Package record keeps what a server was asked: requests with their responses, in which it hides API
// keys, and the problems that were found in them. It knows neither stores nor operations; whoever
// serves a request says what is recorded.
package record

import (
	"context"
	"slices"
	"sync"
)

const (
	// maxEntries is the number of requests that a journal keeps; older ones are dropped.
	maxEntries = 20_000
	// maxKeptBytes is the total size of the bodies and responses that a journal keeps, in bytes; of
	// older ones it keeps the size alone.
	maxKeptBytes = 32 << 20
)

// Journal records every request, including those to which a fault responds. Its memory is
// bounded, however long the server runs. Entries are replaced and never changed, so that those who
// read them need no lock.
type Journal struct {
	mu sync.Mutex
	// entries are in the order of arrival; their sequence numbers have no gaps.
	entries []*Entry
	// sequence is the number of the last entry, revision the number of changes.
	sequence, revision int64
	// cleared is the revision at which the journal was last emptied, clearedBefore the sequence
	// number of the last entry before that.
	cleared, clearedBefore int64
	// keptBytes is the total size of the bodies and responses that are kept; entries before the
	// sequence number firstKept have none.
	keptBytes int
	firstKept int64
	// changed wakes those who wait for the next revision.
	changed Signal
}

// Begin records a request at its arrival, so that one without a response is recorded too.
func (j *Journal) Begin(e Entry) *Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.sequence++
	e.Sequence = j.sequence
	j.entries = append(j.entries, nil)
	j.put(len(j.entries)-1, &e)
	j.revise(&e)
	if len(j.entries) > maxEntries {
		j.dropFirst()
	}
	return &e
}

// End records the end of a request: its response, or that there is none.
func (j *Journal) End(begun *Entry, end Outcome) {
	j.mu.Lock()
	defer j.mu.Unlock()
	at := begun.Sequence - j.first()
	if at < 0 {
		j.revise(nil) // it has been dropped in the meantime
		return
	}
	ended := *begun
	ended.Ended, ended.Outcome = true, end
	if begun.Sequence < j.firstKept {
		ended = ended.withoutBodies()
	}
	j.put(int(at), &ended)
	j.revise(&ended)
}

// put puts an entry in a place, and drops the oldest bodies and responses until the rest is within
// the limit.
func (j *Journal) put(at int, e *Entry) {
	if before := j.entries[at]; before != nil {
		j.keptBytes -= before.kept()
	}
	j.entries[at] = e
	j.keptBytes += e.kept()

	for j.keptBytes > maxKeptBytes {
		j.firstKept = max(j.firstKept, j.first())
		oldest := int(j.firstKept - j.first())
		bare := j.entries[oldest].withoutBodies()
		j.keptBytes -= j.entries[oldest].kept()
		j.entries[oldest] = &bare
		j.firstKept++
	}
}

// dropFirst drops the oldest entry.
func (j *Journal) dropFirst() {
	j.keptBytes -= j.entries[0].kept()
	j.entries[0] = nil
	j.entries = j.entries[1:]
}

// revise counts a revision and wakes those who wait for one.
func (j *Journal) revise(e *Entry) {
	j.revision++
	if e != nil {
		e.revision = j.revision
	}
	j.changed.Happened()
}

// first is the sequence number of the oldest entry, or of the next one if there is none.
func (j *Journal) first() int64 { return j.sequence + 1 - int64(len(j.entries)) }

// Entries are all entries, oldest first.
func (j *Journal) Entries() []*Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.entries)
}

// Since returns the entries that changed after a revision, oldest first: the newest
// limit of them, or all if it is 0. It also returns the current revision, and whether the
// journal was emptied since.
func (j *Journal) Since(revision int64, limit int) (entries []*Entry, now int64, cleared bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, e := range j.entries {
		if e.revision > revision {
			entries = append(entries, e)
		}
	}
	if limit > 0 {
		entries = entries[max(len(entries)-limit, 0):]
	}
	return entries, j.revision, j.cleared > revision
}

// Numbered returns the entry with a sequence number; nil when the journal does not have it.
func (j *Journal) Numbered(sequence int64) *Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	if sequence < j.first() || sequence > j.sequence {
		return nil
	}
	return j.entries[sequence-j.first()]
}

// Counts are the number of requests since the journal was emptied, of those that it keeps, and
// the revision at which it was emptied.
func (j *Journal) Counts() (total, kept, cleared int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.sequence - j.clearedBefore, int64(len(j.entries)), j.cleared
}

// Wait returns when the journal has another revision, or the context ends.
func (j *Journal) Wait(ctx context.Context, revision int64) error {
	for {
		changed := j.changed.Next()
		j.mu.Lock()
		now := j.revision
		j.mu.Unlock()
		if now != revision {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Clear empties the journal.
func (j *Journal) Clear() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.entries, j.keptBytes = nil, 0
	j.firstKept = j.first()
	j.revise(nil)
	j.cleared, j.clearedBefore = j.revision, j.sequence
}

// Signal wakes those who wait for something that happens now and then.
type Signal struct {
	mu   sync.Mutex
	wake chan struct{}
}

// Next is closed when it happens the next time.
func (s *Signal) Next() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wake == nil {
		s.wake = make(chan struct{})
	}
	return s.wake
}

// Happened wakes all who wait.
func (s *Signal) Happened() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wake != nil {
		close(s.wake)
		s.wake = nil
	}
}
