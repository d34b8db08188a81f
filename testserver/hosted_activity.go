package testserver

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// logEntry is one line in the activity log of a project's surveys. It outlives the
// survey.
type logEntry struct {
	id uuid.UUID
	// author is the user, 0 for the service itself.
	author   int64
	activity string
	item     uuid.UUID
	// name is what the survey was called.
	name string
	// changes is a JSON array; null where nothing was changed.
	changes json.RawMessage
	at      time.Time
}

// change is what became of one field. Without before it was made, without after taken
// away.
type change struct {
	field         string
	before, after json.RawMessage
}

// note writes an entry about a survey, in the profile that has a log. An update that
// changed nothing leaves none.
func (s *Server) note(activity string, author int64, found *survey, changes []change) {
	if !s.profile.logs || activity == "updated" && len(changes) == 0 {
		return
	}
	st := s.store
	entries := st.activity[found.project]
	st.activity[found.project] = append(entries, logEntry{
		// The ids of the log do not take from the source: what is made keeps its ids.
		id:     uuid.NewSHA1(found.id, []byte(strconv.Itoa(len(entries)))),
		author: author, activity: activity, item: found.id, name: found.name,
		changes: changesJSON(changes), at: s.time(st),
	})
}

// changesJSON writes changes as the log keeps them.
func changesJSON(changes []change) json.RawMessage {
	if changes == nil {
		return json.RawMessage("null")
	}
	b := []byte{'['}
	for i, c := range changes {
		if i > 0 {
			b = append(b, ',')
		}
		action := "changed"
		switch {
		case c.before == nil:
			action = "created"
		case c.after == nil:
			action = "deleted"
		}
		b = append(b, `{"type":"Survey","action":"`+action+`","field":`...)
		b = append(rawjson.AppendQuoted(b, c.field), `,"before":`...)
		b = append(appendOrNull(b, c.before), `,"after":`...)
		b = append(appendOrNull(b, c.after), '}')
	}
	return append(b, ']')
}

func appendOrNull(b []byte, raw json.RawMessage) []byte {
	if raw == nil {
		return append(b, "null"...)
	}
	return append(b, raw...)
}

// changesBetween compares two versions of a survey field by field. Of a flag it only
// sees whether it is the same one: what an edit does to it is not among the fields.
func (st *store) changesBetween(before, after *survey) []change {
	var changes []change
	compare := func(field string, was, is json.RawMessage) {
		was, is = filled(was), filled(is)
		if !bytes.Equal(jsonbOrder(orNull(was)), jsonbOrder(orNull(is))) {
			changes = append(changes, change{field, was, is})
		}
	}
	for _, c := range slices.Concat(surveyTable.columns, hostedColumns.columns) {
		switch c.name {
		case "created_at":
		case "linked_insight_id":
			compare("linked_insight", referred(before.hostedValue(c.name)), referred(after.hostedValue(c.name)))
		default:
			compare(c.name, c.logged(before.hostedValue(c.name)), c.logged(after.hostedValue(c.name)))
		}
	}
	for _, f := range []struct {
		field   string
		was, is int64
	}{{"linked_flag", before.linked, after.linked}, {"targeting_flag", before.targeting, after.targeting}} {
		if f.was != f.is {
			compare(f.field, st.flags[f.was].logged(), st.flags[f.is].logged())
		}
	}
	return changes
}

// filled is a value, nil when it says nothing: the log does not tell an empty value
// from none.
func filled(raw json.RawMessage) json.RawMessage {
	switch string(raw) {
	case "", "null", `""`, "[]", "{}":
		return nil
	}
	return raw
}

func orNull(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return json.RawMessage("null")
	}
	return raw
}

// referred is how the log writes a reference to something by its id.
func referred(id json.RawMessage) json.RawMessage {
	if filled(id) == nil {
		return nil
	}
	return json.RawMessage(`{"id":` + string(id) + `}`)
}

// logged is a value as the log keeps it: it has another way to write UTC.
func (c column) logged(raw json.RawMessage) json.RawMessage {
	if c.kind == moment || c.kind == moments {
		return json.RawMessage(strings.ReplaceAll(string(raw), `Z"`, `+00:00"`))
	}
	return raw
}

// logged is a flag as the log keeps it; nil when it is gone.
func (f *featureFlag) logged() json.RawMessage {
	if f == nil {
		return nil
	}
	value := func(name string) json.RawMessage { return f.values[flagTable.index[name]] }
	return rawjson.Encode(struct {
		ID      int64           `json:"id"`
		Key     json.RawMessage `json:"key"`
		Name    json.RawMessage `json:"name"`
		Filters json.RawMessage `json:"filters"`
		Project int64           `json:"team_id"`
		Deleted json.RawMessage `json:"deleted"`
		Active  json.RawMessage `json:"active"`
	}{f.id, value("key"), value("name"), value("filters"), f.project, value("deleted"), value("active")})
}

// noteUpdate writes what an update changed; targeting is the targeting flag from
// before it.
func (w *surveyWrite) noteUpdate(targeting *featureFlag, after *survey) {
	var changes []change
	if isTruthy(w.sent["remove_targeting_flag"]) && targeting != nil {
		changes = append(changes, change{field: "targeting_flag", before: targeting.logged()})
		targeting = nil
	}
	if filters := w.sent["targeting_flag_filters"]; isTruthy(filters) {
		c := change{field: "targeting_flag_filters", after: filters}
		if targeting != nil {
			c.before = targeting.values[flagTable.index["filters"]]
		}
		changes = append(changes, c)
	}
	changes = append(changes, w.server.store.changesBetween(w.before, after)...)
	w.server.note("updated", w.user.id, after, changes)
}

// deleteHostedSurvey deletes a survey with the flags that are its own, and leaves a
// line in the log.
func (x *exchange) deleteHostedSurvey(s *survey) {
	if x.server.store.flags[s.targeting] != nil {
		if f := x.checkFlagScope(); f != nil {
			x.refuse(f)
			return
		}
	}
	x.server.note("deleted", x.user.id, s, nil)
	x.deleteSurvey(s)
}
