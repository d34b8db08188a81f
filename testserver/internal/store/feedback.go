package store

import (
	"iter"
	"maps"
	"strconv"
	"time"

	"github.com/google/uuid"
)

// Feedback contains responses, events, and the persons and groups that they belong to.
type Feedback struct {
	responses []ResponseCount
	// events are survey events, and others are all other events. Their total is at most maxEvents.
	events, others eventLog
	maxEvents      int
	// arrived is the number of events that have arrived so far.
	arrived int64
	persons Shelf[int64, *Person]
	// personByID maps distinct IDs to person IDs.
	personByID map[distinctID]int64
	lastPerson int64
	// personBytes is the total size of the properties of all persons.
	personBytes int
	// groups are the groups by ID. groupBytes is their approximate memory.
	groups     Shelf[string, *Group]
	groupBytes int
}

func newFeedback(maxEvents int) Feedback {
	return Feedback{
		maxEvents: maxEvents, persons: newShelf[int64, *Person](), personByID: map[distinctID]int64{},
		groups: newShelf[string, *Group](),
	}
}

func (f Feedback) clone() Feedback {
	f.responses = append([]ResponseCount(nil), f.responses...)
	f.events, f.others = f.events.clone(), f.others.clone()
	f.persons = f.persons.clone()
	f.personByID = maps.Clone(f.personByID)
	f.groups = f.groups.clone()
	return f
}

// Person returns the person of a project with a distinct ID, or nil if there is none.
func (f *Feedback) Person(project int64, id string) *Person {
	return f.persons.Get(f.personByID[distinctID{project, id}])
}

// Responses returns the responses that the fixtures contain in short form.
func (f *Feedback) Responses() []ResponseCount { return f.responses }

// Persons returns the persons in the order in which they were added.
func (f *Feedback) Persons() []*Person { return f.persons.Sorted() }

// Events iterates over all events in the order of their arrival.
func (f *Feedback) Events() iter.Seq[*Event] {
	return func(yield func(*Event) bool) {
		ofSurveys, rest := f.events.events, f.others.events
		for len(ofSurveys)+len(rest) > 0 {
			next := &ofSurveys
			if len(ofSurveys) == 0 || len(rest) > 0 && rest[0].arrival < ofSurveys[0].arrival {
				next = &rest
			}
			if !yield(&(*next)[0]) {
				return
			}
			*next = (*next)[1:]
		}
	}
}

// EventsOfSurveys returns the survey events in the order of arrival.
func (f *Feedback) EventsOfSurveys() []Event { return f.events.events }

// AddResponse stores responses in short form.
func (f *Feedback) AddResponse(r ResponseCount) { f.responses = append(f.responses, r) }

// AddEvent stores an event. It returns false if the store already contains an event with the same ID.
func (f *Feedback) AddEvent(e Event) bool {
	log := &f.others
	if e.IsOfSurvey() {
		log = &f.events
	}
	f.arrived++
	e.arrival = f.arrived
	if !log.add(e) {
		return false
	}
	f.events.trim(f.maxEvents, maxEventBytes)
	f.others.trim(f.maxEvents-len(f.events.events), maxEventBytes-f.events.bytes)
	return true
}

// EditEvents edits each loaded event. It stops at the first error.
func (f *Feedback) EditEvents(edit func(*Event) error) error {
	f.events.known, f.others.known = nil, nil
	for e := range f.Events() {
		if err := edit(e); err != nil {
			return err
		}
	}
	return nil
}

// AddPerson stores a person.
func (f *Feedback) AddPerson(p Person) {
	f.lastPerson++
	p.ID = f.lastPerson
	for _, id := range p.DistinctIDs {
		f.personByID[distinctID{p.Project, id}] = p.ID
	}
	f.persons.Put(p.ID, &p)
	f.personBytes += p.Properties.Size()
}

// author returns the identity of an event's person: the ID of the stored person, or the distinct ID if no
// person has it. It returns "" for an entry that represents several persons.
func (f *Feedback) author(e Event) string {
	if e.DistinctID == "" {
		return ""
	}
	if id, isKnown := f.personByID[distinctID{e.Project, e.DistinctID}]; isKnown {
		return "person " + strconv.FormatInt(id, 10)
	}
	return "id " + e.DistinctID
}

// SurveyEvents returns the events of the selected surveys, including responses in short form.
func (f *Feedback) SurveyEvents(isAsked func(project int64, survey uuid.UUID) bool) []Event {
	var events []Event
	for _, r := range f.responses {
		if isAsked(r.Project, r.Survey) {
			events = append(events, r.event())
		}
	}
	for _, e := range f.events.events {
		if isAsked(e.Project, e.Survey) {
			e.Person = f.author(e)
			events = append(events, e)
		}
	}
	return events
}

// CountResponses returns the number of responses to a survey.
func (f *Feedback) CountResponses(s *Survey) int64 {
	var count int64
	for _, r := range Responses(f.SurveyEvents(OfSurvey(s))) {
		count += r.Count
	}
	return count
}

// ResponsesBySurvey returns the number of responses of each survey, including archived responses.
func (f *Feedback) ResponsesBySurvey() map[uuid.UUID]int64 {
	counts := map[uuid.UUID]int64{}
	everywhere := func(int64, uuid.UUID) bool { return true }
	for _, r := range Responses(f.SurveyEvents(everywhere)) {
		counts[r.Survey] += r.Count
	}
	return counts
}

// ResponsesUntil returns the number of responses to a survey from its creation until now. Partial answers of
// a dismissed or abandoned survey don't count for its limit.
func (f *Feedback) ResponsesUntil(s *Survey, now time.Time) int64 {
	lifetime := Window{From: time.UnixMicro(s.At), To: now}
	return Submissions(In(f.SurveyEvents(OfSurvey(s)), lifetime))
}
