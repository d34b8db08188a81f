// Package service implements the API operations: who may call them, what they return, and which values
// they refuse, clean, and compute when a survey, a flag, or an import app is written. [Profile] lists
// the differences between the documented and the hosted profile.
package service

import (
	"maps"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/faults"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/targeting"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Service implements the operations on a store. The caller must hold the store lock.
type Service struct {
	*Settings
	Store *store.Store
	// Now is the store's current time.
	Now time.Time
	// worldKey is the world's own key. It is nil for the server itself. throttle counts the requests of
	// each key.
	worldKey *store.Key
	throttle *faults.ByKey
}

// normal returns the filters of a flag in the form in which PostHog stores them.
func (v Service) normal(filters wire.Value) wire.Value {
	if !v.Checks {
		return filters
	}
	return targeting.Normal(filters)
}

// SurveyID returns the ID of a new survey. PostHog's survey IDs are ordered by time. They look like UUIDs, but
// contain a counter in the version field and random bits in the variant field.
func (v Service) SurveyID() uuid.UUID {
	id := v.IDs()
	if v.Checks {
		id[6] &= 0x0f
		id[8] <<= 2
	}
	return id
}

// randomID returns the next ID of the source, with the version and variant bits of a version 4 UUID.
func (v Service) randomID() uuid.UUID {
	id := v.IDs()
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return id
}

// Write is a create or update request for a survey.
type Write struct {
	*Call
	// Before is the stored survey. It is nil for a new survey.
	Before *store.Survey
	// base is the base_language in the request. Sent are the checked fields of the request.
	base wire.Value
	Sent wire.Fields

	// version contains all fields of the survey to store.
	version wire.Fields
	// echo contains the fields that the response copies from the request. Only stored JSON has the
	// database's key order.
	echo wire.Fields
	// stored caches the questions of the stored survey.
	stored []wire.Value
}

// create stores a new, checked survey with all its flags: first the targeting flag, then the survey, and then
// everything that depends on the survey. After an error, everything written so far is kept.
func (w *Write) create() (*store.Survey, *wire.Failure) {
	st := w.Store
	s := &store.Survey{
		ID: w.SurveyID(), Project: w.project.ID, Author: w.user.ID, Name: w.Sent["name"].Text(),
		SortKey: store.SortKey{At: w.Now.UnixMicro(), Sequence: st.NextSequence()}, Object: store.InitialObject(store.SurveyTable),
	}
	if f := w.makeTargeting(s, false); f != nil {
		return nil, f
	}
	w.version = s.Fields()
	w.version["created_at"] = wire.TimestampText(w.Now)
	if f := w.apply(s); f != nil {
		return nil, f
	}
	f := w.afterSave(s)
	st.AddSurvey(s)
	return s, f
}

// update changes the checked fields and the fields that depend on them. It keeps missing fields, and clears fields
// that are null. It edits the targeting flag before it checks the rest, and the edit is kept even if PostHog refuses
// the rest. If update returns both a survey and a failure, the survey was saved.
func (w *Write) update() (*store.Survey, *wire.Failure) {
	st, updated := w.Store, *w.Before
	if f := w.editTargeting(&updated); f != nil {
		return nil, f
	}
	if f := w.checkRecurrence(); f != nil {
		return nil, f
	}
	w.version = w.Before.Fields()
	if f := w.apply(&updated); f != nil {
		return nil, f
	}
	updated.Name = updated.Text(store.SurveyTable, "name")
	st.EditFlag(updated.Targeting, wire.Fields{"active": wire.NewBool(updated.IsRunning())})
	f := w.afterSave(&updated)
	st.ReplaceSurvey(w.Before, &updated)
	return &updated, f
}

// apply sets the fields in the request, and computes the fields that depend on others, as PostHog does on each
// save. If it fails, PostHog does not save the survey.
func (w *Write) apply(s *store.Survey) *wire.Failure {
	maps.Copy(w.version, w.Sent)
	if w.Checks || w.Delivers {
		// Respondents cannot answer a question without an ID.
		w.assignQuestionIDs()
	}
	if w.Checks {
		if !w.Sent["iteration_count"].IsNull() {
			// PostHog sets recurrence as a whole: a count without a frequency turns it off.
			w.version["iteration_frequency_days"] = w.Sent["iteration_frequency_days"].OrNull()
		}
		for _, name := range jsonFields {
			if w.Sent[name].HoldsNUL() {
				return wire.ServerError()
			}
		}
		if f := setSampling(w.version); f != nil {
			return f
		}
		setIterations(w.version)
	}

	if id, isSent := w.Sent["linked_flag_id"]; isSent {
		s.Linked = id.Integer()
	}
	if id := w.Sent["targeting_flag_id"]; !id.IsNull() {
		s.Targeting = id.Integer()
	}
	w.echo = w.echoFields()
	s.Object = w.object(s.Object)
	return nil
}

// afterSave makes the changes that PostHog makes after it has saved a survey. If they fail, the survey remains saved.
func (w *Write) afterSave(s *store.Survey) *wire.Failure {
	return wire.FirstFailure(
		w.linkActions,
		func() *wire.Failure { return w.saveInternalFlag(s) },
		func() *wire.Failure { return w.saveSamplingFlag(s) },
	)
}

// assignQuestionIDs assigns an ID to each question without one.
func (w *Write) assignQuestionIDs() {
	questions := w.version["questions"]
	if !questions.IsArray() {
		return
	}
	var identified []wire.Value
	for _, question := range questions.Items() {
		if question.IsObject() && !question.Get("id").IsTruthy() {
			question = question.With("id", wire.NewText(w.randomID().String()))
		}
		identified = append(identified, question)
	}
	w.version["questions"] = wire.NewArray(identified...)
}

// object returns the survey to store. Its JSON has the database's key order.
func (w *Write) object(previous store.Object) store.Object {
	if !w.Checks {
		return previous.With(store.SurveyTable, w.version)
	}
	for _, name := range jsonFields {
		w.version[name] = w.version[name].OrNull()
	}
	stored := wire.Fields{}
	maps.Copy(stored, w.version)
	for _, name := range jsonFields {
		stored[name] = wire.JSONB(stored[name])
	}

	conditions := stored["conditions"]
	ids, _ := actionIDs(conditions)
	o := previous.With(store.SurveyTable, stored)
	for name, isSet := range map[string]bool{
		store.ActionsClearedMember: len(ids) > 0 && !w.linksActions(),
		store.UnreadableMember:     breaksReading(conditions),
	} {
		var mark wire.Value
		if isSet {
			mark = wire.NewBool(true)
		}
		o = o.WithMember(name, mark)
	}
	return o
}

// jsonFields are the fields that contain arbitrary JSON.
var jsonFields = []string{"questions", "conditions", "appearance", "translations", "form_content"}

// echoFields returns the value of echo.
func (w *Write) echoFields() wire.Fields {
	if !w.Checks {
		return w.Sent
	}
	result := wire.Fields{}
	for _, name := range jsonFields {
		if _, ok := w.Sent[name]; ok {
			result[name] = w.version[name]
		}
	}
	return result
}
