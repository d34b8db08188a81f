package sdk

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// capture stores all events, counts the events of surveys, and applies changes to persons that events
// contain. The response is the same if no project has the token.
func (x *Call) capture(token string) (wire.Response, *wire.Failure) {
	events, refused := x.events(x.apps.Now())
	if refused != nil {
		return *refused, nil
	}

	x.apps.Mu.Lock()
	defer x.apps.Mu.Unlock()
	x.Service = x.apps.Service()
	if x.project = x.Store.ProjectWithToken(token); x.project != nil {
		x.take(events)
		x.apps.Arrived.Notify()
	}

	switch {
	case x.Operation.isCaptureV1:
		return resultsResponse(events), nil
	case x.Request.URL.Query().Get("beacon") == "1":
		return wire.Response{Status: http.StatusNoContent}, nil
	}
	return wire.JSONResponse(http.StatusOK, statusOne), nil
}

// events decodes the events of the request, which arrived at now. The form of the body depends on the
// path. All later code uses the same form of an event.
func (x *Call) events(now time.Time) ([]Event, *wire.Response) {
	if x.Operation.isCaptureV1 {
		events, refused := x.batch.events(x.Body, now)
		if refused != nil {
			return nil, refused.response()
		}
		setResults(events, x.faultResults)
		return events, nil
	}

	events, err := Events(x.Body, now)
	switch {
	case errors.Is(err, ErrEventTooLarge):
		return nil, plainText(http.StatusRequestEntityTooLarge, err.Error())
	case err != nil:
		return nil, plainText(http.StatusBadRequest, err.Error())
	}
	return events, nil
}

// storeEvent converts an event for the store. It copies the event's parts, because they outlive the
// request.
func (x *Call) storeEvent(e Event) store.Event {
	event := store.Event{
		Project: x.project.ID, DistinctID: e.DistinctID, UUID: e.UUID, Name: store.EventName(e.Name),
		At: e.At.Truncate(time.Microsecond), Count: 1, Properties: e.Properties.Clone(),
	}
	if event.UUID == uuid.Nil {
		event.UUID = x.IDs()
	}
	if survey := x.eventSurvey(e); survey != nil {
		event.Survey, event.Submission = survey.ID, e.Properties.Get("$survey_submission_id").Text()
	}
	return event
}

// eventSurvey returns the survey of the project to which an event belongs, or nil if there is none.
func (x *Call) eventSurvey(e Event) *store.Survey {
	if !slices.Contains(store.EventNames, store.EventName(e.Name)) {
		return nil
	}
	text := e.Properties.Get(surveyIDProperty).Text()
	id, err := uuid.Parse(text)
	survey := x.Store.Survey(id)
	if err != nil || id.String() != text || survey == nil || survey.Project != x.project.ID {
		return nil
	}
	return survey
}

// The maximum number of event names that the journal shows for a request, and of characters in a name.
const (
	namedEvents  = 5
	namedLetters = 60
)

// eventsText describes the events of a body, such as "survey shown, $pageview (3), and 2 others".
func eventsText(body wire.Value) string {
	names, counts := Names(body)
	var texts []string
	for _, name := range names[:min(namedEvents, len(names))] {
		text := shorten(name)
		if counts[name] > 1 {
			text += fmt.Sprintf(" (%d)", counts[name])
		}
		texts = append(texts, text)
	}
	if rest := len(names) - len(texts); rest > 0 {
		texts = append(texts, fmt.Sprintf("and %d others", rest))
	}
	return strings.Join(texts, ", ")
}

// take adds events of the project to the store.
func (x *Call) take(events []Event) {
	persons := x.Store.ChangePersons()
	answered := map[uuid.UUID]bool{}
	for _, e := range events {
		if !e.Outcome.isKept() {
			continue
		}
		change, event := e.PersonChange(), x.storeEvent(e)
		problem := x.findProblem(e)
		if change.IsKnown {
			if change.Alias != "" {
				persons.Merge(x.project.ID, change.Alias, e.DistinctID, change.Insists)
			}
			persons.Know(x.project.ID, e.DistinctID)
		}
		if change.IsKnown && e.Name == groupIdentify {
			x.putGroup(e)
		}
		persons.Set(x.project.ID, e.DistinctID, change.Once, change.Set, change.Unset)
		isNew := x.Store.AddEvent(event)
		if isNew && problem != nil {
			x.Found.SurveyEvents = append(x.Found.SurveyEvents, *problem)
		}
		if !isNew || !event.IsOfSurvey() {
			continue
		}
		switch {
		case event.Name == store.Shown:
			x.Found.Shown = append(x.Found.Shown, event.Survey.String())
		case event.IsResponse():
			answered[event.Survey] = true
		}
	}
	persons.Close()

	// PostHog checks response limits periodically. This server stops a survey with the response that
	// reaches its limit, so that tests don't have to wait.
	for survey := range answered {
		x.StopAtLimit(x.Store.Survey(survey))
	}
}

// putGroup stores the group properties of an event that identifies a group.
func (x *Call) putGroup(e Event) {
	group := store.Group{
		Project: x.project.ID, Type: distinctIDText(e.Properties, "$group_type"), Key: distinctIDText(e.Properties, "$group_key"),
		Properties: e.Properties.Get("$group_set").Clone(),
	}
	if !group.Properties.IsObject() {
		group.Properties = wire.EmptyObject
	}
	if group.Type != "" && group.Key != "" {
		x.Store.PutGroupOfEvent(group)
	}
}

// statusOne is the success response for old SDKs.
var statusOne = wire.NewObject(wire.Member{Name: "status", Value: wire.NewInt(1)})
