package testserver

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// What the hosted service works out anew each time it saves a survey: the dates of
// its iterations, the plan of its sampling, the ids of its questions.

const (
	day = 24 * time.Hour
	// maxIterations is the number of dates that are worked out at most.
	maxIterations = 500
	// lastYear is the end of the service's calendar.
	lastYear = 9999
	// maxSamplingDays is how long a plan for sampling may be; the service has no bound
	// of its own, and gives up on one that no memory holds.
	maxSamplingDays = 100_000
)

func (w *surveyWrite) now() time.Time { return w.server.time(w.server.store) }

// compute works out what depends on other fields of the new version.
func (w *surveyWrite) compute() *failure {
	w.version.setIterations()
	if f := w.version.setSampling(); f != nil {
		return f
	}
	w.nameQuestions()
	return w.checkStorable()
}

// whole reads an integer field; null is 0.
func (f fields) whole(name string) int64 {
	n, err := strconv.ParseInt(string(f[name]), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// moment reads a field with a date; there may be none.
func (f fields) moment(name string) (time.Time, bool) {
	return parseMoment(unquote(f[name]))
}

// setIterations works out the dates of a recurring survey.
func (f fields) setIterations() {
	null := json.RawMessage("null")
	count, frequency := f.whole("iteration_count"), f.whole("iteration_frequency_days")
	if count == 0 || frequency == 0 {
		f["iteration_start_dates"] = json.RawMessage("[]")
		f["current_iteration"], f["current_iteration_start_date"] = null, null
		return
	}
	start, launched := f.moment("start_date")
	if !launched {
		f["iteration_start_dates"] = null
		return
	}
	dates := []json.RawMessage{}
	for i := range min(count, maxIterations) {
		// Further than the end of the calendar there is no date, so none is missed.
		days := i * frequency
		if days > lastYear*366 {
			break
		}
		date := start.UTC().Truncate(time.Second).AddDate(0, 0, int(days))
		if date.Year() > lastYear {
			break
		}
		dates = append(dates, momentText(date))
	}
	f["iteration_start_dates"] = listJSON(dates)
	if f.whole("current_iteration") == 0 {
		f["current_iteration"], f["current_iteration_start_date"] = json.RawMessage("1"), f["start_date"]
	}
}

// iterationsOver says whether the last iteration of a recurring survey has passed.
func (f fields) iterationsOver(now time.Time) bool {
	frequency := f.whole("iteration_frequency_days")
	if !isList(f["iteration_start_dates"]) || frequency == 0 || frequency > lastYear*366 {
		return false
	}
	dates := listOf(f["iteration_start_dates"])
	if len(dates) == 0 {
		return false
	}
	last, ok := parseMoment(unquote(dates[len(dates)-1]))
	return ok && today(now).After(today(last).AddDate(0, 0, int(frequency)))
}

func today(t time.Time) time.Time { return t.UTC().Truncate(day) }

// resume begins a recurring survey anew that is reopened after its last iteration.
func (w *surveyWrite) resume() bool {
	reopened := !w.before.isNull(surveyTable, "end_date") && isNothing(w.version["end_date"])
	if !reopened || w.version.whole("iteration_count") == 0 || !w.version.iterationsOver(w.now()) {
		return false
	}
	w.version["start_date"] = momentText(w.now())
	w.version["current_iteration"], w.version["current_iteration_start_date"] = json.RawMessage("null"), json.RawMessage("null")
	return true
}

// setSampling works out how many answers each day of a sampling interval may bring.
func (f fields) setSampling() *failure {
	const name = "response_sampling_daily_limits"
	start, dated := f.moment("response_sampling_start_date")
	limit := f.whole("response_sampling_limit")
	unit, ok := map[string]int64{"day": 1, "week": 7, "month": 30}[unquote(f["response_sampling_interval_type"])]
	if !dated || limit == 0 || isNothing(f["response_sampling_interval_type"]) {
		f[name] = json.RawMessage("null")
		return nil
	}
	days := f.whole("response_sampling_interval") * unit
	if !ok || days == 0 || days > maxSamplingDays || start.AddDate(0, 0, int(days)).Year() > lastYear {
		return broken()
	}
	step := 100 / float64(days)
	rollout := step
	total := int64(0)
	var plan []string
	for n := range days {
		if total += limit / days; n < limit%days {
			total++
		}
		plan = append(plan, fmt.Sprintf(`{"date": "%s", "daily_response_limit": %d, "rollout_percentage": %s}`,
			pythonTime(start.AddDate(0, 0, int(n)), "T"), total, pythonFloat(rollout)))
		rollout += step
	}
	// It is JSON inside of a string.
	f[name] = quote("[" + strings.Join(plan, ", ") + "]")
	return nil
}

// pythonFloat is a number rounded to two places, as short as it gets with a point.
func pythonFloat(x float64) string {
	s := strings.TrimRight(strconv.FormatFloat(x, 'f', 2, 64), "0")
	if strings.HasSuffix(s, ".") {
		return s + "0"
	}
	return s
}

// pythonTime is a time as the service puts it where it does not take the trouble to
// format it.
func pythonTime(t time.Time, separator string) string {
	t = t.UTC().Truncate(time.Microsecond)
	form := "2006-01-02" + separator + "15:04:05"
	if t.Nanosecond() != 0 {
		form += ".000000"
	}
	return t.Format(form) + "+00:00"
}

// nameQuestions gives an id to each question that has none.
func (w *surveyWrite) nameQuestions() {
	if !isList(w.version["questions"]) {
		return
	}
	questions := listOf(w.version["questions"])
	for i, raw := range questions {
		if isObject(raw) && !isTruthy(members(raw)["id"]) {
			questions[i] = pairsOf(raw).with("id", quote(randomUUID(w.server.ids).String())).json()
		}
	}
	w.version["questions"] = listJSON(questions)
}
