package sdk

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/audience"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// SurveyPerson is a person, and whether PostHog offers a survey to the person: by the state of the survey
// and by its flags.
type SurveyPerson struct {
	DistinctIDs []string `json:"distinct_ids"`
	Offered     bool     `json:"offered"`
	// Reasons say why the survey is not offered; none when it is.
	Reasons []string `json:"reasons"`
	// InTheApp is what has to happen in the app before the survey appears: what its conditions ask
	// of the page, the device and the person's events.
	InTheApp []string `json:"in_the_app,omitempty"`
	// Warnings are problems with what an app has sent about the person.
	Warnings []string `json:"warnings,omitempty"`
}

// People returns the persons of the survey's project, in the order in which the server
// learned of them, and whether the survey is offered to each. With distinct ids it returns the
// persons with these alone, known or not.
func (a *Apps) People(id string, distinctIDs []string) ([]SurveyPerson, error) {
	asked, persons, err := a.surveyFor(id, distinctIDs)
	if err != nil {
		return nil, err
	}

	needs := asked.surveys[0].Needs()
	if never := asked.surveys[0].NeverShown(); never != "" {
		needs = append([]string{"the app is a web app: " + never}, needs...)
	}
	people := make([]SurveyPerson, len(persons))
	for i, known := range persons {
		reasons := []string{}
		evaluator := asked.flags.Evaluator(asked.person(known), asked.now)
		for _, f := range asked.reasons(0, evaluator, nil) {
			reasons = append(reasons, f.Check+": "+f.Text)
		}
		person := SurveyPerson{DistinctIDs: slices.Clone(known.DistinctIDs), Offered: len(reasons) == 0, Reasons: reasons, InTheApp: needs}
		if hidden := asked.hiddenOnSomePages(0, evaluator); len(hidden) > 0 {
			person.InTheApp = slices.Concat(needs, hidden)
		}
		people[i] = person
		if asked.isAskedAgain(known) {
			people[i].Warnings = []string{"this person has answered, and PostHog offers the survey again: " + howToSet(asked.responded)}
		}
	}
	return people, nil
}

// Visit is a person who opens a page of an app.
type Visit struct {
	DistinctID string
	// Properties are properties of the person that the app sends, as JSON has them. They replace stored ones.
	Properties map[string]any
	// Groups are the groups of the person by the names of their types.
	Groups map[string]VisitGroup
	// URL is the address of the page, Device the kind of device: Mobile, Tablet, Desktop, Console
	// or Wearable.
	URL, Device string
}

// VisitGroup is a group of a visitor.
type VisitGroup struct {
	Key        string
	Properties map[string]any
}

// SurveyOffer is a survey, and why an SDK does not show it in a visit.
type SurveyOffer struct {
	ID, Name, Type string
	// Reasons are none when it is shown, or handed to the app's own code.
	Reasons []string
}

// OffersIn returns the surveys of a project and whether each is shown in a visit.
func (a *Apps) OffersIn(projectID string, visit Visit) ([]SurveyOffer, error) {
	asked, person, err := a.projectFor(projectID, visit)
	if err != nil {
		return nil, err
	}

	evaluator := asked.flags.Evaluator(person, asked.now)
	offers := make([]SurveyOffer, len(asked.surveys))
	for i, survey := range asked.surveys {
		offers[i] = SurveyOffer{ID: survey.ID, Name: asked.names[i], Type: survey.Type}
		for _, f := range asked.reasons(i, evaluator, &audience.Page{URL: visit.URL, Device: visit.Device}) {
			offers[i].Reasons = append(offers[i].Reasons, f.Text)
		}
	}
	return offers, nil
}

// surveysAsked are surveys of a project with what decides about them, taken from the store: flags
// are evaluated without a lock.
type surveysAsked struct {
	surveys []audience.Survey
	names   []string
	// hiders are the surveys of the project over which posthog-js throws; it then shows none.
	hiders []hider
	flags  *projectFlags
	// isOff is set when the project shows no surveys.
	isOff bool
	now   time.Time
	// responded is the property of persons who have answered the survey, answeredBy are their distinct IDs. They
	// are set when one survey is asked about.
	responded  string
	answeredBy map[string]bool
}

// isAskedAgain reports whether a person has answered the survey without the property that says so.
func (a *surveysAsked) isAskedAgain(p *store.Person) bool {
	return slices.ContainsFunc(p.DistinctIDs, func(id string) bool { return a.answeredBy[id] }) && !hasResponded(p, a.responded)
}

// askedIn takes what decides about some surveys of a project. The caller holds the lock of the
// store.
func (a *Apps) askedIn(home *store.Project, surveys []*store.Survey) *surveysAsked {
	asked := &surveysAsked{flags: flagsOf(a.Store, home), isOff: home.SurveysOptIn != nil && !*home.SurveysOptIn, now: service.StoreTime(a.Store, a.Clock)}
	for _, s := range surveys {
		asked.surveys = append(asked.surveys, surveyOffered(asked.flags, s, deliveredConditions(a.Store, s)))
		asked.names = append(asked.names, s.Text(store.SurveyTable, "name"))
	}
	for _, s := range a.Store.Surveys(home.ID).Items {
		if survey := surveyOffered(asked.flags, s, deliveredConditions(a.Store, s)); isDelivered(s) && len(survey.HidesAll()) > 0 {
			asked.hiders = append(asked.hiders, hider{survey, s.Text(store.SurveyTable, "name")})
		}
	}
	return asked
}

