package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// pageListLength is the maximum number of surveys of a project, and of apps of an organization, that
// the page lists.
const pageListLength = 100

// objects returns the surveys and apps whose names contain a text. With a status, it returns only the
// surveys with this status.
func (p pages) objects(search, status string) Objects {
	p.world.Mu.RLock()
	defer p.world.Mu.RUnlock()
	var objects Objects
	st := p.world.Store
	responses := st.ResponsesBySurvey()

	for _, p := range st.Projects.Sorted() {
		items := st.Surveys(p.ID).Items
		project := Project{ID: p.ID, Name: p.Name, Total: len(items)}
		var newest []*store.Survey
		newest, project.Found = selectNewest(items, func(s *store.Survey) bool {
			return isNamed(s.Name, search) && (status == "" || shownStatus(s) == status)
		})
		for _, s := range newest {
			project.Surveys = append(project.Surveys, surveyRow(s, responses[s.ID]))
		}
		objects.Projects = append(objects.Projects, project)
	}

	for _, id := range st.OrganizationIDs() {
		items := st.OrganizationApps(id).Items
		organization := Organization{ID: id.String(), Name: st.Organization(id).Name, Total: len(items)}
		newest, matches := selectNewest(items, func(app *store.App) bool { return isNamed(app.Text(store.AppTable, "name"), search) })
		for _, app := range newest {
			organization.Apps = append(organization.Apps, AppRow{
				ID: app.ID, Name: app.Text(store.AppTable, "name"), Type: app.Text(store.AppTable, "plugin_type"),
				Tag: app.Text(store.AppTable, "tag"), Global: app.IsTrue(store.AppTable, "is_global"),
			})
		}
		organization.Found = matches
		objects.Organizations = append(objects.Organizations, organization)
	}
	return objects
}

// selectNewest returns the newest matching items, at most pageListLength, and the number of all matching
// items.
func selectNewest[T any](items []T, isAsked func(T) bool) (newest []T, matches int) {
	for _, item := range slices.Backward(items) {
		if !isAsked(item) {
			continue
		}
		if matches++; len(newest) < pageListLength {
			newest = append(newest, item)
		}
	}
	return newest, matches
}

// isNamed reports whether a name contains a text. It ignores case.
func isNamed(name, text string) bool {
	return text == "" || strings.Contains(strings.ToLower(name), strings.ToLower(text))
}

func surveyRow(s *store.Survey, responses int64) SurveyRow {
	row := SurveyRow{
		ID: s.ID.String(), Name: s.Name, Type: s.Text(store.SurveyTable, "type"), Status: shownStatus(s), Responses: responses,
	}
	if questions := s.Values[store.SurveyTable.Index["questions"]]; questions.IsArray() {
		row.Questions = questions.Len()
	}
	return row
}

// shownStatus returns the status that the page shows. The status of an archived survey is archived.
func shownStatus(s *store.Survey) string {
	if s.IsTrue(store.SurveyTable, "archived") {
		return "archived"
	}
	if status := service.Status(s); status != "complete" {
		return status
	}
	return "completed" // as in configurations and in the provider
}

// survey returns the detail of a survey, or nil if it does not exist.
func (p pages) survey(id string) *Survey {
	survey := p.storedSurvey(id)
	if survey != nil {
		p.addReasons(id, &survey.People)
	}
	return survey
}

// storedSurvey returns the part of the survey's detail that comes from the store.
func (p pages) storedSurvey(id string) *Survey {
	p.world.Mu.RLock()
	defer p.world.Mu.RUnlock()
	survey, err := p.world.Store.FindSurvey(id)
	if err != nil {
		return nil
	}

	entry := wire.NewObject(p.world.Service().Entries().SurveyEntry(survey)...)
	view := &Survey{
		ID: id, Name: survey.Name, Type: survey.Text(store.SurveyTable, "type"), Status: shownStatus(survey),
		Description: survey.Text(store.SurveyTable, "description"), JSON: indentJSON(entry.JSON()),
	}
	view.SetQuestions(entry.Get("questions"))
	view.People = surveyPeople(p.world.Store, survey)

	view.Facts = append(view.Facts, Fact{Name: "responses", Value: fmt.Sprint(p.world.Store.ResponsesBySurvey()[survey.ID])})
	for _, flag := range []struct {
		name string
		id   int64
	}{{"linked flag", survey.Linked}, {"targeting flag", survey.Targeting}, {"internal targeting flag", survey.Internal}} {
		if f := p.world.Store.Flags.Get(flag.id); f != nil {
			view.Facts = append(view.Facts, Fact{Name: flag.name, Value: fmt.Sprintf("%d, %s", f.ID, f.Text(store.FlagTable, "key"))})
		}
	}
	view.Facts = append(view.Facts, pageFacts(entry, "name", "description", "questions", "linked_flag", "targeting_flag", "internal_targeting_flag")...)
	return view
}

// app returns the detail of an import app, or nil if it does not exist.
func (p pages) app(id string) *App {
	number, err := strconv.ParseInt(id, 10, 64)
	p.world.Mu.RLock()
	defer p.world.Mu.RUnlock()
	app := p.world.Store.Apps.Get(number)
	if err != nil || app == nil {
		return nil
	}

	entry := wire.NewObject(p.world.Service().Entries().App(app)...)
	return &App{ID: number, Name: app.Text(store.AppTable, "name"), Facts: pageFacts(entry, "name"), JSON: indentJSON(entry.JSON())}
}

