package testserver

import (
	"sync"
	"time"
)

// SetPatience sets the time in which a client must take or send some more, before the server
// gets requests.
func (s *Server) SetPatience(patience time.Duration) { s.patience = patience }

// LockAll holds every lock of a server, but for those of its worlds, until the function
// that it returns is called.
func (s *Server) LockAll() (unlock func()) {
	locks := []sync.Locker{&s.mu, &s.journal.mu, &s.faults.mu, &s.collector.mu}
	if s.worlds != nil {
		locks = append(locks, &s.worlds.mu)
	}
	for _, lock := range locks {
		lock.Lock()
	}
	return func() {
		for _, lock := range locks {
			lock.Unlock()
		}
	}
}
