package try

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// Event is an event of a survey that the world was sent.
type Event struct {
	SurveyID   string                     `json:"survey_id"`
	Name       string                     `json:"event"`
	At         string                     `json:"at"`
	DistinctID string                     `json:"distinct_id"`
	Properties map[string]json.RawMessage `json:"properties"`
}

// Answer is the answer to a question, with the property that holds it.
type Answer struct{ Question, Key, Text string }

// responsePrefix begins the properties that hold answers; the id of the question follows.
const responsePrefix = "$survey_response_"

// Events are the events of a survey, or of all for an empty id, oldest first.
func (w *World) Events(ctx context.Context, surveyID string) ([]Event, error) {
	query := url.Values{}
	if surveyID != "" {
		query.Set("survey_id", surveyID)
	}
	text, err := w.send(ctx, http.MethodGet, "/_testserver/events?"+query.Encode(), nil)
	if err != nil {
		return nil, fmt.Errorf("the events cannot be read: %w", err)
	}
	var events []Event
	return events, json.Unmarshal(text, &events)
}

// seenView has the events of a panel.
type seenView struct{ Rows []seenRow }

// seenRow is an event in words.
type seenRow struct {
	Event

	Survey  string
	Answers []Answer
}

// mostRows bounds the events that a panel shows.
const mostRows = 50

// seen are the newest events, newest first.
func (w *World) seen(ctx context.Context) (seenView, error) {
	events, err := w.Events(ctx, "")
	if err != nil {
		return seenView{}, err
	}
	slices.Reverse(events)
	events = events[:min(len(events), mostRows)]

	names, questions := map[string]string{}, map[string]string{}
	for survey, err := range w.client.Surveys(w.projectID).List(ctx, client.ListOptions{}) {
		if err != nil {
			return seenView{}, err
		}
		names[*survey.ID], _ = survey.Name.Get() // the service returns one
		listed, _ := survey.Questions.Get()      // none for null
		for _, raw := range listed {
			var question struct{ ID, Question string }
			if json.Unmarshal(raw, &question) == nil {
				questions[question.ID] = question.Question
			}
		}
	}

	var view seenView
	for _, event := range events {
		view.Rows = append(view.Rows, seenRow{Event: event, Survey: names[event.SurveyID], Answers: answersOf(event, questions)})
	}
	return view, nil
}

// answersOf are the answers in an event, sorted by property.
func answersOf(event Event, questions map[string]string) []Answer {
	var answers []Answer
	for key, value := range event.Properties {
		if id, ok := strings.CutPrefix(key, responsePrefix); ok {
			answers = append(answers, Answer{Question: questions[id], Key: key, Text: answerText(value)})
		}
	}
	slices.SortFunc(answers, func(a, b Answer) int { return strings.Compare(a.Key, b.Key) })
	return answers
}

// answerText is an answer as a person wrote it: texts without quotes, several joined.
func answerText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var list []string
	if json.Unmarshal(raw, &list) == nil {
		return strings.Join(list, ", ")
	}
	return string(raw)
}

// getSeen serves the list of events, which the panel renews.
func (p *Panel) getSeen(w http.ResponseWriter, r *http.Request) {
	view, err := p.World.seen(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	write(w, "seen", panelPolicy, view)
}
