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

// SurveyPerson is a person and whether PostHog offers a survey to the person, based on the state of the
// survey and its flags.
type SurveyPerson struct {
	DistinctIDs []string `json:"distinct_ids"`
	Offered     bool     `json:"offered"`
	// Reasons explain why the survey is not offered. It is empty if the survey is offered.
	Reasons []string `json:"reasons"`
	// InTheApp lists what must happen in the app before the survey appears: the survey's conditions on
	// the page, the device, and the person's events.
	InTheApp []string `json:"in_the_app,omitempty"`
	// Warnings are problems with the events that an app sent for the person.
	Warnings []string `json:"warnings,omitempty"`
}

// People returns the persons of the survey's project, in the order in which the server first saw them,
// and whether each is offered the survey. With distinct IDs, it returns only the persons with these IDs,
// including IDs that the server has never seen.
func (a *Apps) People(id string, distinctIDs []string) ([]SurveyPerson, error) {
	query, persons, err := a.querySurvey(id, distinctIDs)
	if err != nil {
		return nil, err
	}

	needs := query.surveys[0].Needs()
	if never := query.surveys[0].ExcludedSDKs(); never != "" {
		needs = append([]string{"the app is a web app: " + never}, needs...)
	}
	people := make([]SurveyPerson, len(persons))
	for i, candidate := range persons {
		reasons := []string{}
		evaluator := query.flags.Evaluator(query.person(candidate), query.now)
		for _, f := range query.reasons(0, evaluator, nil) {
			reasons = append(reasons, f.Check+": "+f.Text)
		}
		person := SurveyPerson{DistinctIDs: slices.Clone(candidate.DistinctIDs), Offered: len(reasons) == 0, Reasons: reasons, InTheApp: needs}
		if hidden := query.hiddenOnSomePages(0, evaluator); len(hidden) > 0 {
			person.InTheApp = slices.Concat(needs, hidden)
		}
		people[i] = person
		if query.isAskedAgain(candidate) {
			people[i].Warnings = []string{"this person has answered, and PostHog offers the survey again: " + howToSet(query.responded)}
		}
	}
	return people, nil
}

// Visit is a person who opens an app's page.
type Visit struct {
	DistinctID string
	// Properties are the person properties that the app sends, as decoded JSON. They replace stored
	// properties.
	Properties map[string]any
	// Groups maps group types to the person's groups.
	Groups map[string]VisitGroup
	// URL is the URL of the page. Device is Mobile, Tablet, Desktop, Console, or Wearable.
	URL, Device string
}

// VisitGroup is a group to which the person of a visit belongs.
type VisitGroup struct {
	Key        string
	Properties map[string]any
}

// SurveyOffer is a survey and the reasons why an SDK does not show it in a visit.
type SurveyOffer struct {
	ID, Name, Type string
	// Reasons is empty if the SDK shows the survey or passes it to the app's own code.
	Reasons []string
}

// ListOffers returns the surveys of a project, in the order of the feed, and whether each is shown in a visit.
func (a *Apps) ListOffers(projectID string, visit Visit) ([]SurveyOffer, error) {
	query, person, err := a.queryProject(projectID, visit)
	if err != nil {
		return nil, err
	}

	evaluator := query.flags.Evaluator(person, query.now)
	offers := make([]SurveyOffer, len(query.surveys))
	for i, survey := range query.surveys {
		offers[i] = SurveyOffer{ID: survey.ID, Name: query.names[i], Type: survey.Type}
		for _, f := range query.reasons(i, evaluator, &audience.Page{URL: visit.URL, Device: visit.Device}) {
			offers[i].Reasons = append(offers[i].Reasons, f.Text)
		}
	}
	query.addWaits(offers)
	return offers, nil
}

// addWaits adds a reason to surveys that have a wait period and that the SDK does not show because it
// shows another survey first.
func (a *surveysAsked) addWaits(offers []SurveyOffer) {
	var shown []audience.Survey
	var positions []int
	for i := range offers {
		if len(offers[i].Reasons) == 0 {
			shown, positions = append(shown, a.surveys[i]), append(positions, i)
		}
	}

	first := audience.FirstShown(shown)
	for i := range shown {
		if i == first || first < 0 {
			continue
		}
		if reason, waits := shown[i].WaitsAfter(offers[positions[first]].Name); waits {
			offers[positions[i]].Reasons = append(offers[positions[i]].Reasons, reason.Text)
		}
	}
}

// surveysAsked contains surveys of a project and a copy of everything that determines whether they are
// offered. Flags can therefore be evaluated without the store lock.
type surveysAsked struct {
	surveys []audience.Survey
	names   []string
	// hiders are the surveys on which posthog-js throws an error, so that the app shows no surveys.
	hiders []hider
	flags  *projectFlags
	// isOff is true if surveys are turned off in the project.
	isOff bool
	now   time.Time
	// responded is the person property that marks persons who have answered the survey. answeredBy
	// contains the distinct IDs of these persons. Both are set only for requests about one survey.
	responded  string
	answeredBy map[string]bool
}

// isAskedAgain reports whether a person has answered the survey but does not have the property that prevents another
// offer.
func (a *surveysAsked) isAskedAgain(p *store.Person) bool {
	return slices.ContainsFunc(p.DistinctIDs, func(id string) bool { return a.answeredBy[id] }) && !hasResponded(p, a.responded)
}

