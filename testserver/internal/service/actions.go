package service

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// PostHog links a survey to the actions in its conditions. Responses contain the linked actions instead of
// the actions in the request.

// actionIDs returns the IDs of the actions in conditions. It ignores null and missing IDs. ok is false if PostHog
// fails on actions of this form.
func actionIDs(conditions wire.Value) (ids []int64, ok bool) {
	actions := conditions.Get("actions")
	values := actions.Get("values")
	switch {
	case actions.IsNull(), actions.IsObject() && !values.IsTruthy() && !values.Is("0") && !values.Is("false"):
		return nil, true
	case !values.IsArray():
		return nil, false
	}
	for _, item := range values.Items() {
		if !item.IsObject() {
			return nil, false
		}
		if id := item.Get("id"); !id.IsNull() {
			n, whole := id.Int()
			if !whole {
				return nil, false
			}
			ids = append(ids, n)
		}
	}
	return ids, true
}

// linkActions fails as PostHog does for actions of an unexpected form. PostHog links actions after it has
// saved the survey.
func (w *Write) linkActions() *wire.Failure {
	if _, ok := actionIDs(w.Sent["conditions"]); !ok && w.Checks {
		return wire.ServerError()
	}
	return nil
}

// linksActions reports whether a request links actions to the survey. Such a request replaces all existing
// links.
func (w *Write) linksActions() bool {
	ids, ok := actionIDs(w.Sent["conditions"])
	return ok && len(ids) > 0
}

// breaksReading reports whether PostHog fails for every response that contains the survey, because the
// conditions contain a number instead of a list of actions.
func breaksReading(conditions wire.Value) bool {
	_, isNumber := conditions.Get("actions").Get("values").Number()
	return isNumber
}

// WithActions returns conditions with the complete linked actions. It omits actions that the project does
// not contain. If no action is left, it returns the actions of the request, reduced to the keys of an
// action.
func WithActions(st *store.Store, s *store.Survey, conditions wire.Value) wire.Value {
	if !conditions.Get("actions").IsObject() {
		return conditions
	}
	var linked []wire.Value
	if s.Member(store.ActionsClearedMember).IsAbsent() {
		linked = linkedActions(st, s.Project, conditions)
	}
	if linked == nil {
		for _, item := range conditions.Get("actions").Get("values").Items() {
			if item.IsObject() {
				linked = append(linked, Only(item, actionNames))
			}
		}
	}
	return conditions.With("actions", wire.NewObject(wire.Member{Name: "values", Value: wire.NewArray(linked...)}))
}

// linkedActions returns the project's actions to which conditions refer, by ID.
func linkedActions(st *store.Store, project int64, conditions wire.Value) []wire.Value {
	ids, _ := actionIDs(conditions)
	slices.Sort(ids)
	var linked []wire.Value
	for _, id := range slices.Compact(ids) {
		if action := st.Actions.Get(id); action != nil && action.Project == project {
			linked = append(linked, fullAction(action))
		}
	}
	return linked
}

// actionNames are the keys of an action.
var actionNames = func() []string {
	var names []string
	for _, m := range fullAction(&store.Action{}).Members() {
		names = append(names, m.Name)
	}
	return names
}()

// fullAction returns a complete action as PostHog returns it. Its times have default values, because fixtures do not
// contain them.
func fullAction(action *store.Action) wire.Value {
	unknown := wire.NewText("2024-01-01T00:00:00Z")
	created, steps := unknown, wire.EmptyArray
	if !action.Steps.IsAbsent() {
		steps = action.Steps
	}
	if !action.CreatedAt.IsAbsent() {
		created = action.CreatedAt
	}
	return wire.Of(struct {
		ID             int64      `json:"id"`
		Name           string     `json:"name"`
		Description    string     `json:"description"`
		Tags           []string   `json:"tags"`
		PostToSlack    bool       `json:"post_to_slack"`
		SlackFormat    string     `json:"slack_message_format"`
		Steps          wire.Value `json:"steps"`
		CreatedAt      wire.Value `json:"created_at"`
		CreatedBy      *int64     `json:"created_by"`
		Deleted        bool       `json:"deleted"`
		IsCalculating  bool       `json:"is_calculating"`
		LastCalculated wire.Value `json:"last_calculated_at"`
		Project        int64      `json:"team_id"`
		IsAction       bool       `json:"is_action"`
		BytecodeError  *string    `json:"bytecode_error"`
		PinnedAt       *string    `json:"pinned_at"`
		Creation       *string    `json:"creation_context"`
		AccessLevel    string     `json:"user_access_level"`
	}{
		ID: action.ID, Name: action.Name, Description: action.Description, Tags: append([]string{}, action.Tags...), PostToSlack: action.PostToSlack,
		SlackFormat: action.SlackFormat, Steps: steps, CreatedAt: created, Deleted: action.Deleted, LastCalculated: unknown,
		Project: action.Project, IsAction: true, AccessLevel: "manager",
	})
}

