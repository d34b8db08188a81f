package testserver

import (
	"encoding/json"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// The hosted service links a survey to the actions in its conditions, and returns the
// linked actions instead of those that were sent.

// actionIDs are the ids of the actions in conditions; not ok if the service fails for their
// form. Null and missing ids are ignored.
func actionIDs(conditions json.RawMessage) (ids []int64, ok bool) {
	if !rawjson.IsObject(conditions) {
		return nil, true
	}
	actions := rawjson.Members(conditions)["actions"]
	switch {
	case rawjson.IsNull(actions):
		return nil, true
	case !rawjson.IsObject(actions):
		return nil, false
	}

	values := rawjson.Members(actions)["values"]
	switch {
	case rawjson.IsNull(values), string(values) == `""`, string(values) == "{}":
		return nil, true
	case !rawjson.IsArray(values):
		return nil, false
	}
	for _, item := range rawjson.Items(values) {
		if !rawjson.IsObject(item) {
			return nil, false
		}
		id := rawjson.Members(item)["id"]
		if rawjson.IsNull(id) {
			continue
		}
		n, whole := python.Int(id)
		if !whole {
			return nil, false
		}
		ids = append(ids, n)
	}
	return ids, true
}

// linkActions fails like the service for actions of an unexpected form. It links them after
// the survey itself is saved.
func (w *surveyWrite) linkActions() *field.Failure {
	if _, ok := actionIDs(w.sent["conditions"]); !ok {
		return field.ServerError()
	}
	return nil
}

// linksActions reports whether the survey has links to actions after a request: each
// request replaces them by those of its conditions.
func (w *surveyWrite) linksActions() bool {
	ids, ok := actionIDs(w.sent["conditions"])
	return ok && len(ids) > 0
}

// breaksReading reports whether the service fails for every response with a survey, because
// it expects a list of actions in the conditions and finds a number.
func breaksReading(conditions json.RawMessage) bool {
	if !rawjson.IsObject(conditions) {
		return false
	}
	actions := rawjson.Members(conditions)["actions"]
	if !rawjson.IsObject(actions) {
		return false
	}
	_, ok := python.Number(rawjson.Members(actions)["values"])
	return ok
}

// appendConditions writes conditions with the complete linked actions. Ids that the project
// does not have are dropped. If no action is left, those that were sent are cut to the keys
// of an action.
func appendConditions(b []byte, a encoding, s *store.Survey) []byte {
	conditions := s.HostedValue("conditions")
	if sent, ok := a.sent["conditions"]; ok {
		conditions = sent
	}
	if !rawjson.IsObject(conditions) {
		return append(b, conditions...)
	}
	written := rawjson.PairsOf(conditions)
	if !rawjson.IsObject(written.Get("actions")) {
		return append(b, conditions...)
	}

	var shown []json.RawMessage
	if s.Member(store.ActionsClearedMember) == nil {
		shown = linkedActions(a.store, s.Project, conditions)
	}
	if shown == nil {
		shown = cutActions(written.Get("actions"))
	}
	actions := rawjson.Pairs{{Name: "values", Value: rawjson.Array(shown)}}
	return append(b, written.With("actions", actions.JSON()).JSON()...)
}

// linkedActions are the actions of a project that conditions refer to, by id.
func linkedActions(st *store.Store, project int64, conditions json.RawMessage) []json.RawMessage {
	ids, _ := actionIDs(conditions)
	slices.Sort(ids)
	var linked []json.RawMessage
	for _, id := range slices.Compact(ids) {
		if found := st.Actions.Get(id); found != nil && found.Project == project {
			linked = append(linked, fullAction(found))
		}
	}
	return linked
}

// cutActions are actions as they were sent, without keys that an action does not have.
func cutActions(actions json.RawMessage) []json.RawMessage {
	shown := []json.RawMessage{}
	values := rawjson.Members(actions)["values"]
	if !rawjson.IsArray(values) {
		return shown
	}
	for _, item := range rawjson.Items(values) {
		if !rawjson.IsObject(item) {
			continue
		}
		kept := rawjson.Pairs{}
		for _, m := range rawjson.PairsOf(item) {
			if slices.Contains(actionNames, m.Name) {
				kept = append(kept, m)
			}
		}
		shown = append(shown, kept.JSON())
	}
	return shown
}

// actionMoment replaces the times of an action, which the fixtures do not have.
const actionTimestamp = `"2024-01-01T00:00:00Z"`

// actionNames are the keys of an action.
var actionNames = func() []string {
	var names []string
	for _, m := range actionPairs((&store.Action{})) {
		names = append(names, m.Name)
	}
	return names
}()

// fullAction is a complete action as the service returns it.
func fullAction(a *store.Action) json.RawMessage { return actionPairs(a).JSON() }

func actionPairs(a *store.Action) rawjson.Pairs {
	return rawjson.Pairs{
		{Name: "id", Value: rawjson.Encode(a.ID)},
		{Name: "name", Value: rawjson.Quote(a.Name)},
		{Name: "description", Value: rawjson.Quote("")},
		{Name: "tags", Value: rawjson.Encode([]string{})},
		{Name: "post_to_slack", Value: rawjson.Encode(false)},
		{Name: "slack_message_format", Value: rawjson.Quote("")},
		{Name: "steps", Value: rawjson.Encode([]string{})},
		{Name: "created_at", Value: json.RawMessage(actionTimestamp)},
		{Name: "created_by", Value: rawjson.Encode(nil)},
		{Name: "deleted", Value: rawjson.Encode(false)},
		{Name: "is_calculating", Value: rawjson.Encode(false)},
		{Name: "last_calculated_at", Value: json.RawMessage(actionTimestamp)},
		{Name: "team_id", Value: rawjson.Encode(a.Project)},
		{Name: "is_action", Value: rawjson.Encode(true)},
		{Name: "bytecode_error", Value: rawjson.Encode(nil)},
		{Name: "pinned_at", Value: rawjson.Encode(nil)},
		{Name: "creation_context", Value: rawjson.Encode(nil)},
		{Name: "user_access_level", Value: rawjson.Quote("manager")},
	}
}

func checkConditions(_ *surveyWrite, raw json.RawMessage) (json.RawMessage, *field.Failure) {
	if !rawjson.IsNull(raw) && !rawjson.IsObject(raw) {
		return nil, field.Invalid("invalid_input", "conditions", "Conditions must be an object")
	}
	return raw, nil
}
