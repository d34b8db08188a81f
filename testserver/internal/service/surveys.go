package service

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/record"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// respondSurvey returns the response to reading or writing a survey. input contains the fields that the
// response copies from the request.
func (x *Call) respondSurvey(status int, s *store.Survey, reads bool, input wire.Fields) (wire.Response, *wire.Failure) {
	if !s.Member(store.UnreadableMember).IsAbsent() {
		// PostHog fails for every response that contains this survey.
		return wire.Response{}, wire.ServerError()
	}
	return x.respond(status, x.responses().survey(s, reads, input))
}

// retrieveSurvey responds with a survey.
func retrieveSurvey(x *Call, s *store.Survey) (wire.Response, *wire.Failure) {
	return x.respondSurvey(http.StatusOK, s, true, nil)
}

// createSurvey stores a new survey.
func createSurvey(x *Call) (wire.Response, *wire.Failure) {
	w := &Write{Call: x}
	if f := w.check(); f != nil {
		return wire.Response{}, f
	}
	s, f := w.create()
	if f != nil {
		return wire.Response{}, f
	}
	x.LogChange("created", x.user.ID, s, nil)
	return x.respondSurvey(http.StatusCreated, s, false, w.echo)
}

// updateSurvey changes the fields in the request.
func updateSurvey(x *Call, previous *store.Survey) (wire.Response, *wire.Failure) {
	w := &Write{Call: x, Before: previous}
	if f := w.check(); f != nil {
		return wire.Response{}, f
	}
	targeting := x.Store.Flags.Get(previous.Targeting)
	updated, f := w.update()
	if updated != nil {
		x.noteCut(previous, updated)
	}
	if f != nil {
		return wire.Response{}, f
	}
	w.logUpdate(targeting, updated)
	return x.respondSurvey(http.StatusOK, updated, false, w.echo)
}

// deleteSurvey deletes a survey permanently, together with its own flags.
func deleteSurvey(x *Call, s *store.Survey) (wire.Response, *wire.Failure) {
	if x.Store.Flags.Get(s.Targeting) != nil {
		if f := x.checkFlagScope(); f != nil {
			return wire.Response{}, f
		}
	}
	x.LogChange("deleted", x.user.ID, s, nil)
	x.Store.RemoveSurvey(s)
	return wire.Response{Status: http.StatusNoContent}, nil
}

// listSurveys responds with a page of the project's surveys that match the filters, newest first.
func listSurveys(x *Call) (wire.Response, *wire.Failure) {
	filter, f := x.readFilter()
	if f != nil {
		return wire.Response{}, f
	}
	timeline := x.Store.Surveys(x.project.ID)
	if !filter.isEmpty() {
		// Without a filter, only the surveys on the page are read.
		timeline = &store.Timeline[*store.Survey]{
			Items: slices.DeleteFunc(slices.Clone(timeline.Items), func(s *store.Survey) bool { return !filter.keeps(s) }),
		}
	}

	page, encoding := x.window(), x.responses()
	for _, s := range timeline.Page(page.offset, page.limit) {
		if !s.Member(store.UnreadableMember).IsAbsent() {
			return wire.Response{}, wire.ServerError()
		}
	}
	return respondPage(x, page, len(timeline.Items), timeline.Page(page.offset, page.limit), func(s *store.Survey) []wire.Member {
		object := encoding.survey(s, true, nil)
		if filter.search != "" {
			object = append(object, wire.Member{Name: "search_match_type", Value: wire.NewText("exact")})
		}
		return object
	})
}

// maxSearch is the maximum length of a search text, in characters.
const maxSearch = 200

// surveyFilter contains the filters of a list request. The zero value matches every survey.
type surveyFilter struct {
	search   string
	archived *bool
	kind     string
	// ids are the selected IDs. nil selects all surveys.
	ids []uuid.UUID
	// author and status apply only if the organization has [FeatureListFilters].
	author int64
	status string
}

