package testserver

import (
	"net/http"
	"strconv"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/surveyevent"
)

// survey finds a survey of the project. An id of the wrong form is not found either.
func (x *exchange) survey(id string) (*store.Survey, *field.Failure) {
	parsed, err := uuid.Parse(id)
	s := x.store.Survey(parsed)
	if err != nil || s == nil || s.Project != x.project.ID {
		return nil, field.ObjectNotFound()
	}
	if x.request.URL.RawQuery == "" {
		return s, nil
	}
	found, f := x.profile.finds(x, s)
	switch {
	case f != nil:
		return nil, f
	case !found:
		return nil, field.ObjectNotFound()
	}
	return s, nil
}

// withSurvey is the response with a survey, encoded by keys.
func (x *exchange) withSurvey(status int, keys []key[*store.Survey], s *store.Survey, sent rawjson.Fields) (response, *field.Failure) {
	if x.profile.isUnreadable(s) {
		return response{}, field.ServerError()
	}
	a := encoding{profile: x.profile, store: x.store, sent: sent}
	return x.encode(status, func(b []byte) []byte { return appendObject(b, a, "Survey", keys, s, s.Extra) }), nil
}

// SurveysList responds with a page of the project's surveys, newest first.
func (o *operations) SurveysList(w http.ResponseWriter, _ *http.Request, _ api.ProjectID, params api.SurveysListParams) {
	exchangeOf(w).serveWith(func(x *exchange) (response, *field.Failure) {
		return x.profile.listSurveys(x, windowOf(params.Limit, params.Offset))
	})
}

// listSurveys responds with a page of all surveys.
func (documentedProfile) listSurveys(x *exchange, page window) (response, *field.Failure) {
	return x.withSurveys(page, x.store.SurveysOf(x.project.ID), x.profile.traits().surveyReadKeys)
}

// withSurveys is the response with a page of surveys, encoded by keys.
func (x *exchange) withSurveys(page window, surveys *store.Timeline[*store.Survey], keys []key[*store.Survey]) (response, *field.Failure) {
	for _, s := range surveys.Page(page.offset, page.limit) {
		if x.profile.isUnreadable(s) {
			return response{}, field.ServerError()
		}
	}
	a := x.encoding()
	return x.encode(http.StatusOK, func(b []byte) []byte {
		return appendPage(x.request, b, page, len(surveys.Items), surveys.Page(page.offset, page.limit), func(b []byte, s *store.Survey) []byte {
			return appendObject(b, a, "Survey", keys, s, s.Extra)
		})
	}), nil
}

// SurveysCreate stores a new survey with its flags.
func (o *operations) SurveysCreate(w http.ResponseWriter, _ *http.Request, _ api.ProjectID) {
	exchangeOf(w).serveWith(func(x *exchange) (response, *field.Failure) {
		return x.profile.createSurvey(x)
	})
}

// createSurvey stores a new survey as it was sent.
func (documentedProfile) createSurvey(x *exchange) (response, *field.Failure) {
	st, ids := x.store, x.ids
	sent, f := x.fields(surveyRequest, true)
	if f != nil {
		return response{}, f
	}

	f = field.FirstOf(
		func() *field.Failure { return checkFlags(st, x.project.ID, sent) },
		func() *field.Failure { return checkName(st, x.project.ID, sent, uuid.Nil) },
	)
	if f != nil {
		return response{}, f
	}

	now := x.now()
	s := &store.Survey{
		ID: ids(), Project: x.project.ID, Author: x.user.ID, Name: rawjson.Unquote(sent["name"]),
		SortKey: store.SortKey{At: now.UnixMicro(), Sequence: st.NextSequence()},
	}
	s.Object = store.InitialObject(store.SurveyTable).With(store.SurveyTable, sent)
	s.Values[store.CreatedAtColumn] = field.TimestampText(now)
	applyTargeting(st, s, sent, true, ids)
	addInternalFlag(st, s, ids)
	st.AddSurvey(s)
	return x.withSurvey(http.StatusCreated, x.profile.traits().surveyWriteKeys, s, sent)
}

// checkName refuses a name that another survey of the project has.
func checkName(st *store.Store, project int64, sent rawjson.Fields, own uuid.UUID) *field.Failure {
	raw, ok := sent["name"]
	if !ok {
		return nil
	}
	holder := st.SurveyNamed(project, rawjson.Unquote(raw))
	switch {
	case holder == nil || holder.ID == own:
		return nil
	case own == uuid.Nil:
		return field.Invalid("unique", "", "There is already a survey with this name.")
	}
	return field.Invalid("unique", "", "There is already another survey with this name.")
}

