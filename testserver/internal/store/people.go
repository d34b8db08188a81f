package store

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// Organization is an organization of the service.
type Organization struct {
	ID          uuid.UUID
	Name        string
	AccessLevel int64
	Features    json.RawMessage
}

// Project is a project of an organization.
type Project struct {
	ID           int64
	Organization uuid.UUID
	Name         string
	// WaitPeriod is the number of days after another survey, for all surveys of the
	// project; 0 for none.
	WaitPeriod int64
	// SurveysOptIn is set when in-app surveys are shown; nil is off.
	SurveysOptIn *bool
}

// User is a person; its object has the columns of UserTable.
type User struct {
	Object
	ID            int64
	Organizations []uuid.UUID
	// Projects are the projects that the user has access to; nil for all.
	Projects []int64
	Active   bool
}

// Reaches reports whether a member of an organization has access to one of its projects.
func (u *User) Reaches(p *Project) bool {
	return u.Projects == nil || slices.Contains(u.Projects, p.ID)
}

// Key is a personal API key. Without projects and organizations it has access to
// everything that its user has.
type Key struct {
	Token         string
	User          int64
	Scopes        []string
	Projects      []int64
	Organizations []uuid.UUID
}

// Mask is the part of a key that may be shown.
func (k *Key) Mask() string {
	return k.Token[:min(4, len(k.Token))] + "..." + k.Token[max(0, len(k.Token)-4):]
}

// MaskedID is an id of a key that does not reveal the key.
func (k *Key) MaskedID() string {
	return uuid.NewSHA1(uuid.NameSpaceOID, []byte(k.Token)).String()
}

// May reports whether a key has a scope: * is all of them, write includes read.
func (k *Key) May(scope string) bool {
	object, verb, _ := strings.Cut(scope, ":")
	for _, has := range k.Scopes {
		if has == "*" || has == scope || (verb == "read" && has == object+":write") {
			return true
		}
	}
	return false
}

// UserTable are the columns of a user.
var UserTable = field.NewTable(
	field.Column{Name: "uuid", Kind: field.Text},
	field.Column{Name: "distinct_id", Kind: field.Text},
	field.Column{Name: "first_name", Kind: field.Text, Initial: `""`},
	field.Column{Name: "last_name", Kind: field.Text, Initial: `""`},
	field.Column{Name: "email", Kind: field.Text},
	field.Column{Name: "is_email_verified", Kind: field.Boolean, Initial: "true"},
	field.Column{Name: "hedgehog_config", Kind: field.Object},
)

// CurrentProject is the id of the first project of a user, 0 for none.
func (st *Store) CurrentProject(u *User) string {
	p := st.FirstProject(u)
	if p == nil {
		return "0"
	}
	return strconv.FormatInt(p.ID, 10)
}

// FirstProject is the first project of the user's first organization that has one.
func (st *Store) FirstProject(u *User) *Project {
	for _, o := range u.Organizations {
		for _, p := range st.Projects.Sorted() {
			if p.Organization == o {
				return p
			}
		}
	}
	return nil
}

// Has reports whether an organization has a feature.
func (o *Organization) Has(feature string) bool {
	_, ok := o.Feature(feature)
	return ok
}

// Feature finds a feature of an organization and its settings. A feature that is listed by
// name has none.
func (o *Organization) Feature(name string) (settings rawjson.Fields, ok bool) {
	if o.Features[0] != '[' {
		return nil, false
	}
	for _, item := range rawjson.Items(o.Features) {
		settings = nil
		if item[0] == '{' {
			settings = rawjson.Members(item)
			item = settings["key"]
		}
		if rawjson.Unquote(item) == name {
			return settings, true
		}
	}
	return nil, false
}

// FirstMember is the smallest id of a user that belongs to an organization.
func (st *Store) FirstMember() int64 {
	for _, u := range st.Users.Sorted() {
		if len(u.Organizations) > 0 {
			return u.ID
		}
	}
	return 0
}

// WorldUser is the user of a world's key: that of the first key of the store, the first
// active member of an organization when there is no key, or else one of its own, who belongs
// to every organization.
func (st *Store) WorldUser() *User {
	if u := st.FirstKeyUser(); u != nil {
		return u
	}
	for _, u := range st.Users.Sorted() {
		if u.Active && len(u.Organizations) > 0 {
			return u
		}
	}
	return &User{Object: InitialObject(UserTable), Active: true, Organizations: st.order.organizations}
}

// FirstKeyUser is the user of the first key of the store; nil when there is none.
func (st *Store) FirstKeyUser() *User {
	if len(st.order.keys) == 0 {
		return nil
	}
	return st.Users.Get(st.Keys.Get(st.order.keys[0]).User)
}
