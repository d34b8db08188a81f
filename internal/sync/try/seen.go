package try

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Answer is the answer to a question, with the property that holds it.
type Answer struct{ Question, Key, Text string }

// responsePrefix begins the properties that hold answers; the id of the question follows.
const responsePrefix = "$survey_response_"

// seenView has the events of a panel.
type seenView struct{ Rows []seenRow }

// seenRow is an event in words.
type seenRow struct {
	testserver.Event

	Survey  string
	Answers []Answer
}

// mostRows bounds the events that a panel shows.
const mostRows = 50

// seen are the newest events, newest first.
func (w *World) seen(ctx context.Context) (seenView, error) {
	events := w.server.Events(testserver.EventFilter{})
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
func answersOf(event testserver.Event, questions map[string]string) []Answer {
	var answers []Answer
	for key, value := range event.Properties {
		if id, ok := strings.CutPrefix(key, responsePrefix); ok {
			answers = append(answers, Answer{Question: questions[id], Key: key, Text: answerText(value)})
		}
	}
	slices.SortFunc(answers, func(a, b Answer) int { return strings.Compare(a.Key, b.Key) })
	return answers
}

// answerText is an answer as a person gave it: texts without quotes, several joined.
func answerText(answer any) string {
	switch answer := answer.(type) {
	case nil:
		return ""
	case []any:
		texts := make([]string, len(answer))
		for i, one := range answer {
			texts[i] = answerText(one)
		}
		return strings.Join(texts, ", ")
	}
	return jsonvalue.String(answer)
}

// getVersion serves a text that is another one once more events have arrived. It is asked for
// all the time, and so leaves the journal of the server alone.
func (p *Panel) getVersion(w http.ResponseWriter, _ *http.Request) {
	events := p.World.server.Events(testserver.EventFilter{})
	version := strconv.Itoa(len(events))
	if len(events) > 0 {
		version += " " + events[len(events)-1].UUID.String()
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	// The browser is gone when this fails: there is no one to report it to.
	_, _ = io.WriteString(w, version)
}
