package testserver

import (
	"encoding/json"
	"net/http"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// surveyWrite is a create or an update of a survey in progress.
type surveyWrite struct {
	x *exchange
	// before is the stored survey, nil for a new one.
	before *store.Survey
	// body are the fields of the request as they were sent, sent are the checked ones.
	body, sent rawjson.Fields
	// unsavable is set for a request with JSON that no database column can hold.
	unsavable bool
	// version has all fields of the survey as it will be stored.
	version rawjson.Fields
	// questions are those of before, once [surveyWrite.storedQuestions] has looked at them.
	questions []json.RawMessage
}

// hostedRequest are the fields of a request in the order in which they are checked.
var hostedRequest = field.NewTable(
	store.SurveyTable.Column("name"),
	store.SurveyTable.Column("description"),
	store.SurveyTable.Column("type"),
	field.Column{Name: "schedule", Kind: field.Text, NotBlank: true},
	surveyRequest.Column("linked_flag_id"),
	field.Column{Name: "linked_insight_id", Kind: field.Integer, Wide: true},
	surveyRequest.Column("targeting_flag_id"),
	field.Column{Name: "targeting_flag_filters"},
	surveyRequest.Column("remove_targeting_flag"),
	field.Column{Name: "questions"},
	field.Column{Name: "conditions"},
	field.Column{Name: "appearance"},
	store.SurveyTable.Column("start_date"),
	store.SurveyTable.Column("end_date"),
	store.SurveyTable.Column("archived"),
	store.SurveyTable.Column("responses_limit"),
	store.SurveyTable.Column("iteration_count"),
	store.SurveyTable.Column("iteration_frequency_days"),
	store.SurveyTable.Column("iteration_start_dates"),
	store.SurveyTable.Column("current_iteration"),
	store.SurveyTable.Column("current_iteration_start_date"),
	field.Column{Name: "response_sampling_start_date", Kind: field.Timestamp},
	field.Column{Name: "response_sampling_interval_type", Kind: field.Choice, Known: isSamplingInterval},
	field.Column{Name: "response_sampling_interval", Kind: field.Integer},
	field.Column{Name: "response_sampling_limit", Kind: field.Integer},
	field.Column{Name: "response_sampling_daily_limits"},
	field.Column{Name: "enable_partial_responses", Kind: field.Boolean},
	field.Column{Name: "enable_iframe_embedding", Kind: field.Boolean},
	field.Column{Name: "base_language", Kind: field.Text, NotNull: true, Max: 20},
	field.Column{Name: "translations"},
	field.Column{Name: "_create_in_folder", Kind: field.Text, NotNull: true},
	field.Column{Name: "form_content"},
)

// refinements are the checks of single fields beyond those of their types. They also may
// change what is stored.
var refinements = map[string]func(*surveyWrite, json.RawMessage) (json.RawMessage, *field.Failure){
	"schedule":                checkSchedule,
	"targeting_flag_filters":  checkObject("targeting_flag_filters"),
	"questions":               (*surveyWrite).checkQuestions,
	"conditions":              checkConditions,
	"appearance":              (*surveyWrite).checkAppearance,
	"enable_iframe_embedding": checkEmbedding,
	"base_language":           checkBaseLanguage,
	"translations":            (*surveyWrite).checkTranslations,
	"form_content":            checkObject("form_content"),
}

func isSamplingInterval(s string) bool { return s == "" || s == "day" || s == "week" || s == "month" }

// checkFields checks the request field by field, and returns the first error.
func (w *surveyWrite) checkFields() *field.Failure {
	var f *field.Failure
	if w.body, f = w.x.parse(); f != nil {
		return f
	}
	w.sent, f = hostedRequest.Read(w.body, field.Reading{
		Value:    field.Column.Accept,
		Creating: w.before == nil || w.x.request.Method == http.MethodPut,
		Refine:   w.refine,
	})
	return f
}

// refine checks a field further.
func (w *surveyWrite) refine(c field.Column, raw json.RawMessage) (json.RawMessage, *field.Failure) {
	// JSON columns fail on it when the survey is saved.
	if _, half := python.HalfSurrogate(raw); half && c.Kind == field.Any {
		w.unsavable = true
	}
	if refine := refinements[c.Name]; refine != nil {
		return refine(w, raw)
	}
	return raw, nil
}

func checkSchedule(_ *surveyWrite, raw json.RawMessage) (json.RawMessage, *field.Failure) {
	switch string(raw) {
	case "null", `"once"`, `"recurring"`, `"always"`:
		return raw, nil
	}
	return nil, field.Invalid("invalid_input", "schedule", "Schedule must be one of: once, recurring, always")
}

// checkObject accepts an object or null.
func checkObject(name string) func(*surveyWrite, json.RawMessage) (json.RawMessage, *field.Failure) {
	return func(_ *surveyWrite, raw json.RawMessage) (json.RawMessage, *field.Failure) {
		if !rawjson.IsNull(raw) && !rawjson.IsObject(raw) {
			return nil, field.Invalid("invalid_input", name, name+" must be an object")
		}
		return raw, nil
	}
}

// checkEmbedding fails for null, which the field accepts but its column does not.
func checkEmbedding(_ *surveyWrite, raw json.RawMessage) (json.RawMessage, *field.Failure) {
	if rawjson.IsNull(raw) {
		return nil, field.ServerError()
	}
	return raw, nil
}

func isContentType(raw json.RawMessage) bool {
	return string(raw) == `"text"` || string(raw) == `"html"`
}
