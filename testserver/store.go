package testserver

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/ratelimit"
)

// store is everything the server knows. Its things are replaced and never
// changed, so a clone of the maps is a snapshot.
type store struct {
	// frozen is the time at which the clock stands; nil lets it run.
	frozen *time.Time

	organizations map[uuid.UUID]*organization
	projects      map[int64]*project
	users         map[int64]*user
	keys          map[string]*apiKey
	actions       map[int64]*action
	cohorts       map[int64]*cohort
	insights      map[int64]*insight
	// order lists what has no order of its own as it came.
	order struct {
		organizations []uuid.UUID
		keys          []string
	}

	flags    map[int64]*featureFlag
	lastFlag int64

	surveys map[uuid.UUID]*survey
	// shelves are the surveys of a project, names the ids by project and name.
	shelves map[int64]*timeline[*survey]
	names   map[surveyName]uuid.UUID

	apps map[int64]*app
	// racks are the apps of an organization.
	racks   map[uuid.UUID]*timeline[*app]
	lastApp int64
	// sources is the code behind addresses, by the address without its query. It is
	// as the fixtures say, and never changed.
	sources map[string]appSource

	responses []response
	arrivals  int64
	// activity is the log of a project's surveys, oldest first.
	activity map[int64][]logEntry

	// throttle counts the requests since the store is there.
	throttle *ratelimit.ByKey
}

type organization struct {
	id          uuid.UUID
	name        string
	accessLevel int64
	features    json.RawMessage
}

type project struct {
	id           int64
	organization uuid.UUID
	name         string
	// waitPeriod are the days after another survey, for all surveys of the project; 0
	// for none.
	waitPeriod int64
	// surveysOptIn says whether in-app surveys show; nil is off.
	surveysOptIn *bool
}

// user is a person; its object has the columns of userTable.
type user struct {
	object
	id            int64
	organizations []uuid.UUID
	// projects are those that the user has access to; nil stands for all.
	projects []int64
	active   bool
}

// apiKey is a personal API key. Without projects and organizations it reaches all
// that its user reaches.
type apiKey struct {
	key           string
	user          int64
	scopes        []string
	projects      []int64
	organizations []uuid.UUID
}

type action struct {
	id, project int64
	name        string
}

// response counts answers to a survey, which may be gone by now.
type response struct {
	survey  uuid.UUID
	project int64
	count   int64
	// at is a JSON string or null.
	at json.RawMessage
	// archived ones are only counted when that is not ruled out.
	archived bool
	// submission is the id that partial answers of one person share; empty for none.
	submission string
}

type surveyName struct {
	project int64
	name    string
}

func newStore() *store {
	return &store{
		organizations: map[uuid.UUID]*organization{},
		projects:      map[int64]*project{},
		users:         map[int64]*user{},
		keys:          map[string]*apiKey{},
		actions:       map[int64]*action{},
		cohorts:       map[int64]*cohort{},
		insights:      map[int64]*insight{},
		flags:         map[int64]*featureFlag{},
		surveys:       map[uuid.UUID]*survey{},
		shelves:       map[int64]*timeline[*survey]{},
		names:         map[surveyName]uuid.UUID{},
		apps:          map[int64]*app{},
		racks:         map[uuid.UUID]*timeline[*app]{},
		sources:       map[string]appSource{},
		throttle:      ratelimit.NewByKey(keyRates...),
		activity:      map[int64][]logEntry{},
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
	c.shelves = map[int64]*timeline[*survey]{}
	for id, shelf := range st.shelves {
		c.shelves[id] = shelf.clone()
	}
	c.racks = map[uuid.UUID]*timeline[*app]{}
	for id, rack := range st.racks {
		c.racks[id] = rack.clone()
	}
	c.activity = map[int64][]logEntry{}
	for id, entries := range st.activity {
		c.activity[id] = slices.Clip(entries)
	}
	c.responses = append([]response(nil), st.responses...)
	return &c
}

func (st *store) addOrganization(o *organization) {
	st.organizations[o.id] = o
	st.racks[o.id] = &timeline[*app]{}
	st.order.organizations = append(st.order.organizations, o.id)
}

func (st *store) addProject(p *project) {
	st.projects[p.id] = p
	st.shelves[p.id] = &timeline[*survey]{}
}

func (st *store) addKey(k *apiKey) {
	st.keys[k.key] = k
	st.order.keys = append(st.order.keys, k.key)
}

// addSurvey stores a new survey.
func (st *store) addSurvey(s *survey) {
	st.surveys[s.id] = s
	st.names[surveyName{s.project, s.name}] = s.id
	st.shelves[s.project].insert(s)
}

// replaceSurvey stores a new version of a survey that keeps its place.
func (st *store) replaceSurvey(before, after *survey) {
	delete(st.names, surveyName{before.project, before.name})
	st.surveys[after.id] = after
	st.names[surveyName{after.project, after.name}] = after.id
	st.shelves[after.project].replace(after)
}

// dropSurvey takes a survey out and leaves its flags.
func (st *store) dropSurvey(s *survey) {
	delete(st.surveys, s.id)
	delete(st.names, surveyName{s.project, s.name})
	st.shelves[s.project].remove(s)
}

// removeSurvey deletes a survey and the flags that are its own: the internal one
// and the targeting flag, even one that was attached by its id.
func (st *store) removeSurvey(s *survey) {
	st.dropSurvey(s)
	delete(st.flags, s.targeting)
	delete(st.flags, s.internal)
}

func (st *store) addApp(a *app) {
	st.apps[a.id] = a
	st.lastApp = max(st.lastApp, a.id)
	st.racks[a.organization].insert(a)
}

func (st *store) replaceApp(a *app) {
	st.apps[a.id] = a
	st.racks[a.organization].replace(a)
}

func (st *store) removeApp(a *app) {
	delete(st.apps, a.id)
	st.racks[a.organization].remove(a)
}

// addFlag stores a flag; flags made by the service take the next id.
func (st *store) addFlag(f *featureFlag) {
	st.flags[f.id] = f
	st.lastFlag = max(st.lastFlag, f.id)
}

// arrive counts what comes in, for the order of things of the same time.
func (st *store) arrive() int64 {
	st.arrivals++
	return st.arrivals
}
