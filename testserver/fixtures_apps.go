package testserver

import (
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/strictjson"
)

// draftApp is a decoded app entry whose organization is not looked up yet.
type draftApp struct {
	*app
	path string
}

// readApp reads an app entry, which has the form of a response. Keys that the contract does
// not know come from a newer service and are kept.
func readApp(path string, raw json.RawMessage) (draftApp, error) {
	o := strictjson.Read(path, raw, nil)
	o.Require("organization_id", "id", "name")
	appTable.CheckEntry(o)
	d := draftApp{path: path, app: &app{id: o.ID("id"), organization: o.UUID("organization_id")}}
	if o.Err == nil {
		d.object = newObject(appTable, o.Fields, []string{"id", "organization_id", "organization_name"})
	}
	return d, o.Err
}

func (l *loader) resolveApps() error {
	st := l.store
	byOrganization := map[uuid.UUID][]*app{}
	for _, d := range l.apps {
		if err := l.knownOrganization(d.path+".organization_id", d.organization); err != nil {
			return err
		}
		if st.apps[d.id] != nil {
			return fmt.Errorf("%s.id: another app has it too", d.path)
		}
		st.addLoadedApp(d.app)
		byOrganization[d.organization] = append(byOrganization[d.organization], d.app)
	}
	for organization, apps := range byOrganization {
		st.listApps(organization, apps)
	}
	return nil
}

// putApp adds or replaces an app of a live store. If it is invalid, nothing changes.
func (l *loader) putApp(path string, raw json.RawMessage, before *app) (*app, error) {
	d, err := readApp(path, raw)
	if err == nil && before != nil && d.id != before.id {
		err = fmt.Errorf("%s: id cannot be changed", path)
	}
	if err == nil {
		err = l.knownOrganization(path+".organization_id", d.organization)
	}
	if err == nil && l.store.apps[d.id] != before {
		err = fmt.Errorf("%s.id: another app has it too", path)
	}
	if err != nil {
		return nil, err
	}
	if before != nil {
		l.store.removeApp(before)
	}
	l.store.addApp(d.app)
	return d.app, nil
}
