package testserver

import (
	"encoding/json"
	"net/http"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// surveyWrite is a create or an update of a survey in progress.
type surveyWrite struct {
	x *exchange
	// before is the stored survey, nil for a new one.
	before *store.Survey
	// body is the request as it was sent, sent are its checked fields.
	body wire.Value
	sent wire.Fields
	// version has all fields of the survey as it will be stored.
	version rawjson.Fields
	// stored are the questions of before, once something has asked for them.
	stored []wire.Value
}

// createSurvey stores a new survey with all its flags: first the targeting flag, then the survey
// itself, then everything that depends on it. What is written before an error stays.
func createSurvey(x *exchange) (response, *wire.Failure) {
	w := &surveyWrite{x: x}
	if f := w.check(); f != nil {
		return response{}, f
	}

	st, now := x.store, x.now()
	s := &store.Survey{
		ID: x.profile.surveyID(x.ids()), Project: x.project.ID, Author: x.user.ID, Name: w.sent["name"].Text(),
		SortKey: store.SortKey{At: now.UnixMicro(), Sequence: st.NextSequence()}, Object: store.InitialObject(store.SurveyTable),
	}
	if f := w.makeTargeting(s, false); f != nil {
		return response{}, f
	}
	w.version = s.Fields()
	w.version["created_at"] = wire.TimestampText(now)
	if f := w.apply(s); f != nil {
		return response{}, f
	}

	f := w.afterSave(s)
	st.AddSurvey(s)
	if f != nil {
		return response{}, f
	}
	x.contents.logChange("created", x.user.ID, s, nil)
	return x.withSurvey(http.StatusCreated, x.profile.writeKeys, s, w.echoed())
}

// updateSurvey changes the fields that were sent, and those that depend on them: an absent field
// stays, null clears. The targeting flag is edited before the rest is checked, and stays edited if
// that is refused.
func updateSurvey(x *exchange, before *store.Survey) (response, *wire.Failure) {
	w := &surveyWrite{x: x, before: before}
	if f := w.check(); f != nil {
		return response{}, f
	}

	st, after, targeting := x.store, *before, x.store.Flags.Get(before.Targeting)
	if f := w.editTargeting(&after); f != nil {
		return response{}, f
	}
	if f := w.checkRecurrence(); f != nil {
		return response{}, f
	}
	w.version = before.Fields()
	if f := w.apply(&after); f != nil {
		return response{}, f
	}
	after.Name = after.Text(store.SurveyTable, "name")
	st.EditFlag(after.Targeting, rawjson.Fields{"active": rawjson.Boolean(after.IsRunning())})

	f := w.afterSave(&after)
	st.ReplaceSurvey(before, &after)
	x.noteCut(before, &after)
	if f != nil {
		return response{}, f
	}
	w.logUpdate(targeting, &after)
	return x.withSurvey(http.StatusOK, x.profile.writeKeys, &after, w.echoed())
}

// apply gives a survey the fields that were sent, and computes those that depend on others, as the
// service does each time it saves a survey. If it fails, the survey is not saved.
func (w *surveyWrite) apply(s *store.Survey) *wire.Failure {
	for name, value := range w.sent {
		w.version[name] = value.Raw
	}
	if w.x.profile.checks {
		if !w.sent.IsNull("iteration_count") {
			// Recurrence is set as a whole: a count without a frequency turns it off.
			w.version["iteration_frequency_days"] = orNull(w.sent["iteration_frequency_days"].Raw)
		}
		for _, name := range jsonFields {
			if w.sent[name].HoldsNUL() {
				return wire.ServerError()
			}
		}
		setIterations(w.version)
		if f := setSampling(w.version); f != nil {
			return f
		}
	}
	if w.x.profile.checks || w.x.delivers {
		// Without an id a question cannot be answered.
		w.assignQuestionIDs()
	}

	if id, sent := w.sent["linked_flag_id"]; sent {
		s.Linked = id.Integer()
	}
	if id := w.sent["targeting_flag_id"]; !id.IsNull() {
		s.Targeting = id.Integer()
	}
	s.Object = w.object(s.Object)
	return nil
}

// afterSave makes the changes of the service after it has saved a survey. After an error
// here the survey stays saved.
func (w *surveyWrite) afterSave(s *store.Survey) *wire.Failure {
	return wire.FirstOf(
		w.linkActions,
		func() *wire.Failure { return w.saveInternalFlag(s) },
		func() *wire.Failure { return w.saveSamplingFlag(s) },
	)
}

// assignQuestionIDs gives an id to each question that has none.
func (w *surveyWrite) assignQuestionIDs() {
	questions := wire.Decode(w.version["questions"])
	if !questions.IsArray() {
		return
	}
	var all []wire.Value
	for _, question := range questions.Items() {
		if question.IsObject() && !question.Get("id").IsTruthy() {
			question = question.With("id", wire.TextOf(randomUUID(w.x.ids).String()))
		}
		all = append(all, question)
	}
	w.version["questions"] = wire.ArrayOf(all...).Raw
}

// object is the new version as it is stored: JSON in the database's order.
func (w *surveyWrite) object(before store.Object) store.Object {
	if !w.x.profile.checks {
		return before.With(store.SurveyTable, w.version)
	}
	for _, name := range jsonFields {
		w.version[name] = orNull(w.version[name])
	}
	stored := rawjson.Fields{}
	for name, value := range w.version {
		stored[name] = value
	}
	for _, name := range jsonFields {
		stored[name] = rawjson.JSONB(stored[name])
	}

	conditions := wire.Decode(stored["conditions"])
	ids, _ := actionIDs(conditions)
	o := before.With(store.SurveyTable, stored)
	for name, isSet := range map[string]bool{
		store.ActionsClearedMember: len(ids) > 0 && !w.linksActions(),
		store.UnreadableMember:     breaksReading(conditions),
	} {
		var mark json.RawMessage
		if isSet {
			mark = json.RawMessage("true")
		}
		o = o.WithMember(name, mark)
	}
	return o
}

// jsonFields are the fields with arbitrary JSON.
var jsonFields = []string{"questions", "conditions", "appearance", "translations", "form_content"}

// echoed are the fields that the response has as they were sent: only what has been to the
// database has the database's order.
func (w *surveyWrite) echoed() rawjson.Fields {
	if !w.x.profile.checks {
		return w.sent.Raw()
	}
	shown := rawjson.Fields{}
	for _, name := range jsonFields {
		if _, ok := w.sent[name]; ok {
			shown[name] = w.version[name]
		}
	}
	return shown
}

func orNull(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return json.RawMessage("null")
	}
	return raw
}
