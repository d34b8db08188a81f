package store

import (
	"maps"
	"strconv"

	"github.com/google/uuid"
)

// Directory has organizations, their projects, the people and their API keys.
type Directory struct {
	organizations map[uuid.UUID]*Organization
	Projects      Shelf[int64, *Project]
	Users         Shelf[int64, *User]
	Keys          Shelf[string, *Key]
	// order has the order of objects that have no natural one.
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

// Organization is the organization with an id; nil when there is none.
func (d *Directory) Organization(id uuid.UUID) *Organization { return d.organizations[id] }

// OrganizationIDs are the ids of the organizations in the order in which they were added.
func (d *Directory) OrganizationIDs() []uuid.UUID { return d.order.organizations }

// KeyTokens are the API keys in the order in which they were added.
func (d *Directory) KeyTokens() []string { return d.order.keys }

// AddKey stores an API key behind the others.
func (d *Directory) AddKey(k *Key) {
	d.Keys.put(k.Token, k)
	d.order.keys = append(d.order.keys, k.Token)
}

// PutUser stores a user, in the place of one with the same id.
func (d *Directory) PutUser(u *User) { d.Users.put(u.ID, u) }

// ReplaceProject stores a new version of a project.
func (d *Directory) ReplaceProject(p *Project) { d.Projects.put(p.ID, p) }

// ProjectWithToken is the project that apps name by a token; nil when there is none.
func (d *Directory) ProjectWithToken(token string) *Project {
	for p := range d.Projects.Each() {
		if p.Token == token && token != "" {
			return p
		}
	}
	return nil
}

// CurrentProject is the id of the first project of a user, 0 for none.
func (d *Directory) CurrentProject(u *User) string {
	p := d.FirstProject(u)
	if p == nil {
		return "0"
	}
	return strconv.FormatInt(p.ID, 10)
}

// FirstProject is the first project of the user's first organization that has one.
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

// WorldUser is the user of a world's key: that of the first key of the store, the first
// active member of an organization when there is no key, or else one of its own, who belongs
// to every organization.
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

// FirstKeyUser is the user of the first key of the store; nil when there is none.
func (d *Directory) FirstKeyUser() *User {
	if len(d.order.keys) == 0 {
		return nil
	}
	return d.Users.Get(d.Keys.Get(d.order.keys[0]).User)
}

// FirstMember is the smallest id of a user that belongs to an organization.
func (d *Directory) FirstMember() int64 {
	for _, u := range d.Users.Sorted() {
		if len(u.Organizations) > 0 {
			return u.ID
		}
	}
	return 0
}