func (a *Apps) surveyFor(id string, distinctIDs []string) (*surveysAsked, []*store.Person, error) {
	a.Mu.RLock()
	defer a.Mu.RUnlock()
	found, err := a.Store.FindSurvey(id)
	if err != nil {
		return nil, nil, err
	}

	var persons []*store.Person
	for _, distinctID := range distinctIDs {
		known := a.Store.Person(found.Project, distinctID)
		if known == nil {
			known = &store.Person{Project: found.Project, DistinctIDs: []string{distinctID}}
		}
		persons = append(persons, known)
	}
	if len(distinctIDs) == 0 {
		persons = slices.DeleteFunc(a.Store.Persons(), func(p *store.Person) bool { return p.Project != found.Project })
	}
	asked := a.askedIn(a.Store.Projects.Get(found.Project), []*store.Survey{found})
	asked.responded, asked.answeredBy = service.RespondedProperty(found), map[string]bool{}
	for e := range a.Store.Events() {
		if e.Survey == found.ID && e.Name == store.Sent && isAskedOnce(found) {
			asked.answeredBy[e.DistinctID] = true
		}
	}
	return asked, persons, nil
}

func (a *Apps) projectFor(projectID string, visit Visit) (*surveysAsked, *audience.Person, error) {
	text, err := json.Marshal(visit.Properties)
	if err != nil {
		return nil, nil, err
	}
	properties, err := wire.Decode(text)
	if err != nil {
		return nil, nil, err
	}
	a.Mu.RLock()
	defer a.Mu.RUnlock()
	id, err := strconv.ParseInt(projectID, 10, 64)
	home := a.Store.Projects.Get(id)
	if err != nil || home == nil {
		return nil, nil, fmt.Errorf("project %s does not exist", projectID)
	}

	asked := a.askedIn(home, a.Store.Surveys(id).Items)
	known := a.Store.Person(id, visit.DistinctID)
	if known == nil {
		known = &store.Person{DistinctIDs: []string{visit.DistinctID}}
	}
	person := asked.person(known)
	person.DistinctID = visit.DistinctID
	if person.Properties == nil {
		person.Properties = map[string]any{}
	}
	maps.Copy(person.Properties, decodedMembers(properties))
	person.Groups = map[string]audience.Group{}
	for name, group := range visit.Groups {
		person.Groups[name] = audience.Group{Key: group.Key, Properties: group.Properties}
	}
	knowGroups(a.Store, id, person.Groups)
	return asked, person, nil
}

// surveyOffered is what of a survey decides to whom it is offered, with the conditions that apps get.
func surveyOffered(flags *projectFlags, s *store.Survey, conditions wire.Value) audience.Survey {
	own := audience.Survey{
		ID: s.ID.String(), Type: s.Text(store.SurveyTable, "type"),
		IsArchived: s.IsTrue(store.SurveyTable, "archived"),
		Start:      surveyDate(s, "start_date"), End: surveyDate(s, "end_date"),
		Linked: flags.Flags[s.Linked], Targeting: flags.Flags[s.Targeting], Internal: flags.Flags[s.Internal],
		Schedule:   s.Value("schedule").Text(),
		Conditions: decoded(conditions), Appearance: decoded(s.Value("appearance")),
	}
	if all := s.Fields(); all["iteration_count"].Integer() > 0 {
		own.Iteration = max(all["current_iteration"].Integer(), 1)
	}
	return own
}

// shownByConditions is what of a survey decides on which pages it is shown.
func shownByConditions(s *store.Survey, conditions wire.Value) *audience.Survey {
	return &audience.Survey{Type: s.Text(store.SurveyTable, "type"), Conditions: decoded(conditions), Appearance: decoded(s.Value("appearance"))}
}

// person is somebody whom the server knows.
func (a *surveysAsked) person(known *store.Person) *audience.Person {
	return &audience.Person{
		DistinctID: known.DistinctIDs[0], Properties: decodedMembers(known.Properties), Cohorts: a.flags.listed(known.DistinctIDs),
	}
}

// reasons are why a survey is not offered to the person of an evaluator; page may be nil.
func (a *surveysAsked) reasons(i int, evaluator *audience.Evaluator, page *audience.Page) []audience.Finding {
	reasons := a.surveys[i].Offer(evaluator, page)
	for _, other := range a.othersThan(i) {
		if why, isCertain := other.HidesAllFor(evaluator, page); why != "" && isCertain {
			reasons = append(reasons, audience.Finding{Result: audience.Failed, Check: "other surveys", Text: fmt.Sprintf("survey %q hides it: %s", other.name, why)})
		}
	}
	if a.isOff && a.surveys[i].Type != audience.External {
		reasons = append(reasons, audience.ProjectOff())
	}
	return reasons
}

// hider is a survey by which posthog-js may show no survey.
type hider struct {
	audience.Survey
	name string
}

// othersThan are the surveys that may hide a survey.
func (a *surveysAsked) othersThan(i int) []hider {
	if a.surveys[i].Type == audience.External {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(a.hiders), func(other hider) bool { return other.ID == a.surveys[i].ID })
}

// hiddenOnSomePages are what must not be for a survey to be shown: pages on which another one hides it.
func (a *surveysAsked) hiddenOnSomePages(i int, evaluator *audience.Evaluator) []string {
	var needs []string
	for _, other := range a.othersThan(i) {
		if why, isCertain := other.HidesAllFor(evaluator, nil); why != "" && !isCertain {
			needs = append(needs, fmt.Sprintf("the page is none on which survey %q hides it: %s", other.name, why))
		}
	}
	return needs
}
