package testserver

import (
	"net/http"
	"slices"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/evaluation"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/offer"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// SurveyPerson says whether a survey is offered to somebody, as far as the service decides that:
// by the state of the survey and by its flags. What the conditions of the survey ask of a page is
// decided in the app.
type SurveyPerson struct {
	DistinctIDs []string `json:"distinct_ids"`
	Offered     bool     `json:"offered"`
	// Reasons say why the survey is not offered; none when it is.
	Reasons []string `json:"reasons"`
}

// SurveyPeople returns the persons of the survey's project, in the order in which the server
// learned of them, and whether the survey is offered to each. With distinct ids it returns the
// persons with these alone, known or not.
func (d *direct) SurveyPeople(id string, distinctIDs ...string) ([]SurveyPerson, error) {
	asked, err := d.contents.offerOf(id, distinctIDs)
	if err != nil {
		return nil, err
	}
	return asked.people(), nil
}

// surveyOffer is a survey and the persons whom it may be offered to, taken from the store.
type surveyOffer struct {
	survey  offer.Survey
	flags   *projectFlags
	persons []*store.Person
	now     time.Time
}

// offerOf takes from the store what decides about a survey: flags are evaluated without a lock.
func (c *contents) offerOf(id string, distinctIDs []string) (*surveyOffer, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	found, err := findSurvey(c.store, id)
	if err != nil {
		return nil, err
	}
	home := c.store.Projects.Get(found.Project)
	o := &surveyOffer{flags: c.flags.ofProject(c.store, home), now: c.time()}
	o.survey = offeredSurvey(o.flags, home, found)

	for _, distinctID := range distinctIDs {
		known := c.store.Person(found.Project, distinctID)
		if known == nil {
			known = &store.Person{Project: found.Project, DistinctIDs: []string{distinctID}}
		}
		o.persons = append(o.persons, known)
	}
	if len(distinctIDs) == 0 {
		o.persons = slices.DeleteFunc(c.store.Persons(), func(p *store.Person) bool { return p.Project != found.Project })
	}
	return o, nil
}

// offeredSurvey is what of a survey decides to whom it is offered.
func offeredSurvey(flags *projectFlags, home *store.Project, s *store.Survey) offer.Survey {
	own := offer.Survey{
		ID: s.ID.String(), Type: s.Text(store.SurveyTable, "type"),
		IsArchived: s.IsTrue(store.SurveyTable, "archived"), IsProjectOff: home.SurveysOptIn != nil && !*home.SurveysOptIn,
		Start: dateOf(s, "start_date"), End: dateOf(s, "end_date"),
		Linked: flags.Flags[s.Linked], Targeting: flags.Flags[s.Targeting], Internal: flags.Flags[s.Internal],
		Schedule:   rawjson.Unquote(s.HostedValue("schedule")),
		Conditions: conditionsOf(s),
	}
	if all := s.Fields(); all.Integer("iteration_count") > 0 {
		own.Iteration = max(all.Integer("current_iteration"), 1)
	}
	return own
}

// people decides about each person.
func (o *surveyOffer) people() []SurveyPerson {
	forAll := o.survey.Reasons(o.now)
	people := make([]SurveyPerson, len(o.persons))
	for i, known := range o.persons {
		person := &evaluation.Person{
			DistinctID: known.DistinctIDs[0], Properties: membersOf(known.Properties), Cohorts: o.flags.listed(known.DistinctIDs),
		}
		reasons := append(slices.Clone(forAll), o.survey.ReasonsFor(&o.flags.Project, person, o.now)...)
		people[i] = SurveyPerson{DistinctIDs: slices.Clone(known.DistinctIDs), Offered: len(reasons) == 0, Reasons: append([]string{}, reasons...)}
	}
	return people
}

// getSurveyPeople responds with the persons of a survey's project, or with those whose distinct
// ids are asked for, and whether the survey is offered to each.
func (c control) getSurveyPeople(w http.ResponseWriter, r *http.Request) {
	people, err := c.server.SurveyPeople(r.PathValue("id"), r.URL.Query()["distinct_id"]...)
	if err != nil {
		writeFailure(w, field.NotFound("surveys: "+err.Error()))
		return
	}
	writeLines(w, people)
}
