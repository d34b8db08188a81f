package testserver

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// withSurvey is the response with a survey; echo are fields of the request that it has as they
// were sent.
func (x *exchange) withSurvey(status int, keys []key[*store.Survey], s *store.Survey, echo wire.RawFields) (response, *wire.Failure) {
	if s.Member(store.UnreadableMember) != nil {
		// The service fails for every response with the survey.
		return response{}, wire.ServerError()
	}
	a := x.encoding()
	a.sent = echo
	return x.encode(status, func(b []byte) []byte { return appendObject(b, a, "Survey", keys, s, s.Extra) }), nil
}

// retrieveSurvey responds with a survey.
func retrieveSurvey(x *exchange, s *store.Survey) (response, *wire.Failure) {
	return x.withSurvey(http.StatusOK, x.profile.readKeys, s, nil)
}

// surveyWrite reads and checks a request that creates or updates a survey, nil for a new one.
func (x *exchange) surveyWrite(before *store.Survey) (*service.Write, *wire.Failure) {
	body, f := x.parse()
	if f != nil {
		return nil, f
	}
	w := &service.Write{
		Service: x.profile.service(x.store, x.ids), Organization: x.organization, Project: x.project.ID, Author: x.user.ID, Now: x.now(),
		Delivers: x.delivers, Fields: x.profile.request, IsWhole: before == nil || x.request.Method == http.MethodPut, Before: before, Body: body,
	}
	return w, wire.FirstOf(w.Check, func() *wire.Failure { return x.checkFlagWrite(before, w.Sent) })
}

// createSurvey stores a new survey.
func createSurvey(x *exchange) (response, *wire.Failure) {
	w, f := x.surveyWrite(nil)
	if f != nil {
		return response{}, f
	}
	s, f := w.Create()
	if f != nil {
		return response{}, f
	}
	x.contents.logChange("created", x.user.ID, s, nil)
	return x.withSurvey(http.StatusCreated, x.profile.writeKeys, s, w.Echoed())
}

// updateSurvey changes the fields that were sent.
func updateSurvey(x *exchange, before *store.Survey) (response, *wire.Failure) {
	w, f := x.surveyWrite(before)
	if f != nil {
		return response{}, f
	}
	targeting := x.store.Flags.Get(before.Targeting)
	after, f := w.Update()
	if after != nil {
		x.noteCut(before, after)
	}
	if f != nil {
		return response{}, f
	}
	x.logUpdate(w, targeting, after)
	return x.withSurvey(http.StatusOK, x.profile.writeKeys, after, w.Echoed())
}

// deleteSurvey deletes a survey for good, with the flags that are its own.
func deleteSurvey(x *exchange, s *store.Survey) (response, *wire.Failure) {
	if x.store.Flags.Get(s.Targeting) != nil {
		if f := x.checkFlagScope(); f != nil {
			return response{}, f
		}
	}
	x.contents.logChange("deleted", x.user.ID, s, nil)
	x.store.RemoveSurvey(s)
	return response{status: http.StatusNoContent}, nil
}

// listSurveys responds with a page of the project's surveys that the filters choose, newest first.
func listSurveys(x *exchange) (response, *wire.Failure) {
	filter, f := x.readFilter()
	if f != nil {
		return response{}, f
	}
	kept := x.store.SurveysOf(x.project.ID)
	if !filter.isEmpty() {
		// A page of all surveys costs what is on it.
		kept = &store.Timeline[*store.Survey]{
			Items: slices.DeleteFunc(slices.Clone(kept.Items), func(s *store.Survey) bool { return !filter.keeps(s) }),
		}
	}

	page, a, keys := x.window(), x.encoding(), x.profile.readKeys
	for _, s := range kept.Page(page.offset, page.limit) {
		if s.Member(store.UnreadableMember) != nil {
			return response{}, wire.ServerError()
		}
	}
	if filter.search != "" {
		keys = append(slices.Clone(keys), newKey("search_match_type", func(b []byte, _ encoding, _ *store.Survey) []byte {
			return append(b, `"exact"`...)
		}))
	}
	return x.encode(http.StatusOK, func(b []byte) []byte {
		return appendPage(x.request, b, page, len(kept.Items), kept.Page(page.offset, page.limit), func(b []byte, s *store.Survey) []byte {
			return appendObject(b, a, "Survey", keys, s, s.Extra)
		})
	}), nil
}

// maxSearch is the length of a search in characters.
const maxSearch = 200

// surveyFilter are the filters of a list request; the zero value selects everything.
type surveyFilter struct {
	search   string
	archived *bool
	kind     string
	// ids are nil when there is no filter by id.
	ids []uuid.UUID
	// author and status are used if the organization has [FeatureListFilters].
	author int64
	status string
}

