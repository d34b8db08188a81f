package testserver

import (
	"encoding/json"
	"maps"
	"net/http"
)

// createHostedSurvey stores a new survey with all its flags.
func (x *exchange) createHostedSurvey() {
	w := &surveyWrite{exchange: x}
	f := w.check()
	if f == nil {
		f = x.checkFlagWrite(nil, w.sent)
	}
	if f == nil {
		f = w.create()
	}
	if f != nil {
		x.refuse(f)
	}
}

func (w *surveyWrite) create() *failure {
	st := w.server.store
	// A flag is checked when it is made, before there is a survey.
	if isTruthy(w.sent["targeting_flag_filters"]) {
		if f := w.checkFilters(w.sent["targeting_flag_filters"]); f != nil {
			return f
		}
	}
	now := w.now()
	s := &survey{
		id: w.server.ids(), project: w.project.id, author: w.user.id,
		place: place{at: now.UnixMicro(), arrival: st.arrive()},
	}
	w.version = fields{}
	w.take()
	w.version["created_at"] = momentText(now)
	if f := w.compute(); f != nil {
		return f
	}
	w.point(s)
	s.object = w.object()
	s.name = s.text(surveyTable, "name")
	if filters := w.sent["targeting_flag_filters"]; isTruthy(filters) {
		// It starts switched off, whatever the dates say: the first update sets it.
		s.targeting = st.makeSurveyFlag(s, "", filters, false, w.server.ids)
	}
	w.keepInternalFlag(s)
	w.keepSamplingFlag(s)
	st.addSurvey(s)
	w.server.note("created", w.user.id, s, nil)
	w.replySurvey(http.StatusCreated, w.server.profile.surveyWrite, s, w.answered())
	return nil
}

// updateHostedSurvey changes what was sent, and what follows from it.
func (x *exchange) updateHostedSurvey(before *survey) {
	w := &surveyWrite{exchange: x, before: before}
	f := w.check()
	if f == nil {
		f = x.checkFlagWrite(before, w.sent)
	}
	if f == nil {
		f = w.update()
	}
	if f != nil {
		x.refuse(f)
	}
}

func (w *surveyWrite) update() *failure {
	st := w.server.store
	after, targeting := *w.before, st.flags[w.before.targeting]
	if f := w.editTargeting(&after); f != nil {
		return f
	}
	if f := w.checkRecurrence(); f != nil {
		return f
	}
	w.version = w.before.fields()
	w.take()
	if f := w.compute(); f != nil {
		return f
	}
	if w.resume() {
		if f := w.compute(); f != nil {
			return f
		}
	}
	w.point(&after)
	after.object = w.object()
	after.name = after.text(surveyTable, "name")
	st.editFlag(after.targeting, fields{"active": encode(after.isRunning())})
	w.keepInternalFlag(&after)
	w.keepSamplingFlag(&after)
	st.replaceSurvey(w.before, &after)
	w.noteUpdate(targeting, &after)
	w.replySurvey(http.StatusOK, w.server.profile.surveyWrite, &after, w.answered())
	return nil
}

// fields are all stored fields of a survey by name.
func (s *survey) fields() fields {
	all := fields{}
	for i, c := range surveyTable.columns {
		all[c.name] = s.values[i]
	}
	for _, c := range hostedColumns.columns {
		all[c.name] = s.hostedValue(c.name)
	}
	return all
}

// take brings what was sent into the new version.
func (w *surveyWrite) take() {
	for name, value := range w.sent {
		_, column := surveyTable.index[name]
		_, hosted := hostedColumns.index[name]
		if column || hosted {
			w.version[name] = value
		}
	}
	if !isNothing(w.sent["iteration_count"]) {
		// Recurrence is set as a whole: a count without a frequency turns it off.
		w.version["iteration_frequency_days"] = w.sent["iteration_frequency_days"]
	}
	for _, c := range append(surveyTable.columns, hostedColumns.columns...) {
		if w.version[c.name] == nil {
			w.version[c.name] = c.initialValue()
		}
	}
}

// point sets the references to flags that were sent by their ids.
func (w *surveyWrite) point(s *survey) {
	if raw, ok := w.sent["linked_flag_id"]; ok {
		s.linked = parseID(raw)
	}
	if raw := w.sent["targeting_flag_id"]; !isNothing(raw) {
		s.targeting = parseID(raw)
	}
}

// object is the new version as it is stored: JSON in the database's order.
func (w *surveyWrite) object() object {
	stored := maps.Clone(w.version)
	for _, name := range jsonFields {
		stored[name] = databaseOrder(stored[name])
	}
	var cleared json.RawMessage
	if len(actionIDs(stored["conditions"])) > 0 && !w.linksActions() {
		cleared = json.RawMessage("true")
	}
	o := newObject(surveyTable, stored, hostedNames)
	if w.before != nil {
		o.extra = w.before.extra
	}
	for _, name := range hostedNames {
		o = o.withMember(name, stored[name])
	}
	return o.withMember(actionsClearedMember, cleared)
}

// jsonFields are the fields that hold any JSON.
var jsonFields = []string{"questions", "conditions", "appearance", "translations", "form_content"}

// hostedNames are the names of hostedColumns.
var hostedNames = func() []string {
	var names []string
	for _, c := range hostedColumns.columns {
		names = append(names, c.name)
	}
	return names
}()

// answered are the fields that go into the answer as they were sent.
func (w *surveyWrite) answered() fields {
	shown := fields{}
	for _, name := range jsonFields {
		if _, ok := w.sent[name]; ok {
			shown[name] = w.version[name]
		}
	}
	return shown
}