// SurveysRetrieve responds with a survey.
func (o *operations) SurveysRetrieve(w http.ResponseWriter, _ *http.Request, _ api.ProjectID, id api.SurveyID) {
	serveAbout(w, id, (*exchange).survey, (*exchange).retrieved)
}

// retrieved is the response with a survey.
func (x *exchange) retrieved(s *store.Survey) (response, *field.Failure) {
	return x.withSurvey(http.StatusOK, x.profile.traits().surveyReadKeys, s, nil)
}

// SurveysPartialUpdate changes the fields that were sent: an absent field stays, null clears.
func (o *operations) SurveysPartialUpdate(w http.ResponseWriter, _ *http.Request, _ api.ProjectID, id api.SurveyID) {
	serveAbout(w, id, (*exchange).survey, byProfile(profile.updateSurvey))
}

// updateSurvey stores the fields as they were sent.
func (documentedProfile) updateSurvey(x *exchange, before *store.Survey) (response, *field.Failure) {
	st, ids := x.store, x.ids
	sent, f := x.fields(surveyRequest, false)
	if f != nil {
		return response{}, f
	}

	f = field.FirstOf(
		func() *field.Failure { return checkFlags(st, x.project.ID, sent) },
		func() *field.Failure { return checkRemoval(st, before, sent) },
		func() *field.Failure { return checkName(st, x.project.ID, sent, before.ID) },
	)
	if f != nil {
		return response{}, f
	}

	after := *before
	after.Object = before.With(store.SurveyTable, sent)
	after.Name = after.Text(store.SurveyTable, "name")
	applyTargeting(st, &after, sent, false, ids)
	st.ReplaceSurvey(before, &after)
	x.noteCut(before, &after)
	syncFlags(st, &after)
	return x.withSurvey(http.StatusOK, x.profile.traits().surveyWriteKeys, &after, sent)
}

// SurveysUpdate is [operations.SurveysPartialUpdate] for clients that send a survey whole.
func (o *operations) SurveysUpdate(w http.ResponseWriter, r *http.Request, project api.ProjectID, id api.SurveyID) {
	o.SurveysPartialUpdate(w, r, project, id)
}

// SurveysDestroy deletes a survey for good.
func (o *operations) SurveysDestroy(w http.ResponseWriter, _ *http.Request, _ api.ProjectID, id api.SurveyID) {
	serveAbout(w, id, (*exchange).survey, byProfile(profile.deleteSurvey))
}

// deleteSurvey deletes a survey with the flags that are its own.
func (documentedProfile) deleteSurvey(x *exchange, s *store.Survey) (response, *field.Failure) {
	x.store.RemoveSurvey(s)
	return response{status: http.StatusNoContent}, nil
}

// SurveysActivityRetrieve responds for a survey that exists.
func (o *operations) SurveysActivityRetrieve(w http.ResponseWriter, _ *http.Request, _ api.ProjectID, id api.SurveyID, _ api.SurveysActivityRetrieveParams) {
	exchangeOf(w).serveWith(func(x *exchange) (response, *field.Failure) {
		if f := x.profile.checkActivity(x); f != nil {
			return response{}, f
		}
		s, f := x.survey(id)
		if f != nil {
			return response{}, f
		}
		return x.profile.activity(x, s)
	})
}

// activity is as it is documented, without a body.
func (documentedProfile) activity(x *exchange, _ *store.Survey) (response, *field.Failure) {
	return response{status: http.StatusOK}, nil
}

// SurveysAllActivityRetrieve responds for the project.
func (o *operations) SurveysAllActivityRetrieve(w http.ResponseWriter, _ *http.Request, _ api.ProjectID, _ api.SurveysAllActivityRetrieveParams) {
	exchangeOf(w).serveWith(func(x *exchange) (response, *field.Failure) {
		return x.profile.activity(x, nil)
	})
}

// SurveysResponsesCountRetrieve adds up the responses to the project's surveys.
func (o *operations) SurveysResponsesCountRetrieve(w http.ResponseWriter, _ *http.Request, _ api.ProjectID, _ api.SurveysResponsesCountRetrieveParams) {
	exchangeOf(w).serveWith(func(x *exchange) (response, *field.Failure) {
		return x.profile.countResponses(x)
	})
}

// countResponses adds up all responses.
func (documentedProfile) countResponses(x *exchange) (response, *field.Failure) {
	return x.withResponses(surveyevent.Responses(x.store.SurveyEvents(store.OfProject(x.project.ID)))), nil
}

// withResponses adds up responses by survey. A survey without responses is left out, one
// that is gone is not.
func (x *exchange) withResponses(responses []surveyevent.Event) response {
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

	return x.encode(http.StatusOK, func(b []byte) []byte {
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
