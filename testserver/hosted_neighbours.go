package testserver

import (
	"net/http"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// ProjectsRetrieve answers what clients of surveys ask of a project.
func (o *operations) ProjectsRetrieve(w http.ResponseWriter, _ *http.Request, _ api.ProjectID) {
	x := exchangeOf(w)
	p := x.project
	x.replyJSON(pairs{
		{"id", encode(p.id)}, {"organization", quote(p.organization.String())}, {"name", quote(p.name)},
		{"surveys_opt_in", encode(p.surveysOptIn)}, {"survey_config", encode(p.entry().Surveys)},
	})
}

// UsersMeRetrieve answers who the key belongs to.
func (o *operations) UsersMeRetrieve(w http.ResponseWriter, _ *http.Request) {
	x := exchangeOf(w)
	st, u := x.server.store, x.user
	organizations := []organizationInfo{}
	for _, id := range u.organizations {
		organizations = append(organizations, organizationInfo{id.String(), st.organizations[id].name})
	}

	me := pairs{{"id", encode(u.id)}}
	for _, name := range []string{"uuid", "distinct_id", "first_name", "last_name", "email", "is_email_verified"} {
		me = append(me, member{name, u.values[userTable.index[name]]})
	}
	me = append(me, member{"organization", encode(nil)}, member{"organizations", encode(organizations)}, member{"team", encode(nil)})
	if len(organizations) > 0 {
		me = me.with("organization", encode(organizations[0]))
	}
	if p := st.firstProject(u); p != nil {
		me = me.with("team", pairs{
			{"id", encode(p.id)}, {"organization", quote(p.organization.String())}, {"name", quote(p.name)},
		}.json())
	}
	x.replyJSON(me)
}

// organizationInfo is an organization as it is nested in a user.
type organizationInfo struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// PersonalAPIKeysCurrentRetrieve answers what the key of the request may do. It shows
// no more of the key than its last letters.
func (o *operations) PersonalAPIKeysCurrentRetrieve(w http.ResponseWriter, _ *http.Request) {
	x := exchangeOf(w)
	k := x.key
	organizations := []string{}
	for _, id := range k.organizations {
		organizations = append(organizations, id.String())
	}
	x.replyJSON(pairs{
		{"id", quote(k.maskedID())}, {"label", quote("Test key")}, {"mask_value", quote(k.mask())},
		{"user_id", encode(k.user)}, {"scopes", encode(append([]string{}, k.scopes...))},
		{"scoped_teams", encode(append([]int64{}, k.projects...))}, {"scoped_organizations", encode(organizations)},
		{"created_at", encode(nil)}, {"last_used_at", encode(nil)},
	})
}

// replyJSON answers with one object.
func (x *exchange) replyJSON(object pairs) {
	x.reply(http.StatusOK, func(b []byte) []byte { return append(b, object.json()...) })
}
