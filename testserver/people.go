package testserver

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
)

type organization struct {
	id          uuid.UUID
	name        string
	accessLevel int64
	features    json.RawMessage
}

type project struct {
	id           int64
	organization uuid.UUID
	name         string
	// waitPeriod is the number of days after another survey, for all surveys of the
	// project; 0 for none.
	waitPeriod int64
	// surveysOptIn is set when in-app surveys are shown; nil is off.
	surveysOptIn *bool
}

// user is a person; its object has the columns of userTable.
type user struct {
	object
	id            int64
	organizations []uuid.UUID
	// projects are the projects that the user has access to; nil for all.
	projects []int64
	active   bool
}

// reaches reports whether a member of an organization has access to one of its projects.
func (u *user) reaches(p *project) bool {
	return u.projects == nil || slices.Contains(u.projects, p.id)
}

// apiKey is a personal API key. Without projects and organizations it has access to
// everything that its user has.
type apiKey struct {
	key           string
	user          int64
	scopes        []string
	projects      []int64
	organizations []uuid.UUID
}

// mask is the part of a key that may be shown.
func (k *apiKey) mask() string {
	return k.key[:min(4, len(k.key))] + "..." + k.key[max(0, len(k.key)-4):]
}

// maskedID is an id of a key that does not reveal the key.
func (k *apiKey) maskedID() string {
	return uuid.NewSHA1(uuid.NameSpaceOID, []byte(k.key)).String()
}

// may reports whether a key has a scope: * is all of them, write includes read.
func (k *apiKey) may(scope string) bool {
	object, verb, _ := strings.Cut(scope, ":")
	for _, has := range k.scopes {
		if has == "*" || has == scope || (verb == "read" && has == object+":write") {
			return true
		}
	}
	return false
}

var userTable = field.NewTable(
	field.Column{Name: "uuid", Kind: field.Text},
	field.Column{Name: "distinct_id", Kind: field.Text},
	field.Column{Name: "first_name", Kind: field.Text, Initial: `""`},
	field.Column{Name: "last_name", Kind: field.Text, Initial: `""`},
	field.Column{Name: "email", Kind: field.Text},
	field.Column{Name: "is_email_verified", Kind: field.Boolean, Initial: "true"},
	field.Column{Name: "hedgehog_config", Kind: field.Object},
)
