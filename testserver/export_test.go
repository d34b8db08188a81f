package testserver

import (
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// KnowPersons has the default project know persons, each with a property of this value, as their
// events would.
func (s *Server) KnowPersons(count int, value string) error {
	s.world.Mu.Lock()
	defer s.world.Mu.Unlock()
	property, err := wire.Decode([]byte(value))
	if err != nil {
		return err
	}
	persons := s.world.Store.ChangePersons()
	defer persons.Close()
	for i := range count {
		id := fmt.Sprint("known", i)
		persons.Know(1, id)
		persons.Set(1, id, nil, wire.Fields{"a": property}, nil)
	}
	return nil
}

// LocksFree reports whether no one holds a lock of a server or of one of its worlds.
func (s *Server) LocksFree() bool {
	servers := []*Server{s}
	for _, other := range s.Worlds() {
		if world, err := s.World(other.Name); err == nil {
			servers = append(servers, world)
		}
	}
	for _, server := range servers {
		// These wait for ever for a lock that is held.
		server.JournalEntry(1)
		server.Faults()
		server.Report()
		if !server.world.Mu.TryLock() {
			return false
		}
		server.world.Mu.Unlock()
	}
	return true
}

// LockAll holds the lock of a server's store until the function that it returns is called.
func (s *Server) LockAll() (unlock func()) {
	s.world.Mu.Lock()
	return s.world.Mu.Unlock
}
