package testserver

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
)

// maxJournals is the memory of the journals of all worlds, in bytes: requests with their
// headers, bodies and responses.
const maxJournals = 128 << 20

// journals are the journals of a server and its worlds. The memory of all of them together is
// bounded, so that neither many worlds nor requests with long headers exhaust it.
type journals struct {
	// total is the weight of all of them.
	total atomic.Int64
	mu    sync.Mutex
	list  []*journal
}

// add adds a journal that is not in use yet.
func (js *journals) add(j *journal) {
	js.mu.Lock()
	defer js.mu.Unlock()
	j.all = js
	js.list = append(js.list, j)
}

// remove removes the journal of a world that is dropped. Who still has the world may read it.
func (js *journals) remove(j *journal) {
	js.mu.Lock()
	defer js.mu.Unlock()
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.all == nil {
		return
	}
	js.total.Add(-j.weight.Load())
	j.all = nil
	js.list = slices.DeleteFunc(js.list, func(other *journal) bool { return other == j })
}

// bound drops the oldest parts of the largest journals until all of them are within the
// limit. The caller holds the lock of none.
func (js *journals) bound() {
	// While another request is at it, this one need not wait.
	if js.total.Load() <= maxJournals || !js.mu.TryLock() {
		return
	}
	defer js.mu.Unlock()
	for js.total.Load() > maxJournals && len(js.list) > 0 {
		largest := slices.MaxFunc(js.list, func(a, b *journal) int { return cmp.Compare(a.weight.Load(), b.weight.Load()) })
		if !largest.halve() {
			return
		}
	}
}

// halve drops the older half of a journal: bodies and responses, and then whole entries. It
// reports whether there was something to drop.
func (j *journal) halve() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.entries) == 0 {
		return false
	}

	half := j.weight.Load() / 2
	middle := j.first() + int64(len(j.entries)+1)/2
	for j.weight.Load() > half && max(j.firstKept, j.first()) < middle {
		j.evictFirst()
	}
	for j.weight.Load() > half && len(j.entries) > 0 {
		j.dropFirst()
	}
	j.changed(nil)
	return true
}
