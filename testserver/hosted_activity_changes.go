package testserver

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// logChange writes a log entry for a survey, if the profile has a log. An update without a
// change has no entry.
func (c *contents) logChange(activity string, author int64, found *store.Survey, changes []change) {
	if !c.profile.traits().logs || activity == "updated" && len(changes) == 0 {
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
		if !bytes.Equal(rawjson.JSONB(orNull(before)), rawjson.JSONB(orNull(after))) {
			changes = append(changes, change{field, before, after})
		}
	}

	for _, c := range slices.Concat(store.SurveyTable.Columns, store.HostedColumns.Columns) {
		switch c.Name {
		case "created_at":
		case "linked_insight_id":
			compare("linked_insight", referred(before.HostedValue(c.Name)), referred(after.HostedValue(c.Name)))
		default:
			compare(c.Name, loggedValue(c, before.HostedValue(c.Name)), loggedValue(c, after.HostedValue(c.Name)))
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

func orNull(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return json.RawMessage("null")
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
func loggedValue(c field.Column, raw json.RawMessage) json.RawMessage {
	if c.Kind == field.Timestamp || c.Kind == field.Timestamps {
		return json.RawMessage(strings.ReplaceAll(string(raw), `Z"`, `+00:00"`))
	}
	return raw
}

// loggedFlag is a flag in the form of the log; nil if it is deleted.
func loggedFlag(f *store.Flag) json.RawMessage {
	if f == nil {
		return nil
	}
	value := func(name string) json.RawMessage { return f.Values[store.FlagTable.Index[name]] }
	return rawjson.Encode(struct {
		ID      int64           `json:"id"`
		Key     json.RawMessage `json:"key"`
		Name    json.RawMessage `json:"name"`
		Filters json.RawMessage `json:"filters"`
		Project int64           `json:"team_id"`
		Deleted json.RawMessage `json:"deleted"`
		Active  json.RawMessage `json:"active"`
	}{f.ID, value("key"), value("name"), value("filters"), f.Project, value("deleted"), value("active")})
}

// logUpdate writes the changes of an update; targeting is the targeting flag before it.
func (w *surveyWrite) logUpdate(targeting *store.Flag, after *store.Survey) {
	var changes []change
	if python.IsTruthy(w.sent["remove_targeting_flag"]) && targeting != nil {
		changes = append(changes, change{field: "targeting_flag", before: loggedFlag(targeting)})
		targeting = nil
	}
	if filters := w.sent["targeting_flag_filters"]; python.IsTruthy(filters) {
		c := change{field: "targeting_flag_filters", after: filters}
		if targeting != nil {
			c.before = targeting.Values[store.FlagTable.Index["filters"]]
		}
		changes = append(changes, c)
	}
	changes = append(changes, changesBetween(w.x.store, w.before, after)...)
	w.x.contents.logChange("updated", w.x.user.ID, after, changes)
}

// deleteSurvey deletes a survey with its flags, and writes a log entry.
func (hostedProfile) deleteSurvey(x *exchange, s *store.Survey) (response, *field.Failure) {
	if x.store.Flags.Get(s.Targeting) != nil {
		if f := checkFlagScope(x); f != nil {
			return response{}, f
		}
	}
	x.contents.logChange("deleted", x.user.ID, s, nil)
	x.store.RemoveSurvey(s)
	return response{status: http.StatusNoContent}, nil
}
