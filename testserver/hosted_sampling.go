package testserver

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// maxSamplingDays bounds the length of a sampling plan. The service has no limit, and fails
// when it runs out of memory.
const maxSamplingDays = 100_000

// checkSampling refuses sampling that began before today or lacks what it needs in the
// same request.
func (w *surveyWrite) checkSampling() *field.Failure {
	const startDate, interval = "response_sampling_start_date", "response_sampling_interval"
	start, dated := field.TimestampIn(w.sent, startDate)
	if now := today(w.x.now()); dated && start.Before(now) {
		return field.Invalid("invalid_input", startDate, fmt.Sprintf(
			"Response sampling start date must be today or a future date in UTC. Got %s when current time is %s",
			python.TimeText(start, " "), python.TimeText(now, " ")))
	}
	if string(w.sent[interval]) == "0" {
		return field.Invalid("invalid_input", interval, "Response sampling interval must be greater than 0.")
	}
	switch {
	case w.sent.Integer("response_sampling_limit") == 0:
		return nil
	case rawjson.IsNull(w.sent[interval]):
		return field.ServerError()
	case !dated:
		return field.Invalid("invalid_input", startDate, "Response sampling start date should be set if response_sampling_start_date is not zero.")
	}
	return nil
}

// samplingDays are the days of an interval, by its type.
var samplingDays = map[string]int64{"day": 1, "week": 7, "month": 30}

// setSampling computes the daily limits of a sampling interval. The service fails for
// incomplete sampling: with a start date and a type, which is week by default, it requires
// an interval and a limit.
func setSampling(f rawjson.Fields) *field.Failure {
	const name = "response_sampling_daily_limits"
	kind, limit, interval := f["response_sampling_interval_type"], f["response_sampling_limit"], f["response_sampling_interval"]
	start, dated := field.TimestampIn(f, "response_sampling_start_date")

	switch {
	case !dated, rawjson.IsNull(kind), string(limit) == "0":
		f[name] = json.RawMessage("null")
		return nil
	case rawjson.IsNull(limit), rawjson.IsNull(interval):
		return field.ServerError()
	}

	days := f.Integer("response_sampling_interval") * samplingDays[rawjson.Unquote(kind)]
	if days == 0 || days > maxSamplingDays || start.AddDate(0, 0, int(days)).Year() > field.LastYear {
		return field.ServerError()
	}
	// It is a string with JSON.
	f[name] = rawjson.Quote(samplingPlan(start, days, f.Integer("response_sampling_limit")))
	return nil
}

// samplingPlan is the plan of the days from start on: the answers until the end of
// each and the share of people who are asked.
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
			python.TimeText(start.AddDate(0, 0, int(n)), "T"), total, python.Rounded(rollout)))
		rollout += step
	}
	return "[" + strings.Join(plan, ", ") + "]"
}

// saveSamplingFlag creates the flag by which the service samples responses, once a survey
// has a sampling plan.
func (w *surveyWrite) saveSamplingFlag(s *store.Survey) *field.Failure {
	if rawjson.IsNull(s.HostedValue("response_sampling_daily_limits")) || w.x.store.Flags.Get(s.SamplingFlag()) != nil {
		return nil
	}
	if f := w.checkFlagLimit(); f != nil {
		return f
	}

	filters := rawjson.Pairs{{Name: "groups", Value: rawjson.Array([]json.RawMessage{everyoneWith(nil)})}}.JSON()
	id := makeSurveyFlag(w.x.store, s, "-sampling", filters, !s.IsNull(store.SurveyTable, "start_date"), w.x.ids)
	s.Object = s.WithMember(store.SamplingFlagMember, rawjson.Encode(id))
	return nil
}
