package testserver

import (
	"encoding/json"
	"net/http"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// surveyWrite is a create or an update of a survey in progress.
type surveyWrite struct {
	*exchange
	// before is the stored survey, nil for a new one.
	before *survey
	// body are the fields of the request as they were sent, sent are the checked ones.
	body, sent rawjson.Fields
	// unsavable is set for a request with JSON that no database column can hold.
	unsavable bool
	// version has all fields of the survey as it will be stored.
	version rawjson.Fields
}

// hostedField is a field of a request: the checks of its type, then those of its own,
// which may also change what is stored.
type hostedField struct {
	column
	refine func(*surveyWrite, json.RawMessage) (json.RawMessage, *failure)
}

// hostedRequest are the fields of a request in the order in which they are checked.
var hostedRequest = []hostedField{
	{column: surveyColumn("name")},
	{column: surveyColumn("description")},
	{column: surveyColumn("type")},
	{column: column{name: "schedule", kind: text, filled: true}, refine: checkSchedule},
	{column: surveyRequest.columns[surveyRequest.index["linked_flag_id"]]},
	{column: column{name: "linked_insight_id", kind: integer, wide: true}},
	{column: surveyRequest.columns[surveyRequest.index["targeting_flag_id"]]},
	{column: column{name: "targeting_flag_filters"}, refine: checkObject("targeting_flag_filters")},
	{column: surveyRequest.columns[surveyRequest.index["remove_targeting_flag"]]},
	{column: column{name: "questions"}, refine: (*surveyWrite).checkQuestions},
	{column: column{name: "conditions"}, refine: checkConditions},
	{column: column{name: "appearance"}, refine: (*surveyWrite).checkAppearance},
	{column: surveyColumn("start_date")},
	{column: surveyColumn("end_date")},
	{column: surveyColumn("archived")},
	{column: surveyColumn("responses_limit")},
	{column: surveyColumn("iteration_count")},
	{column: surveyColumn("iteration_frequency_days")},
	{column: surveyColumn("iteration_start_dates")},
	{column: surveyColumn("current_iteration")},
	{column: surveyColumn("current_iteration_start_date")},
	{column: column{name: "response_sampling_start_date", kind: moment}},
	{column: column{name: "response_sampling_interval_type", kind: choice, known: isSamplingInterval}},
	{column: column{name: "response_sampling_interval", kind: integer}},
	{column: column{name: "response_sampling_limit", kind: integer}},
	{column: column{name: "response_sampling_daily_limits"}},
	{column: column{name: "enable_partial_responses", kind: boolean}},
	{column: column{name: "enable_iframe_embedding", kind: boolean}, refine: checkEmbedding},
	{column: column{name: "base_language", kind: text, notNull: true, max: 20}, refine: checkBaseLanguage},
	{column: column{name: "translations"}, refine: (*surveyWrite).checkTranslations},
	{column: column{name: "_create_in_folder", kind: text, notNull: true}},
	{column: column{name: "form_content"}, refine: checkObject("form_content")},
}

func isSamplingInterval(s string) bool { return s == "" || s == "day" || s == "week" || s == "month" }

// checkFields checks the request field by field, and returns the first error.
func (w *surveyWrite) checkFields() *failure {
	var f *failure
	if w.body, f = w.parse(); f != nil {
		return f
	}

	w.sent = rawjson.Fields{}
	for _, field := range hostedRequest {
		raw, present := w.body[field.name]

		switch {
		case !present && field.required && (w.before == nil || w.request.Method == http.MethodPut):
			return invalid("required", field.name, "This field is required.")
		case !present:
			continue
		case raw[0] == 'n' && field.notNull:
			return invalid("null", field.name, "This field may not be null.")
		case raw[0] != 'n':
			if raw, f = field.read(raw); f != nil {
				return f
			}
			// JSON columns fail on it when the survey is saved.
			if _, half := python.HalfSurrogate(raw); half && field.kind == anything {
				w.unsavable = true
			}
		}

		if field.refine != nil {
			if raw, f = field.refine(w, raw); f != nil {
				return f
			}
		}

		w.sent[field.name] = raw
	}
	return nil
}

func checkSchedule(_ *surveyWrite, raw json.RawMessage) (json.RawMessage, *failure) {
	switch string(raw) {
	case "null", `"once"`, `"recurring"`, `"always"`:
		return raw, nil
	}
	return nil, invalid("invalid_input", "schedule", "Schedule must be one of: once, recurring, always")
}

// checkObject accepts an object or null.
func checkObject(name string) func(*surveyWrite, json.RawMessage) (json.RawMessage, *failure) {
	return func(_ *surveyWrite, raw json.RawMessage) (json.RawMessage, *failure) {
		if !rawjson.IsNull(raw) && !rawjson.IsObject(raw) {
			return nil, invalid("invalid_input", name, name+" must be an object")
		}
		return raw, nil
	}
}

// checkEmbedding fails for null, which the field accepts but its column does not.
func checkEmbedding(_ *surveyWrite, raw json.RawMessage) (json.RawMessage, *failure) {
	if rawjson.IsNull(raw) {
		return nil, serverError()
	}
	return raw, nil
}

func isContentType(raw json.RawMessage) bool {
	return string(raw) == `"text"` || string(raw) == `"html"`
}