// pageFacts returns the non-empty members of an object, without the members in elsewhere.
func pageFacts(entry wire.Value, elsewhere ...string) []Fact {
	var facts []Fact
	for _, m := range entry.Members() {
		switch {
		case slices.Contains(elsewhere, m.Name), m.IsNull(), m.Is(`""`), m.Is("{}"), m.Is("[]"):
		case m.IsObject(), m.IsArray():
			facts = append(facts, Fact{Name: m.Name, Value: indentJSON(m.JSON()), Code: true, Items: m.Len()})
		default:
			facts = append(facts, Fact{Name: m.Name, Value: m.String()})
		}
	}
	return facts
}

// indentJSON indents JSON, and returns other text unchanged.
func indentJSON(raw json.RawMessage) string {
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return string(raw)
	}
	return b.String()
}

// Limits of the page: the number of persons per survey, of distinct IDs per person, and of events per person, and the
// length of an answer.
const (
	shownPersons = 50
	shownIDs     = 5
	shownDeeds   = 20
	shownAnswer  = 1000
)

// surveyPeople returns the persons of a survey for the page. addReasons adds the reasons why a person is
// not offered the survey.
func surveyPeople(st *store.Store, s *store.Survey) People {
	counts := service.CountEvents(st.SurveyEvents(store.OfSurvey(s)), false)
	people := People{
		Shown: counts.Shown.Total, ShownTo: counts.Shown.Persons, Dismissed: counts.Dismissed.Total, Responses: counts.Sent.Total,
	}

	l := &personList{store: st, survey: s, places: map[string]int{}}
	for _, e := range slices.Backward(st.EventsOfSurveys()) {
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
	people.Persons, people.More = l.persons, len(l.places)-len(l.persons)
	return people
}

// personList collects persons.
type personList struct {
	store   *store.Store
	survey  *store.Survey
	persons []Person
	// places maps each person to an index in persons. It also contains the persons beyond shownPersons.
	places map[string]int
}

// place returns the index of the person with a distinct ID, and adds the person if needed.
func (l *personList) place(id string) int {
	stored := l.store.Person(l.survey.Project, id)
	key := "id " + id
	if stored != nil {
		key = strconv.FormatInt(stored.ID, 10)
	}
	if i, ok := l.places[key]; ok {
		return i
	}

	i := len(l.places)
	l.places[key] = i
	if i < shownPersons {
		person := Person{Name: id}
		if stored != nil {
			for _, distinctID := range stored.DistinctIDs[:min(shownIDs, len(stored.DistinctIDs))] {
				if distinctID != id {
					person.Others = append(person.Others, distinctID)
				}
			}
		}
		l.persons = append(l.persons, person)
	}
	return i
}

// addEvent adds an event to its person.
func (l *personList) addEvent(e *store.Event) {
	i := l.place(e.DistinctID)
	if i >= shownPersons || len(l.persons[i].Deeds) >= shownDeeds {
		return
	}
	deed := Deed{Text: deedText(e), Time: e.At}
	if e.IsResponse() {
		deed.Answers = eventAnswers(l.survey.Value("questions"), e.Properties)
	}
	l.persons[i].Deeds = append(l.persons[i].Deeds, deed)
}

// deedText describes what a person did.
func deedText(e *store.Event) string {
	switch {
	case e.Name == store.Shown:
		return "saw it"
	case e.Name == store.Sent && e.Properties.Get("$survey_completed").Is("false"):
		return "answered in part"
	case e.Name == store.Sent:
		return "answered"
	case e.IsResponse():
		return "answered in part and closed it"
	case e.Name == store.Dismissed:
		return "dismissed it"
	}
	return "left it"
}

// answerPrefix is the prefix of properties that contain answers.
const answerPrefix = "$survey_response"

// eventAnswers returns the answers in the properties of an event, in the order of the questions. Answers
// to questions that the survey no longer contains come last.
func eventAnswers(questions, properties wire.Value) []GivenAnswer {
	var answers []GivenAnswer
	usedProperties := map[string]bool{}
	add := func(property, question string) {
		value := properties.Get(property)
		if usedProperties[property] || value.IsNull() {
			return
		}
		usedProperties[property] = true
		answers = append(answers, GivenAnswer{Question: question, Text: givenText(value)})
	}

	if questions.IsArray() {
		for i, question := range questions.Items() {
			byIndex := answerPrefix
			if i > 0 {
				byIndex += "_" + strconv.Itoa(i)
			}
			text := question.Get("question").Text()
			if id := question.Get("id").Text(); id != "" && !properties.Get(answerPrefix+"_"+id).IsNull() {
				// Some SDKs send each answer both by index and by question ID.
				usedProperties[byIndex] = true
				add(answerPrefix+"_"+id, text)
				continue
			}
			add(byIndex, text)
		}
	}
	for _, m := range properties.Members() {
		if strings.HasPrefix(m.Name, answerPrefix) {
			add(m.Name, "("+m.Name+", not a question of the survey)")
		}
	}
	return answers
}

// givenText formats an answer in one line. It joins multiple choices with commas.
func givenText(value wire.Value) string {
	text := value.Spelling()
	switch {
	case value.IsText():
		text = value.Text()
	case value.IsArray():
		var parts []string
		for _, item := range value.Items() {
			parts = append(parts, givenText(item))
		}
		text = strings.Join(parts, ", ")
	}
	return shorten(text, shownAnswer)
}

// addReasons adds the reasons why persons on the page are not offered the survey.
func (p pages) addReasons(survey string, people *People) {
	ids := make([]string, len(people.Persons))
	for i := range people.Persons {
		ids[i] = people.Persons[i].Name
	}
	if len(ids) == 0 {
		return
	}
	offers, err := p.world.SurveyPeople(survey, ids...)
	if err != nil {
		return // someone deleted the survey in the meantime
	}
	for i, offer := range offers {
		people.Persons[i].Reasons, people.Persons[i].InTheApp = offer.Reasons, offer.InTheApp
	}
}
