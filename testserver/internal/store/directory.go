package store

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Directory contains organizations, projects, users, and API keys.
type Directory struct {
	organizations map[uuid.UUID]*Organization
	Projects      Shelf[int64, *Project]
	Users         Shelf[int64, *User]
	Keys          Shelf[string, *Key]
	// order contains the insertion order of objects that have no natural order.
	order struct {
		organizations []uuid.UUID
		keys          []string
	}
}

func newDirectory() Directory {
	return Directory{
		organizations: map[uuid.UUID]*Organization{},
		Projects:      newShelf[int64, *Project](),
		Users:         newShelf[int64, *User](),
		Keys:          newShelf[string, *Key](),
	}
}

func (d Directory) clone() Directory {
	d.organizations = maps.Clone(d.organizations)
	d.Projects = d.Projects.clone()
	d.Users = d.Users.clone()
	d.Keys = d.Keys.clone()
	return d
}

// Organization returns the organization with an ID, or nil if there is none.
func (d *Directory) Organization(id uuid.UUID) *Organization { return d.organizations[id] }

// OrganizationIDs returns the IDs of the organizations in the order in which they were added.
func (d *Directory) OrganizationIDs() []uuid.UUID { return d.order.organizations }

// KeyTokens returns the API keys in the order in which they were added.
func (d *Directory) KeyTokens() []string { return d.order.keys }

// AddKey stores an API key after the others.
func (d *Directory) AddKey(k *Key) {
	d.Keys.Put(k.Token, k)
	d.order.keys = append(d.order.keys, k.Token)
}

// ProjectWithToken returns the project that apps identify by a token, or nil if there is none.
func (d *Directory) ProjectWithToken(token string) *Project {
	for p := range d.Projects.Each() {
		if p.Token == token && token != "" {
			return p
		}
	}
	return nil
}

// CurrentProject returns the ID of the first project of a user, or 0 if there is none.
func (d *Directory) CurrentProject(u *User) string {
	p := d.FirstProject(u)
	if p == nil {
		return "0"
	}
	return strconv.FormatInt(p.ID, 10)
}

// FirstProject returns the first project in the first of the user's organizations that has one.
func (d *Directory) FirstProject(u *User) *Project {
	for _, o := range u.Organizations {
		for _, p := range d.Projects.Sorted() {
			if p.Organization == o {
				return p
			}
		}
	}
	return nil
}

// WorldUser returns the user of a world's key: the user of the store's first key. Without keys, it is the
// first active member of an organization. Without members, it is a new user who belongs to every
// organization.
func (d *Directory) WorldUser() *User {
	if u := d.FirstKeyUser(); u != nil {
		return u
	}
	for _, u := range d.Users.Sorted() {
		if u.Active && len(u.Organizations) > 0 {
			return u
		}
	}
	return &User{Object: InitialObject(UserTable), Active: true, Organizations: d.order.organizations}
}

// FirstKeyUser returns the user of the first key of the store, or nil if there is none.
func (d *Directory) FirstKeyUser() *User {
	if len(d.order.keys) == 0 {
		return nil
	}
	return d.Users.Get(d.Keys.Get(d.order.keys[0]).User)
}

// FirstMember returns the smallest ID of a user that belongs to an organization.
func (d *Directory) FirstMember() int64 {
	for _, u := range d.Users.Sorted() {
		if len(u.Organizations) > 0 {
			return u.ID
		}
	}
	return 0
}

// Organization is a PostHog organization.
type Organization struct {
	ID          uuid.UUID  `json:"id"`
	Name        string     `json:"name"`
	AccessLevel int64      `json:"plugins_access_level"`
	Features    wire.Value `json:"features"`
}

// User is a PostHog user. Its object has the columns of [UserTable].
type User struct {
	Object
	ID            int64
	Organizations []uuid.UUID
	// Projects are the projects that the user can access. nil allows all.
	Projects []int64
	Active   bool
}

// Value returns the value of a column.
func (u *User) Value(name string) wire.Value { return u.Values[UserTable.Index[name]] }

// Reaches reports whether a user who belongs to the project's organization can access the project.
func (u *User) Reaches(p *Project) bool {
	return u.Projects == nil || slices.Contains(u.Projects, p.ID)
}

// Key is a personal API key. If it lists no projects and organizations, it can access everything that its
// user can access.
type Key struct {
	Token         string      `json:"key"`
	User          int64       `json:"user_id"`
	Scopes        []string    `json:"scopes"`
	Projects      []int64     `json:"project_ids"`
	Organizations []uuid.UUID `json:"organization_ids"`
}

// Mask returns the part of the key that may be shown.
func (k *Key) Mask() string {
	return k.Token[:min(4, len(k.Token))] + "..." + k.Token[max(0, len(k.Token)-4):]
}

// MaskedID returns an ID for the key that does not reveal the key.
func (k *Key) MaskedID() string {
	return uuid.NewSHA1(uuid.NameSpaceOID, []byte(k.Token)).String()
}

// May reports whether the key has a scope. The scope * includes all scopes, and write includes read.
func (k *Key) May(scope string) bool {
	object, verb, _ := strings.Cut(scope, ":")
	for _, granted := range k.Scopes {
		if granted == "*" || granted == scope || (verb == "read" && granted == object+":write") {
			return true
		}
	}
	return false
}

