package record

import "sync"

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
