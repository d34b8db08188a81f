package testserver

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// eventEntry is the entry of an event in a fixtures document.
type eventEntry struct {
	UUID       uuid.UUID       `json:"uuid"`
	Project    int64           `json:"project_id"`
	Survey     uuid.UUID       `json:"survey_id"`
	Event      store.EventName `json:"event"`
	At         json.RawMessage `json:"at"`
	DistinctID string          `json:"distinct_id,omitempty"`
	// Count is there in place of DistinctID for several events.
	Count      int64           `json:"count,omitempty"`
	Properties json.RawMessage `json:"properties,omitempty"`
	Archived   bool            `json:"archived,omitempty"`
}

// eventKeys are the keys of an events entry.
var eventKeys = []string{"uuid", "project_id", "survey_id", "event", "at", "distinct_id", "count", "properties", "archived"}

func entryOfEvent(e store.Event) eventEntry {
	entry := eventEntry{
		UUID: e.UUID, Project: e.Project, Survey: e.Survey, Event: e.Name, At: wire.TimestampText(e.At),
		DistinctID: e.DistinctID, Properties: e.Properties, Archived: e.Archived,
	}
	if e.DistinctID == "" {
		entry.Count = e.Count
	}
	return entry
}

// event reads an entry of events. Its time is that of the server's clock unless it has one.
func (l *loader) event(path string, raw json.RawMessage) error {
	o := wire.ReadEntry(path, raw, eventKeys)
	o.Require("survey_id", "event")
	e := store.Event{Project: o.ID("project_id"), DistinctID: o.Text("distinct_id", ""), Index: l.read}
	e.UUID, e.Survey, e.Archived = o.UUID("uuid"), o.UUID("survey_id"), o.Boolean("archived", false)
	e.Name, e.Count, e.Properties = store.EventName(o.Text("event", "")), o.Integer("count", 1), readProperties(o)
	l.read++

	switch {
	case o.Has("distinct_id") == o.Has("count"):
		o.Fail("", "needs one of the keys %q and %q", "distinct_id", "count")
	case e.DistinctID == "" && o.Has("distinct_id"):
		o.Fail("distinct_id", "must not be empty")
	case e.Count < 1:
		o.Fail("count", "must be above 0, is %d", e.Count)
	case !slices.Contains(store.EventNames, e.Name):
		o.Fail("event", "must be one of %q, is %q", store.EventNames, e.Name)
	}

	if at := o.Fields["at"]; !wire.IsNull(at) {
		var ok bool
		if e.At, ok = wire.ParseTimestamp(wire.Unquote(at)); !ok {
			o.Fail("at", "must be a date-time, is %s", at)
		}
	}
	if o.Err != nil {
		return o.Err
	}

	about := wire.Lookup(e.Properties, "$survey_id")
	if !wire.IsNull(about) && wire.Unquote(about) != e.Survey.String() {
		o.Fail("properties.$survey_id", "differs from survey_id")
	}
	e.Submission = wire.Unquote(wire.Lookup(e.Properties, "$survey_submission_id"))
	if !l.store.AddEvent(e) {
		o.Fail("uuid", "another event has it too")
	}
	return o.Err
}

// resolveEvents finds the project of each event, and fills in what it lacks. Events outlive
// their survey: those of a deleted one have a project_id.
func (l *loader) resolveEvents() error {
	return l.store.EditEvents(func(e *store.Event) error {
		path := fmt.Sprintf("events[%d]", e.Index)

		switch s := l.store.Survey(e.Survey); {
		case s == nil && e.Project == 0:
			return fmt.Errorf("%s.survey_id: there is no survey %s; events of a deleted one need a project_id", path, e.Survey)
		case s == nil:
		case e.Project == 0:
			e.Project = s.Project
		case e.Project != s.Project:
			return fmt.Errorf("%s.project_id: survey %s belongs to project %d", path, e.Survey, s.Project)
		}
		if err := l.knownProject(path+".project_id", e.Project); err != nil {
			return err
		}

		if e.UUID == uuid.Nil {
			e.UUID = l.ids()
		}
		if e.At.IsZero() {
			e.At = l.now
		}
		return nil
	})
}

// person reads an entry of persons.
func (l *loader) person(path string, raw json.RawMessage) error {
	o, p := readPerson(path, raw)
	for i, id := range p.DistinctIDs {
		if o.Err == nil && l.store.Person(p.Project, id) != nil {
			o.Fail(fmt.Sprintf("distinct_ids[%d]", i), "another person of project %d has it too", p.Project)
		}
	}
	if o.Err != nil {
		return o.Err
	}

	l.store.AddPerson(p)
	l.later(func() error { return l.knownProject(path+".project_id", p.Project) })
	return nil
}

// readPerson reads a person, apart from others.
func readPerson(path string, raw json.RawMessage) (*wire.Entry, store.Person) {
	o := wire.ReadEntry(path, raw, []string{"project_id", "distinct_ids", "properties", "is_identified"})
	o.Require("project_id", "distinct_ids")
	p := store.Person{
		Project: o.ID("project_id"), DistinctIDs: o.Texts("distinct_ids"), Properties: readProperties(o), IsIdentified: o.Boolean("is_identified", false),
	}
	if o.Err == nil && len(p.DistinctIDs) == 0 {
		o.Fail("distinct_ids", "must not be empty")
	}

	seen := map[string]bool{}
	for i, id := range p.DistinctIDs {
		switch {
		case id == "":
			o.Fail(fmt.Sprintf("distinct_ids[%d]", i), "must not be empty")
		case seen[id]:
			o.Fail(fmt.Sprintf("distinct_ids[%d]", i), "is there twice")
		}
		seen[id] = true
	}
	return o, p
}

// putPerson adds a person, or merges what is known of its distinct ids, and returns its entry.
func (c *contents) putPerson(entry json.RawMessage) (Object, error) {
	o, p := readPerson("person", entry)
	if o.Err != nil {
		return nil, o.Err
	}

	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.editor().knownProject("person.project_id", p.Project); err != nil {
		return nil, err
	}
	changes := c.store.ChangePersons()
	changes.Put(p)
	if !changes.Close() {
		return nil, fmt.Errorf("person %s: there is no room for it: the properties of a person may have %d bytes, all persons %d",
			p.DistinctIDs[0], store.MaxPersonProperties, store.MaxPersons)
	}
	return decodeObject(wire.Encode(entryOfPerson(c.store.Person(p.Project, p.DistinctIDs[0])))), nil
}

// personEntry is the entry of a person in a fixtures document.
type personEntry struct {
	Project     int64           `json:"project_id"`
	DistinctIDs []string        `json:"distinct_ids"`
	Properties  json.RawMessage `json:"properties"`
	// Identified is only there when it is true.
	Identified bool `json:"is_identified,omitempty"`
}

func entryOfPerson(p *store.Person) personEntry {
	return personEntry{p.Project, p.DistinctIDs, p.Properties, p.IsIdentified}
}

// readProperties reads the properties of a person or of an event, an object.
func readProperties(o *wire.Entry) json.RawMessage {
	raw := o.Fields["properties"]
	switch {
	case raw == nil:
		return json.RawMessage("{}")
	case !wire.IsObject(raw):
		o.Fail("properties", "must be an object, is %s", wire.KindOf(raw))
	}
	return raw
}
