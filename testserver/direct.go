package testserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// Object is a JSON object, whose numbers are [json.Number]. The methods that take and
// return objects change the store without a request and without a key, like other people in
// the web interface. Objects have the form of entries in the fixtures document, with every
// value as it is stored.
type Object = map[string]any

// Surveys returns the surveys of a project, newest first.
func (s *Server) Surveys(projectID string) []Object {
	s.mu.RLock()
	defer s.mu.RUnlock()
	id, err := strconv.ParseInt(projectID, 10, 64)
	inProject := s.store.SurveysOf(id)
	if err != nil || inProject == nil {
		return nil
	}
	surveys := make([]Object, 0, len(inProject.Items))
	for _, found := range slices.Backward(inProject.Items) {
		surveys = append(surveys, decodeObject(s.surveyEntry(found)))
	}
	return surveys
}

// Survey returns a survey; nil if it does not exist.
func (s *Server) Survey(id string) Object {
	s.mu.RLock()
	defer s.mu.RUnlock()
	found, err := findSurvey(s.store, id)
	if err != nil {
		return nil
	}
	return decodeObject(s.surveyEntry(found))
}

// CreateSurvey adds a survey and returns it. It needs a name and a type. The default
// project is that of [Server.Credentials], the default id a new one.
func (s *Server) CreateSurvey(survey Object) (Object, error) {
	_, projectID, _ := s.Credentials()
	s.mu.Lock()
	defer s.mu.Unlock()
	entry, err := entryOf(survey, Object{"project_id": projectID, "id": s.profile.surveyID(s.ids()).String()})
	if err != nil {
		return nil, err
	}
	created, err := s.editor().putSurvey("survey", entry, nil)
	if err != nil {
		return nil, err
	}
	s.logChange("created", s.store.FirstMember(), created, nil)
	return decodeObject(s.surveyEntry(created)), nil
}

// PatchSurvey applies a JSON merge patch (RFC 7396) to a survey and returns it: objects are
// merged, and null removes a key, which restores the service's default. The flags of the
// survey can be edited through linked_flag, targeting_flag and internal_targeting_flag.
func (s *Server) PatchSurvey(id string, patch Object) (Object, error) {
	sent, err := entryOf(patch, nil)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.patchSurvey(id, sent)
}

// patchSurvey is PatchSurvey for callers that hold the lock.
func (s *Server) patchSurvey(id string, sent json.RawMessage) (Object, error) {
	before, err := findSurvey(s.store, id)
	if err != nil {
		return nil, err
	}

	entry, change := rawjson.Members(s.surveyEntry(before)), rawjson.Members(sent)
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

	after, err := s.editor().putSurvey("survey "+id, rawjson.MergePatch(rawjson.Encode(entry), sent), before)
	if err != nil {
		return nil, err
	}

	s.logChange("updated", s.store.FirstMember(), after, changesBetween(s.store, before, after))
	return decodeObject(s.surveyEntry(after)), nil
}

// DeleteSurvey deletes a survey as the service does, together with its own flags.
func (s *Server) DeleteSurvey(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, err := findSurvey(s.store, id)
	if err != nil {
		return err
	}
	s.logChange("deleted", s.store.FirstMember(), found, nil)
	s.store.RemoveSurvey(found)
	return nil
}

// Apps returns the import apps of an organization, newest first.
func (s *Server) Apps(organizationID string) []Object {
	s.mu.RLock()
	defer s.mu.RUnlock()
	id, err := uuid.Parse(organizationID)
	inOrganization := s.store.AppsOf(id)
	if err != nil || inOrganization == nil {
		return nil
	}
	apps := make([]Object, 0, len(inOrganization.Items))
	for _, found := range slices.Backward(inOrganization.Items) {
		apps = append(apps, decodeObject(s.appEntry(found)))
	}
	return apps
}

// App returns an import app; nil if it does not exist.
func (s *Server) App(id int64) Object {
	s.mu.RLock()
	defer s.mu.RUnlock()
	found := s.store.Apps.Get(id)
	if found == nil {
		return nil
	}
	return decodeObject(s.appEntry(found))
}

// CreateApp adds an import app and returns it. It needs a name. The default organization is
// that of [Server.Credentials], the default id the next one.
func (s *Server) CreateApp(app Object) (Object, error) {
	_, _, organizationID := s.Credentials()
	s.mu.Lock()
	defer s.mu.Unlock()
	entry, err := entryOf(app, Object{"organization_id": organizationID, "id": s.store.NextApp()})
	if err != nil {
		return nil, err
	}
	created, err := s.editor().putApp("app", entry, nil)
	if err != nil {
		return nil, err
	}
	return decodeObject(s.appEntry(created)), nil
}

// PatchApp applies a JSON merge patch (RFC 7396) to an import app and returns it.
func (s *Server) PatchApp(id int64, patch Object) (Object, error) {
	sent, err := entryOf(patch, nil)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.patchApp(id, sent)
}

// patchApp is PatchApp for callers that hold the lock.
func (s *Server) patchApp(id int64, sent json.RawMessage) (Object, error) {
	before := s.store.Apps.Get(id)
	if before == nil {
		return nil, fmt.Errorf("there is no app %d", id)
	}
	after, err := s.editor().putApp(fmt.Sprintf("app %d", id), rawjson.MergePatch(s.appEntry(before), sent), before)
	if err != nil {
		return nil, err
	}
	return decodeObject(s.appEntry(after)), nil
}

// DeleteApp deletes an import app.
func (s *Server) DeleteApp(id int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.store.Apps.Get(id)
	if found == nil {
		return fmt.Errorf("there is no app %d", id)
	}
	s.store.RemoveApp(found)
	return nil
}

// entryOf encodes an object with defaults for missing keys.
func entryOf(given, unset Object) (json.RawMessage, error) {
	entry := maps.Clone(unset)
	if entry == nil {
		entry = Object{}
	}
	maps.Copy(entry, given)
	return rawjson.Marshal(entry)
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

func (s *Server) entries() encoding {
	return encoding{profile: s.profile, store: s.store, asEntry: true}
}

func (s *Server) surveyEntry(found *store.Survey) json.RawMessage {
	return appendObject(nil, s.entries(), "Survey", surveyEntry, found, found.Extra)
}

func (s *Server) appEntry(found *store.App) json.RawMessage {
	return appendObject(nil, s.entries(), "PipelineImportApp", appKeys, found, found.Extra)
}

// editor returns a loader for the live store.
func (s *Server) editor() *loader {
	return &loader{profile: s.profile, store: s.store, ids: s.ids, now: s.time(s.store), author: s.store.FirstMember(), editing: true}
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
