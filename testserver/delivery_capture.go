package testserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/sdk"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// capturePaths are where SDKs send events.
var capturePaths = []string{"/e/", "/i/v0/e/", "/batch/", "/capture/"}

// captured is an event as far as it changes the store.
type captured struct {
	distinctID string
	person     sdk.PersonChange
	// ofSurvey is the event of a survey; nil for any other one.
	ofSurvey *store.Event
}

// captureEvents takes events: those of surveys are counted, and what any of them says about its
// person is kept. The response is the same for a token that no project has.
func captureEvents(x *exchange) (response, *wire.Failure) {
	events, err := sdk.Events(x.delivery.body, x.contents.now())
	switch {
	case errors.Is(err, sdk.ErrEventTooLarge):
		return *plainText(http.StatusRequestEntityTooLarge, err.Error()), nil
	case err != nil:
		return *plainText(http.StatusBadRequest, err.Error()), nil
	}

	var changing []captured
	for _, e := range events {
		c := captured{distinctID: e.DistinctID, person: e.PersonChange(), ofSurvey: surveyEventOf(e)}
		if c.ofSurvey != nil || c.person.IsKnown {
			changing = append(changing, c)
		}
	}
	if len(changing) > 0 {
		x.contents.mu.Lock()
		defer x.contents.mu.Unlock()
		in := intake{x.contents, x.contents.store.ProjectWithToken(x.delivery.token)}
		x.delivery.shown = in.take(changing)
	}

	if x.request.URL.Query().Get("beacon") == "1" {
		return response{status: http.StatusNoContent}, nil
	}
	return taken, nil
}

// taken is the response to events.
var taken = response{status: http.StatusOK, contentType: jsonContent, body: []byte(`{"status": 1}`)}

// surveyEventOf is an event as one of a survey; nil when it is none. Its parts are copies, since
// they outlive the request.
func surveyEventOf(e sdk.Event) *store.Event {
	name := store.EventName(e.Name)
	if !slices.Contains(store.EventNames, name) {
		return nil
	}
	text := wire.Unquote(wire.Lookup(e.Properties, "$survey_id"))
	survey, err := uuid.Parse(text)
	if err != nil || survey.String() != text {
		return nil
	}
	return &store.Event{
		DistinctID: e.DistinctID,
		UUID:       e.UUID, Survey: survey, Name: name, At: e.At.Truncate(time.Microsecond), Count: 1,
		Properties: json.RawMessage(bytes.Clone(e.Properties)),
		Submission: wire.Unquote(wire.Lookup(e.Properties, "$survey_submission_id")),
	}
}

// The numbers of names, and of letters of one, that the journal has of a request with events.
const (
	namedEvents  = 5
	namedLetters = 60
)

// eventsText says which events a body has: "survey shown, $pageview (3), and 2 others".
func eventsText(body json.RawMessage) string {
	names, counts := sdk.Names(body)
	var shown []string
	for _, name := range names[:min(namedEvents, len(names))] {
		letters := []rune(name)
		text := string(letters[:min(namedLetters, len(letters))])
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

// intake stores events of a project; nil for none. Its caller holds the lock.
type intake struct {
	*contents
	project *store.Project
}

// take stores events. It returns the surveys that people saw.
func (in intake) take(events []captured) (shown []uuid.UUID) {
	if in.project == nil {
		return nil
	}

	persons := in.store.ChangePersons()
	answered := map[uuid.UUID]bool{}
	for _, e := range events {
		if e.person.Alias != "" {
			persons.Merge(in.project.ID, e.person.Alias, e.distinctID, e.person.Insists)
		}
		if e.person.IsKnown {
			persons.Know(in.project.ID, e.distinctID)
		}
		persons.Set(in.project.ID, e.distinctID, e.person.Once, e.person.Set, e.person.Unset)
		if e.ofSurvey == nil || !in.add(*e.ofSurvey) {
			continue
		}
		switch {
		case e.ofSurvey.Name == store.Shown:
			shown = append(shown, e.ofSurvey.Survey)
		case e.ofSurvey.IsResponse():
			answered[e.ofSurvey.Survey] = true
		}
	}
	persons.Close()
	in.arrived.Happened()

	// The service looks after limits from time to time; here a survey stops with the response
	// that reaches its limit, so that no test has to wait for it.
	for survey := range answered {
		jobs{in.contents}.stopAtLimit(in.store.Survey(survey), in.time())
	}
	return shown
}

// add stores the event of a survey of the project. It reports whether the event is new.
func (in intake) add(e store.Event) bool {
	s := in.store.Survey(e.Survey)
	if s == nil || s.Project != in.project.ID {
		return false
	}
	e.Project = in.project.ID
	if e.UUID == uuid.Nil {
		e.UUID = in.ids()
	}
	return in.store.AddEvent(e)
}
