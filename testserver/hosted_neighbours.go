package testserver

import (
	"net/http"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// ProjectsRetrieve responds with the fields of a project that clients of surveys need.
func (o *operations) ProjectsRetrieve(w http.ResponseWriter, _ *http.Request, _ api.ProjectID) {
	exchangeOf(w).serveWith(func(x *exchange) (response, *field.Failure) {
		p := x.project
		return x.withObject(rawjson.Pairs{
			{Name: "id", Value: rawjson.Encode(p.ID)},
			{Name: "organization", Value: rawjson.Quote(p.Organization.String())},
			{Name: "name", Value: rawjson.Quote(p.Name)},
			{Name: "surveys_opt_in", Value: rawjson.Encode(p.SurveysOptIn)},
			{Name: "survey_config", Value: rawjson.Encode(entryOfProject(p).Surveys)},
		}), nil
	})
}

// UsersMeRetrieve responds with the user of the key.
func (o *operations) UsersMeRetrieve(w http.ResponseWriter, _ *http.Request) {
	exchangeOf(w).serveWith(func(x *exchange) (response, *field.Failure) {
		st, u := x.store, x.user
		organizations := []organizationInfo{}
		for _, id := range u.Organizations {
			organizations = append(organizations, organizationInfo{id.String(), st.Organization(id).Name})
		}

		me := rawjson.Pairs{{Name: "id", Value: rawjson.Encode(u.ID)}}
		for _, name := range []string{"uuid", "distinct_id", "first_name", "last_name", "email", "is_email_verified"} {
			me = append(me, rawjson.Member{Name: name, Value: u.Values[store.UserTable.Index[name]]})
		}
		me = append(me, rawjson.Member{Name: "organization", Value: rawjson.Encode(nil)}, rawjson.Member{Name: "organizations", Value: rawjson.Encode(organizations)}, rawjson.Member{Name: "team", Value: rawjson.Encode(nil)})
		if len(organizations) > 0 {
			me = me.With("organization", rawjson.Encode(organizations[0]))
		}
		if p := st.FirstProject(u); p != nil {
			me = me.With("team", rawjson.Pairs{
				{Name: "id", Value: rawjson.Encode(p.ID)},
				{Name: "organization", Value: rawjson.Quote(p.Organization.String())},
				{Name: "name", Value: rawjson.Quote(p.Name)},
			}.JSON())
		}
		return x.withObject(me), nil
	})
}

// organizationInfo is an organization as it is nested in a user.
type organizationInfo struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// PersonalAPIKeysCurrentRetrieve responds with the scopes of the key, masked except for its
// last characters.
func (o *operations) PersonalAPIKeysCurrentRetrieve(w http.ResponseWriter, _ *http.Request) {
	exchangeOf(w).serveWith(func(x *exchange) (response, *field.Failure) {
		k := x.key
		organizations := []string{}
		for _, id := range k.Organizations {
			organizations = append(organizations, id.String())
		}
		return x.withObject(rawjson.Pairs{
			{Name: "id", Value: rawjson.Quote(k.MaskedID())},
			{Name: "label", Value: rawjson.Quote("Test key")},
			{Name: "mask_value", Value: rawjson.Quote(k.Mask())},
			{Name: "user_id", Value: rawjson.Encode(x.user.ID)},
			{Name: "scopes", Value: rawjson.Encode(append([]string{}, k.Scopes...))},
			{Name: "scoped_teams", Value: rawjson.Encode(append([]int64{}, k.Projects...))},
			{Name: "scoped_organizations", Value: rawjson.Encode(organizations)},
			{Name: "created_at", Value: rawjson.Encode(nil)},
			{Name: "last_used_at", Value: rawjson.Encode(nil)},
		}), nil
	})
}

// withObject is the response with one object.
func (x *exchange) withObject(object rawjson.Pairs) response {
	return x.encode(http.StatusOK, func(b []byte) []byte { return append(b, object.JSON()...) })
}
