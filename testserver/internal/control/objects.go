package control

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/fixtures"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Object is a JSON object. Its numbers are [json.Number]. Methods that take and return objects change
// the store without a request and without a key, like teammates who edit in PostHog. Objects have the
// form of entries in the fixtures document, with every value as it is stored.
type Object = map[string]any

// Operations read and change a server without its API. Go callers, the control interface, and the forms
// of the page use them. Operations need no key, and the journal does not record them.
type Operations struct{ world *World }

// change calls do with the store locked for writing.
func (o Operations) change(do func(v service.Service) error) error {
	o.world.Mu.Lock()
	defer o.world.Mu.Unlock()
	return do(o.world.Service())
}

// edit applies an object to the store, and returns the resulting entry. unset returns the defaults for keys that are
// missing from the object.
func (o Operations) edit(
	input Object, unset func(fixtures.Editor) Object, do func(fixtures.Editor, wire.Value) (wire.Value, error),
) (edited Object, err error) {
	err = o.change(func(v service.Service) error {
		editor, whole := fixtures.NewEditor(v), Object{}
		if unset != nil {
			whole = unset(editor)
		}
		maps.Copy(whole, input)
		text, err := wire.Marshal(whole)
		if err != nil {
			return err
		}
		input, err := wire.Decode(text)
		if err != nil {
			return err
		}
		entry, err := do(editor, input)
		if err == nil {
			edited = decodeObject(entry)
		}
		return err
	})
	return edited, err
}

// listEntries returns the entries of a timeline's objects, newest first. Without a timeline, it
// returns nil.
func listEntries[T store.Sortable](o Operations, timeline func(*store.Store) *store.Timeline[T], entry func(service.Encoding, T) []wire.Member) []Object {
	o.world.Mu.RLock()
	defer o.world.Mu.RUnlock()
	list := timeline(o.world.Store)
	if list == nil {
		return nil
	}
	entries := make([]Object, 0, len(list.Items))
	for _, item := range slices.Backward(list.Items) {
		entries = append(entries, decodeObject(wire.NewObject(entry(o.world.Service().Entries(), item)...)))
	}
	return entries
}

// Surveys returns the surveys of a project, newest first.
func (o Operations) Surveys(projectID string) []Object {
	return listEntries(o, func(st *store.Store) *store.Timeline[*store.Survey] {
		id, _ := strconv.ParseInt(projectID, 10, 64)
		return st.Surveys(id)
	}, service.Encoding.SurveyEntry)
}

// Survey returns a survey, or nil if it does not exist.
func (o Operations) Survey(id string) Object {
	o.world.Mu.RLock()
	defer o.world.Mu.RUnlock()
	survey, err := o.world.Store.FindSurvey(id)
	if err != nil {
		return nil
	}
	return decodeObject(wire.NewObject(o.world.Service().Entries().SurveyEntry(survey)...))
}

// CreateSurvey adds a survey and returns it. The survey needs a name and a type. By default, the survey
// belongs to the project of [Server.Credentials] and gets a new ID.
func (o Operations) CreateSurvey(survey Object) (Object, error) {
	_, projectID, _ := o.Credentials()
	return o.edit(survey, func(e fixtures.Editor) Object {
		return Object{"project_id": projectID, "id": e.SurveyID().String()}
	}, fixtures.Editor.CreateSurvey)
}

// PatchSurvey applies a JSON merge patch (RFC 7396) to a survey and returns the survey. Objects are
// merged. null removes a key, which restores PostHog's default. The keys linked_flag, targeting_flag,
// and internal_targeting_flag edit the survey's flags.
func (o Operations) PatchSurvey(id string, patch Object) (Object, error) {
	return o.edit(patch, nil, func(e fixtures.Editor, input wire.Value) (wire.Value, error) {
		previous, err := e.Store.FindSurvey(id)
		if err != nil {
			return wire.Value{}, err
		}
		return e.PatchSurvey(previous, input)
	})
}

