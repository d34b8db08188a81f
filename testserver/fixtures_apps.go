package testserver

import (
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/strictjson"
)

// draftApp is a decoded app entry whose organization is not looked up yet.
type draftApp struct {
	*store.App
	path string
}

// readApp reads an app entry, which has the form of a response. Keys that the contract does
// not know come from a newer service and are kept.
func readApp(path string, raw json.RawMessage) (draftApp, error) {
	o := strictjson.Read(path, raw, nil)
	o.Require("organization_id", "id", "name")
	store.AppTable.CheckEntry(o)
	d := draftApp{path: path, App: &store.App{ID: o.ID("id"), Organization: o.UUID("organization_id")}}
	if o.Err == nil {
		d.Object = store.NewObject(store.AppTable, o.Fields, []string{"id", "organization_id", "organization_name"})
	}
	return d, o.Err
}

func (l *loader) app(path string, raw json.RawMessage) error {
	draft, err := readApp(path, raw)
	l.apps = append(l.apps, draft)
	return err
}

func (l *loader) resolveApps() error {
	st := l.store
	byOrganization := map[uuid.UUID][]*store.App{}
	for _, d := range l.apps {
		if err := l.knownOrganization(d.path+".organization_id", d.Organization); err != nil {
			return err
		}
		if st.Apps.Get(d.ID) != nil {
			return fmt.Errorf("%s.id: another app has it too", d.path)
		}
		st.AddLoadedApp(d.App)
		byOrganization[d.Organization] = append(byOrganization[d.Organization], d.App)
	}
	for organization, apps := range byOrganization {
		st.ListApps(organization, apps)
	}
	return nil
}

// putApp adds or replaces an app of a live store. If it is invalid, nothing changes.
func (l *loader) putApp(path string, raw json.RawMessage, before *store.App) (*store.App, error) {
	d, err := readApp(path, raw)
	if err == nil && before != nil && d.ID != before.ID {
		err = fmt.Errorf("%s: id cannot be changed", path)
	}
	if err == nil {
		err = l.knownOrganization(path+".organization_id", d.Organization)
	}
	if err == nil && l.store.Apps.Get(d.ID) != before {
		err = fmt.Errorf("%s.id: another app has it too", path)
	}
	if err != nil {
		return nil, err
	}
	if before != nil {
		l.store.RemoveApp(before)
	}
	l.store.AddApp(d.App)
	return d.App, nil
}
