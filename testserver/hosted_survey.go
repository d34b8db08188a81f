package testserver

import (
	"encoding/json"
	"maps"
	"net/http"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// createSurvey stores a new survey with all its flags.
func (hostedProfile) createSurvey(x *exchange) (response, *field.Failure) {
	w := &surveyWrite{x: x}
	f := field.FirstOf(w.check, func() *field.Failure { return checkFlagWrite(x, nil, w.sent) })
	if f != nil {
		return response{}, f
	}
	return w.create()
}

// create stores a new survey: first the targeting flag, then the survey itself, then
// everything that depends on it. What is written before an error stays.
func (w *surveyWrite) create() (response, *field.Failure) {
	st := w.x.store
	now := w.x.now()
	s := &store.Survey{
		ID: hostedSurveyID(w.x.ids()), Project: w.x.project.ID, Author: w.x.user.ID, Name: rawjson.Unquote(w.sent["name"]),
		SortKey: store.SortKey{At: now.UnixMicro(), Sequence: st.NextSequence()},
	}
	if f := w.createTargeting(s); f != nil {
		return response{}, f
	}

	w.version = rawjson.Fields{}
	w.applySent()
	w.version["created_at"] = field.TimestampText(now)
	if f := w.compute(); f != nil {
		return response{}, f
	}
	w.setFlagReferences(s)
	s.Object = w.object()
	cleanForReading(s)

	f := w.afterSave(s)
	st.AddSurvey(s)
	if f != nil {
		return response{}, f
	}
	w.x.contents.logChange("created", w.x.user.ID, s, nil)
	return w.x.withSurvey(http.StatusCreated, w.x.profile.traits().surveyWriteKeys, s, w.echoed())
}

// updateSurvey changes the fields that were sent, and those that depend on them.
func (hostedProfile) updateSurvey(x *exchange, before *store.Survey) (response, *field.Failure) {
	w := &surveyWrite{x: x, before: before}
	f := field.FirstOf(w.check, func() *field.Failure { return checkFlagWrite(x, before, w.sent) })
	if f != nil {
		return response{}, f
	}
	return w.update()
}

// update stores a new version of a survey. Its targeting flag is edited before the rest is
// checked, and stays edited if that is refused.
func (w *surveyWrite) update() (response, *field.Failure) {
	st := w.x.store
	after, targeting := *w.before, st.Flags.Get(w.before.Targeting)
	if f := w.editTargeting(&after); f != nil {
		return response{}, f
	}
	if f := w.checkRecurrence(); f != nil {
		return response{}, f
	}

	w.version = w.before.Fields()
	w.applySent()
	if f := w.compute(); f != nil {
		return response{}, f
	}
	w.setFlagReferences(&after)
	after.Object = w.object()
	cleanForReading(&after)
	after.Name = after.Text(store.SurveyTable, "name")
	st.EditFlag(after.Targeting, rawjson.Fields{"active": rawjson.Boolean(after.IsRunning())})

	f := w.afterSave(&after)
	st.ReplaceSurvey(w.before, &after)
	w.x.noteCut(w.before, &after)
	if f != nil {
		return response{}, f
	}
	w.logUpdate(targeting, &after)
	return w.x.withSurvey(http.StatusOK, w.x.profile.traits().surveyWriteKeys, &after, w.echoed())
}

// compute computes the fields that depend on others, as the service does each time it saves
// a survey. If it fails, the survey is not saved.
func (w *surveyWrite) compute() *field.Failure {
	if w.unsavable {
		return field.ServerError()
	}
	for _, name := range jsonFields {
		if python.HoldsNUL(w.sent[name]) {
			return field.ServerError()
		}
	}
	setIterations(w.version)
	if f := setSampling(w.version); f != nil {
		return f
	}
	w.assignQuestionIDs()
	return nil
}

// afterSave makes the changes of the service after it has saved a survey. After an error
// here the survey stays saved.
func (w *surveyWrite) afterSave(s *store.Survey) *field.Failure {
	if f := w.linkActions(); f != nil {
		return f
	}
	if f := w.saveInternalFlag(s); f != nil {
		return f
	}
	return w.saveSamplingFlag(s)
}

// assignQuestionIDs gives an id to each question that has none.
func (w *surveyWrite) assignQuestionIDs() {
	if !rawjson.IsArray(w.version["questions"]) {
		return
	}
	questions := rawjson.List(w.version["questions"])
	for i, raw := range questions {
		if rawjson.IsObject(raw) && !python.IsTruthy(rawjson.Members(raw)["id"]) {
			questions[i] = rawjson.PairsOf(raw).With("id", rawjson.Quote(randomUUID(w.x.ids).String())).JSON()
		}
	}
	w.version["questions"] = rawjson.Array(questions)
}

// hostedSurveyID is an id in the form that the service gives its surveys: ordered by time, in
// the spelling of a UUID, but with a counter where one has its version, and chance
// where it has its variant.
func hostedSurveyID(id uuid.UUID) uuid.UUID {
	id[6] &= 0x0f
	id[8] <<= 2
	return id
}

// applySent applies the sent fields to the new version.
func (w *surveyWrite) applySent() {
	for name, value := range w.sent {
		if store.SurveyTable.Has(name) || store.HostedColumns.Has(name) {
			w.version[name] = value
		}
	}
	if !rawjson.IsNull(w.sent["iteration_count"]) {
		// Recurrence is set as a whole: a count without a frequency turns it off.
		w.version["iteration_frequency_days"] = w.sent["iteration_frequency_days"]
	}
	for _, c := range append(store.SurveyTable.Columns, store.HostedColumns.Columns...) {
		if w.version[c.Name] == nil {
			w.version[c.Name] = c.InitialValue()
		}
	}
}

// setFlagReferences sets the references to flags that were sent by their ids.
func (w *surveyWrite) setFlagReferences(s *store.Survey) {
	if raw, ok := w.sent["linked_flag_id"]; ok {
		s.Linked = parseID(raw)
	}
	if raw := w.sent["targeting_flag_id"]; !rawjson.IsNull(raw) {
		s.Targeting = parseID(raw)
	}
}

// object is the new version as it is stored: JSON in the database's order.
func (w *surveyWrite) object() store.Object {
	stored := maps.Clone(w.version)
	for _, name := range jsonFields {
		stored[name] = rawjson.JSONB(stored[name])
	}

	marks := rawjson.Fields{}
	if ids, _ := actionIDs(stored["conditions"]); len(ids) > 0 && !w.linksActions() {
		marks[store.ActionsClearedMember] = json.RawMessage("true")
	}
	if breaksReading(stored["conditions"]) {
		marks[store.UnreadableMember] = json.RawMessage("true")
	}

	o := store.NewObject(store.SurveyTable, stored, store.HostedColumns.Names())
	if w.before != nil {
		o.Extra = w.before.Extra
	}

	for _, name := range store.HostedColumns.Names() {
		o = o.WithMember(name, stored[name])
	}
	for _, name := range []string{store.ActionsClearedMember, store.UnreadableMember} {
		o = o.WithMember(name, marks[name])
	}
	return o
}

// jsonFields are the fields with arbitrary JSON.
var jsonFields = []string{"questions", "conditions", "appearance", "translations", "form_content"}

// echoed are the fields that the response has as they were sent.
func (w *surveyWrite) echoed() rawjson.Fields {
	shown := rawjson.Fields{}
	for _, name := range jsonFields {
		if _, ok := w.sent[name]; ok {
			shown[name] = w.version[name]
		}
	}
	return shown
}
