package testserver

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// KnowPersons has the default project know persons, each with a property of this value, as their
// events would.
func (s *Server) KnowPersons(count int, value string) {
	s.contents.mu.Lock()
	defer s.contents.mu.Unlock()
	persons := s.contents.store.ChangePersons()
	defer persons.Close()
	for i := range count {
		id := fmt.Sprint("known", i)
		persons.Know(1, id)
		persons.Set(1, id, nil, wire.RawFields{"a": json.RawMessage(value)}, nil)
	}
}

// LocksFree reports whether nobody holds a lock of a server or of one of its worlds.
func (s *Server) LocksFree() bool {
	servers := []*Server{s}
	for _, world := range s.worlds.all() {
		servers = append(servers, world)
	}
	for _, server := range servers {
		// Those of the journal and of the faults: this waits for ever for one that is held.
		server.JournalSince(0, 1)
		server.Faults()
		for _, lock := range server.locks() {
			if !lock.TryLock() {
				return false
			}
			lock.Unlock()
		}
	}
	return true
}

// tryLocker is a lock that can be tried.
type tryLocker interface {
	sync.Locker
	TryLock() bool
}

func (s *Server) locks() []tryLocker {
	locks := []tryLocker{&s.contents.mu.RWMutex, &s.collector.mu}
	if s.worlds != nil {
		locks = append(locks, &s.worlds.mu)
	}
	return locks
}

// LockAll holds every lock of a server, but for those of its worlds, until the function
// that it returns is called.
func (s *Server) LockAll() (unlock func()) {
	locks := []sync.Locker{&s.contents.mu, &s.collector.mu}
	for _, lock := range locks {
		lock.Lock()
	}
	return func() {
		for _, lock := range locks {
			lock.Unlock()
		}
	}
}
