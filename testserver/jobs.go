package testserver

import (
	"encoding/json"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// RunJobs runs the periodic jobs of the service once, at the time of the server's clock: it
// stops surveys that have reached their responses_limit, which becomes null, stops
// recurring ones after their last iteration, and moves others to their current iteration.
// The flags of a survey that a job stops stay as they are until the next update. Responses
// are those of the fixtures.
func (s *Server) RunJobs() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.time(s.store)
	for _, project := range s.store.Projects.Sorted() {
		for _, found := range s.store.SurveysOf(project.ID).Items {
			s.stopAtLimit(found, now)
			s.iterate(s.store.Survey(found.ID), now)
		}
	}
}

// stopAtLimit stops a survey that has reached its responses_limit.
func (s *Server) stopAtLimit(found *store.Survey, now time.Time) {
	stored := found.Fields()
	if rawjson.IsNull(stored["responses_limit"]) || !rawjson.IsNull(stored["end_date"]) {
		return
	}
	count := s.store.ResponsesUntil(found, now)
	if count == 0 || count < stored.Integer("responses_limit") {
		return
	}
	s.store.ChangeSurvey(found, rawjson.Fields{"end_date": field.TimestampText(now), "responses_limit": json.RawMessage("null")})
}

// iterate stops a recurring survey after its last iteration, or moves it to the current
// one.
func (s *Server) iterate(found *store.Survey, now time.Time) {
	stored := found.Fields()
	recurring := !rawjson.IsNull(stored["start_date"]) && rawjson.IsNull(stored["end_date"]) && !rawjson.IsNull(stored["iteration_count"])
	if !recurring || !rawjson.IsArray(stored["iteration_start_dates"]) || !s.profile.movesIterations(found) {
		return
	}
	if iterationsOver(stored, now) {
		after := s.store.ChangeSurvey(found, rawjson.Fields{"end_date": field.TimestampText(now)})
		s.logChange("updated", 0, after, changesBetween(s.store, found, after))
		return
	}
	n, start := iterationAt(stored, now)
	if n == 0 || n == stored.Integer("current_iteration") {
		return
	}
	after := s.store.ChangeSurvey(found, rawjson.Fields{"current_iteration": rawjson.Encode(n), "current_iteration_start_date": start})
	s.profile.beginIteration(s.store, after)
}

// iterationAt is the iteration at a time, counted from 1, and its start; 0 for none.
func iterationAt(f rawjson.Fields, now time.Time) (int64, json.RawMessage) {
	frequency := f.Integer("iteration_frequency_days")
	for i, raw := range rawjson.Items(f["iteration_start_dates"]) {
		start, ok := field.ParseTimestamp(rawjson.Unquote(raw))
		if !ok {
			continue
		}
		if days := int64(today(now).Sub(today(start)) / day); days >= 0 && days <= frequency {
			return int64(i) + 1, raw
		}
	}
	return 0, nil
}
