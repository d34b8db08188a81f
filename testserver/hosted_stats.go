package testserver

import (
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// SurveysAllStatsRetrieve counts the events of all surveys of the project.
func (o *operations) SurveysAllStatsRetrieve(w http.ResponseWriter, _ *http.Request, _ api.ProjectID, _ api.SurveysAllStatsRetrieveParams) {
	x := exchangeOf(w)
	x.replyStats(nil, func(response) bool { return true })
}

// SurveysStatsRetrieve counts the events of one survey.
func (o *operations) SurveysStatsRetrieve(w http.ResponseWriter, _ *http.Request, _ api.ProjectID, id api.SurveyID, _ api.SurveysStatsRetrieveParams) {
	x := exchangeOf(w)
	s, f := x.survey(id)
	if f != nil {
		x.refuse(f)
		return
	}
	about := rawjson.Pairs{
		{Name: "survey_id", Value: rawjson.Quote(s.id.String())},
		{Name: "start_date", Value: s.hostedValue("start_date")},
		{Name: "end_date", Value: s.hostedValue("end_date")},
	}
	x.replyStats(about, func(r response) bool { return r.survey == s.id })
}

// replyStats counts the responses in the fixtures, which do not have the numbers of surveys
// shown or dismissed.
func (x *exchange) replyStats(about rawjson.Pairs, counted func(response) bool) {
	query := x.request.URL.Query()
	from, to, f := statsPeriod(query)
	if f != nil {
		x.refuse(f)
		return
	}
	excludeArchived := last(query["exclude_archived"]) == "true"

	var total int64
	for _, r := range x.server.store.countedResponses() {
		at, dated := parseMoment(rawjson.Unquote(r.at))
		inside := !dated || !at.Before(from) && (to.IsZero() || !at.After(to))
		if r.project == x.project.id && counted(r) && inside && (!excludeArchived || !r.archived) {
			total += r.count
		}
	}
	x.reply(http.StatusOK, func(b []byte) []byte {
		return append(b, append(about, statistics(total)...).JSON()...)
	})
}

// statsPeriod reads the dates between which events are counted; zero is no bound.
func statsPeriod(query url.Values) (from, to time.Time, f *failure) {
	for name, bound := range map[string]*time.Time{"date_from": &from, "date_to": &to} {
		value := last(query[name])
		if value == "" {
			continue
		}
		at, ok := parseMoment(value)
		if !ok {
			return from, to, checkMoment(name, rawjson.Quote(value))
		}
		*bound = at
	}
	return from, to, nil
}

// statistics are the counts of the three events of surveys.
func statistics(sent int64) rawjson.Pairs {
	event := func(count int64) json.RawMessage {
		return rawjson.Pairs{
			{Name: "total_count", Value: rawjson.Encode(count)},
			{Name: "unique_persons", Value: rawjson.Encode(count)},
			{Name: "first_seen", Value: rawjson.Encode(nil)},
			{Name: "last_seen", Value: rawjson.Encode(nil)},
		}.JSON()
	}
	stats := rawjson.Pairs{{Name: "survey shown", Value: event(0)}, {Name: "survey dismissed", Value: event(0)}, {Name: "survey sent", Value: event(sent)}}
	rates := rawjson.Pairs{
		{Name: "response_rate", Value: rawjson.Encode(0)},
		{Name: "dismissal_rate", Value: rawjson.Encode(0)},
		{Name: "unique_users_response_rate", Value: rawjson.Encode(0)},
		{Name: "unique_users_dismissal_rate", Value: rawjson.Encode(0)},
	}
	return rawjson.Pairs{{Name: "stats", Value: stats.JSON()}, {Name: "rates", Value: rates.JSON()}}
}
