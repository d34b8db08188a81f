package client

import "sync"

// writes is when objects were last written, by a clock that counts the writes.
type writes[K comparable] struct {
	mu    sync.Mutex
	clock uint64
	at    map[K]uint64
}

func (w *writes[K]) now() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.clock
}

func (w *writes[K]) last(id K) uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.at[id]
}

// writing notes that an object is about to be written, and when the function that it
// returns is called, that it was: a list between the two may tell either value.
func (w *writes[K]) writing(id K) func() {
	w.note(id)
	return func() { w.note(id) }
}

func (w *writes[K]) note(id K) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clock++
	if w.at == nil {
		w.at = map[K]uint64{}
	}
	w.at[id] = w.clock
}
