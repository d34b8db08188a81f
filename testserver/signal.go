package testserver

import "sync"

// signal wakes those who wait for something that happens now and then.
type signal struct {
	mu   sync.Mutex
	wake chan struct{}
}

// next is closed when it happens the next time.
func (s *signal) next() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wake == nil {
		s.wake = make(chan struct{})
	}
	return s.wake
}

// happened wakes all who wait.
func (s *signal) happened() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wake != nil {
		close(s.wake)
		s.wake = nil
	}
}
