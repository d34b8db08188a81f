package testserver

import (
	"encoding/json"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/surveyevent"
)

// SurveysAllStatsRetrieve counts the events of the surveys of the project that are not
// archived.
func (o *operations) SurveysAllStatsRetrieve(w http.ResponseWriter, _ *http.Request, _ api.ProjectID, _ api.SurveysAllStatsRetrieveParams) {
	exchangeOf(w).serveWith(func(x *exchange) (response, *field.Failure) {
		asked, f := statsWindow(x.request)
		if f != nil {
			return response{}, f
		}

		active := map[uuid.UUID]bool{}
		for _, s := range x.store.SurveysOf(x.project.ID).Items {
			active[s.ID] = !s.IsTrue(store.SurveyTable, "archived")
		}
		events := x.store.SurveyEvents(func(_ int64, survey uuid.UUID) bool { return active[survey] })

		stats := surveyevent.Count(surveyevent.In(events, asked), false)
		body := statistics(stats)
		if !slices.ContainsFunc(x.store.SurveysOf(x.project.ID).Items, func(s *store.Survey) bool { return active[s.ID] }) {
			body = body.With("stats", json.RawMessage("{}"))
		}
		return x.encode(http.StatusOK, func(b []byte) []byte { return append(b, body.JSON()...) }), nil
	})
}

// SurveysStatsRetrieve counts the events of one survey while it ran, and what was answered to
// each of its questions if that is asked for.
func (o *operations) SurveysStatsRetrieve(w http.ResponseWriter, _ *http.Request, _ api.ProjectID, id api.SurveyID, _ api.SurveysStatsRetrieveParams) {
	exchangeOf(w).serveWith(func(x *exchange) (response, *field.Failure) {
		s, f := x.survey(id)
		if f != nil {
			return response{}, f
		}
		asked, f := statsWindow(x.request)
		if f != nil {
			return response{}, f
		}

		query := x.request.URL.Query()
		events := x.store.SurveyEvents(store.OfSurvey(s))
		ran := lifetimeOf(s)
		stats := surveyevent.Count(surveyevent.In(events, asked.Within(ran)), isPythonTrue(last(query["exclude_archived"])))
		body := append(statistics(stats), rawjson.Pairs{
			{Name: "survey_id", Value: rawjson.Quote(id)},
			{Name: "start_date", Value: s.HostedValue("start_date")},
			{Name: "end_date", Value: s.HostedValue("end_date")},
		}...)

		if isPythonTrue(last(query["include_per_question_stats"])) {
			// The dates that are asked for replace those of the survey here.
			window := surveyevent.Window{From: sooner(asked.From, ran.From), To: sooner(asked.To, ran.To)}
			if window.To.IsZero() {
				window.To = x.now()
			}
			questions := surveyevent.Questions(s.HostedValue("questions"), surveyevent.In(events, window))
			body = append(body, rawjson.Member{Name: "per_question_stats", Value: questionStatistics(questions)})
		}
		return x.encode(http.StatusOK, func(b []byte) []byte { return append(b, body.JSON()...) }), nil
	})
}

// sooner is the first of two times that is set.
func sooner(asked, otherwise time.Time) time.Time {
	if asked.IsZero() {
		return otherwise
	}
	return asked
}

// lifetimeOf is the time in which the events of a survey are counted: from its start, or from its
// creation as long as it is a draft, to its end.
func lifetimeOf(s *store.Survey) surveyevent.Window {
	var w surveyevent.Window
	for _, name := range []string{"created_at", "start_date"} {
		if from, ok := field.ParseTimestamp(s.Text(store.SurveyTable, name)); ok {
			w.From = from
		}
	}
	w.To, _ = field.ParseTimestamp(s.Text(store.SurveyTable, "end_date"))
	return w
}

// statsWindow reads the dates between which events are counted.
func statsWindow(r *http.Request) (surveyevent.Window, *field.Failure) {
	var w surveyevent.Window
	query := r.URL.Query()
	for name, bound := range map[string]*time.Time{"date_from": &w.From, "date_to": &w.To} {
		value := last(query[name])
		if value == "" {
			continue
		}
		at, ok := field.ParseISOStrict(value)
		if !ok {
			return w, field.Invalid("invalid_input", "", "Invalid date format. Please use ISO 8601 format with timezone info "+
				"(e.g. 2024-01-01T00:00:00Z or 2024-01-01T00:00:00+00:00)")
		}
		*bound = at
	}

	if !w.From.IsZero() && !w.To.IsZero() && w.From.After(w.To) {
		return w, field.Invalid("invalid_input", "", "date_from must be before date_to")
	}
	return w, nil
}

// statistics are the numbers of the three events of surveys and their rates.
func statistics(s surveyevent.Stats) rawjson.Pairs {
	stats := rawjson.Pairs{
		{Name: string(surveyevent.Shown), Value: eventStatistics(s.Shown)},
		{Name: string(surveyevent.Dismissed), Value: eventStatistics(s.Dismissed)},
		{Name: string(surveyevent.Sent), Value: eventStatistics(s.Sent)},
	}
	rates := s.Rates()
	return rawjson.Pairs{
		{Name: "stats", Value: stats.JSON()},
		{Name: "rates", Value: rawjson.Pairs{
			{Name: "response_rate", Value: pythonFloat(rates.Response)},
			{Name: "dismissal_rate", Value: pythonFloat(rates.Dismissal)},
			{Name: "unique_users_response_rate", Value: pythonFloat(rates.PersonsResponse)},
			{Name: "unique_users_dismissal_rate", Value: pythonFloat(rates.PersonsDismissal)},
		}.JSON()},
	}
}

func eventStatistics(s surveyevent.EventStats) json.RawMessage {
	return rawjson.Pairs{
		{Name: "total_count", Value: rawjson.Encode(s.Total)},
		{Name: "unique_persons", Value: rawjson.Encode(s.Persons)},
		{Name: "first_seen", Value: timestampOrNull(s.First)},
		{Name: "last_seen", Value: timestampOrNull(s.Last)},
		{Name: "unique_persons_only_seen", Value: rawjson.Encode(s.PersonsOnlySeen)},
		{Name: "total_count_only_seen", Value: rawjson.Encode(s.OnlySeen)},
	}.JSON()
}

func timestampOrNull(at time.Time) json.RawMessage {
	if at.IsZero() {
		return json.RawMessage("null")
	}
	return field.TimestampText(at)
}

// questionStatistics are the numbers of the answers to each question.
func questionStatistics(questions []surveyevent.Question) json.RawMessage {
	entries := []json.RawMessage{}
	for _, q := range questions {
		distribution := rawjson.Pairs{}
		for _, answer := range q.Distribution {
			distribution = append(distribution, rawjson.Member{Name: answer.Text, Value: rawjson.Encode(answer.Count)})
		}
		entries = append(entries, rawjson.Pairs{
			{Name: "question_id", Value: rawjson.Quote(q.ID)},
			{Name: "question_index", Value: rawjson.Encode(q.Index)},
			{Name: "question_text", Value: rawjson.Quote(q.Text)},
			{Name: "question_type", Value: rawjson.Quote(q.Type)},
			{Name: "response_count", Value: rawjson.Encode(q.Responses)},
			{Name: "distribution", Value: distribution.JSON()},
			{Name: "average", Value: pythonFloat(q.Average)},
		}.JSON())
	}
	return rawjson.Array(entries)
}

// pythonFloat is a float as Python writes it in JSON, null for none.
func pythonFloat(x float64) json.RawMessage {
	if math.IsNaN(x) {
		return json.RawMessage("null")
	}
	text := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return json.RawMessage(text)
}
