package testserver

import (
	"encoding/json"
	"slices"
	"strconv"
)

// The hosted service links a survey to the actions that its conditions name. What it
// shows of them is the links, not what was written.

// actionIDs are the ids that conditions name.
func actionIDs(conditions json.RawMessage) []int64 {
	if !isObject(conditions) {
		return nil
	}
	actions := members(conditions)["actions"]
	if !isObject(actions) {
		return nil
	}
	values := members(actions)["values"]
	if !isList(values) {
		return nil
	}
	var ids []int64
	for _, item := range elements(values) {
		if !isObject(item) {
			continue
		}
		if id, err := strconv.ParseInt(said(members(item)["id"]), 10, 64); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// linksActions says whether a request leaves the survey with links to actions: each
// request sets them anew from its own conditions.
func (w *surveyWrite) linksActions() bool { return len(actionIDs(w.sent["conditions"])) > 0 }

// appendConditions writes conditions with the actions that the survey is linked to in
// full; ids that the project does not have are dropped, unless there is no other.
func appendConditions(b []byte, a answering, s *survey) []byte {
	conditions := s.hostedValue("conditions")
	if sent, ok := a.sent["conditions"]; ok {
		conditions = sent
	}
	ids := actionIDs(conditions)
	if len(ids) == 0 || s.member(actionsClearedMember) != nil {
		return append(b, conditions...)
	}
	slices.Sort(ids)
	var linked []json.RawMessage
	for _, id := range slices.Compact(ids) {
		if found := a.store.actions[id]; found != nil && found.project == s.project {
			linked = append(linked, found.full())
		}
	}
	if linked == nil {
		return append(b, conditions...)
	}
	values := append(append([]byte(`{"values":`), listJSON(linked)...), '}')
	return append(b, pairsOf(conditions).with("actions", values).json()...)
}

// actionMoment stands for the times of an action, which the fixtures do not have.
const actionMoment = `"2024-01-01T00:00:00Z"`

// full is an action as the service shows it.
func (a *action) full() json.RawMessage {
	return pairs{
		{"id", encode(a.id)}, {"name", quote(a.name)}, {"description", quote("")}, {"tags", encode([]string{})},
		{"post_to_slack", encode(false)}, {"slack_message_format", quote("")}, {"steps", encode([]string{})},
		{"created_at", json.RawMessage(actionMoment)}, {"created_by", encode(nil)}, {"deleted", encode(false)},
		{"is_calculating", encode(false)}, {"last_calculated_at", json.RawMessage(actionMoment)},
		{"team_id", encode(a.project)}, {"is_action", encode(true)}, {"bytecode_error", encode(nil)},
		{"pinned_at", encode(nil)}, {"creation_context", encode(nil)}, {"user_access_level", quote("manager")},
	}.json()
}

// checkStorable breaks where the service trips over the form of conditions after its
// checks: they promise actions, or days to wait, and hold something else.
func (w *surveyWrite) checkStorable() *failure {
	raw := w.version["conditions"]
	if !isObject(raw) {
		return nil
	}
	conditions := members(raw)
	if wait := conditions["seenSurveyWaitPeriodInDays"]; !isNothing(wait) {
		if _, ok := number(wait); !ok {
			return broken()
		}
	}
	actions := conditions["actions"]
	if _, sent := w.sent["conditions"]; !sent || isNothing(actions) {
		return nil
	}
	if !isObject(actions) {
		return broken()
	}
	values := members(actions)["values"]
	switch {
	case isNothing(values):
		return nil
	case !isList(values):
		return broken()
	}
	for _, item := range elements(values) {
		if !isObject(item) {
			return broken()
		}
	}
	return nil
}
