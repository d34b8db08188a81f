// Package store holds the test server's objects, their order, and the relations between them. It is the only
// package that writes to them. Objects are stored as JSON and served without decoding. Validation and side
// effects of requests belong to package service.
package store

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Store contains the objects of a server. Objects are replaced and never modified, so a copy of the maps is a
// snapshot.
type Store struct {
	// StoppedClock is the time at which the clock is stopped. It is nil if the clock runs.
	StoppedClock *time.Time
	// Removed contains the names of removed routes. The slice is replaced and never modified.
	Removed []string

	Directory
	Feedback

	Actions  Shelf[int64, *Action]
	Cohorts  Shelf[int64, *Cohort]
	Insights Shelf[int64, *Insight]

	Flags    Shelf[int64, *Flag]
	lastFlag int64

	surveys map[uuid.UUID]*Survey
	// surveysByProject contains the surveys of each project in the order of their creation. names maps
	// project and name to survey IDs.
	surveysByProject map[int64]*Timeline[*Survey]
	names            map[surveyName]uuid.UUID

	Apps Shelf[int64, *App]
	// appsByOrganization contains the apps of each organization in the order of their creation.
	appsByOrganization map[uuid.UUID]*Timeline[*App]
	lastApp            int64
	// Sources contains the code at URLs, by the URL without its query. It comes from the fixtures and never
	// changes.
	Sources Shelf[string, Source]

	// sequence is the last number that NextSequence returned.
	sequence int64
	// activity contains the log of each project's surveys, oldest first.
	activity map[int64][]LogEntry
}

type surveyName struct {
	project int64
	name    string
}

// New returns an empty store for at most maxEvents events.
func New(maxEvents int) *Store {
	return &Store{
		Directory:          newDirectory(),
		Feedback:           newFeedback(maxEvents),
		Actions:            newShelf[int64, *Action](),
		Cohorts:            newShelf[int64, *Cohort](),
		Insights:           newShelf[int64, *Insight](),
		Flags:              newShelf[int64, *Flag](),
		surveys:            map[uuid.UUID]*Survey{},
		surveysByProject:   map[int64]*Timeline[*Survey]{},
		names:              map[surveyName]uuid.UUID{},
		Apps:               newShelf[int64, *App](),
		appsByOrganization: map[uuid.UUID]*Timeline[*App]{},
		Sources:            newShelf[string, Source](),
		activity:           map[int64][]LogEntry{},
	}
}

// Clone returns a copy of the store that changes independently.
func (st *Store) Clone() *Store {
	c := *st
	c.Directory = st.Directory.clone()
	c.Feedback = st.Feedback.clone()
	c.Actions = st.Actions.clone()
	c.Cohorts = st.Cohorts.clone()
	c.Insights = st.Insights.clone()
	c.Flags = st.Flags.clone()
	c.surveys = maps.Clone(st.surveys)
	c.names = maps.Clone(st.names)
	c.Apps = st.Apps.clone()

	c.surveysByProject = map[int64]*Timeline[*Survey]{}
	for id, surveys := range st.surveysByProject {
		c.surveysByProject[id] = surveys.clone()
	}
	c.appsByOrganization = map[uuid.UUID]*Timeline[*App]{}
	for id, apps := range st.appsByOrganization {
		c.appsByOrganization[id] = apps.clone()
	}

	c.activity = map[int64][]LogEntry{}
	for id, entries := range st.activity {
		c.activity[id] = slices.Clip(entries)
	}
	return &c
}

// AddOrganization stores an organization after the others.
func (st *Store) AddOrganization(o *Organization) {
	st.organizations[o.ID] = o
	st.appTimeline(o.ID)
	st.order.organizations = append(st.order.organizations, o.ID)
}

// AddProject stores a project without surveys.
func (st *Store) AddProject(p *Project) {
	st.Projects.Put(p.ID, p)
	st.surveysByProject[p.ID] = &Timeline[*Survey]{}
}

// AddSurvey stores a new survey.
func (st *Store) AddSurvey(s *Survey) {
	st.surveys[s.ID] = s
	st.names[surveyName{s.Project, s.Name}] = s.ID
	st.surveysByProject[s.Project].insert(s)
}

// ReplaceSurvey stores a new version of a survey at the same position.
func (st *Store) ReplaceSurvey(previous, updated *Survey) {
	delete(st.names, surveyName{previous.Project, previous.Name})
	st.surveys[updated.ID] = updated
	st.names[surveyName{updated.Project, updated.Name}] = updated.ID
	st.surveysByProject[updated.Project].replace(updated)
}

