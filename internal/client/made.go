package client

import "sync"

// made are the ids of all objects that this client made, of every noun. One of them
// is never what another create made: two resources may be configured alike.
type made struct {
	mu  sync.Mutex
	ids map[string]bool
}

// claim notes an id, and tells whether it was new.
func (m *made) claim(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ids[id] {
		return false
	}
	if m.ids == nil {
		m.ids = map[string]bool{}
	}
	m.ids[id] = true
	return true
}

func (m *made) has(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.ids[id]
}
