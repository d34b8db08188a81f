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
func (s *Server) RunJobs() { jobs{s.contents}.run() }

// jobs change surveys without a request, as time passes.
type jobs struct{ *contents }

// run runs the jobs once.
func (j jobs) run() {
	j.mu.Lock()
	defer j.mu.Unlock()
	now := j.time()
	for _, project := range j.store.Projects.Sorted() {
		for _, found := range j.store.SurveysOf(project.ID).Items {
			j.stopAtLimit(found, now)
			j.iterate(j.store.Survey(found.ID), now)
		}
	}
}

// stopAtLimit stops a survey that has reached its responses_limit.
func (j jobs) stopAtLimit(found *store.Survey, now time.Time) {
	stored := found.Fields()
	if rawjson.IsNull(stored["responses_limit"]) || !rawjson.IsNull(stored["end_date"]) {
		return
	}
	count := j.store.ResponsesUntil(found, now)
	if count == 0 || count < stored.Integer("responses_limit") {
		return
	}
	j.store.ChangeSurvey(found, rawjson.Fields{"end_date": field.TimestampText(now), "responses_limit": json.RawMessage("null")})
}

// iterate stops a recurring survey after its last iteration, or moves it to the current
// one.
func (j jobs) iterate(found *store.Survey, now time.Time) {
	stored := found.Fields()
	recurring := !rawjson.IsNull(stored["start_date"]) && rawjson.IsNull(stored["end_date"]) && !rawjson.IsNull(stored["iteration_count"])
	if !recurring || !rawjson.IsArray(stored["iteration_start_dates"]) || !j.profile.movesIterations(found) {
		return
	}
	if iterationsOver(stored, now) {
		after := j.store.ChangeSurvey(found, rawjson.Fields{"end_date": field.TimestampText(now)})
		j.logChange("updated", 0, after, changesBetween(j.store, found, after))
		return
	}
	n, start := iterationAt(stored, now)
	if n == 0 || n == stored.Integer("current_iteration") {
		return
	}
	after := j.store.ChangeSurvey(found, rawjson.Fields{"current_iteration": rawjson.Encode(n), "current_iteration_start_date": start})
	j.profile.beginIteration(j.store, after)
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