// newQuery copies everything that determines whether the surveys are offered. The caller must hold the
// store lock.
func (a *Apps) newQuery(home *store.Project, surveys []*store.Survey) *surveysAsked {
	query := &surveysAsked{flags: readFlags(a.Store, home), isOff: home.SurveysOptIn != nil && !*home.SurveysOptIn, now: service.StoreTime(a.Store, a.Clock)}
	for _, s := range surveys {
		query.surveys = append(query.surveys, newAudienceSurvey(query.flags, s, deliveredConditions(a.Store, s)))
		query.names = append(query.names, s.Text(store.SurveyTable, "name"))
	}
	for _, s := range a.Store.Surveys(home.ID).Items {
		if survey := newAudienceSurvey(query.flags, s, deliveredConditions(a.Store, s)); isDelivered(s) && len(survey.HidesAll()) > 0 {
			query.hiders = append(query.hiders, hider{survey, s.Text(store.SurveyTable, "name")})
		}
	}
	return query
}

func (a *Apps) querySurvey(id string, distinctIDs []string) (*surveysAsked, []*store.Person, error) {
	a.Mu.RLock()
	defer a.Mu.RUnlock()
	survey, err := a.Store.FindSurvey(id)
	if err != nil {
		return nil, nil, err
	}

	var persons []*store.Person
	for _, distinctID := range distinctIDs {
		person := a.Store.Person(survey.Project, distinctID)
		if person == nil {
			person = &store.Person{Project: survey.Project, DistinctIDs: []string{distinctID}}
		}
		persons = append(persons, person)
	}
	if len(distinctIDs) == 0 {
		persons = slices.DeleteFunc(a.Store.Persons(), func(p *store.Person) bool { return p.Project != survey.Project })
	}
	query := a.newQuery(a.Store.Projects.Get(survey.Project), []*store.Survey{survey})
	query.responded, query.answeredBy = service.RespondedProperty(survey), map[string]bool{}
	for e := range a.Store.Events() {
		if e.Survey == survey.ID && e.Name == store.Sent && isAskedOnce(survey) {
			query.answeredBy[e.DistinctID] = true
		}
	}
	return query, persons, nil
}

func (a *Apps) queryProject(projectID string, visit Visit) (*surveysAsked, *audience.Person, error) {
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

	query := a.newQuery(home, slices.SortedFunc(slices.Values(a.Store.Surveys(id).Items), compareInFeed))
	stored := a.Store.Person(id, visit.DistinctID)
	if stored == nil {
		stored = &store.Person{DistinctIDs: []string{visit.DistinctID}}
	}
	person := query.person(stored)
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
	return query, person, nil
}

// newAudienceSurvey converts a survey for package audience. conditions are the conditions that apps
// receive.
func newAudienceSurvey(flags *projectFlags, s *store.Survey, conditions wire.Value) audience.Survey {
	survey := audience.Survey{
		ID: s.ID.String(), Type: s.Text(store.SurveyTable, "type"),
		IsArchived: s.IsTrue(store.SurveyTable, "archived"),
		Start:      surveyDate(s, "start_date"), End: surveyDate(s, "end_date"),
		Linked: flags.Flags[s.Linked], Targeting: flags.Flags[s.Targeting], Internal: flags.Flags[s.Internal],
		Schedule:   s.Value("schedule").Text(),
		Conditions: decode(conditions), Appearance: decode(s.Value("appearance")),
	}
	if fields := s.Fields(); fields["iteration_count"].Integer() > 0 {
		survey.Iteration = max(fields["current_iteration"].Integer(), 1)
	}
	return survey
}

// shownByConditions converts the parts of a survey that determine on which pages it is shown.
func shownByConditions(s *store.Survey, conditions wire.Value) *audience.Survey {
	return &audience.Survey{Type: s.Text(store.SurveyTable, "type"), Conditions: decode(conditions), Appearance: decode(s.Value("appearance"))}
}

// person converts a stored person.
func (a *surveysAsked) person(person *store.Person) *audience.Person {
	return &audience.Person{
		DistinctID: person.DistinctIDs[0], Properties: decodedMembers(person.Properties), Cohorts: a.flags.staticCohorts(person.DistinctIDs),
	}
}

// reasons returns the reasons why a survey is not offered to the evaluator's person. page may be nil.
func (a *surveysAsked) reasons(i int, evaluator *audience.Evaluator, page *audience.Page) []audience.Finding {
	reasons := a.surveys[i].Offer(evaluator, page)
	for _, hider := range a.othersThan(i) {
		if reason, isCertain := hider.HidesAllSurveys(evaluator, page); reason != "" && isCertain {
			reasons = append(reasons, audience.Finding{Result: audience.Failed, Check: "other surveys", Text: fmt.Sprintf("survey %q hides it: %s", hider.name, reason)})
		}
	}
	if a.isOff && a.surveys[i].Type != audience.External {
		reasons = append(reasons, audience.ProjectOff())
	}
	return reasons
}

// hider is a survey that can make posthog-js show no surveys.
type hider struct {
	audience.Survey
	name string
}

// othersThan returns the other surveys that can hide survey i.
func (a *surveysAsked) othersThan(i int) []hider {
	if a.surveys[i].Type == audience.External {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(a.hiders), func(candidate hider) bool { return candidate.ID == a.surveys[i].ID })
}

// hiddenOnSomePages returns conditions on the page: other surveys must not hide survey i on it.
func (a *surveysAsked) hiddenOnSomePages(i int, evaluator *audience.Evaluator) []string {
	var needs []string
	for _, hider := range a.othersThan(i) {
		if reason, isCertain := hider.HidesAllSurveys(evaluator, nil); reason != "" && !isCertain {
			needs = append(needs, fmt.Sprintf("the page does not match survey %q, which hides it: %s", hider.name, reason))
		}
	}
	return needs
}
