package service

import (
	"encoding/json"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// RunJobs runs the periodic jobs of the service once, which change surveys as time passes.
func (v Service) RunJobs() {
	for _, project := range v.Store.Projects.Sorted() {
		for _, found := range v.Store.SurveysOf(project.ID).Items {
			v.StopAtLimit(found)
			v.iterate(v.Store.Survey(found.ID))
		}
	}
}

// StopAtLimit stops a survey that has reached its responses_limit.
func (v Service) StopAtLimit(found *store.Survey) {
	stored := found.Fields()
	if wire.IsNull(stored["responses_limit"]) || !wire.IsNull(stored["end_date"]) {
		return
	}
	count := v.Store.ResponsesUntil(found, v.Now)
	if count == 0 || count < stored.Integer("responses_limit") {
		return
	}
	v.Store.ChangeSurvey(found, wire.RawFields{"end_date": wire.TimestampText(v.Now), "responses_limit": json.RawMessage("null")})
}

// iterate stops a recurring survey after its last iteration, or moves it to the current
// one.
func (v Service) iterate(found *store.Survey) {
	stored := found.Fields()
	recurring := !wire.IsNull(stored["start_date"]) && wire.IsNull(stored["end_date"]) && !wire.IsNull(stored["iteration_count"])
	if !recurring || !wire.IsArray(stored["iteration_start_dates"]) || v.Checks && wire.Unquote(stored["schedule"]) != "recurring" {
		return
	}
	if iterationsOver(stored, v.Now) {
		after := v.Store.ChangeSurvey(found, wire.RawFields{"end_date": wire.TimestampText(v.Now)})
		v.LogUpdate(0, found, after)
		return
	}
	n, start := iterationAt(stored, v.Now)
	if n == 0 || n == stored.Integer("current_iteration") {
		return
	}
	after := v.Store.ChangeSurvey(found, wire.RawFields{"current_iteration": wire.Encode(n), "current_iteration_start_date": start})
	v.beginIteration(after)
}
