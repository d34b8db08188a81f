package testserver

import (
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/ratelimit"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// store has the contents of a server. Its objects are replaced and never changed, so a
// clone of the maps is a snapshot.
type store struct {
	// stoppedClock is the time at which the clock is stopped; nil lets it run.
	stoppedClock *time.Time

	organizations map[uuid.UUID]*organization
	projects      map[int64]*project
	users         map[int64]*user
	keys          map[string]*apiKey
	actions       map[int64]*action
	cohorts       map[int64]*cohort
	insights      map[int64]*insight
	// order has the order of objects that have no natural one.
	order struct {
		organizations []uuid.UUID
		keys          []string
	}

	flags    map[int64]*featureFlag
	lastFlag int64

	surveys map[uuid.UUID]*survey
	// surveysByProject are the surveys in the order of their creation, names the ids by
	// project and name.
	surveysByProject map[int64]*timeline[*survey]
	names            map[surveyName]uuid.UUID

	apps map[int64]*app
	// appsByOrganization are the apps in the order of their creation.
	appsByOrganization map[uuid.UUID]*timeline[*app]
	lastApp            int64
	// sources is the code at URLs, by the URL without its query. It comes from the
	// fixtures, and is never changed.
	sources map[string]appSource

	responses []response
	events    eventLog
	persons   []person
	// personByID are the indexes of persons by their distinct ids.
	personByID map[distinctID]int
	arrivals   int64
	// activity is the log of a project's surveys, oldest first.
	activity map[int64][]logEntry

	// throttle counts the requests since the store was created.
	throttle *ratelimit.ByKey
}

type surveyName struct {
	project int64
	name    string
}

// newStore returns an empty store that keeps a number of events.
func newStore(maxEvents int) *store {
	return &store{
		organizations:      map[uuid.UUID]*organization{},
		projects:           map[int64]*project{},
		users:              map[int64]*user{},
		keys:               map[string]*apiKey{},
		actions:            map[int64]*action{},
		cohorts:            map[int64]*cohort{},
		insights:           map[int64]*insight{},
		flags:              map[int64]*featureFlag{},
		surveys:            map[uuid.UUID]*survey{},
		surveysByProject:   map[int64]*timeline[*survey]{},
		names:              map[surveyName]uuid.UUID{},
		apps:               map[int64]*app{},
		appsByOrganization: map[uuid.UUID]*timeline[*app]{},
		sources:            map[string]appSource{},
		throttle:           ratelimit.NewByKey(keyRates...),
		activity:           map[int64][]logEntry{},
		events:             eventLog{max: maxEvents},
		personByID:         map[distinctID]int{},
	}
}

// clone returns a store that changes independently of this one.
func (st *store) clone() *store {
	c := *st
	c.throttle = ratelimit.NewByKey(keyRates...)

	c.organizations = maps.Clone(st.organizations)
	c.projects = maps.Clone(st.projects)
	c.users = maps.Clone(st.users)
	c.keys = maps.Clone(st.keys)
	c.actions = maps.Clone(st.actions)
	c.cohorts = maps.Clone(st.cohorts)
	c.insights = maps.Clone(st.insights)
	c.flags = maps.Clone(st.flags)
	c.surveys = maps.Clone(st.surveys)
	c.names = maps.Clone(st.names)
	c.apps = maps.Clone(st.apps)

	c.surveysByProject = map[int64]*timeline[*survey]{}
	for id, surveys := range st.surveysByProject {
		c.surveysByProject[id] = surveys.clone()
	}
	c.appsByOrganization = map[uuid.UUID]*timeline[*app]{}
	for id, apps := range st.appsByOrganization {
		c.appsByOrganization[id] = apps.clone()
	}

	c.activity = map[int64][]logEntry{}
	for id, entries := range st.activity {
		c.activity[id] = slices.Clip(entries)
	}
	c.responses = append([]response(nil), st.responses...)
	c.events = st.events.clone()
	c.persons = slices.Clip(st.persons)
	c.personByID = maps.Clone(st.personByID)

	return &c
}

func (st *store) addOrganization(o *organization) {
	st.organizations[o.id] = o
	st.appsByOrganization[o.id] = &timeline[*app]{}
	st.order.organizations = append(st.order.organizations, o.id)
}

func (st *store) addProject(p *project) {
	st.projects[p.id] = p
	st.surveysByProject[p.id] = &timeline[*survey]{}
}

func (st *store) addKey(k *apiKey) {
	st.keys[k.key] = k
	st.order.keys = append(st.order.keys, k.key)
}

// addSurvey stores a new survey.
func (st *store) addSurvey(s *survey) {
	st.surveys[s.id] = s
	st.names[surveyName{s.project, s.name}] = s.id
	st.surveysByProject[s.project].insert(s)
}

// replaceSurvey stores a new version of a survey that keeps its place.
func (st *store) replaceSurvey(before, after *survey) {
	delete(st.names, surveyName{before.project, before.name})
	st.surveys[after.id] = after
	st.names[surveyName{after.project, after.name}] = after.id
	st.surveysByProject[after.project].replace(after)
}

// dropSurvey removes a survey and leaves its flags.
func (st *store) dropSurvey(s *survey) {
	delete(st.surveys, s.id)
	delete(st.names, surveyName{s.project, s.name})
	st.surveysByProject[s.project].remove(s)
}

// removeSurvey deletes a survey and its flags: the internal one and the targeting flag,
// even one that was attached by its id.
func (st *store) removeSurvey(s *survey) {
	st.dropSurvey(s)
	st.removeFlag(s.targeting)
	st.removeFlag(s.internal)
}

func (st *store) addApp(a *app) {
	st.apps[a.id] = a
	st.lastApp = max(st.lastApp, a.id)
	st.appsByOrganization[a.organization].insert(a)
}

func (st *store) replaceApp(a *app) {
	st.apps[a.id] = a
	st.appsByOrganization[a.organization].replace(a)
}

func (st *store) removeApp(a *app) {
	delete(st.apps, a.id)
	st.appsByOrganization[a.organization].remove(a)
}

// addFlag stores a flag; flags created by the service take the next id.
func (st *store) addFlag(f *featureFlag) {
	st.flags[f.id] = f
	st.lastFlag = max(st.lastFlag, f.id)
}

// removeFlag deletes a flag; surveys that refer to it then have none.
func (st *store) removeFlag(id int64) { delete(st.flags, id) }

// replaceFlag stores a new version of a flag.
func (st *store) replaceFlag(f *featureFlag) { st.flags[f.id] = f }

// addLoadedSurvey stores a survey of a fixtures document; [store.listSurveys] puts it
// into the list of its project.
func (st *store) addLoadedSurvey(s *survey) {
	st.surveys[s.id] = s
	st.names[surveyName{s.project, s.name}] = s.id
}

// listSurveys fills the list of a project in one step: inserting 100,000 surveys one by one
// would take quadratic time.
func (st *store) listSurveys(project int64, surveys []*survey) {
	st.surveysByProject[project].fill(surveys)
}

// addLoadedApp stores an app of a fixtures document; [store.listApps] puts it into the
// list of its organization.
func (st *store) addLoadedApp(a *app) {
	st.apps[a.id] = a
	st.lastApp = max(st.lastApp, a.id)
}

// listApps fills the list of an organization in one step.
func (st *store) listApps(organization uuid.UUID, apps []*app) {
	st.appsByOrganization[organization].fill(apps)
}

// putUser stores a user, in the place of one with the same id.
func (st *store) putUser(u *user) { st.users[u.id] = u }

// replaceProject stores a new version of a project.
func (st *store) replaceProject(p *project) { st.projects[p.id] = p }

func (st *store) addAction(a *action) { st.actions[a.id] = a }

func (st *store) addCohort(c *cohort) { st.cohorts[c.id] = c }

func (st *store) addInsight(i *insight) { st.insights[i.id] = i }

func (st *store) addSource(s appSource) { st.sources[s.url] = s }

func (st *store) addResponse(r response) { st.responses = append(st.responses, r) }

// addLogEntry adds an entry to the activity log of a project.
func (st *store) addLogEntry(project int64, e logEntry) {
	st.activity[project] = append(st.activity[project], e)
}

// arrive counts arrivals, for the order of objects with the same time.
func (st *store) arrive() int64 {
	st.arrivals++
	return st.arrivals
}

// sortedIDs are the keys of a map in ascending order.
func sortedIDs[T any](things map[int64]T) []int64 {
	ids := make([]int64, 0, len(things))
	for id := range things {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// editFlag replaces columns of a flag, unless it is deleted.
func (st *store) editFlag(id int64, sent rawjson.Fields) {
	f := st.flags[id]
	if f == nil {
		return
	}
	edited := *f
	edited.object = f.with(flagTable, sent)
	st.replaceFlag(&edited)
}
