package service

import (
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// The default page of an activity feed.
const (
	activityLimit = "10"
	activityPage  = "1"
)

// surveyActivity responds with a page of a survey's activity log. It checks the request before it looks up
// the survey.
func surveyActivity(x *Call) (wire.Response, *wire.Failure) {
	if _, _, f := activityWindow(x.Request); f != nil && x.Logs {
		return wire.Response{}, f
	}
	s, f := x.survey()
	if f != nil {
		return wire.Response{}, f
	}
	return x.activity(s)
}

// activity responds with a page of the activity log, newest first. It is the log of a survey, or of the whole project
// if subject is nil. In the documented profile, the response has no body.
func (x *Call) activity(subject *store.Survey) (wire.Response, *wire.Failure) {
	if !x.Logs {
		return wire.Response{Status: http.StatusOK}, nil
	}
	var entries []store.LogEntry
	for _, e := range slices.Backward(x.Store.Log(x.project.ID)) {
		if subject == nil || e.Item == subject.ID {
			entries = append(entries, e)
		}
	}

	limit, page, f := activityWindow(x.Request)
	if pages := max(1, (int64(len(entries))-1)/max(1, limit)+1); f == nil && page > pages {
		f = wire.ServerError()
	}
	if f != nil {
		return wire.Response{}, f
	}
	count := int64(len(entries))
	start := min((page-1)*limit, count)
	end := start + min(limit, count-start)
	results := make([]activityEntry, 0, end-start)
	for _, e := range entries[start:end] {
		results = append(results, x.activityEntry(e))
	}
	return x.respondValue(struct {
		Results  []activityEntry `json:"results"`
		Next     *string         `json:"next"`
		Previous *string         `json:"previous"`
		Count    int64           `json:"total_count"`
	}{results, activityLink(x.Request, end < count, page+1, limit), activityLink(x.Request, page > 1, page-1, limit), count})
}

// activityWindow reads the parameters limit and page, which are integers of at least 1.
func activityWindow(r *http.Request) (limit, page int64, f *wire.Failure) {
	query := r.URL.Query()
	for _, number := range []struct {
		name, unset string
		value       *int64
	}{{"limit", activityLimit, &limit}, {"page", activityPage, &page}} {
		text := number.unset
		if query.Has(number.name) {
			text = strings.TrimSpace(last(query[number.name]))
		}
		n, err := strconv.ParseInt(text, 10, 64)
		switch {
		case err != nil && !errors.Is(err, strconv.ErrRange):
			return 0, 0, wire.Invalid("invalid_input", number.name, "A valid integer is required.")
		case n < 1:
			return 0, 0, wire.Invalid("min_value", number.name, "Ensure this value is greater than or equal to 1.")
		}
		*number.value = n
	}
	return limit, page, nil
}

var (
	pageInURL  = regexp.MustCompile(`([?&]page=)\d+`)
	limitInURL = regexp.MustCompile(`([?&]limit=)\d+`)
)

// activityLink returns the URL of another page of the feed, or nil if that page does not exist.
func activityLink(r *http.Request, exists bool, page, limit int64) *string {
	if !exists {
		return nil
	}
	address := absoluteURL(r).String()
	for _, part := range []struct {
		name  string
		form  *regexp.Regexp
		value int64
	}{{"page", pageInURL, page}, {"limit", limitInURL, limit}} {
		value := strconv.FormatInt(part.value, 10)
		switch {
		case part.form.MatchString(address):
			address = part.form.ReplaceAllString(address, "${1}"+value)
		case strings.Contains(address, "?"):
			address += "&" + part.name + "=" + value
		default:
			address += "?" + part.name + "=" + value
		}
	}
	return &address
}

// activityEntry is an entry of the log in the format of the feed.
type activityEntry struct {
	ID              string         `json:"id"`
	User            wire.Value     `json:"user"`
	Activity        string         `json:"activity"`
	Scope           string         `json:"scope"`
	Item            string         `json:"item_id"`
	Detail          activityDetail `json:"detail"`
	CreatedAt       wire.Value     `json:"created_at"`
	IsSystem        bool           `json:"is_system"`
	WasImpersonated bool           `json:"was_impersonated"`
	Client          *string        `json:"client"`
}

type activityDetail struct {
	Changes wire.Value `json:"changes"`
	Trigger *string    `json:"trigger"`
	Name    string     `json:"name"`
	ShortID *string    `json:"short_id"`
	Type    *string    `json:"type"`
}

func (x *Call) activityEntry(e store.LogEntry) activityEntry {
	user := wire.Of(map[string]string{"first_name": "", "email": ""})
	if e.Author == 0 {
		user = wire.NewObject(
			wire.Member{Name: "first_name", Value: wire.NewText("System")}, wire.Member{Name: "email", Value: wire.Null},
			wire.Member{Name: "is_system", Value: wire.NewBool(true)},
		)
	} else if u := x.Store.Users.Get(e.Author); u != nil {
		user = wire.NewObject(columns(u, "first_name", "email")...)
	}
	return activityEntry{
		ID: e.ID.String(), User: user, Activity: e.Activity, Scope: "Survey", Item: e.Item.String(),
		Detail: activityDetail{Changes: e.Changes, Name: e.Name}, CreatedAt: wire.TimestampText(e.At), IsSystem: e.Author == 0,
	}
}

// change is the logged change of a field. before is missing if the field was set, and after is missing
// if the field was removed.
type change struct {
	Type   string     `json:"type"`
	Action string     `json:"action"`
	Field  string     `json:"field"`
	Before wire.Value `json:"before"`
	After  wire.Value `json:"after"`
}

func newChange(field string, previous, updated wire.Value) change {
	c := change{Type: "Survey", Action: "changed", Field: field, Before: previous.OrNull(), After: updated.OrNull()}
	switch {
	case previous.IsAbsent():
		c.Action = "created"
	case updated.IsAbsent():
		c.Action = "deleted"
	}
	return c
}

// LogChange adds a log entry for a survey if the profile has a log. It adds no entry for an update without
// changes.
func (v Service) LogChange(activity string, author int64, survey *store.Survey, changes []change) {
	if !v.Logs || activity == "updated" && len(changes) == 0 {
		return
	}
	st := v.Store
	st.AddLogEntry(survey.Project, store.LogEntry{
		// Log IDs don't come from v.IDs, so that they don't affect the IDs of objects.
		ID:     uuid.NewSHA1(survey.ID, []byte(strconv.Itoa(len(st.Log(survey.Project))))),
		Author: author, Activity: activity, Item: survey.ID, Name: survey.Name,
		Changes: wire.Of(changes), At: v.Now,
	})
}

// changesBetween compares two versions of a survey field by field. It compares flags by ID, because an edit
// of a flag does not change the survey.
func (v Service) changesBetween(previous, updated *store.Survey) []change {
	st := v.Store
	var changes []change
	compare := func(field string, previous, updated wire.Value) {
		previous, updated = nilIfEmpty(previous), nilIfEmpty(updated)
		if !wire.JSONB(previous.OrNull()).Equals(wire.JSONB(updated.OrNull())) {
			changes = append(changes, newChange(field, previous, updated))
		}
	}

	for _, c := range store.SurveyTable.Columns {
		switch c.Name {
		case "created_at":
		case "linked_insight_id":
			compare("linked_insight", logReference(previous.Value(c.Name)), logReference(updated.Value(c.Name)))
		default:
			compare(c.Name, loggedValue(c, previous.Value(c.Name)), loggedValue(c, updated.Value(c.Name)))
		}
	}

	for _, f := range []struct {
		field         string
		before, after int64
	}{{"linked_flag", previous.Linked, updated.Linked}, {"targeting_flag", previous.Targeting, updated.Targeting}} {
		if f.before != f.after {
			compare(f.field, loggedFlag(st.Flags.Get(f.before)), loggedFlag(st.Flags.Get(f.after)))
		}
	}
	return changes
}

// nilIfEmpty returns the value, or nil if it is empty. The log does not distinguish an empty value from a
// missing one.
func nilIfEmpty(raw wire.Value) wire.Value {
	switch raw.Spelling() {
	case "", "null", `""`, "[]", "{}":
		return wire.Value{}
	}
	return raw
}

// logReference returns a reference by ID in the format of the log.
func logReference(id wire.Value) wire.Value {
	if nilIfEmpty(id).IsAbsent() {
		return wire.Value{}
	}
	return wire.NewObject(wire.Member{Name: "id", Value: id})
}

// loggedValue returns a value in the format of the log, which formats UTC times differently.
func loggedValue(c wire.Column, raw wire.Value) wire.Value {
	isDate := c.Kind == wire.Timestamp || c.Kind == wire.Timestamps
	if isDate && raw.IsArray() {
		return wire.MapItems(raw, func(item wire.Value) wire.Value { return loggedValue(c, item) })
	}
	if withoutZone, isUTC := strings.CutSuffix(raw.Text(), "Z"); isDate && isUTC {
		return wire.NewText(withoutZone + "+00:00")
	}
	return raw
}

// loggedFlag returns a flag in the format of the log, or nil if the flag is deleted.
func loggedFlag(f *store.Flag) wire.Value {
	if f == nil {
		return wire.Value{}
	}
	return wire.Of(struct {
		ID      int64      `json:"id"`
		Key     wire.Value `json:"key"`
		Name    wire.Value `json:"name"`
		Filters wire.Value `json:"filters"`
		Project int64      `json:"team_id"`
		Deleted wire.Value `json:"deleted"`
		Active  wire.Value `json:"active"`
	}{f.ID, f.Value("key"), f.Value("name"), f.Value("filters"), f.Project, f.Value("deleted"), f.Value("active")})

}

// logUpdate logs the changes of an update. targeting is the targeting flag before the update.
func (w *Write) logUpdate(targeting *store.Flag, updated *store.Survey) {
	var changes []change
	if w.Sent["remove_targeting_flag"].IsTruthy() && targeting != nil {
		changes = append(changes, newChange("targeting_flag", loggedFlag(targeting), wire.Value{}))
		targeting = nil
	}
	if filters := w.Sent["targeting_flag_filters"]; filters.IsTruthy() {
		var previous wire.Value
		if targeting != nil {
			previous = targeting.Value("filters")
		}
		changes = append(changes, newChange("targeting_flag_filters", previous, filters))
	}
	changes = append(changes, w.changesBetween(w.Before, updated)...)
	w.LogChange("updated", w.user.ID, updated, changes)
}

// LogUpdate logs changes that a teammate made.
func (v Service) LogUpdate(author int64, previous, updated *store.Survey) {
	v.LogChange("updated", author, updated, v.changesBetween(previous, updated))
}
