package service

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// projectStatistics responds with the counts of events of the project's surveys that are not archived.
func projectStatistics(x *Call) (wire.Response, *wire.Failure) {
	window, f := statsWindow(x.Request)
	if f != nil {
		return wire.Response{}, f
	}
	active := map[uuid.UUID]bool{}
	for _, s := range x.Store.Surveys(x.project.ID).Items {
		if !s.IsTrue(store.SurveyTable, "archived") {
			active[s.ID] = true
		}
	}
	events := x.Store.SurveyEvents(func(_ int64, survey uuid.UUID) bool { return active[survey] })
	body := statistics(CountEvents(store.In(events, window), false))
	if len(active) == 0 {
		body.Stats = struct{}{}
	}
	return x.respondValue(body)
}

// surveyStatistics responds with the counts of a survey's events while it ran. On request, it adds the
// answers to each question.
func surveyStatistics(x *Call, s *store.Survey) (wire.Response, *wire.Failure) {
	requested, f := statsWindow(x.Request)
	if f != nil {
		return wire.Response{}, f
	}

	query := x.Request.URL.Query()
	events, ran := x.Store.SurveyEvents(store.OfSurvey(s)), lifetime(s)
	body := struct {
		statsBody
		ID        string             `json:"survey_id"`
		StartDate wire.Value         `json:"start_date"`
		EndDate   wire.Value         `json:"end_date"`
		Questions []AnsweredQuestion `json:"per_question_stats,omitzero"`
	}{
		statsBody: statistics(CountEvents(store.In(events, requested.Within(ran)), isPythonTrue(last(query["exclude_archived"])))),
		ID:        x.Values.Get("id"), StartDate: s.Value("start_date"), EndDate: s.Value("end_date"),
	}
	if isPythonTrue(last(query["include_per_question_stats"])) {
		// For questions, PostHog uses the dates in the request instead of the survey's dates.
		window := store.Window{From: sooner(requested.From, ran.From), To: sooner(requested.To, ran.To)}
		if window.To.IsZero() {
			window.To = x.Now
		}
		body.Questions = AnsweredQuestions(s.Value("questions"), store.In(events, window))
	}
	return x.respondValue(body)
}

// sooner returns first, or otherwise if first is not set.
func sooner(first, otherwise time.Time) time.Time {
	if first.IsZero() {
		return otherwise
	}
	return first
}

// lifetime returns the period in which PostHog counts the events of a survey. It begins with the start, or
// with the creation of a draft, and ends with the survey's end.
func lifetime(s *store.Survey) store.Window {
	var w store.Window
	for _, name := range []string{"created_at", "start_date"} {
		if start, ok := wire.ParseTimestamp(s.Text(store.SurveyTable, name)); ok {
			w.From = start
		}
	}
	w.To, _ = wire.ParseTimestamp(s.Text(store.SurveyTable, "end_date"))
	return w
}

// statsWindow reads the period in which events are counted.
func statsWindow(r *http.Request) (store.Window, *wire.Failure) {
	var w store.Window
	query := r.URL.Query()
	for name, bound := range map[string]*time.Time{"date_from": &w.From, "date_to": &w.To} {
		value := last(query[name])
		if value == "" {
			continue
		}
		date, ok := wire.ParseTimestamp(value)
		if !ok {
			return w, wire.Refusal("", "Invalid date format. Please use ISO 8601 format with timezone info "+
				"(e.g. 2024-01-01T00:00:00Z or 2024-01-01T00:00:00+00:00)")
		}
		*bound = date
	}

	if !w.From.IsZero() && !w.To.IsZero() && w.From.After(w.To) {
		return w, wire.Refusal("", "date_from must be before date_to")
	}
	return w, nil
}

// statsBody contains the counts of the three survey events and their rates.
type statsBody struct {
	Stats any   `json:"stats"`
	Rates Rates `json:"rates"`
}

func statistics(s Stats) statsBody { return statsBody{s, s.Rates()} }

// countResponses responds with the number of responses of each survey in the project. In the hosted profile,
// it counts only the selected surveys, and only since the earliest start of any survey in the project. It
// includes archived responses unless the request excludes them.
func countResponses(x *Call) (wire.Response, *wire.Failure) {
	st := x.Store
	if !x.Filters {
		return x.withResponses(store.Responses(st.SurveyEvents(store.OfProject(x.project.ID))))
	}
	start, ok := firstStart(st, x.project.ID)
	query := x.Request.URL.Query()
	var ids []string
	for id := range strings.SplitSeq(last(query["survey_ids"]), ",") {
		if id = strings.TrimSpace(id); id != "" {
			ids = append(ids, id)
		}
	}

	var events []store.Event
	for _, e := range st.SurveyEvents(store.OfProject(x.project.ID)) {
		if e.At.IsZero() {
			e.At = x.Now
		}
		events = append(events, e)
	}

	excludeArchived := isPythonTrue(last(query["exclude_archived"]))
	isExcluded := func(r store.Event) bool {
		return !ok || excludeArchived && r.Archived || ids != nil && !slices.Contains(ids, r.Survey.String())
	}
	responses := store.Responses(store.In(events, store.Window{From: start}))
	return x.withResponses(slices.DeleteFunc(responses, isExcluded))
}

// isPythonTrue reports whether a parameter is "true" in any letter case. Any other value is false.
func isPythonTrue(parameter string) bool { return strings.EqualFold(parameter, "true") }

// firstStart returns the earliest start_date in a project. ok is false if no survey has one.
func firstStart(st *store.Store, project int64) (start time.Time, ok bool) {
	for _, s := range st.Surveys(project).Items {
		date, started := wire.ParseTimestamp(s.Text(store.SurveyTable, "start_date"))
		if started && (!ok || date.Before(start)) {
			start, ok = date, true
		}
	}
	return start, ok
}

// withResponses responds with the number of responses by survey. It omits surveys without responses, but
// includes deleted surveys.
func (x *Call) withResponses(responses []store.Event) (wire.Response, *wire.Failure) {
	counts := map[uuid.UUID]int64{}
	var ids []uuid.UUID
	for _, r := range responses {
		if r.Count == 0 {
			continue
		}
		if counts[r.Survey] == 0 {
			ids = append(ids, r.Survey)
		}
		counts[r.Survey] += r.Count
	}

	var body []wire.Member
	for _, id := range ids {
		body = append(body, wire.Member{Name: id.String(), Value: wire.Of(counts[id])})
	}
	return x.respond(http.StatusOK, body)
}
