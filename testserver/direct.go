package testserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Object is a JSON object, whose numbers are [json.Number]. The methods that take and
// return objects change the store without a request and without a key, like other people in
// the web interface. Objects have the form of entries in the fixtures document, with every
// value as it is stored.
type Object = map[string]any

// direct changes the contents of a server as other people do in the web interface: without a
// request in the journal.
type direct struct{ contents *contents }

// Surveys returns the surveys of a project, newest first.
func (d *direct) Surveys(projectID string) []Object {
	d.contents.mu.RLock()
	defer d.contents.mu.RUnlock()
	id, err := strconv.ParseInt(projectID, 10, 64)
	inProject := d.contents.store.SurveysOf(id)
	if err != nil || inProject == nil {
		return nil
	}
	surveys := make([]Object, 0, len(inProject.Items))
	for _, found := range slices.Backward(inProject.Items) {
		surveys = append(surveys, decodeObject(d.contents.entries().survey(found)))
	}
	return surveys
}

// Survey returns a survey; nil if it does not exist.
func (d *direct) Survey(id string) Object {
	d.contents.mu.RLock()
	defer d.contents.mu.RUnlock()
	found, err := findSurvey(d.contents.store, id)
	if err != nil {
		return nil
	}
	return decodeObject(d.contents.entries().survey(found))
}

// CreateSurvey adds a survey and returns it. It needs a name and a type. The default
// project is that of [Server.Credentials], the default id a new one.
func (d *direct) CreateSurvey(survey Object) (Object, error) {
	_, projectID, _ := d.Credentials()
	d.contents.mu.Lock()
	defer d.contents.mu.Unlock()
	entry, err := entryOf(survey, Object{"project_id": projectID, "id": d.contents.service().SurveyID().String()})
	if err != nil {
		return nil, err
	}
	created, err := d.contents.editor().putSurvey("survey", entry, nil)
	if err != nil {
		return nil, err
	}
	d.contents.logChange("created", d.contents.store.FirstMember(), created, nil)
	return decodeObject(d.contents.entries().survey(created)), nil
}

// PatchSurvey applies a JSON merge patch (RFC 7396) to a survey and returns it: objects are
// merged, and null removes a key, which restores the service's default. The flags of the
// survey can be edited through linked_flag, targeting_flag and internal_targeting_flag.
func (d *direct) PatchSurvey(id string, patch Object) (Object, error) {
	sent, err := entryOf(patch, nil)
	if err != nil {
		return nil, err
	}
	d.contents.mu.Lock()
	defer d.contents.mu.Unlock()
	return d.contents.patchSurvey(id, sent)
}

// patchSurvey is PatchSurvey for callers that hold the lock.
func (c *contents) patchSurvey(id string, sent json.RawMessage) (Object, error) {
	before, err := findSurvey(c.store, id)
	if err != nil {
		return nil, err
	}

	entry, change := wire.Members(c.entries().survey(before)), wire.Members(sent)
	if change["conditions"] != nil {
		// Conditions from the web interface come with their links.
		delete(entry, store.ActionsClearedMember)
	}

	for _, name := range flagReferences {
		// A flag can be given by its id or as an object: the form in the patch counts.
		if change[name+"_id"] != nil {
			delete(entry, name)
		} else if change[name] != nil {
			delete(entry, name+"_id")
		}
	}

	after, err := c.editor().putSurvey("survey "+id, wire.MergePatch(wire.Encode(entry), sent), before)
	if err != nil {
		return nil, err
	}

	c.logChange("updated", c.store.FirstMember(), after, changesBetween(c.store, before, after))
	return decodeObject(c.entries().survey(after)), nil
}

// DeleteSurvey deletes a survey as the service does, together with its own flags.
func (d *direct) DeleteSurvey(id string) error {
	d.contents.mu.Lock()
	defer d.contents.mu.Unlock()
	found, err := findSurvey(d.contents.store, id)
	if err != nil {
		return err
	}
	d.contents.logChange("deleted", d.contents.store.FirstMember(), found, nil)
	d.contents.store.RemoveSurvey(found)
	return nil
}

// Apps returns the import apps of an organization, newest first.
func (d *direct) Apps(organizationID string) []Object {
	d.contents.mu.RLock()
	defer d.contents.mu.RUnlock()
	id, err := uuid.Parse(organizationID)
	inOrganization := d.contents.store.AppsOf(id)
	if err != nil || inOrganization == nil {
		return nil
	}
	apps := make([]Object, 0, len(inOrganization.Items))
	for _, found := range slices.Backward(inOrganization.Items) {
		apps = append(apps, decodeObject(d.contents.entries().app(found)))
	}
	return apps
}

// App returns an import app; nil if it does not exist.
func (d *direct) App(id int64) Object {
	d.contents.mu.RLock()
	defer d.contents.mu.RUnlock()
	found := d.contents.store.Apps.Get(id)
	if found == nil {
		return nil
	}
	return decodeObject(d.contents.entries().app(found))
}

