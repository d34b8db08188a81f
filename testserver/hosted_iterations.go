package testserver

import (
	"encoding/json"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

const (
	day = 24 * time.Hour
	// maxIterations is the maximum number of dates that are computed.
	maxIterations = 500
)

// reconcileSchedule makes the schedule and the iterations of a request agree, the last
// step of its validation. Only what the request holds counts: a count with a frequency
// makes the survey recurring, and any other schedule than that wipes both.
func (w *surveyWrite) reconcileSchedule() *field.Failure {
	schedule, scheduled := w.sent["schedule"]
	repeats := w.sent.Integer("iteration_count") > 0 && w.sent.Integer("iteration_frequency_days") > 0

	switch {
	case repeats && rawjson.IsNull(schedule):
		w.sent["schedule"] = rawjson.Quote("recurring")
	case scheduled && rawjson.Unquote(schedule) != "recurring":
		w.sent["iteration_count"] = json.RawMessage("null")
		w.sent["iteration_frequency_days"] = json.RawMessage("null")
	}
	return nil
}

// setIterations computes the dates of a recurring survey.
func setIterations(f rawjson.Fields) {
	null := json.RawMessage("null")
	count, frequency := f.Integer("iteration_count"), f.Integer("iteration_frequency_days")
	if count == 0 || frequency == 0 {
		f["iteration_start_dates"] = json.RawMessage("[]")
		f["current_iteration"], f["current_iteration_start_date"] = null, null
		return
	}

	start, launched := field.TimestampIn(f, "start_date")
	if !launched {
		f["iteration_start_dates"] = null
		return
	}

	dates := []json.RawMessage{}
	for i := range min(count, maxIterations) {
		// There are no dates after the end of the calendar.
		days := i * frequency
		if days > field.LastYear*366 {
			break
		}

		date := start.UTC().Truncate(time.Second).AddDate(0, 0, int(days))
		if date.Year() > field.LastYear {
			break
		}
		dates = append(dates, field.TimestampText(date))
	}

	f["iteration_start_dates"] = rawjson.Array(dates)
	if f.Integer("current_iteration") == 0 {
		f["current_iteration"], f["current_iteration_start_date"] = json.RawMessage("1"), f["start_date"]
	}
}

// iterationsOver reports whether the last iteration of a recurring survey has passed.
func iterationsOver(f rawjson.Fields, now time.Time) bool {
	frequency := f.Integer("iteration_frequency_days")
	if !rawjson.IsArray(f["iteration_start_dates"]) || frequency == 0 || frequency > field.LastYear*366 {
		return false
	}
	dates := rawjson.List(f["iteration_start_dates"])
	if len(dates) == 0 {
		return false
	}
	last, ok := field.ParseTimestamp(rawjson.Unquote(dates[len(dates)-1]))
	return ok && today(now).After(today(last).AddDate(0, 0, int(frequency)))
}

func today(t time.Time) time.Time { return t.UTC().Truncate(day) }