// createAction stores a new action.
func createAction(x *Call) (wire.Response, *wire.Failure) {
	created := store.Action{Project: x.project.ID, CreatedAt: wire.TimestampText(x.Now)}
	for action := range x.Store.Actions.Each() {
		created.ID = max(created.ID, action.ID)
	}
	created.ID++
	return x.saveAction(http.StatusCreated, created)
}

// retrieveAction responds with an action, even if it is deleted.
func retrieveAction(x *Call) (wire.Response, *wire.Failure) {
	action, f := x.action()
	if f != nil {
		return wire.Response{}, f
	}
	return wire.JSONResponse(http.StatusOK, fullAction(action)), nil
}

// updateAction changes the fields in the request. Clients also delete an action this way.
func updateAction(x *Call) (wire.Response, *wire.Failure) {
	action, f := x.action()
	if f != nil {
		return wire.Response{}, f
	}
	return x.saveAction(http.StatusOK, *action)
}

// action returns the project's action with the ID in the path.
func (x *Call) action() (*store.Action, *wire.Failure) {
	id, err := x.number()
	action := x.Store.Actions.Get(id)
	if err != nil || action == nil || action.Project != x.project.ID {
		return nil, wire.ObjectNotFound()
	}
	return action, nil
}

// saveAction stores an action with the fields of the request.
func (x *Call) saveAction(status int, saved store.Action) (wire.Response, *wire.Failure) {
	body, f := x.read()
	if f != nil {
		return wire.Response{}, f
	}
	input, f := store.ActionTable.Read(body, wire.Reading{Refine: func(c wire.Column, v wire.Value) (wire.Value, *wire.Failure) {
		return v, x.checkActionField(c.Name, v, saved.ID)
	}})
	if f != nil {
		return wire.Response{}, f
	}
	// Fields that are missing from the request are unchanged.
	if err := json.Unmarshal(input.Object().JSON(), &saved); err != nil {
		return wire.Response{}, wire.BadRequest("invalid_input", err.Error())
	}
	x.Store.Actions.Put(saved.ID, &saved)
	return wire.JSONResponse(status, fullAction(&saved)), nil
}

// checkActionField checks a field of an action beyond its type.
func (x *Call) checkActionField(name string, v wire.Value, id int64) *wire.Failure {
	if name == "tags" && !v.IsArray() {
		return wire.Invalid("not_a_list", name, `Expected a list of items but got type "`+v.Type()+`".`)
	}
	for candidate := range x.Store.Actions.Each() {
		if name == "name" && candidate.Project == x.project.ID && candidate.ID != id && !candidate.Deleted && candidate.Name == v.Text() {
			return wire.Invalid("unique", name, fmt.Sprintf("This project already has an action with this name, ID %d", candidate.ID))
		}
	}
	return nil
}

// Only returns an object reduced to the named members.
func Only(object wire.Value, names []string) wire.Value {
	members := slices.DeleteFunc(object.Members(), func(m wire.Member) bool { return !slices.Contains(names, m.Name) })
	return wire.NewObject(members...)
}

// Conditions returns the conditions of a survey, or an empty value if the stored value is not an object,
// because the documented API accepts any text.
func Conditions(s *store.Survey) wire.Value {
	stored := s.Value("conditions")
	if object, err := wire.Decode([]byte(stored.Text())); stored.IsText() && err == nil {
		stored = object
	}
	if !stored.IsObject() {
		return wire.Null
	}
	return stored
}
