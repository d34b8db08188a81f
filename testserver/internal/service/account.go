package service

import (
	"encoding/json"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// retrieveProject responds with the fields of a project that clients of surveys need.
func retrieveProject(x *Call) (wire.Response, *wire.Failure) {
	p := x.project
	return x.respondValue(struct {
		ID           int64  `json:"id"`
		Organization string `json:"organization"`
		Name         string `json:"name"`
		OptIn        *bool  `json:"surveys_opt_in"`
		Surveys      any    `json:"survey_config"`
	}{p.ID, p.Organization.String(), p.Name, p.SurveysOptIn, SurveyConfigOf(p)})
}

// retrieveCohort responds with the fields of a cohort that clients of surveys need.
func retrieveCohort(x *Call) (wire.Response, *wire.Failure) {
	id, err := x.number()
	c := x.Store.Cohorts.Get(id)
	if err != nil || c == nil || c.Project != x.project.ID {
		return wire.Response{}, wire.ObjectNotFound()
	}
	return x.respondValue(struct {
		ID       int64           `json:"id"`
		Name     string          `json:"name"`
		IsStatic bool            `json:"is_static"`
		Filters  json.RawMessage `json:"filters"`
	}{c.ID, c.Name, c.IsStatic, cohortFilters(c)})
}

// cohortFilters are the filters of a cohort. Of a behavioral one, fixtures may have the
// conditions on events alone.
func cohortFilters(c *store.Cohort) json.RawMessage {
	if c.Filters != nil || len(c.Events) == 0 {
		return wire.Encode(c.Filters)
	}
	conditions := []any{}
	for _, event := range c.Events {
		conditions = append(conditions, map[string]any{"type": "behavioral", "key": event.Key, "value": event.Value, "event_type": "events"})
	}
	return wire.Encode(map[string]any{"properties": map[string]any{"type": "OR", "values": []any{map[string]any{"type": "OR", "values": conditions}}}})
}

// organizationInfo is an organization as it is nested in a user, teamInfo a project.
type organizationInfo struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type teamInfo struct {
	ID           int64  `json:"id"`
	Organization string `json:"organization"`
	Name         string `json:"name"`
}

// retrieveMe responds with the user of the key.
func retrieveMe(x *Call) (wire.Response, *wire.Failure) {
	st, u := x.Store, x.user
	me := struct {
		ID            int64              `json:"id"`
		UUID          json.RawMessage    `json:"uuid"`
		DistinctID    json.RawMessage    `json:"distinct_id"`
		FirstName     json.RawMessage    `json:"first_name"`
		LastName      json.RawMessage    `json:"last_name"`
		Email         json.RawMessage    `json:"email"`
		IsVerified    json.RawMessage    `json:"is_email_verified"`
		Organization  *organizationInfo  `json:"organization"`
		Organizations []organizationInfo `json:"organizations"`
		Team          *teamInfo          `json:"team"`
	}{
		ID: u.ID, UUID: u.Value("uuid"), DistinctID: u.Value("distinct_id"), FirstName: u.Value("first_name"), LastName: u.Value("last_name"),
		Email: u.Value("email"), IsVerified: u.Value("is_email_verified"), Organizations: []organizationInfo{},
	}
	for _, id := range u.Organizations {
		me.Organizations = append(me.Organizations, organizationInfo{id.String(), st.Organization(id).Name})
	}
	if len(me.Organizations) > 0 {
		me.Organization = &me.Organizations[0]
	}
	if p := st.FirstProject(u); p != nil {
		me.Team = &teamInfo{p.ID, p.Organization.String(), p.Name}
	}
	return x.respondValue(me)
}

// retrieveKey responds with the scopes of the key, masked except for its last characters.
func retrieveKey(x *Call) (wire.Response, *wire.Failure) {
	k := x.key
	organizations := []string{}
	for _, id := range k.Organizations {
		organizations = append(organizations, id.String())
	}
	return x.respondValue(struct {
		ID            string   `json:"id"`
		Label         string   `json:"label"`
		Mask          string   `json:"mask_value"`
		User          int64    `json:"user_id"`
		Scopes        []string `json:"scopes"`
		Teams         []int64  `json:"scoped_teams"`
		Organizations []string `json:"scoped_organizations"`
		CreatedAt     *string  `json:"created_at"`
		LastUsed      *string  `json:"last_used_at"`
	}{
		ID: k.MaskedID(), Label: "Test key", Mask: k.Mask(), User: x.user.ID,
		Scopes: append([]string{}, k.Scopes...), Teams: append([]int64{}, k.Projects...), Organizations: organizations,
	})
}

// SurveyConfig are the settings of a project for its surveys.
type SurveyConfig struct {
	WaitPeriod int64 `json:"seenSurveyWaitPeriodInDays"`
}

// SurveyConfigOf are the settings of a project; nil when it has none.
func SurveyConfigOf(p *store.Project) *SurveyConfig {
	if p.WaitPeriod == 0 {
		return nil
	}
	return &SurveyConfig{p.WaitPeriod}
}
