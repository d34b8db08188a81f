package testserver

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Keys of the entries of a fixtures document.
var (
	organizationKeys = []string{"id", "name", "plugins_access_level", "features"}
	userEntryKeys    = append(api.Fields("User"), "organization_ids", "project_ids", "is_active")
	// userEntryOnly are the keys of a user entry that are not columns.
	userEntryOnly = []string{"id", "organization_ids", "project_ids", "is_active"}
	apiKeyKeys    = []string{"key", "user_id", "scopes", "project_ids", "organization_ids"}
	actionKeys    = []string{"id", "project_id", "name", "steps"}
)

func (l *loader) organization(path string, raw json.RawMessage) error {
	o := wire.ReadEntry(path, raw, organizationKeys)
	o.Require("id")
	found := &store.Organization{
		ID: o.UUID("id"), Name: o.Text("name", "Organization"),
		AccessLevel: o.Integer("plugins_access_level", rootLevel), Features: o.Fields["features"],
	}
	if found.Features == nil {
		found.Features = l.defaultFeatures()
	}
	if l.store.Organization(found.ID) != nil {
		o.Fail("id", "another organization has it too")
	}
	l.store.AddOrganization(found)
	return o.Err
}

func (l *loader) user(path string, raw json.RawMessage) error {
	o := wire.ReadEntry(path, raw, userEntryKeys)
	o.Require("id")

	u := readUser(o, l.ids)
	u.Organizations = o.UUIDs("organization_ids")
	if o.Has("project_ids") {
		u.Projects = append([]int64{}, o.IDs("project_ids")...)
	}
	u.Active = o.Boolean("is_active", true)

	if l.store.Users.Get(u.ID) != nil {
		o.Fail("id", "another user has it too")
	}
	l.store.PutUser(u)

	l.later(func() error {
		if !o.Has("organization_ids") {
			u.Organizations = l.store.OrganizationIDs()
		}
		return l.knownAll(path, u.Organizations, u.Projects)
	})
	return o.Err
}

// readUser reads the keys that users and created_by have in common.
func readUser(o *wire.Entry, ids func() uuid.UUID) *store.User {
	u := &store.User{ID: o.ID("id")}
	store.UserTable.CheckEntry(o)
	if o.Err != nil {
		return u
	}
	number := strconv.FormatInt(u.ID, 10)
	for name, value := range map[string]string{"distinct_id": "user-" + number, "email": "user-" + number + "@example.com"} {
		if o.Fields.IsNull(name) {
			o.Fields[name] = wire.Quote(value)
		}
	}
	if o.Fields.IsNull("uuid") {
		o.Fields["uuid"] = wire.Quote(ids().String())
	}
	u.Object = store.NewObject(store.UserTable, o.Fields, userEntryOnly)
	return u
}

func (l *loader) apiKey(path string, raw json.RawMessage) error {
	o := wire.ReadEntry(path, raw, apiKeyKeys)
	o.Require("key")
	k := &store.Key{
		Token: o.Text("key", ""), User: o.ID("user_id"), Scopes: []string{"*"},
		Projects: o.IDs("project_ids"), Organizations: o.UUIDs("organization_ids"),
	}
	if o.Has("scopes") {
		k.Scopes = o.Texts("scopes")
	}

	switch {
	case k.Token == "":
		o.Fail("key", "must not be empty")
	case !isCarried(k.Token):
		o.Fail("key", "has a character that the Authorization header cannot carry: want printable ASCII, without blanks at the ends")
	}
	if l.store.Keys.Get(k.Token) != nil {
		o.Fail("key", "another entry has it too")
	}

	l.store.AddKey(k)
	l.keyChecks = append(l.keyChecks, func() error { return l.checkKey(path, k) })
	return o.Err
}

// isCarried reports whether an API key arrives as it is in a header.
func isCarried(key string) bool {
	odd := func(r rune) bool { return r < ' ' || r > '~' }
	return strings.TrimSpace(key) == key && !strings.ContainsFunc(key, odd)
}

// checkKey looks up the references of a key; without a user it belongs to the first one.
func (l *loader) checkKey(path string, k *store.Key) error {
	if k.User == 0 {
		k.User = l.author
	}
	if l.store.Users.Get(k.User) == nil {
		return fmt.Errorf("%s.user_id: there is no user %d", path, k.User)
	}
	return l.knownAll(path, k.Organizations, k.Projects)
}

// knownAll looks up the organizations and projects that an item names.
func (l *loader) knownAll(path string, organizations []uuid.UUID, projects []int64) error {
	for i, id := range organizations {
		if err := l.knownOrganization(fmt.Sprintf("%s.organization_ids[%d]", path, i), id); err != nil {
			return err
		}
	}
	for i, id := range projects {
		if err := l.knownProject(fmt.Sprintf("%s.project_ids[%d]", path, i), id); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) action(path string, raw json.RawMessage) error {
	o := wire.ReadEntry(path, raw, actionKeys)
	o.Require("id", "project_id")
	a := &store.Action{ID: o.ID("id"), Project: o.ID("project_id"), Name: o.Text("name", "Action")}
	o.List("steps", func(path string, step json.RawMessage) error { return wire.ReadEntry(path, step, nil).Err })
	a.Steps = o.Fields["steps"]
	isTaken := l.store.Actions.Get(a.ID) != nil
	l.store.AddAction(a)
	return l.of(a.Project, o, isTaken, "action")
}

// later defers a check until every list is read.
func (l *loader) later(check func() error) { l.checks = append(l.checks, check) }

func (l *loader) knownOrganization(path string, id uuid.UUID) error {
	if l.store.Organization(id) == nil {
		return fmt.Errorf("%s: there is no organization %s", path, id)
	}
	return nil
}

func (l *loader) knownProject(path string, id int64) error {
	if l.store.Projects.Get(id) == nil {
		return fmt.Errorf("%s: there is no project %d", path, id)
	}
	return nil
}
