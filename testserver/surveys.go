package testserver

import (
	"bytes"
	"net/http"
	"strconv"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/surveyevent"
)

// survey finds a survey of the project. An id of the wrong form is not found either.
func (x *exchange) survey(id string) (*survey, *field.Failure) {
	parsed, err := uuid.Parse(id)
	s := x.server.store.surveys[parsed]
	if err != nil || s == nil || s.project != x.project.id {
		return nil, field.ObjectNotFound()
	}
	if x.request.URL.RawQuery == "" {
		return s, nil
	}
	found, f := x.server.profile.finds(x, s)
	switch {
	case f != nil:
		return nil, f
	case !found:
		return nil, field.ObjectNotFound()
	}
	return s, nil
}

// replySurvey answers with a survey, encoded by keys.
func (x *exchange) replySurvey(status int, keys []key[*survey], s *survey, sent rawjson.Fields) {
	if x.isUnreadable(s) {
		x.refuse(field.ServerError())
		return
	}
	a := answering{profile: x.server.profile, store: x.server.store, sent: sent}
	x.reply(status, func(b []byte) []byte { return appendObject(b, a, "Survey", keys, s, s.extra) })
}

// SurveysList answers with a page of the project's surveys, newest first.
func (o *operations) SurveysList(w http.ResponseWriter, _ *http.Request, _ api.ProjectID, params api.SurveysListParams) {
	x := exchangeOf(w)
	x.server.profile.listSurveys(x, windowOf(params.Limit, params.Offset))
}

// listSurveys answers with a page of all surveys.
func (x *exchange) listSurveys(page window) {
	x.replySurveys(page, x.server.store.surveysByProject[x.project.id], x.server.profile.surveyReadKeys)
}

// isUnreadable reports whether the service fails for every answer with the survey.
func (x *exchange) isUnreadable(s *survey) bool {
	return x.server.profile.isUnreadable != nil && x.server.profile.isUnreadable(s)
}

// replySurveys answers with a page of surveys, encoded by keys.
func (x *exchange) replySurveys(page window, surveys *timeline[*survey], keys []key[*survey]) {
	for _, s := range surveys.page(page) {
		if x.isUnreadable(s) {
			x.refuse(field.ServerError())
			return
		}
	}
	a := answering{profile: x.server.profile, store: x.server.store}
	x.reply(http.StatusOK, func(b []byte) []byte {
		return x.appendPage(b, page, len(surveys.items), func(b []byte) []byte {
			for i, s := range surveys.page(page) {
				if i > 0 {
					b = append(b, ',')
				}
				b = appendObject(b, a, "Survey", keys, s, s.extra)
			}
			return b
		})
	})
}

// SurveysCreate stores a new survey with its flags.
func (o *operations) SurveysCreate(w http.ResponseWriter, _ *http.Request, _ api.ProjectID) {
	x := exchangeOf(w)
	x.server.profile.createSurvey(x)
}

// createSurvey stores a new survey as it was sent.
func (x *exchange) createSurvey() {
	st, ids := x.server.store, x.server.ids
	sent, f := x.fields(surveyRequest, true)
	if f == nil {
		f = st.checkFlags(x.project.id, sent)
	}
	if f == nil {
		f = st.checkName(x.project.id, sent, uuid.Nil)
	}
	if f != nil {
		x.refuse(f)
		return
	}

	now := x.server.time(st)
	s := &survey{
		id: ids(), project: x.project.id, author: x.user.id, name: rawjson.Unquote(sent["name"]),
		place: place{at: now.UnixMicro(), arrival: st.arrive()},
	}
	s.object = initialObject(surveyTable).with(surveyTable, sent)
	s.values[createdAtColumn] = field.TimestampText(now)
	st.applyTargeting(s, sent, true, ids)
	st.addInternalFlag(s, ids)
	st.addSurvey(s)
	x.replySurvey(http.StatusCreated, x.server.profile.surveyWriteKeys, s, sent)
}

// checkName refuses a name that another survey of the project has.
func (st *store) checkName(project int64, sent rawjson.Fields, own uuid.UUID) *field.Failure {
	raw, ok := sent["name"]
	if !ok {
		return nil
	}
	holder, taken := st.names[surveyName{project, rawjson.Unquote(raw)}]
	switch {
	case !taken || holder == own:
		return nil
	case own == uuid.Nil:
		return field.Invalid("unique", "", "There is already a survey with this name.")
	}
	return field.Invalid("unique", "", "There is already another survey with this name.")
}

// SurveysRetrieve answers with a survey.
func (o *operations) SurveysRetrieve(w http.ResponseWriter, _ *http.Request, _ api.ProjectID, id api.SurveyID) {
	x := exchangeOf(w)
	s, f := x.survey(id)
	if f != nil {
		x.refuse(f)
		return
	}
	x.replyRetrieved(s)
}

