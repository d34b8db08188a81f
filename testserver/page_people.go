package testserver

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/page"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/surveyevent"
)

// The numbers of persons of a survey, of their distinct ids and of what each did that the page
// shows, and the length of an answer there.
const (
	shownPersons = 50
	shownIDs     = 5
	shownDeeds   = 20
	shownAnswer  = 1000
)

// peopleOf are the persons of a survey as the page shows them, without the reasons why it is not
// offered to them.
func peopleOf(st *store.Store, s *store.Survey) page.People {
	counts := surveyevent.Count(st.SurveyEvents(store.OfSurvey(s)), false)
	shown := page.People{
		Shown: counts.Shown.Total, ShownTo: counts.Shown.Persons, Dismissed: counts.Dismissed.Total, Responses: counts.Sent.Total,
	}

	l := &personList{store: st, survey: s, places: map[string]int{}}
	for _, e := range slices.Backward(st.Events()) {
		if e.Survey == s.ID && e.DistinctID != "" {
			l.addEvent(&e)
		}
	}
	for _, p := range st.Persons() {
		if p.Project == s.Project {
			l.place(p.DistinctIDs[0])
		}
	}

	for i := range l.persons {
		slices.Reverse(l.persons[i].Deeds)
	}
	shown.Persons, shown.More = l.persons, len(l.places)-len(l.persons)
	return shown
}

// personList collects persons.
type personList struct {
	store   *store.Store
	survey  *store.Survey
	persons []page.Person
	// places are the indexes of persons; those beyond the number that is shown are counted.
	places map[string]int
}

// place is the index of the person with a distinct id.
func (l *personList) place(id string) int {
	known := l.store.Person(l.survey.Project, id)
	key := "id " + id
	if known != nil {
		key = strconv.FormatInt(known.ID, 10)
	}
	if i, ok := l.places[key]; ok {
		return i
	}

	i := len(l.places)
	l.places[key] = i
	if i < shownPersons {
		person := page.Person{Name: id}
		if known != nil {
			for _, other := range known.DistinctIDs[:min(shownIDs, len(known.DistinctIDs))] {
				if other != id {
					person.Others = append(person.Others, other)
				}
			}
		}
		l.persons = append(l.persons, person)
	}
	return i
}

// addEvent adds what a person did.
func (l *personList) addEvent(e *store.Event) {
	i := l.place(e.DistinctID)
	if i >= shownPersons || len(l.persons[i].Deeds) >= shownDeeds {
		return
	}
	deed := page.Deed{Text: deedText(e), Time: e.At}
	if e.IsResponse() {
		deed.Answers = answersIn(l.survey.HostedValue("questions"), e.Properties)
	}
	l.persons[i].Deeds = append(l.persons[i].Deeds, deed)
}

// deedText says what a person did.
func deedText(e *store.Event) string {
	switch {
	case e.Name == surveyevent.Shown:
		return "saw it"
	case e.Name == surveyevent.Sent && string(rawjson.Lookup(e.Properties, "$survey_completed")) == "false":
		return "answered a part"
	case e.Name == surveyevent.Sent:
		return "answered"
	case e.IsResponse():
		return "answered a part and closed it"
	case e.Name == surveyevent.Dismissed:
		return "dismissed it"
	}
	return "left it"
}

// answerPrefix is how the properties with answers begin.
const answerPrefix = "$survey_response"

// answersIn are the answers in the properties of an event, in the order of the questions, and
// then those to questions that the survey no longer has.
func answersIn(questions, properties json.RawMessage) []page.GivenAnswer {
	var given []page.GivenAnswer
	taken := map[string]bool{}
	add := func(property, question string) {
		value := rawjson.Lookup(properties, property)
		if taken[property] || rawjson.IsNull(value) {
			return
		}
		taken[property] = true
		given = append(given, page.GivenAnswer{Question: question, Text: answerText(value)})
	}

	if rawjson.IsArray(questions) {
		for i, question := range rawjson.Items(questions) {
			byIndex := answerPrefix
			if i > 0 {
				byIndex += "_" + strconv.Itoa(i)
			}
			text := rawjson.Unquote(rawjson.Lookup(question, "question"))
			if id := rawjson.Unquote(rawjson.Lookup(question, "id")); id != "" && !rawjson.IsNull(rawjson.Lookup(properties, answerPrefix+"_"+id)) {
				// Some SDKs send it both ways.
				taken[byIndex] = true
				add(answerPrefix+"_"+id, text)
				continue
			}
			add(byIndex, text)
		}
	}
	for _, m := range rawjson.PairsOf(properties) {
		if strings.HasPrefix(m.Name, answerPrefix) {
			add(m.Name, "("+m.Name+", no question of the survey)")
		}
	}
	return given
}

// answerText is an answer in one line: a text, or several joined by commas.
func answerText(value json.RawMessage) string {
	text := string(value)
	switch {
	case rawjson.IsString(value):
		text = rawjson.Unquote(value)
	case rawjson.IsArray(value):
		var parts []string
		for _, item := range rawjson.Items(value) {
			parts = append(parts, answerText(item))
		}
		text = strings.Join(parts, ", ")
	}
	return shortened(text, shownAnswer)
}

// addReasons adds why a survey is not offered to the persons that the page shows.
func (p pages) addReasons(survey string, people *page.People) {
	ids := make([]string, len(people.Persons))
	for i := range people.Persons {
		ids[i] = people.Persons[i].Name
	}
	if len(ids) == 0 {
		return
	}
	offers, err := p.server.SurveyPeople(survey, ids...)
	if err != nil {
		return // it has been deleted since
	}
	for i, offer := range offers {
		people.Persons[i].Reasons = offer.Reasons
	}
}
