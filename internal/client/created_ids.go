package client

import "sync"

// createdIDs are the ids of all objects that this client created, of both kinds. None
// of them is ever the outcome of another create: two resources may be configured alike.
type createdIDs struct {
	mu  sync.Mutex
	ids map[string]bool
}

// add records an id, and reports whether it was new.
func (c *createdIDs) add(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()

	if c.ids[id] {
		return false
	}
	if c.ids == nil {
		c.ids = map[string]bool{}
	}
	c.ids[id] = true
	return true
}

func (c *createdIDs) has(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()

	return c.ids[id]
}
