package testserver

import "fmt"

// CreateFlag adds a feature flag and returns it. It needs a key. The default project is
// that of [Server.Credentials], the default id the next one.
func (s *Server) CreateFlag(flag Object) (Object, error) {
	_, projectID, _ := s.Credentials()
	s.mu.Lock()
	defer s.mu.Unlock()
	entry, err := entryOf(flag, Object{"project_id": projectID, "id": s.store.NextFlag()})
	if err != nil {
		return nil, err
	}
	created, err := readFlag("flag", entry)
	switch {
	case err != nil:
		return nil, err
	case s.store.Flags.Get(created.ID) != nil:
		return nil, fmt.Errorf("flag.id: another feature flag has it too")
	case s.store.Projects.Get(created.Project) == nil:
		return nil, fmt.Errorf("flag.project_id: there is no project %d", created.Project)
	}
	s.store.AddFlag(created)
	return decodeObject(appendObject(nil, s.entries(), "FeatureFlag", flagEntry, created, created.Extra)), nil
}

// DeleteFlag deletes a feature flag; surveys that use it then have none.
func (s *Server) DeleteFlag(id int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.store.Flags.Get(id) == nil {
		return fmt.Errorf("there is no feature flag %d", id)
	}
	s.store.RemoveFlag(id)
	return nil
}
