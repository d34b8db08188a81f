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

// capture takes events: all are kept, those of surveys are counted, and so is what any of them says
// about its person. The response is the same for a token that no project has.
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

// events decodes the events of the request, which arrived now. Each path has its own form of a body. All code
// after this has one form of an event.
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

// stored is an event as the store keeps it. Its parts are copies, since they outlive the request.
func (x *Call) stored(e Event) store.Event {
	kept := store.Event{
		Project: x.project.ID, DistinctID: e.DistinctID, UUID: e.UUID, Name: store.EventName(e.Name),
		At: e.At.Truncate(time.Microsecond), Count: 1, Properties: e.Properties.Clone(),
	}
	if kept.UUID == uuid.Nil {
		kept.UUID = x.IDs()
	}
	if survey := x.surveyOf(e); survey != nil {
		kept.Survey, kept.Submission = survey.ID, e.Properties.Get("$survey_submission_id").Text()
	}
	return kept
}

// surveyOf is the survey of the project for which an event counts; nil for none.
func (x *Call) surveyOf(e Event) *store.Survey {
	if !slices.Contains(store.EventNames, store.EventName(e.Name)) {
		return nil
	}
	text := e.Properties.Get(surveyIDProperty).Text()
	id, err := uuid.Parse(text)
	found := x.Store.Survey(id)
	if err != nil || id.String() != text || found == nil || found.Project != x.project.ID {
		return nil
	}
	return found
}

// The numbers of names, and of letters of one, that the journal has of a request with events.
const (
	namedEvents  = 5
	namedLetters = 60
)

// eventsText says which events a body has: "survey shown, $pageview (3), and 2 others".
func eventsText(body wire.Value) string {
	names, counts := Names(body)
	var shown []string
	for _, name := range names[:min(namedEvents, len(names))] {
		text := shortened(name)
		if counts[name] > 1 {
			text += fmt.Sprintf(" (%d)", counts[name])
		}
		shown = append(shown, text)
	}
	if others := len(names) - len(shown); others > 0 {
		shown = append(shown, fmt.Sprintf("and %d others", others))
	}
	return strings.Join(shown, ", ")
}

// take stores events of the project.
func (x *Call) take(events []Event) {
	persons := x.Store.ChangePersons()
	answered := map[uuid.UUID]bool{}
	for _, e := range events {
		if !e.Outcome.isKept() {
			continue
		}
		change, kept := e.PersonChange(), x.stored(e)
		problem := x.problemOf(e)
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
		isNew := x.Store.AddEvent(kept)
		if isNew && problem != nil {
			x.Found.SurveyEvents = append(x.Found.SurveyEvents, *problem)
		}
		if !isNew || !kept.IsOfSurvey() {
			continue
		}
		switch {
		case kept.Name == store.Shown:
			x.Found.Shown = append(x.Found.Shown, kept.Survey.String())
		case kept.IsResponse():
			answered[kept.Survey] = true
		}
	}
	persons.Close()

	// The service looks after limits from time to time; here a survey stops with the response
	// that reaches its limit, so that no test has to wait for it.
	for survey := range answered {
		x.StopAtLimit(x.Store.Survey(survey))
	}
}

// putGroup keeps what an event says about a group, if it names one.
func (x *Call) putGroup(e Event) {
	named := store.Group{
		Project: x.project.ID, Type: idIn(e.Properties, "$group_type"), Key: idIn(e.Properties, "$group_key"),
		Properties: e.Properties.Get("$group_set").Clone(),
	}
	if !named.Properties.IsObject() {
		named.Properties = wire.EmptyObject
	}
	if named.Type != "" && named.Key != "" {
		x.Store.PutGroupOfEvent(named)
	}
}

// statusOne is the body of a successful response to old SDKs.
var statusOne = wire.NewObject(wire.Member{Name: "status", Value: wire.NewInt(1)})