// DropSurvey removes a survey and keeps its flags.
func (st *Store) DropSurvey(s *Survey) {
	delete(st.surveys, s.ID)
	delete(st.names, surveyName{s.Project, s.Name})
	st.surveysByProject[s.Project].remove(s)
}

// RemoveSurvey deletes a survey, its internal flag, and its targeting flag, even if a request linked the
// targeting flag by ID.
func (st *Store) RemoveSurvey(s *Survey) {
	st.DropSurvey(s)
	st.Flags.Remove(s.Targeting)
	st.Flags.Remove(s.Internal)
}

// AddApp stores a new app.
func (st *Store) AddApp(app *App) {
	st.Apps.Put(app.ID, app)
	st.lastApp = max(st.lastApp, app.ID)
	st.appTimeline(app.Organization).insert(app)
}

// appTimeline returns the apps of an organization. It creates an empty timeline if needed, because a fixtures
// document can list apps before their organization.
func (st *Store) appTimeline(organization uuid.UUID) *Timeline[*App] {
	if st.appsByOrganization[organization] == nil {
		st.appsByOrganization[organization] = &Timeline[*App]{}
	}
	return st.appsByOrganization[organization]
}

// ReplaceApp stores a new version of an app.
func (st *Store) ReplaceApp(app *App) {
	st.Apps.Put(app.ID, app)
	st.appsByOrganization[app.Organization].replace(app)
}

// RemoveApp deletes an app.
func (st *Store) RemoveApp(app *App) {
	st.Apps.Remove(app.ID)
	st.appsByOrganization[app.Organization].remove(app)
}

// AddFlag stores a flag. Flags that PostHog creates later have higher IDs.
func (st *Store) AddFlag(f *Flag) {
	st.Flags.Put(f.ID, f)
	st.lastFlag = max(st.lastFlag, f.ID)
}

// AddLogEntry adds an entry to the activity log of a project.
func (st *Store) AddLogEntry(project int64, e LogEntry) {
	st.activity[project] = append(st.activity[project], e)
}

// NextSequence returns the next sequence number, which orders objects with the same time.
func (st *Store) NextSequence() int64 {
	st.sequence++
	return st.sequence
}

// ChangeSurvey replaces columns of a survey without other effects.
func (st *Store) ChangeSurvey(previous *Survey, columns wire.Fields) *Survey {
	updated := *previous
	updated.Object = previous.With(SurveyTable, columns)
	st.ReplaceSurvey(previous, &updated)
	return &updated
}

// EditFlag replaces columns of a flag if the flag exists.
func (st *Store) EditFlag(id int64, input wire.Fields) {
	f := st.Flags.Get(id)
	if f == nil {
		return
	}
	edited := *f
	edited.Object = f.With(FlagTable, input)
	st.Flags.Put(edited.ID, &edited)
}

// Survey returns the survey with an ID in any project, or nil if there is none.
func (st *Store) Survey(id uuid.UUID) *Survey { return st.surveys[id] }

// SurveyByName returns the project's survey with a name, or nil if there is none.
func (st *Store) SurveyByName(project int64, name string) *Survey {
	return st.surveys[st.names[surveyName{project, name}]]
}

// Surveys returns the surveys of a project.
func (st *Store) Surveys(project int64) *Timeline[*Survey] { return st.surveysByProject[project] }

// OrganizationApps returns the apps of an organization.
func (st *Store) OrganizationApps(organization uuid.UUID) *Timeline[*App] {
	return st.appsByOrganization[organization]
}

// Log returns the activity log of a project, oldest first.
func (st *Store) Log(project int64) []LogEntry { return st.activity[project] }

// NextFlag returns the ID of the next flag.
func (st *Store) NextFlag() int64 { return st.lastFlag + 1 }

// NextApp returns the ID of the next app.
func (st *Store) NextApp() int64 { return st.lastApp + 1 }

// FindApp returns the app with an ID in any organization.
func (st *Store) FindApp(id int64) (*App, error) {
	if app := st.Apps.Get(id); app != nil {
		return app, nil
	}
	return nil, fmt.Errorf("import app %d does not exist", id)
}

// FindSurvey returns the survey with an ID in any project.
func (st *Store) FindSurvey(id string) (*Survey, error) {
	parsed, err := uuid.Parse(id)
	survey := st.Survey(parsed)
	if err != nil || survey == nil {
		return nil, fmt.Errorf("survey %s does not exist", id)
	}
	return survey, nil
}
