package client

import "sync"

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
