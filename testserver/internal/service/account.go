package service

import (
	"maps"
	"net/http"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// retrieveProject responds with the fields of a project that clients of surveys need.
func retrieveProject(x *Call) (wire.Response, *wire.Failure) {
	p := x.project
	object := []wire.Member{
		{Name: "id", Value: wire.Of(p.ID)}, {Name: "organization", Value: wire.NewText(p.Organization.String())},
		{Name: "name", Value: wire.NewText(p.Name)}, {Name: "surveys_opt_in", Value: wire.Of(p.SurveysOptIn)},
		{Name: "survey_config", Value: p.SurveyConfig.OrNull()},
	}
	for _, c := range store.ProjectSettings.Columns {
		object = append(object, wire.Member{Name: c.Name, Value: p.Settings[c.Name].OrNull()})
	}
	return x.respond(http.StatusOK, object)
}

// projectRequest are the fields of a project request.
var projectRequest = wire.NewTable(append([]wire.Column{
	{Name: "surveys_opt_in", Kind: wire.Boolean}, {Name: "survey_config"},
}, store.ProjectSettings.Columns...)...)

// updateProject changes whether in-app surveys are shown, the wait period of all surveys, and settings that
// have no effect in the test server.
func updateProject(x *Call) (wire.Response, *wire.Failure) {
	body, f := x.read()
	if f != nil {
		return wire.Response{}, f
	}
	input, f := projectRequest.Read(body, wire.Reading{Refine: checkSurveyConfig})
	if f != nil {
		return wire.Response{}, f
	}

	previous, updated := x.project, *x.project
	if optIn, ok := input["surveys_opt_in"]; ok {
		updated.SurveysOptIn = nil
		if !optIn.IsNull() {
			updated.SurveysOptIn = new(optIn.IsTruthy())
		}
	}
	if config, ok := input["survey_config"]; ok {
		updated.SurveyConfig = wire.Value{}
		if !config.IsNull() {
			updated.SurveyConfig = config.Clone()
		}
	}
	updated.Settings = mergeSettings(previous.Settings, input)
	x.project = &updated
	x.PutProject(previous, &updated)
	return retrieveProject(x)
}

// mergeSettings returns settings updated with the fields in input.
func mergeSettings(settings wire.Fields, input wire.Fields) wire.Fields {
	changed := wire.Fields{}
	maps.Copy(changed, settings)
	for _, c := range store.ProjectSettings.Columns {
		value, ok := input[c.Name]
		switch {
		case !ok:
		case value.IsNull():
			delete(changed, c.Name)
		default:
			changed[c.Name] = value.Clone()
		}
	}
	return changed
}

// checkSurveyConfig checks the survey settings of a project.
func checkSurveyConfig(c wire.Column, v wire.Value) (wire.Value, *wire.Failure) {
	if c.Name != "survey_config" || v.IsNull() {
		return v, nil
	}
	switch isObject, isValid := store.IsSurveyConfig(v); {
	case !isObject:
		return v, wire.Refusal(c.Name, "Must be an object.")
	case !isValid:
		return v, wire.Refusal(c.Name, "Must be a whole number from 0 to %d.", store.MaxWaitPeriod)
	}
	return v, nil
}

// PutProject replaces a project. If the wait period changed, it rebuilds the internal flags of the
// project's surveys.
func (v Service) PutProject(previous, updated *store.Project) {
	v.Store.Projects.Put(updated.ID, updated)
	if previous.WaitPeriod() != updated.WaitPeriod() && v.Store.Organization(updated.Organization).Has(FeatureProjectWaitPeriod) {
		v.RebuildInternalFlags(updated.ID)
	}
}

// retrieveCohort responds with the fields of a cohort that clients of surveys need.
func retrieveCohort(x *Call) (wire.Response, *wire.Failure) {
	id, err := x.number()
	c := x.Store.Cohorts.Get(id)
	if err != nil || c == nil || c.Project != x.project.ID {
		return wire.Response{}, wire.ObjectNotFound()
	}
	return x.respondValue(struct {
		ID       int64      `json:"id"`
		Name     string     `json:"name"`
		IsStatic bool       `json:"is_static"`
		Filters  wire.Value `json:"filters"`
	}{c.ID, c.Name, c.IsStatic, cohortFilters(c)})
}

// cohortFilters returns the filters of a cohort. For a behavioral cohort, fixtures may contain only the
// conditions on events.
func cohortFilters(c *store.Cohort) wire.Value {
	if !c.Filters.IsAbsent() || len(c.Events) == 0 {
		return wire.Of(c.Filters)
	}
	conditions := []any{}
	for _, event := range c.Events {
		conditions = append(conditions, map[string]any{"type": "behavioral", "key": event.Key, "value": event.Value, "event_type": "events"})
	}
	return wire.Of(map[string]any{"properties": map[string]any{"type": "OR", "values": []any{map[string]any{"type": "OR", "values": conditions}}}})
}

// named is an organization nested in a user or a project.
type named struct {
	ID           any    `json:"id"`
	Organization string `json:"organization,omitempty"`
	Name         string `json:"name"`
}

// retrieveMe responds with the user of the key.
func retrieveMe(x *Call) (wire.Response, *wire.Failure) {
	organizations := []named{}
	for _, id := range x.user.Organizations {
		organizations = append(organizations, named{ID: id, Name: x.Store.Organization(id).Name})
	}
	var first, team *named
	if len(organizations) > 0 {
		first = &organizations[0]
	}
	if p := x.Store.FirstProject(x.user); p != nil {
		team = &named{p.ID, p.Organization.String(), p.Name}
	}
	me := append([]wire.Member{{Name: "id", Value: wire.Of(x.user.ID)}},
		columns(x.user, "uuid", "distinct_id", "first_name", "last_name", "email", "is_email_verified")...)
	return x.respond(http.StatusOK, append(me, wire.Member{Name: "organization", Value: wire.Of(first)},
		wire.Member{Name: "organizations", Value: wire.Of(organizations)}, wire.Member{Name: "team", Value: wire.Of(team)}))
}

// retrieveKey responds with the scopes of the key and its value, of which only the last characters are
// visible.
func retrieveKey(x *Call) (wire.Response, *wire.Failure) {
	k := x.key
	return x.respondValue(struct {
		ID            string      `json:"id"`
		Label         string      `json:"label"`
		Mask          string      `json:"mask_value"`
		User          int64       `json:"user_id"`
		Scopes        []string    `json:"scopes"`
		Teams         []int64     `json:"scoped_teams"`
		Organizations []uuid.UUID `json:"scoped_organizations"`
		CreatedAt     *string     `json:"created_at"`
		LastUsed      *string     `json:"last_used_at"`
	}{
		ID: k.MaskedID(), Label: "Test key", Mask: k.Mask(), User: x.user.ID,
		Scopes: append([]string{}, k.Scopes...), Teams: append([]int64{}, k.Projects...), Organizations: append([]uuid.UUID{}, k.Organizations...),
	})
}
