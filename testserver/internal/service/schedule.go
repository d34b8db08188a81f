package service

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

const (
	day = 24 * time.Hour
	// maxIterations is the maximum number of dates to compute.
	maxIterations = 500
)

// reconcileSchedule makes the schedule and the iterations of a request consistent, as the last step of its
// validation. It considers only the request: an iteration count with a frequency makes the survey
// recurring, and any other schedule clears both.
func (w *Write) reconcileSchedule() *wire.Failure {
	schedule, scheduled := w.Sent["schedule"]
	repeats := w.Sent["iteration_count"].Integer() > 0 && w.Sent["iteration_frequency_days"].Integer() > 0
	switch {
	case repeats && schedule.IsNull():
		w.Sent["schedule"] = wire.NewText("recurring")
	case scheduled && schedule.Text() != "recurring":
		w.Sent["iteration_count"], w.Sent["iteration_frequency_days"] = wire.Null, wire.Null
	}
	return nil
}

// setIterations computes the iteration dates of a recurring survey.
func setIterations(f wire.Fields) {
	null := wire.Null
	count, frequency := f["iteration_count"].Integer(), f["iteration_frequency_days"].Integer()
	if count == 0 || frequency == 0 {
		f["iteration_start_dates"] = wire.EmptyArray
		f["current_iteration"], f["current_iteration_start_date"] = null, null
		return
	}

	start, launched := wire.ParseTimestamp(f["start_date"].Text())
	if !launched {
		f["iteration_start_dates"] = null
		return
	}

	dates := []wire.Value{}
	for i := range min(count, maxIterations) {
		// Python's calendar ends with the year 9999.
		days := i * frequency
		if days > wire.LastYear*366 {
			break
		}
		date := start.UTC().Truncate(time.Second).AddDate(0, 0, int(days))
		if date.Year() > wire.LastYear {
			break
		}
		dates = append(dates, wire.TimestampText(date))
	}

	f["iteration_start_dates"] = wire.NewArray(dates...)
	if f["current_iteration"].Integer() == 0 {
		f["current_iteration"], f["current_iteration_start_date"] = wire.NewInt(1), f["start_date"]
	}
}

// iterationsOver reports whether the last iteration of a recurring survey is over.
func iterationsOver(f wire.Fields, now time.Time) bool {
	frequency := f["iteration_frequency_days"].Integer()
	if !f["iteration_start_dates"].IsArray() || frequency == 0 || frequency > wire.LastYear*366 {
		return false
	}
	dates := f["iteration_start_dates"].Items()
	if len(dates) == 0 {
		return false
	}
	last, ok := wire.ParseTimestamp(dates[len(dates)-1].Text())
	return ok && today(now).After(today(last).AddDate(0, 0, int(frequency)))
}

// currentIteration returns the number of the iteration at a time, counted from 1, and its start. The number
// is 0 if there is none.
func currentIteration(f wire.Fields, now time.Time) (int64, wire.Value) {
	frequency := f["iteration_frequency_days"].Integer()
	for i, raw := range f["iteration_start_dates"].Items() {
		start, ok := wire.ParseTimestamp(raw.Text())
		if !ok {
			continue
		}
		if days := int64(today(now).Sub(today(start)) / day); days >= 0 && days <= frequency {
			return int64(i) + 1, raw
		}
	}
	return 0, wire.Value{}
}

func today(t time.Time) time.Time { return t.UTC().Truncate(day) }

// maxSamplingDays is the maximum length of a sampling plan. PostHog has no limit and fails if it runs out of
// memory.
const maxSamplingDays = 100_000

// samplingDays maps interval types to their number of days.
var samplingDays = map[string]int64{"day": 1, "week": 7, "month": 30}

// checkSampling refuses sampling that began before today, or whose required fields are missing from the request.
func (w *Write) checkSampling() *wire.Failure {
	const startDate, interval = "response_sampling_start_date", "response_sampling_interval"
	start, dated := wire.ParseTimestamp(w.Sent[startDate].Text())
	if now := today(w.Now); dated && start.Before(now) {
		return wire.Refusal(startDate, "Response sampling start date must be today or a future date in UTC. Got %s when current time is %s",
			spelledTime(start, " "), spelledTime(now, " "))
	}
	switch {
	case w.Sent[interval].Is("0"):
		return wire.Refusal(interval, "Response sampling interval must be greater than 0.")
	case w.Sent["response_sampling_limit"].Integer() == 0:
		return nil
	case w.Sent[interval].IsNull():
		return wire.ServerError()
	case !dated:
		return wire.Refusal(startDate, "Response sampling start date should be set if response_sampling_start_date is not zero.")
	}
	return nil
}

// setSampling computes the daily limits of a sampling interval. If there is a start date and a type, which
// defaults to week, PostHog requires an interval and a limit, and fails without them.
func setSampling(f wire.Fields) *wire.Failure {
	const name = "response_sampling_daily_limits"
	kind, limit, interval := f["response_sampling_interval_type"], f["response_sampling_limit"], f["response_sampling_interval"]
	start, dated := wire.ParseTimestamp(f["response_sampling_start_date"].Text())
	switch {
	case !dated, kind.IsNull(), limit.Spelling() == "0":
		f[name] = wire.Null
		return nil
	case limit.IsNull(), interval.IsNull():
		return wire.ServerError()
	}

	days := f["response_sampling_interval"].Integer() * samplingDays[f["response_sampling_interval_type"].Text()]
	if days == 0 || days > maxSamplingDays || start.AddDate(0, 0, int(days)).Year() > wire.LastYear {
		return wire.ServerError()
	}
	plan := samplingPlan(start, days, f["response_sampling_limit"].Integer())
	f[name] = wire.NewText(plan) // a string that contains JSON
	return nil
}

