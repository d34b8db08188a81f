package testserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// The window of an activity feed by default.
const (
	activityLimit = "10"
	activityPage  = "1"
)

// surveyActivity responds with a page of the activity log of a survey. The request is checked
// before the survey is looked up.
func surveyActivity(x *exchange) (response, *wire.Failure) {
	if _, _, f := activityWindow(x.request); f != nil && x.profile.logs {
		return response{}, f
	}
	s, f := x.survey()
	if f != nil {
		return response{}, f
	}
	return x.activity(s)
}

// activity responds with a page of the activity log of a project, newest first, or of
// one of its surveys. As it is documented, it has no body.
func (x *exchange) activity(subject *store.Survey) (response, *wire.Failure) {
	if !x.profile.logs {
		return response{status: http.StatusOK}, nil
	}
	var entries []store.LogEntry
	for _, e := range slices.Backward(x.store.LogOf(x.project.ID)) {
		if subject == nil || e.Item == subject.ID {
			entries = append(entries, e)
		}
	}

	limit, page, f := activityWindow(x.request)
	if pages := max(1, (int64(len(entries))-1)/max(1, limit)+1); f == nil && page > pages {
		f = wire.ServerError()
	}
	if f != nil {
		return response{}, f
	}

	count := int64(len(entries))
	from := min((page-1)*limit, count)
	to := from + min(limit, count-from)

	return x.encode(http.StatusOK, func(b []byte) []byte {
		b = append(b, `{"results":`...)
		b = wire.AppendArray(b, slices.All(entries[from:to]), func(b []byte, e store.LogEntry) []byte {
			b = append(appendLogEntry(b, e, x.store), `,"is_system":`...)
			b = strconv.AppendBool(b, e.Author == 0)
			return append(b, `,"was_impersonated":false,"client":null}`...)
		})

		b = append(b, `,"next":`...)
		b = appendActivityLink(x.request, b, to < count, page+1, limit)
		b = append(b, `,"previous":`...)
		b = appendActivityLink(x.request, b, page > 1, page-1, limit)
		b = append(b, `,"total_count":`...)
		return append(strconv.AppendInt(b, count, 10), '}')
	}), nil
}

// activityWindow reads limit and page, integers from 1.
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

