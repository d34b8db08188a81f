package testserver

import (
	"encoding/json"
	"slices"
)

// The hosted service links a survey to the actions that its conditions name. What it
// shows of them is the links, not what was written.

// actionIDs are the ids that conditions name; not ok where the service breaks on their
// form. Ids that are null, or not there, name nothing.
func actionIDs(conditions json.RawMessage) (ids []int64, ok bool) {
	if !isObject(conditions) {
		return nil, true
	}
	actions := members(conditions)["actions"]
	switch {
	case isNothing(actions):
		return nil, true
	case !isObject(actions):
		return nil, false
	}

	values := members(actions)["values"]
	switch {
	case isNothing(values), string(values) == `""`, string(values) == "{}":
		return nil, true
	case !isList(values):
		return nil, false
	}
	for _, item := range elements(values) {
		if !isObject(item) {
			return nil, false
		}
		id := members(item)["id"]
		if isNothing(id) {
			continue
		}
		n, whole := pythonInt(id)
		if !whole {
			return nil, false
		}
		ids = append(ids, n)
	}
	return ids, true
}

// linkActions breaks on actions of a form that the service does not expect. It links
// them when the survey itself is saved already.
func (w *surveyWrite) linkActions() *failure {
	if _, ok := actionIDs(w.sent["conditions"]); !ok {
		return broken()
	}
	return nil
}

// linksActions reports whether a request leaves the survey with links to actions: each
// request sets them anew from its own conditions.
func (w *surveyWrite) linksActions() bool {
	ids, ok := actionIDs(w.sent["conditions"])
	return ok && len(ids) > 0
}

// breaksReading reports whether conditions break every answer about a survey, because
// the service expects a list of actions and finds a number.
func breaksReading(conditions json.RawMessage) bool {
	if !isObject(conditions) {
		return false
	}
	actions := members(conditions)["actions"]
	if !isObject(actions) {
		return false
	}
	_, ok := number(members(actions)["values"])
	return ok
}

// appendConditions writes conditions with the actions that the survey is linked to in
// full. Ids that the project does not have are dropped, and where no action is left,
// what was written of them is cut to the keys of an action.
func appendConditions(b []byte, a answering, s *survey) []byte {
	conditions := s.hostedValue("conditions")
	if sent, ok := a.sent["conditions"]; ok {
		conditions = sent
	}
	if !isObject(conditions) {
		return append(b, conditions...)
	}
	written := pairsOf(conditions)
	if !isObject(written.get("actions")) {
		return append(b, conditions...)
	}

	var shown []json.RawMessage
	if s.member(actionsClearedMember) == nil {
		shown = a.store.linkedActions(s.project, conditions)
	}
	if shown == nil {
		shown = cutActions(written.get("actions"))
	}
	actions := pairs{{"values", listJSON(shown)}}
	return append(b, written.with("actions", actions.json()).json()...)
}

// linkedActions are the actions of a project that conditions name, by their ids.
func (st *store) linkedActions(project int64, conditions json.RawMessage) []json.RawMessage {
	ids, _ := actionIDs(conditions)
	slices.Sort(ids)
	var linked []json.RawMessage
	for _, id := range slices.Compact(ids) {
		if found := st.actions[id]; found != nil && found.project == project {
			linked = append(linked, found.full())
		}
	}
	return linked
}

// cutActions are actions as they were written, without the keys that no action has.
func cutActions(actions json.RawMessage) []json.RawMessage {
	shown := []json.RawMessage{}
	values := members(actions)["values"]
	if !isList(values) {
		return shown
	}
	for _, item := range elements(values) {
		if !isObject(item) {
			continue
		}
		kept := pairs{}
		for _, m := range pairsOf(item) {
			if slices.Contains(actionNames, m.name) {
				kept = append(kept, m)
			}
		}
		shown = append(shown, kept.json())
	}
	return shown
}

// actionMoment stands for the times of an action, which the fixtures do not have.
const actionMoment = `"2024-01-01T00:00:00Z"`

// actionNames are the keys of an action.
var actionNames = func() []string {
	var names []string
	for _, m := range (&action{}).pairs() {
		names = append(names, m.name)
	}
	return names
}()

// full is an action as the service shows it.
func (a *action) full() json.RawMessage { return a.pairs().json() }

func (a *action) pairs() pairs {
	return pairs{
		{"id", encode(a.id)}, {"name", quote(a.name)}, {"description", quote("")}, {"tags", encode([]string{})},
		{"post_to_slack", encode(false)}, {"slack_message_format", quote("")}, {"steps", encode([]string{})},
		{"created_at", json.RawMessage(actionMoment)}, {"created_by", encode(nil)}, {"deleted", encode(false)},
		{"is_calculating", encode(false)}, {"last_calculated_at", json.RawMessage(actionMoment)},
		{"team_id", encode(a.project)}, {"is_action", encode(true)}, {"bytecode_error", encode(nil)},
		{"pinned_at", encode(nil)}, {"creation_context", encode(nil)}, {"user_access_level", quote("manager")},
	}
}