// samplingPlan returns the plan for a number of days from start: for each day, the cumulative number of answers
// and the share of respondents who are asked.
func samplingPlan(start time.Time, days, limit int64) string {
	step := 100 / float64(days)
	rollout := step
	total := int64(0)
	plan := make([]string, 0, days)
	for n := range days {
		if total += limit / days; n < limit%days {
			total++
		}
		plan = append(plan, fmt.Sprintf(`{"date": "%s", "daily_response_limit": %d, "rollout_percentage": %s}`,
			spelledTime(start.AddDate(0, 0, int(n)), "T"), total, formatRounded(rollout)))
		rollout += step
	}
	return "[" + strings.Join(plan, ", ") + "]"
}

// saveSamplingFlag creates the flag with which PostHog samples responses, if the survey has a sampling plan.
func (w *Write) saveSamplingFlag(s *store.Survey) *wire.Failure {
	if !w.Checks || s.Value("response_sampling_daily_limits").IsNull() || w.Store.Flags.Get(s.SamplingFlag()) != nil {
		return nil
	}
	if f := w.checkFlagLimit(); f != nil {
		return f
	}
	filters := wire.NewObject(wire.Member{Name: "groups", Value: wire.NewArray(newFilters())})
	id := w.makeFlag(s, "-sampling", w.normal(filters), !s.IsNull(store.SurveyTable, "start_date"))
	s.Object = s.WithMember(store.SamplingFlagMember, wire.Of(id))
	return nil
}

// AdoptSamplingFlag finds the sampling flag of a survey in the fixtures. A response from PostHog contains only
// the flag's key. If no list contains a flag with this key, AdoptSamplingFlag creates one.
func AdoptSamplingFlag(st *store.Store, s *store.Survey) {
	if !s.Member(store.SamplingFlagMember).IsAbsent() {
		return
	}
	for _, listed := range s.Member("feature_flag_keys").Items() {
		key := listed.Get("value")
		if listed.Get("key").Text() != "internal_response_sampling_flag_key" || !key.IsText() {
			continue
		}
		id := st.FlagWithKey(s.Project, key)
		if id == 0 {
			id = st.MakeFlag(s.Project, targetingName(s), key.Text(), noGroups, s.IsRunning())
		}
		s.Object = s.WithMember(store.SamplingFlagMember, wire.Of(id))
	}
}

// spelledTime formats a UTC time as PostHog does inside texts.
func spelledTime(t time.Time, separator string) string {
	t = t.UTC().Truncate(time.Microsecond)
	form := "2006-01-02" + separator + "15:04:05"
	if t.Nanosecond() != 0 {
		form += ".000000"
	}
	return t.Format(form) + "+00:00"
}

// formatRounded rounds a number to two decimals and formats it as briefly as possible, but with a decimal point.
func formatRounded(x float64) string {
	s := strings.TrimRight(strconv.FormatFloat(x, 'f', 2, 64), "0")
	if strings.HasSuffix(s, ".") {
		return s + "0"
	}
	return s
}

// RunJobs runs PostHog's periodic jobs once. They change surveys as time passes.
func (v Service) RunJobs() {
	for _, project := range v.Store.Projects.Sorted() {
		for _, survey := range v.Store.Surveys(project.ID).Items {
			v.StopAtLimit(survey)
			v.iterate(v.Store.Survey(survey.ID))
		}
	}
}

// StopAtLimit stops a survey that has reached its responses_limit.
func (v Service) StopAtLimit(survey *store.Survey) {
	stored := survey.Fields()
	if stored["responses_limit"].IsNull() || !stored["end_date"].IsNull() {
		return
	}
	count := v.Store.ResponsesUntil(survey, v.Now)
	if count == 0 || count < stored["responses_limit"].Integer() {
		return
	}
	v.Store.ChangeSurvey(survey, wire.Fields{"end_date": wire.TimestampText(v.Now), "responses_limit": wire.Null})
}

// iterate stops a recurring survey after its last iteration, or moves it to its current iteration.
func (v Service) iterate(survey *store.Survey) {
	stored := survey.Fields()
	recurring := !stored["start_date"].IsNull() && stored["end_date"].IsNull() && !stored["iteration_count"].IsNull()
	if !recurring || !stored["iteration_start_dates"].IsArray() || v.Checks && stored["schedule"].Text() != "recurring" {
		return
	}
	if iterationsOver(stored, v.Now) {
		updated := v.Store.ChangeSurvey(survey, wire.Fields{"end_date": wire.TimestampText(v.Now)})
		v.LogUpdate(0, survey, updated)
		return
	}
	n, start := currentIteration(stored, v.Now)
	if n == 0 || n == stored["current_iteration"].Integer() {
		return
	}
	updated := v.Store.ChangeSurvey(survey, wire.Fields{"current_iteration": wire.Of(n), "current_iteration_start_date": start})
	v.beginIteration(updated)
}

// noGroups are the filters of a flag without release conditions.
var noGroups = wire.NewObject(wire.Member{Name: "groups", Value: wire.EmptyArray})