// DeleteSurvey deletes a survey as PostHog does, together with its own flags.
func (o Operations) DeleteSurvey(id string) error {
	return o.change(func(v service.Service) error {
		survey, err := v.Store.FindSurvey(id)
		if err == nil {
			v.LogChange("deleted", v.Store.FirstMember(), survey, nil)
			v.Store.RemoveSurvey(survey)
		}
		return err
	})
}

// Apps returns the import apps of an organization, newest first.
func (o Operations) Apps(organizationID string) []Object {
	return listEntries(o, func(st *store.Store) *store.Timeline[*store.App] {
		id, _ := uuid.Parse(organizationID)
		return st.OrganizationApps(id)
	}, service.Encoding.App)
}

// App returns an import app, or nil if it does not exist.
func (o Operations) App(id int64) Object {
	o.world.Mu.RLock()
	defer o.world.Mu.RUnlock()
	app, err := o.world.Store.FindApp(id)
	if err != nil {
		return nil
	}
	return decodeObject(wire.NewObject(o.world.Service().Entries().App(app)...))
}

// CreateApp adds an import app and returns it. The app needs a name. By default, the app belongs to the
// organization of [Server.Credentials] and gets the next ID.
func (o Operations) CreateApp(app Object) (Object, error) {
	_, _, organizationID := o.Credentials()
	return o.edit(app, func(e fixtures.Editor) Object {
		return Object{"organization_id": organizationID, "id": e.Store.NextApp()}
	}, fixtures.Editor.CreateApp)
}

// PatchApp applies a JSON merge patch (RFC 7396) to an import app and returns it.
func (o Operations) PatchApp(id int64, patch Object) (Object, error) {
	return o.edit(patch, nil, func(e fixtures.Editor, input wire.Value) (wire.Value, error) {
		previous, err := e.Store.FindApp(id)
		if err != nil {
			return wire.Value{}, err
		}
		return e.PatchApp(previous, input)
	})
}

// DeleteApp deletes an import app.
func (o Operations) DeleteApp(id int64) error {
	return o.change(func(v service.Service) error {
		app, err := v.Store.FindApp(id)
		if err == nil {
			v.Store.RemoveApp(app)
		}
		return err
	})
}

// CreateFlag adds a feature flag and returns it. The flag needs a key. By default, the flag belongs to
// the project of [Server.Credentials] and gets the next ID.
func (o Operations) CreateFlag(flag Object) (Object, error) {
	_, projectID, _ := o.Credentials()
	return o.edit(flag, func(e fixtures.Editor) Object {
		return Object{"project_id": projectID, "id": e.Store.NextFlag()}
	}, fixtures.Editor.CreateFlag)
}

// DeleteFlag deletes a feature flag and unlinks it from surveys that use it.
func (o Operations) DeleteFlag(id int64) error {
	return o.change(func(v service.Service) error {
		if v.Store.Flags.Get(id) == nil {
			return fmt.Errorf("feature flag %d does not exist", id)
		}
		v.Store.Flags.Remove(id)
		return nil
	})
}

// AddResponses adds responses to a survey, each by a different person, at the time of the server's
// clock. They count like responses from an app: in responses_count, for a response limit, and in the
// report if a later write detaches them.
func (o Operations) AddResponses(surveyID string, count int) error {
	if count < 0 {
		return fmt.Errorf("cannot add %d responses to survey %s: the number must not be negative", count, surveyID)
	}
	return o.change(func(v service.Service) error {
		survey, err := v.Store.FindSurvey(surveyID)
		if err == nil {
			v.Store.AddResponse(store.ResponseCount{Survey: survey.ID, Project: survey.Project, Count: int64(count), At: wire.TimestampText(v.Now)})
		}
		return err
	})
}