// CreateApp adds an import app and returns it. It needs a name. The default organization is
// that of [Server.Credentials], the default id the next one.
func (d *direct) CreateApp(app Object) (Object, error) {
	_, _, organizationID := d.Credentials()
	d.contents.mu.Lock()
	defer d.contents.mu.Unlock()
	entry, err := entryOf(app, Object{"organization_id": organizationID, "id": d.contents.store.NextApp()})
	if err != nil {
		return nil, err
	}
	created, err := d.contents.editor().putApp("app", entry, nil)
	if err != nil {
		return nil, err
	}
	return decodeObject(d.contents.entries().app(created)), nil
}

// PatchApp applies a JSON merge patch (RFC 7396) to an import app and returns it.
func (d *direct) PatchApp(id int64, patch Object) (Object, error) {
	sent, err := entryOf(patch, nil)
	if err != nil {
		return nil, err
	}
	d.contents.mu.Lock()
	defer d.contents.mu.Unlock()
	return d.contents.patchApp(id, sent)
}

// patchApp is PatchApp for callers that hold the lock.
func (c *contents) patchApp(id int64, sent json.RawMessage) (Object, error) {
	before := c.store.Apps.Get(id)
	if before == nil {
		return nil, fmt.Errorf("there is no app %d", id)
	}
	after, err := c.editor().putApp(fmt.Sprintf("app %d", id), wire.MergePatch(c.entries().app(before), sent), before)
	if err != nil {
		return nil, err
	}
	return decodeObject(c.entries().app(after)), nil
}

// DeleteApp deletes an import app.
func (d *direct) DeleteApp(id int64) error {
	d.contents.mu.Lock()
	defer d.contents.mu.Unlock()
	found := d.contents.store.Apps.Get(id)
	if found == nil {
		return fmt.Errorf("there is no app %d", id)
	}
	d.contents.store.RemoveApp(found)
	return nil
}

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

// AddResponses adds responses of people to a survey, sent at the time of the server's clock,
// as if an app had shown it. They count like any others: in responses_count, for a limit, and
// in the report when a later write cuts them off.
func (d *direct) AddResponses(surveyID string, count int) error {
	if count < 0 {
		return fmt.Errorf("survey %s: %d responses: the number must not be below 0", surveyID, count)
	}
	d.contents.mu.Lock()
	defer d.contents.mu.Unlock()
	found, err := findSurvey(d.contents.store, surveyID)
	if err != nil {
		return err
	}
	d.contents.store.AddResponse(store.ResponseCount{Survey: found.ID, Project: found.Project, Count: int64(count), At: wire.TimestampText(d.contents.time())})
	return nil
}

// SetSurveyWaitPeriod sets the number of days that must pass after a survey of a project
// before a person sees the next one, 0 for none, like the settings of the project. If the
// organization has [FeatureProjectWaitPeriod], this changes the internal flags of all
// surveys that are not archived.
func (d *direct) SetSurveyWaitPeriod(projectID string, days int) error {
	d.contents.mu.Lock()
	defer d.contents.mu.Unlock()
	id, err := strconv.ParseInt(projectID, 10, 64)
	before := d.contents.store.Projects.Get(id)
	switch {
	case err != nil || before == nil:
		return fmt.Errorf("there is no project %s", projectID)
	case days < 0 || days > maxWaitPeriod:
		return fmt.Errorf("a wait period must be from 0 to %d days, not %d", maxWaitPeriod, days)
	}
	after := *before
	after.WaitPeriod = int64(days)
	d.contents.store.ReplaceProject(&after)

	if d.contents.store.Organization(after.Organization).Has(FeatureProjectWaitPeriod) {
		d.contents.service().RebuildInternalFlags(id)
	}
	return nil
}

// Reset restores the initial store. Journal and faults stay.
func (d *direct) Reset() {
	d.contents.mu.Lock()
	defer d.contents.mu.Unlock()
	d.contents.setStore(d.contents.initial.Clone())
}

// entryOf encodes an object with defaults for missing keys.
func entryOf(given, unset Object) (json.RawMessage, error) {
	entry := maps.Clone(unset)
	if entry == nil {
		entry = Object{}
	}
	maps.Copy(entry, given)
	return wire.Marshal(entry)
}

// findSurvey finds a survey by its id in any project.
func findSurvey(st *store.Store, id string) (*store.Survey, error) {
	parsed, err := uuid.Parse(id)
	found := st.Survey(parsed)
	if err != nil || found == nil {
		return nil, fmt.Errorf("there is no survey %s", id)
	}
	return found, nil
}

// decodeObject decodes an object that the server encoded itself.
func decodeObject(raw []byte) Object {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var o Object
	if err := dec.Decode(&o); err != nil {
		panic(fmt.Sprintf("testserver: an entry of its own is no JSON: %v", err))
	}
	return o
}
