package testserver

import "fmt"

// CreateFlag adds a feature flag and returns it. It needs a key. The default project is
// that of [Server.Credentials], the default id the next one.
func (d *direct) CreateFlag(flag Object) (Object, error) {
	_, projectID, _ := d.Credentials()
	d.contents.mu.Lock()
	defer d.contents.mu.Unlock()
	entry, err := entryOf(flag, Object{"project_id": projectID, "id": d.contents.store.NextFlag()})
	if err != nil {
		return nil, err
	}
	created, err := readFlag("flag", entry)
	switch {
	case err != nil:
		return nil, err
	case d.contents.store.Flags.Get(created.ID) != nil:
		return nil, fmt.Errorf("flag.id: another feature flag has it too")
	case d.contents.store.Projects.Get(created.Project) == nil:
		return nil, fmt.Errorf("flag.project_id: there is no project %d", created.Project)
	}
	d.contents.store.AddFlag(created)
	return decodeObject(appendObject(nil, d.contents.entries(), "FeatureFlag", flagEntry, created, created.Extra)), nil
}

// DeleteFlag deletes a feature flag; surveys that use it then have none.
func (d *direct) DeleteFlag(id int64) error {
	d.contents.mu.Lock()
	defer d.contents.mu.Unlock()
	if d.contents.store.Flags.Get(id) == nil {
		return fmt.Errorf("there is no feature flag %d", id)
	}
	d.contents.store.RemoveFlag(id)
	return nil
}