// SetSurveyWaitPeriod sets the number of days that must pass after a survey of a project before
// a person sees the next one, like the project settings in PostHog. 0 removes the wait period. If the
// organization has [FeatureProjectWaitPeriod], this changes the internal flags of all surveys that are
// not archived.
func (o Operations) SetSurveyWaitPeriod(projectID string, days int) error {
	o.world.Mu.Lock()
	defer o.world.Mu.Unlock()
	id, err := strconv.ParseInt(projectID, 10, 64)
	previous := o.world.Store.Projects.Get(id)
	switch {
	case err != nil || previous == nil:
		return fmt.Errorf("project %s does not exist", projectID)
	case days < 0 || days > store.MaxWaitPeriod:
		return fmt.Errorf("a wait period must be from 0 to %d days, not %d", store.MaxWaitPeriod, days)
	}
	o.world.Service().PutProject(previous, previous.WithWaitPeriod(int64(days)))
	return nil
}

// Reset restores the initial store. It keeps the journal and the faults.
func (o Operations) Reset() {
	o.world.Mu.Lock()
	defer o.world.Mu.Unlock()
	o.world.SetStore(o.world.Initial.Clone())
}

// decodeObject decodes an object that the server encoded.
func decodeObject(v wire.Value) Object {
	dec := json.NewDecoder(strings.NewReader(v.Spelling()))
	dec.UseNumber()
	o := Object{}
	if err := dec.Decode(&o); err != nil {
		return Object{}
	}
	return o
}

// Credentials returns the first API key of the store, and the first project and organization that the key's user can
// access. Values that are missing from the store are empty.
func (o Operations) Credentials() (apiKey, projectID, organizationID string) {
	o.world.Mu.RLock()
	defer o.world.Mu.RUnlock()
	st := o.world.Store
	u := st.FirstKeyUser()
	switch {
	case o.world.WorldKey != nil:
		apiKey, u = o.world.WorldKey.Token, st.WorldUser()
	case u == nil:
		return "", "", ""
	default:
		apiKey = st.KeyTokens()[0]
	}

	if len(u.Organizations) > 0 {
		organizationID = u.Organizations[0].String()
	}
	if projectID = st.CurrentProject(u); projectID == "0" {
		projectID = ""
	}
	return apiKey, projectID, organizationID
}

// SetFixtures replaces all stored objects with the objects in a fixtures document. If the document is
// invalid, SetFixtures returns an error with the path of the first invalid entry and leaves the store
// unchanged. It keeps the journal and the faults.
func (o Operations) SetFixtures(document io.Reader) error {
	// Read the document before locking, because the client can be slow or stall.
	loaded, err := fixtures.Read(o.world.Contents.Settings, document)
	if err != nil {
		return fmt.Errorf("fixtures: %w", err)
	}

	o.world.Mu.Lock()
	defer o.world.Mu.Unlock()
	o.world.SetStore(loaded)
	return nil
}

// Dump writes the store as a fixtures document, with one entry per line. Loading the document and
// dumping the store again yields the same document.
func (o Operations) Dump(writer io.Writer) error {
	o.world.Mu.RLock()
	st := o.world.Store.Clone()
	o.world.Mu.RUnlock()
	return fixtures.Dump(writer, o.world.Profile, st)
}

// ProjectToken returns the token by which apps identify a project in posthog.init: the api_token of the
// fixtures. In a world, the token ends in the world's name. It is empty if the project has no token.
func (o Operations) ProjectToken(projectID string) string {
	id, err := strconv.ParseInt(projectID, 10, 64)
	o.world.Mu.RLock()
	defer o.world.Mu.RUnlock()
	if err != nil {
		return ""
	}
	return o.world.WorldToken(o.world.Store.Projects.Get(id))
}

// Person adds a person and returns it in the form of a fixtures entry, with distinct_ids and the
// properties that flags evaluate. By default, the person belongs to the project of
// [Server.Credentials]. If some of the IDs already belong to persons, Person merges these persons into
// one, and adds or replaces properties.
func (o Operations) Person(person Object) (Object, error) {
	_, projectID, _ := o.Credentials()
	return o.edit(person, func(fixtures.Editor) Object {
		if projectID == "" {
			return Object{}
		}
		return Object{"project_id": json.Number(projectID)}
	}, fixtures.Editor.PutPerson)
}