// readFilter reads the filters of a request. It ignores unknown parameters and invalid booleans.
func (x *exchange) readFilter() (surveyFilter, *wire.Failure) {
	query := x.request.URL.Query()
	if !x.profile.filters || len(query) == 0 {
		return surveyFilter{}, nil
	}
	filter := surveyFilter{search: last(query["search"]), kind: last(query["type"])}
	if utf8.RuneCountInString(filter.search) > maxSearch {
		return filter, wire.Invalid("invalid_input", "search", fmt.Sprintf("Search query must be %d characters or fewer.", maxSearch))
	}

	filter.search = strings.TrimSpace(strings.ReplaceAll(filter.search, "\x00", ""))
	switch strings.ToLower(last(query["archived"])) {
	case "true", "1":
		filter.archived = new(true)
	case "false", "0":
		filter.archived = new(false)
	}
	if filter.kind != "" && !api.SurveyType(filter.kind).Valid() {
		return filter, noChoice("type", filter.kind)
	}

	if last(query["ids"]) != "" {
		filter.ids = []uuid.UUID{}
	}
	for part := range strings.SplitSeq(last(query["ids"]), ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		id, err := uuid.Parse(part)
		if err != nil {
			return filter, wire.Invalid("invalid_input", "ids", "Enter a valid UUID.")
		}
		filter.ids = append(filter.ids, id)
	}

	if !x.organization.Has(FeatureListFilters) {
		return filter, nil
	}
	if author := last(query["created_by"]); author != "" {
		id, err := strconv.ParseInt(author, 10, 64)
		if err != nil {
			return filter, wire.Invalid("invalid_input", "created_by", "Enter a number.")
		}
		filter.author = id
	}
	filter.status = last(query["status"])
	if !slices.Contains([]string{"", "draft", "running", "complete"}, filter.status) {
		return filter, noChoice("status", filter.status)
	}
	return filter, nil
}

func noChoice(name, value string) *wire.Failure {
	return wire.Invalid("invalid_choice", name, "Select a valid choice. "+value+" is not one of the available choices.")
}

// last is the last value of a parameter, which counts.
func last(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[len(values)-1]
}

func (f surveyFilter) isEmpty() bool {
	return f.search == "" && f.archived == nil && f.kind == "" && f.ids == nil && f.author == 0 && f.status == ""
}

// keeps reports whether a survey passes the filters.
func (f surveyFilter) keeps(s *store.Survey) bool {
	return (f.archived == nil || *f.archived == s.IsTrue(store.SurveyTable, "archived")) &&
		(f.kind == "" || f.kind == s.Text(store.SurveyTable, "type")) &&
		(f.ids == nil || slices.Contains(f.ids, s.ID)) &&
		(f.author == 0 || f.author == s.Author) &&
		(f.status == "" || f.status == hostedStatus(s)) &&
		(mentions(s.Name, f.search) || mentions(s.Text(store.SurveyTable, "description"), f.search))
}

// mentions reports whether a text has a part, in any case of the letters. The service also finds
// what is similar, where nothing has the part.
func mentions(s, part string) bool {
	return part == "" || strings.Contains(strings.ToUpper(s), strings.ToUpper(part))
}

// hostedStatus is the status of a survey, which depends on the dates that are set.
func hostedStatus(s *store.Survey) string {
	switch {
	case !s.IsNull(store.SurveyTable, "end_date"):
		return "complete"
	case !s.IsNull(store.SurveyTable, "start_date"):
		return "running"
	}
	return "draft"
}

// stateChange describes a launch or a stop of a survey.
type stateChange struct {
	// field is the date that is set to now, activity that of the log entry.
	field, activity string
	// archived and ended are the refusals of archived and of ended surveys; empty where
	// there is none.
	archived, ended string
}

var (
	launching = stateChange{
		field: "start_date", activity: "launched",
		archived: "Cannot launch an archived survey. Unarchive it first.",
		ended:    "Cannot launch a survey with end_date in the past. Extend the end_date first.",
	}
	// stopping ends a survey, a draft too.
	stopping = stateChange{
		field: "end_date", activity: "stopped",
		archived: "Cannot stop an archived survey. Unarchive it first if needed.",
	}
)

// serve launches or stops a survey now, unless that has happened. Only the date is saved: flags
// and iterations follow with the next update. The response has what the save computed
// nevertheless.
func (c stateChange) serve(x *exchange, before *store.Survey) (response, *wire.Failure) {
	now := x.now()
	switch {
	case before.IsTrue(store.SurveyTable, "archived"):
		return response{}, wire.Invalid("invalid_input", "", c.archived)
	case c.ended != "" && passed(before.Text(store.SurveyTable, "end_date"), now):
		return response{}, wire.Invalid("invalid_input", "", c.ended)
	case passed(before.Text(store.SurveyTable, c.field), now):
		return retrieveSurvey(x, before)
	}

	saved := x.store.ChangeSurvey(before, wire.RawFields{c.field: wire.TimestampText(now)})
	x.contents.logChange(c.activity, x.user.ID, saved, changesBetween(x.store, before, saved))

	shown, computed := *saved, saved.Fields()
	service.SetIterations(computed)
	shown.Object = saved.With(store.SurveyTable, computed)
	return retrieveSurvey(x, &shown)
}

// passed reports whether a stored date-time is in the past; null is not.
func passed(date string, now time.Time) bool {
	at, ok := wire.ParseTimestamp(date)
	return ok && !at.After(now)
}
