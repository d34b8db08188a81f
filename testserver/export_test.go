package testserver

import (
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// KnowPersons adds persons to the default project, each with a property of the given value, as their events would.
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

// LocksFree reports whether all locks of the server and its worlds are free.
func (s *Server) LocksFree() bool {
	servers := []*Server{s}
	for _, other := range s.Worlds() {
		if world, err := s.World(other.Name); err == nil {
			servers = append(servers, world)
		}
	}
	for _, server := range servers {
		// These calls never return if the lock is held.
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

// LockAll locks the server's store until the returned function is called.
func (s *Server) LockAll() (unlock func()) {
	s.world.Mu.Lock()
	return s.world.Mu.Unlock
}
