package testserver

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/strictjson"
)

// Keys of the entries of a fixtures document.
var (
	organizationKeys = []string{"id", "name", "plugins_access_level", "features"}
	userEntryKeys    = append(api.Fields("User"), "organization_ids", "project_ids", "is_active")
	// userEntryOnly are the keys of a user entry that are not columns.
	userEntryOnly = []string{"id", "organization_ids", "project_ids", "is_active"}
	apiKeyKeys    = []string{"key", "user_id", "scopes", "project_ids", "organization_ids"}
	actionKeys    = []string{"id", "project_id", "name"}
)

func (l *loader) organization(path string, raw json.RawMessage) error {
	o := strictjson.Read(path, raw, organizationKeys)
	o.Require("id")
	found := &organization{
		id: o.UUID("id"), name: o.Text("name", "Organization"),
		accessLevel: o.Integer("plugins_access_level", rootLevel), features: o.Fields["features"],
	}
	if found.features == nil {
		found.features = l.defaultFeatures()
	}
	if l.store.organizations[found.id] != nil {
		o.Fail("id", "another organization has it too")
	}
	l.store.addOrganization(found)
	return o.Err
}

func (l *loader) user(path string, raw json.RawMessage) error {
	o := strictjson.Read(path, raw, userEntryKeys)
	o.Require("id")

	u := readUser(o, l.ids)
	u.organizations = o.UUIDs("organization_ids")
	if o.Has("project_ids") {
		u.projects = append([]int64{}, o.IDs("project_ids")...)
	}
	u.active = o.Boolean("is_active", true)

	if l.store.users[u.id] != nil {
		o.Fail("id", "another user has it too")
	}
	l.store.putUser(u)

	l.later(func() error {
		if !o.Has("organization_ids") {
			u.organizations = l.store.order.organizations
		}

		for i, id := range u.organizations {
			if err := l.knownOrganization(fmt.Sprintf("%s.organization_ids[%d]", path, i), id); err != nil {
				return err
			}
		}

		for i, id := range u.projects {
			if err := l.knownProject(fmt.Sprintf("%s.project_ids[%d]", path, i), id); err != nil {
				return err
			}
		}
		return nil
	})
	return o.Err
}

// readUser reads the keys that users and created_by have in common.
func readUser(o *strictjson.Object, ids func() uuid.UUID) *user {
	u := &user{id: o.ID("id")}
	userTable.CheckEntry(o)
	if o.Err != nil {
		return u
	}
	number := strconv.FormatInt(u.id, 10)
	for name, value := range map[string]string{"distinct_id": "user-" + number, "email": "user-" + number + "@example.com"} {
		if o.Fields.IsNull(name) {
			o.Fields[name] = rawjson.Quote(value)
		}
	}
	if o.Fields.IsNull("uuid") {
		o.Fields["uuid"] = rawjson.Quote(ids().String())
	}
	u.object = newObject(userTable, o.Fields, userEntryOnly)
	return u
}

func (l *loader) apiKey(path string, raw json.RawMessage) error {
	o := strictjson.Read(path, raw, apiKeyKeys)
	o.Require("key")
	k := &apiKey{
		key: o.Text("key", ""), user: o.ID("user_id"), scopes: []string{"*"},
		projects: o.IDs("project_ids"), organizations: o.UUIDs("organization_ids"),
	}
	if o.Has("scopes") {
		k.scopes = o.Texts("scopes")
	}
	switch {
	case k.key == "":
		o.Fail("key", "must not be empty")
	case !isCarried(k.key):
		o.Fail("key", "has a character that the Authorization header cannot carry: want printable ASCII, without blanks at the ends")
	}
	if l.store.keys[k.key] != nil {
		o.Fail("key", "another entry has it too")
	}
	l.store.addKey(k)
	l.keyChecks = append(l.keyChecks, func() error { return l.checkKey(path, k) })
	return o.Err
}

// isCarried reports whether an API key arrives as it is in a header.
func isCarried(key string) bool {
	odd := func(r rune) bool { return r < ' ' || r > '~' }
	return strings.TrimSpace(key) == key && !strings.ContainsFunc(key, odd)
}

// checkKey looks up the references of a key; without a user it belongs to the first one.
func (l *loader) checkKey(path string, k *apiKey) error {
	if k.user == 0 {
		k.user = l.author
	}
	if l.store.users[k.user] == nil {
		return fmt.Errorf("%s.user_id: there is no user %d", path, k.user)
	}
	for i, id := range k.projects {
		if l.store.projects[id] == nil {
			return fmt.Errorf("%s.project_ids[%d]: there is no project %d", path, i, id)
		}
	}
	for i, id := range k.organizations {
		if err := l.knownOrganization(fmt.Sprintf("%s.organization_ids[%d]", path, i), id); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) action(path string, raw json.RawMessage) error {
	o := strictjson.Read(path, raw, actionKeys)
	o.Require("id", "project_id")
	a := &action{id: o.ID("id"), project: o.ID("project_id"), name: o.Text("name", "Action")}
	if l.store.actions[a.id] != nil {
		o.Fail("id", "another action has it too")
	}
	l.store.addAction(a)
	l.later(func() error { return l.knownProject(path+".project_id", a.project) })
	return o.Err
}

// later defers a check until every list is read.
func (l *loader) later(check func() error) { l.checks = append(l.checks, check) }

func (l *loader) knownOrganization(path string, id uuid.UUID) error {
	if l.store.organizations[id] == nil {
		return fmt.Errorf("%s: there is no organization %s", path, id)
	}
	return nil
}

func (l *loader) knownProject(path string, id int64) error {
	if l.store.projects[id] == nil {
		return fmt.Errorf("%s: there is no project %d", path, id)
	}
	return nil
}

// firstMember is the smallest id of a user that belongs to an organization.
func (st *store) firstMember() int64 {
	for _, id := range sortedIDs(st.users) {
		if len(st.users[id].organizations) > 0 {
			return id
		}
	}
	return 0
}
