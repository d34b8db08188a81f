package try

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
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

// getSeen serves the list of events, which the panel renews.
func (p *Panel) getSeen(w http.ResponseWriter, r *http.Request) {
	view, err := p.World.seen(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	write(w, "seen", panelPolicy, view)
}