// readFilter reads the filters of a request. It ignores unknown parameters and invalid Booleans.
func (x *Call) readFilter() (surveyFilter, *wire.Failure) {
	query := x.Request.URL.Query()
	if !x.Filters || len(query) == 0 {
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

func (f surveyFilter) isEmpty() bool {
	return f.search == "" && f.archived == nil && f.kind == "" && f.ids == nil && f.author == 0 && f.status == ""
}

// keeps reports whether a survey matches the filters.
func (f surveyFilter) keeps(s *store.Survey) bool {
	return (f.archived == nil || *f.archived == s.IsTrue(store.SurveyTable, "archived")) &&
		(f.kind == "" || f.kind == s.Text(store.SurveyTable, "type")) &&
		(f.ids == nil || slices.Contains(f.ids, s.ID)) &&
		(f.author == 0 || f.author == s.Author) &&
		(f.status == "" || f.status == Status(s)) &&
		(mentions(s.Name, f.search) || mentions(s.Text(store.SurveyTable, "description"), f.search))
}

// mentions reports whether s contains part, ignoring case. If no survey contains the text, PostHog also returns
// similar surveys. This server does not.
func mentions(s, part string) bool {
	return part == "" || strings.Contains(strings.ToUpper(s), strings.ToUpper(part))
}

// Status returns the status of a survey, which depends on its dates.
func Status(s *store.Survey) string {
	switch {
	case !s.IsNull(store.SurveyTable, "end_date"):
		return "complete"
	case !s.IsNull(store.SurveyTable, "start_date"):
		return "running"
	}
	return "draft"
}

// stateChange is a launch or a stop of a survey.
type stateChange struct {
	// field is the date that is set to now. activity is the name of the log entry.
	field, activity string
	// archived and ended are the errors for archived and ended surveys. An empty text allows the change.
	archived, ended string
}

var (
	launching = stateChange{
		field: "start_date", activity: "launched",
		archived: "Cannot launch an archived survey. Unarchive it first.",
		ended:    "Cannot launch a survey with end_date in the past. Extend the end_date first.",
	}
	// stopping ends a survey, even a draft.
	stopping = stateChange{
		field: "end_date", activity: "stopped",
		archived: "Cannot stop an archived survey. Unarchive it first if needed.",
	}
)

// serve launches or stops a survey now, unless this already happened. It saves only the date. Flags and
// iterations change with the next update, but the response already contains the computed values.
func (c stateChange) serve(x *Call, previous *store.Survey) (wire.Response, *wire.Failure) {
	now := x.Now
	switch {
	case previous.IsTrue(store.SurveyTable, "archived"):
		return wire.Response{}, wire.Invalid("invalid_input", "", c.archived)
	case c.ended != "" && isPast(previous.Text(store.SurveyTable, "end_date"), now):
		return wire.Response{}, wire.Invalid("invalid_input", "", c.ended)
	case isPast(previous.Text(store.SurveyTable, c.field), now):
		return retrieveSurvey(x, previous)
	}

	saved := x.Store.ChangeSurvey(previous, wire.Fields{c.field: wire.TimestampText(now)})
	x.LogChange(c.activity, x.user.ID, saved, x.changesBetween(previous, saved))

	result, computed := *saved, saved.Fields()
	setIterations(computed)
	result.Object = saved.With(store.SurveyTable, computed)
	return retrieveSurvey(x, &result)
}

// isPast reports whether a stored date-time is in the past. It returns false for null.
func isPast(date string, now time.Time) bool {
	timestamp, ok := wire.ParseTimestamp(date)
	return ok && !timestamp.After(now)
}

// noteCut records the answers that a write detaches, which are answers to questions whose IDs the survey no
// longer contains.
func (x *Call) noteCut(previous, updated *store.Survey) {
	cut, remaining := textsByID(previous), textsByID(updated)
	maps.DeleteFunc(cut, func(id, _ string) bool { _, remains := remaining[id]; return remains })
	count := x.Store.CountResponses(previous)
	if len(cut) == 0 || count == 0 {
		return
	}
	x.Cut = &record.DetachedAnswers{SurveyID: previous.ID.String(), SurveyName: previous.Name, Responses: count}
	for _, id := range slices.Sorted(maps.Keys(cut)) {
		x.Cut.Questions = append(x.Cut.Questions, record.CutQuestion{ID: id, Text: cut[id]})
	}
}

// textsByID returns the texts of a survey's questions by question ID.
func textsByID(s *store.Survey) map[string]string {
	texts := map[string]string{}
	for _, question := range s.Value("questions").Items() {
		if id := question.Get("id").Text(); id != "" {
			texts[id] = question.Get("question").Text()
		}
	}
	return texts
}