// replyRetrieved answers with a survey. As long as nothing in the store changes, the answer is
// encoded once.
func (x *exchange) replyRetrieved(s *survey) {
	kept := &x.server.mu.encoded
	if answer := kept.find(s); answer != nil {
		x.replyKept(http.StatusOK, answer)
		return
	}

	x.replySurvey(http.StatusOK, x.server.profile.surveyReadKeys, s, nil)
	if x.status == http.StatusOK {
		x.replyKept(http.StatusOK, bytes.Clone(x.answer))
		kept.keep(s, x.answer)
	}
}

// SurveysPartialUpdate changes the fields that were sent: an absent field stays, null clears.
func (o *operations) SurveysPartialUpdate(w http.ResponseWriter, _ *http.Request, _ api.ProjectID, id api.SurveyID) {
	x := exchangeOf(w)
	before, f := x.survey(id)
	if f != nil {
		x.refuse(f)
		return
	}
	x.server.profile.updateSurvey(x, before)
}

// updateSurvey stores the fields as they were sent.
func (x *exchange) updateSurvey(before *survey) {
	st, ids := x.server.store, x.server.ids
	sent, f := x.fields(surveyRequest, false)
	if f == nil {
		f = st.checkFlags(x.project.id, sent)
	}
	if f == nil {
		f = st.checkRemoval(before, sent)
	}
	if f == nil {
		f = st.checkName(x.project.id, sent, before.id)
	}
	if f != nil {
		x.refuse(f)
		return
	}

	after := *before
	after.object = before.with(surveyTable, sent)
	after.name = after.text(surveyTable, "name")
	st.applyTargeting(&after, sent, false, ids)
	st.replaceSurvey(before, &after)
	x.noteCut(before, &after)
	st.syncFlags(&after)
	x.replySurvey(http.StatusOK, x.server.profile.surveyWriteKeys, &after, sent)
}

// SurveysUpdate is [operations.SurveysPartialUpdate] for clients that send a survey whole.
func (o *operations) SurveysUpdate(w http.ResponseWriter, r *http.Request, project api.ProjectID, id api.SurveyID) {
	o.SurveysPartialUpdate(w, r, project, id)
}

// SurveysDestroy deletes a survey for good.
func (o *operations) SurveysDestroy(w http.ResponseWriter, _ *http.Request, _ api.ProjectID, id api.SurveyID) {
	x := exchangeOf(w)
	s, f := x.survey(id)
	if f != nil {
		x.refuse(f)
		return
	}
	x.server.profile.deleteSurvey(x, s)
}

// deleteSurvey deletes a survey with the flags that are its own.
func (x *exchange) deleteSurvey(s *survey) {
	x.server.store.removeSurvey(s)
	x.reply(http.StatusNoContent, nil)
}

// SurveysActivityRetrieve answers for a survey that exists.
func (o *operations) SurveysActivityRetrieve(w http.ResponseWriter, _ *http.Request, _ api.ProjectID, id api.SurveyID, _ api.SurveysActivityRetrieveParams) {
	x := exchangeOf(w)
	f := x.server.profile.checkActivity(x)
	var s *survey
	if f == nil {
		s, f = x.survey(id)
	}
	if f != nil {
		x.refuse(f)
		return
	}
	x.server.profile.activity(x, s)
}

// replyNoActivity is the activity as it is documented, without a body.
func (x *exchange) replyNoActivity(*survey) { x.reply(http.StatusOK, nil) }

// SurveysAllActivityRetrieve answers for the project.
func (o *operations) SurveysAllActivityRetrieve(w http.ResponseWriter, _ *http.Request, _ api.ProjectID, _ api.SurveysAllActivityRetrieveParams) {
	x := exchangeOf(w)
	x.server.profile.activity(x, nil)
}

// SurveysResponsesCountRetrieve adds up the responses to the project's surveys.
func (o *operations) SurveysResponsesCountRetrieve(w http.ResponseWriter, _ *http.Request, _ api.ProjectID, _ api.SurveysResponsesCountRetrieveParams) {
	x := exchangeOf(w)
	x.server.profile.countResponses(x)
}

// countResponses adds up all responses.
func (x *exchange) countResponses() {
	x.replyResponses(surveyevent.Responses(x.server.store.surveyEvents(ofProject(x.project.id))))
}

// replyResponses adds up responses by survey. A survey without responses is left out, one
// that is gone is not.
func (x *exchange) replyResponses(responses []surveyevent.Event) {
	counts := map[uuid.UUID]int64{}
	var ids []uuid.UUID
	for _, r := range responses {
		if r.Count == 0 {
			continue
		}
		if counts[r.Survey] == 0 {
			ids = append(ids, r.Survey)
		}
		counts[r.Survey] += r.Count
	}

	x.reply(http.StatusOK, func(b []byte) []byte {
		b = append(b, '{')
		for i, id := range ids {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendUUID(b, id)
			b = append(b, ':')
			b = strconv.AppendInt(b, counts[id], 10)
		}
		return append(b, '}')
	})
}
