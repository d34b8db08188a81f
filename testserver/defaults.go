package testserver

import (
	"encoding/json"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// The default fixtures: for a server without fixtures, and for lists that a fixtures
// document lacks.
const (
	// DefaultAPIKey is a key with scope * of the default user.
	DefaultAPIKey = "phx_test"
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
	l.store.addOrganization(&organization{
		id: uuid.MustParse(DefaultOrganizationID), name: "Test organization", accessLevel: rootLevel,
		features: l.defaultFeatures(),
	})
}

func (l *loader) defaultProject() {
	if st := l.store; !l.present["projects"] && len(st.order.organizations) > 0 {
		st.addProject(&project{id: 1, organization: st.order.organizations[0], name: "Test project"})
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
	for st.users[id] != nil {
		id++
	}

	st.putUser(&user{id: id, active: true, organizations: st.order.organizations, object: newObject(userTable, rawjson.Fields{
		"uuid":        rawjson.Quote(defaultUserUUID),
		"distinct_id": rawjson.Quote("test-user"),
		"first_name":  rawjson.Quote("Test"),
		"last_name":   rawjson.Quote("User"),
		"email":       rawjson.Quote("test@example.com"),
	}, nil)})
}

func (l *loader) defaultFlag() {
	st := l.store
	project := st.projects[1]
	if l.present["feature_flags"] || project == nil || st.flags[1] != nil {
		return
	}
	st.addFlag(&featureFlag{id: 1, project: project.id, object: newObject(flagTable, rawjson.Fields{
		"key": rawjson.Quote("test-flag"), "name": rawjson.Quote("Test flag"),
		"filters": json.RawMessage(`{"groups":[{"properties":[],"rollout_percentage":100}]}`),
	}, nil)})
}

// defaultKey belongs to the first user that is a member of an organization.
func (l *loader) defaultKey() {
	if !l.present["api_keys"] && l.author != 0 {
		l.store.addKey(&apiKey{key: DefaultAPIKey, user: l.author, scopes: []string{"*"}})
	}
}
