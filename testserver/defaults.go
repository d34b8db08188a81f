package testserver

import (
	"encoding/json"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// The default fixtures: for a server without fixtures, and for lists that a fixtures
// document lacks.
const (
	// DefaultAPIKey is a key with scope * of the default user.
	DefaultAPIKey = "phx_test"
	// DefaultProjectToken is by which apps name the first project of the fixtures, unless they
	// give it another api_token.
	DefaultProjectToken = "phc_test"
	// DefaultProjectID is the project in the default organization.
	DefaultProjectID = "1"
	// DefaultOrganizationID is the organization.
	DefaultOrganizationID = "0192d3a4-5b6c-7d8e-8f90-a1b2c3d4e5f6"

	defaultUserUUID = "0192d3a4-5b6c-7d8e-8f90-000000000001"
	// rootLevel is the plugins_access_level that allows everything.
	rootLevel = 9
)

func (l *loader) defaultOrganization() {
	if l.present["organizations"] {
		return
	}
	l.store.AddOrganization(&store.Organization{
		ID: uuid.MustParse(DefaultOrganizationID), Name: "Test organization", AccessLevel: rootLevel,
		Features: l.defaultFeatures(),
	})
}

func (l *loader) defaultProject() {
	if st := l.store; !l.present["projects"] && len(st.OrganizationIDs()) > 0 {
		st.AddProject(&store.Project{ID: 1, Organization: st.OrganizationIDs()[0], Name: "Test project", SurveysOptIn: new(true)})
	}
}

// defaultToken is that of the first project that has none of its own.
func (l *loader) defaultToken() {
	if l.store.ProjectWithToken(DefaultProjectToken) != nil {
		return
	}
	for _, p := range l.store.Projects.Sorted() {
		if p.Token == "" {
			p.Token = DefaultProjectToken
			return
		}
	}
}

// defaultUser is a member of every organization. A user that a survey names as its author
// keeps its id.
func (l *loader) defaultUser() {
	st := l.store
	if l.present["users"] {
		return
	}
	id := int64(1)
	for st.Users.Get(id) != nil {
		id++
	}

	st.PutUser(&store.User{ID: id, Active: true, Organizations: st.OrganizationIDs(), Object: store.NewObject(store.UserTable, wire.RawFields{
		"uuid":        wire.Quote(defaultUserUUID),
		"distinct_id": wire.Quote("test-user"),
		"first_name":  wire.Quote("Test"),
		"last_name":   wire.Quote("User"),
		"email":       wire.Quote("test@example.com"),
	}, nil)})
}

func (l *loader) defaultFlag() {
	st := l.store
	project := st.Projects.Get(1)
	if l.present["feature_flags"] || project == nil || st.Flags.Get(1) != nil {
		return
	}
	st.AddFlag(&store.Flag{ID: 1, Project: project.ID, Object: store.NewObject(store.FlagTable, wire.RawFields{
		"key": wire.Quote("test-flag"), "name": wire.Quote("Test flag"),
		"filters": json.RawMessage(`{"groups":[{"properties":[],"rollout_percentage":100}]}`),
	}, nil)})
}

// defaultKey belongs to the first user that is a member of an organization.
func (l *loader) defaultKey() {
	if !l.present["api_keys"] && l.author != 0 {
		l.store.AddKey(&store.Key{Token: DefaultAPIKey, User: l.author, Scopes: []string{"*"}})
	}
}