// UserTable describes the columns of a user.
var UserTable = wire.NewTable(
	wire.Column{Name: "uuid", Kind: wire.Text},
	wire.Column{Name: "distinct_id", Kind: wire.Text},
	wire.Column{Name: "first_name", Kind: wire.Text, Initial: wire.NewText("")},
	wire.Column{Name: "last_name", Kind: wire.Text, Initial: wire.NewText("")},
	wire.Column{Name: "email", Kind: wire.Text},
	wire.Column{Name: "is_email_verified", Kind: wire.Boolean, Initial: wire.NewBool(true)},
	wire.Column{Name: "hedgehog_config", Kind: wire.Object},
)

// Has reports whether the organization has a feature.
func (o *Organization) Has(feature string) bool {
	_, ok := o.Feature(feature)
	return ok
}

// Feature returns the settings of a feature, and whether the organization has the feature. A feature listed
// by name has no settings.
func (o *Organization) Feature(name string) (settings wire.Fields, ok bool) {
	if !o.Features.IsArray() {
		return nil, false
	}
	for _, item := range o.Features.Items() {
		settings = nil
		if item.IsObject() {
			settings = item.Fields()
			item = settings["key"]
		}
		if item.Text() == name {
			return settings, true
		}
	}
	return nil, false
}

// tokenForm matches a project token.
var tokenForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,200}$`)

// IsToken reports whether a text has the form of a project token.
func IsToken(s string) bool { return tokenForm.MatchString(s) }

// Action is an action. Its events can show a survey.
type Action struct {
	ID      int64  `json:"id"`
	Project int64  `json:"project_id"`
	Name    string `json:"name"`
	// Steps is an array of conditions by which SDKs recognize the action. It is absent if there are none.
	Steps wire.Value `json:"steps,omitzero"`

	Description string   `json:"description,omitempty"`
	Tags        []string `json:"tags,omitempty"`
	PostToSlack bool     `json:"post_to_slack,omitempty"`
	SlackFormat string   `json:"slack_message_format,omitempty"`
	Deleted     bool     `json:"deleted,omitempty"`
	// CreatedAt is a JSON string. It is absent if the time is unknown.
	CreatedAt wire.Value `json:"created_at,omitzero"`
}

// ActionTable describes the writable fields of an action.
var ActionTable = wire.NewTable(
	wire.Column{Name: "name", Kind: wire.Text, NotNull: true, Max: 400},
	wire.Column{Name: "description", Kind: wire.Text, NotNull: true},
	wire.Column{Name: "tags", NotNull: true},
	wire.Column{Name: "post_to_slack", Kind: wire.Boolean, NotNull: true},
	wire.Column{Name: "slack_message_format", Kind: wire.Text, NotNull: true, Max: 1200},
	wire.Column{Name: "steps", Kind: wire.Objects, NotNull: true, Refusal: "Steps must be a list of objects."},
	wire.Column{Name: "deleted", Kind: wire.Boolean, NotNull: true},
)

// Cohort is a group of persons to which targeting can refer.
type Cohort struct {
	ID, Project int64
	Name        string
	// Events are the conditions of a behavioral cohort, which surveys cannot use.
	Events []EventCondition
	// Backfilling reports whether PostHog is still filling a real-time cohort.
	Backfilling bool
	// Filters select the persons of the cohort. It is absent if there are none.
	Filters wire.Value
	// IsStatic reports whether Members lists the persons of the cohort.
	IsStatic bool
	// Members are distinct IDs, in the order of the fixtures.
	Members []string
}

// EventCondition is a cohort's condition on an event.
type EventCondition struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// PageViews is the condition of a cohort whose behavioral is true in the fixtures.
var PageViews = EventCondition{Key: "$pageview", Value: "performed_event"}

// Behavioral returns the value of behavioral in a fixtures document.
func (c *Cohort) Behavioral() any {
	if len(c.Events) == 0 || len(c.Events) == 1 && c.Events[0] == PageViews {
		return len(c.Events) > 0
	}
	return c.Events
}

// Unusable returns the reason why a survey cannot use the cohort, or "" if a survey can use it.
func (c *Cohort) Unusable() string {
	switch {
	case c.Backfilling:
		return fmt.Sprintf("Cohort '%s' is still being backfilled and cannot be used in surveys yet. "+
			"It will become available once its initial backfill completes.", c.Name)
	case len(c.Events) == 0:
		return ""
	}
	more := ""
	if n := len(c.Events) - 1; n > 0 {
		more = fmt.Sprintf(" and %d others", n)
	}
	return fmt.Sprintf("Cohort '%s' has an event-based condition on '%s' (%s)%s and cannot be used in surveys.",
		c.Name, c.Events[0].Key, c.Events[0].Value, more)
}

// Insight is an insight that a survey can link.
type Insight struct {
	ID      int64  `json:"id"`
	Project int64  `json:"project_id"`
	Name    string `json:"name"`
}

// Source is the part of the code at a URL that PostHog reads. The server downloads nothing: the code comes
// from the fixtures. Code at any other URL contains only a name.
type Source struct {
	// URL is the URL without a query. Tag is the newest version of the code.
	URL string `json:"url"`
	Tag string `json:"tag"`
	// Description is the content of plugin.json. It is null if this file does not exist.
	Description wire.Value `json:"plugin_json"`
}

// NewestTag is the newest version of code that is not in the fixtures.
const NewestTag = "0123456789abcdef0123456789abcdef01234567"

// LogEntry is an entry in the activity log of a project's surveys. It remains after the survey is deleted.
type LogEntry struct {
	ID uuid.UUID
	// Author is the user's ID, or 0 for PostHog itself.
	Author   int64
	Activity string
	Item     uuid.UUID
	// Name is the name of the survey at the time of the change.
	Name string
	// Changes is a JSON array. It is null if nothing changed.
	Changes wire.Value
	At      time.Time
}
