package store

import (
	"encoding/json"
	"slices"
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
	// Token is by which apps name the project; empty for none.
	Token string
	// WaitPeriod is the number of days after another survey, for all surveys of the
	// project; 0 for none.
	WaitPeriod int64
	// SurveysOptIn is set when in-app surveys are shown; nil is off.
	SurveysOptIn *bool
	// GroupTypes are the names of the types of groups, by their index.
	GroupTypes []string
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

// Value is the value of a column.
func (u *User) Value(name string) json.RawMessage { return u.Values[UserTable.Index[name]] }

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
