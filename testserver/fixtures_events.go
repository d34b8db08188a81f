package testserver

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/strictjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/surveyevent"
)

// eventEntry is the entry of an event in a fixtures document.
type eventEntry struct {
	UUID       uuid.UUID        `json:"uuid"`
	Project    int64            `json:"project_id"`
	Survey     uuid.UUID        `json:"survey_id"`
	Event      surveyevent.Name `json:"event"`
	At         json.RawMessage  `json:"at"`
	DistinctID string           `json:"distinct_id,omitempty"`
	// Count is there in place of DistinctID for several events.
	Count      int64           `json:"count,omitempty"`
	Properties json.RawMessage `json:"properties,omitempty"`
	Archived   bool            `json:"archived,omitempty"`
}

// eventKeys are the keys of an events entry.
var eventKeys = []string{"uuid", "project_id", "survey_id", "event", "at", "distinct_id", "count", "properties", "archived"}

func entryOfEvent(e store.Event) eventEntry {
	entry := eventEntry{
		UUID: e.UUID, Project: e.Project, Survey: e.Survey, Event: e.Name, At: field.TimestampText(e.At),
		DistinctID: e.DistinctID, Properties: e.Properties, Archived: e.Archived,
	}
	if e.DistinctID == "" {
		entry.Count = e.Count
	}
	return entry
}

// event reads an entry of events. Its time is that of the server's clock unless it has one.
func (l *loader) event(path string, raw json.RawMessage) error {
	o := strictjson.Read(path, raw, eventKeys)
	o.Require("survey_id", "event")
	e := store.Event{Project: o.ID("project_id"), DistinctID: o.Text("distinct_id", ""), Index: l.read}
	e.UUID, e.Survey, e.Archived = o.UUID("uuid"), o.UUID("survey_id"), o.Boolean("archived", false)
	e.Name, e.Count, e.Properties = surveyevent.Name(o.Text("event", "")), o.Integer("count", 1), readProperties(o)
	l.read++

	switch {
	case o.Has("distinct_id") == o.Has("count"):
		o.Fail("", "needs one of the keys %q and %q", "distinct_id", "count")
	case e.DistinctID == "" && o.Has("distinct_id"):
		o.Fail("distinct_id", "must not be empty")
	case e.Count < 1:
		o.Fail("count", "must be above 0, is %d", e.Count)
	case !slices.Contains(surveyevent.Names, e.Name):
		o.Fail("event", "must be one of %q, is %q", surveyevent.Names, e.Name)
	}

	if at := o.Fields["at"]; !rawjson.IsNull(at) {
		var ok bool
		if e.At, ok = field.ParseTimestamp(rawjson.Unquote(at)); !ok {
			o.Fail("at", "must be a date-time, is %s", at)
		}
	}
	if o.Err != nil {
		return o.Err
	}

	about := rawjson.Lookup(e.Properties, "$survey_id")
	if !rawjson.IsNull(about) && rawjson.Unquote(about) != e.Survey.String() {
		o.Fail("properties.$survey_id", "differs from survey_id")
	}
	e.Submission = rawjson.Unquote(rawjson.Lookup(e.Properties, "$survey_submission_id"))
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

// events writes the persons and the events, if there are any.
func (d *dumper) events(st *store.Store) {
	if len(st.Persons()) > 0 {
		list(d, "persons", st.Persons(), func(b []byte, p *store.Person) []byte { return encoded(b, entryOfPerson(p)) })
	}
	if len(st.Events()) > 0 {
		list(d, "events", st.Events(), func(b []byte, e store.Event) []byte { return encoded(b, entryOfEvent(e)) })
	}
}