// appendActivityLink writes the URL of the request with another page, or null when there is
// no such page.
func appendActivityLink(r *http.Request, b []byte, is bool, page, limit int64) []byte {
	if !is {
		return append(b, "null"...)
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
	return wire.AppendQuoted(b, address)
}

// appendLogEntry encodes the entry for the feed, up to its last keys.
func appendLogEntry(b []byte, e store.LogEntry, st *store.Store) []byte {
	b = append(b, `{"id":`...)
	b = append(appendUUID(b, e.ID), `,"user":`...)
	switch u := st.Users.Get(e.Author); {
	case e.Author == 0:
		b = append(b, `{"first_name":"System","email":null,"is_system":true}`...)
	case u == nil:
		b = append(b, `{"first_name":"","email":""}`...)
	default:
		b = append(append(b, `{"first_name":`...), u.Value("first_name")...)
		b = append(append(b, `,"email":`...), u.Value("email")...)
		b = append(b, '}')
	}
	b = append(b, `,"activity":"`+e.Activity+`","scope":"Survey","item_id":`...)
	b = append(appendUUID(b, e.Item), `,"detail":{"changes":`...)
	b = append(append(b, e.Changes...), `,"trigger":null,"name":`...)
	b = append(wire.AppendQuoted(b, e.Name), `,"short_id":null,"type":null},"created_at":`...)
	return append(b, wire.TimestampText(e.At)...)
}

// change is the change of one field. Without before it was set, without after it was
// removed.
type change struct {
	field         string
	before, after json.RawMessage
}

// changesJSON writes changes as the log keeps them.
func changesJSON(changes []change) json.RawMessage {
	if changes == nil {
		return json.RawMessage("null")
	}

	return wire.AppendArray(nil, slices.All(changes), func(b []byte, c change) []byte {
		action := "changed"
		switch {
		case c.before == nil:
			action = "created"
		case c.after == nil:
			action = "deleted"
		}

		b = append(b, `{"type":"Survey","action":"`+action+`","field":`...)
		b = append(wire.AppendQuoted(b, c.field), `,"before":`...)
		b = append(append(b, wire.OrNull(c.before)...), `,"after":`...)
		return append(append(b, wire.OrNull(c.after)...), '}')
	})
}

// logChange writes a log entry for a survey, if the profile has a log. An update without a
// change has no entry.
func (c *contents) logChange(activity string, author int64, found *store.Survey, changes []change) {
	if !c.profile.logs || activity == "updated" && len(changes) == 0 {
		return
	}
	st := c.store
	st.AddLogEntry(found.Project, store.LogEntry{
		// The ids of the log do not use the source, so that they do not shift the ids of
		// objects.
		ID:     uuid.NewSHA1(found.ID, []byte(strconv.Itoa(len(st.LogOf(found.Project))))),
		Author: author, Activity: activity, Item: found.ID, Name: found.Name,
		Changes: changesJSON(changes), At: c.time(),
	})
}

// changesBetween compares two versions of a survey field by field. Flags are compared by
// id: an edit of a flag is no change of the survey.
func changesBetween(st *store.Store, before, after *store.Survey) []change {
	var changes []change
	compare := func(field string, before, after json.RawMessage) {
		before, after = nilIfEmpty(before), nilIfEmpty(after)
		if !bytes.Equal(wire.JSONB(wire.OrNull(before)), wire.JSONB(wire.OrNull(after))) {
			changes = append(changes, change{field, before, after})
		}
	}

	for _, c := range store.SurveyTable.Columns {
		switch c.Name {
		case "created_at":
		case "linked_insight_id":
			compare("linked_insight", referred(before.Value(c.Name)), referred(after.Value(c.Name)))
		default:
			compare(c.Name, loggedValue(c, before.Value(c.Name)), loggedValue(c, after.Value(c.Name)))
		}
	}

	for _, f := range []struct {
		field         string
		before, after int64
	}{{"linked_flag", before.Linked, after.Linked}, {"targeting_flag", before.Targeting, after.Targeting}} {
		if f.before != f.after {
			compare(f.field, loggedFlag(st.Flags.Get(f.before)), loggedFlag(st.Flags.Get(f.after)))
		}
	}
	return changes
}

// nilIfEmpty is a value, nil if it is empty: the log does not distinguish an empty value from a
// missing one.
func nilIfEmpty(raw json.RawMessage) json.RawMessage {
	switch string(raw) {
	case "", "null", `""`, "[]", "{}":
		return nil
	}
	return raw
}

// referred is a reference by id in the form of the log.
func referred(id json.RawMessage) json.RawMessage {
	if nilIfEmpty(id) == nil {
		return nil
	}
	return json.RawMessage(`{"id":` + string(id) + `}`)
}

// loggedValue is a value in the form of the log, which formats UTC differently.
func loggedValue(c wire.Column, raw json.RawMessage) json.RawMessage {
	if c.Kind == wire.Timestamp || c.Kind == wire.Timestamps {
		return json.RawMessage(strings.ReplaceAll(string(raw), `Z"`, `+00:00"`))
	}
	return raw
}

// loggedFlag is a flag in the form of the log; nil if it is deleted.
func loggedFlag(f *store.Flag) json.RawMessage {
	if f == nil {
		return nil
	}
	return wire.Encode(struct {
		ID      int64           `json:"id"`
		Key     json.RawMessage `json:"key"`
		Name    json.RawMessage `json:"name"`
		Filters json.RawMessage `json:"filters"`
		Project int64           `json:"team_id"`
		Deleted json.RawMessage `json:"deleted"`
		Active  json.RawMessage `json:"active"`
	}{f.ID, f.Value("key"), f.Value("name"), f.Value("filters"), f.Project, f.Value("deleted"), f.Value("active")})
}

// logUpdate writes the changes of an update; targeting is the targeting flag before it.
func (x *exchange) logUpdate(w *service.Write, targeting *store.Flag, after *store.Survey) {
	var changes []change
	if w.Sent["remove_targeting_flag"].IsTruthy() && targeting != nil {
		changes = append(changes, change{field: "targeting_flag", before: loggedFlag(targeting)})
		targeting = nil
	}
	if filters := w.Sent["targeting_flag_filters"]; filters.IsTruthy() {
		c := change{field: "targeting_flag_filters", after: filters.Raw}
		if targeting != nil {
			c.before = targeting.Value("filters")
		}
		changes = append(changes, c)
	}
	changes = append(changes, changesBetween(x.store, w.Before, after)...)
	x.contents.logChange("updated", x.user.ID, after, changes)
}
