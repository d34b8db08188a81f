package testserver

import (
	"encoding/json"
	"time"
)

// RunJobs does once what the service does by itself from time to time, at the time of
// the server's clock: it stops surveys that have reached their responses_limit, which
// becomes null, stops recurring ones after their last iteration, and moves others to
// the iteration that the day belongs to. The flags of a survey that a job stops stay
// as they are until the next update. Answers are those of the fixtures.
func (s *Server) RunJobs() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.time(s.store)
	for _, project := range sortedIDs(s.store.shelves) {
		for _, found := range s.store.shelves[project].items {
			s.stopAtLimit(found, now)
			s.iterate(s.store.surveys[found.id], now)
		}
	}
}

// answered is the number of answers to a survey from its creation until a time.
func (st *store) answered(s *survey, now time.Time) int64 {
	count := int64(0)
	for _, r := range st.responses {
		at, dated := parseMoment(unquote(r.at))
		if r.survey == s.id && (!dated || !at.After(now) && at.UnixMicro() >= s.at) {
			count += r.count
		}
	}
	return count
}

// stopAtLimit stops a survey that has the answers it was made for.
func (s *Server) stopAtLimit(found *survey, now time.Time) {
	stored := found.fields()
	if isNothing(stored["responses_limit"]) || !isNothing(stored["end_date"]) {
		return
	}
	count := s.store.answered(found, now)
	if count == 0 || count < stored.whole("responses_limit") {
		return
	}
	s.store.change(found, fields{"end_date": momentText(now), "responses_limit": json.RawMessage("null")})
}

// iterate stops a recurring survey after its last iteration, or brings it to the
// present one.
func (s *Server) iterate(found *survey, now time.Time) {
	stored := found.fields()
	recurring := !isNothing(stored["start_date"]) && isNothing(stored["end_date"]) && !isNothing(stored["iteration_count"])
	if !recurring || !isList(stored["iteration_start_dates"]) || !s.profile.iterates(found) {
		return
	}
	if stored.iterationsOver(now) {
		after := s.store.change(found, fields{"end_date": momentText(now)})
		s.note("updated", 0, after, s.store.changesBetween(found, after))
		return
	}
	n, began := stored.iterationAt(now)
	if n == 0 || n == stored.whole("current_iteration") {
		return
	}
	after := s.store.change(found, fields{"current_iteration": encode(n), "current_iteration_start_date": began})
	if s.profile.beginIteration != nil {
		s.profile.beginIteration(s.store, after)
	}
}

// iterationAt is the iteration that a day belongs to, counted from 1, and when it
// began; 0 for none.
func (f fields) iterationAt(now time.Time) (int64, json.RawMessage) {
	frequency := f.whole("iteration_frequency_days")
	for i, raw := range elements(f["iteration_start_dates"]) {
		began, ok := parseMoment(unquote(raw))
		if !ok {
			continue
		}
		if days := int64(today(now).Sub(today(began)) / day); days >= 0 && days <= frequency {
			return int64(i) + 1, raw
		}
	}
	return 0, nil
}

// change replaces columns of a survey and nothing else.
func (st *store) change(before *survey, columns fields) *survey {
	after := *before
	after.object = before.with(surveyTable, columns)
	st.replaceSurvey(before, &after)
	return &after
}
