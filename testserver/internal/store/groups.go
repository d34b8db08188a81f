package store

import (
	"fmt"
	"maps"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Group is a group of people, such as a company. It is replaced and never changed.
type Group struct {
	Project int64 `json:"project_id"`
	// Type is the name of a type of groups of the project.
	Type string `json:"group_type"`
	Key  string `json:"group_key"`
	// Properties are a JSON object.
	Properties wire.Value `json:"properties"`
}

// id tells the groups of a store apart.
func (g *Group) id() string { return fmt.Sprintf("%d %q %q", g.Project, g.Type, g.Key) }

// MaxGroupTypes is the number of types of groups that a project can have.
const MaxGroupTypes = 5

// maxGroupBytes is the memory that groups may use. groupOverhead is the approximate memory that a
// group uses in addition to its texts.
const (
	maxGroupBytes = 16 << 20
	groupOverhead = 256
)

// Group returns the group of a project with a type and a key, or nil if there is none.
func (f *Feedback) Group(project int64, kind, key string) *Group {
	return f.groups.Get((&Group{Project: project, Type: kind, Key: key}).id())
}

// Groups returns the groups in the order of their projects, types and keys.
func (f *Feedback) Groups() []*Group { return f.groups.Sorted() }

// PutGroup adds a group, or merges its properties into those that are known. It reports whether there
// was room for it: without, what is known stays.
func (f *Feedback) PutGroup(g Group) (fits bool) {
	growth := groupOverhead + 2*len(g.id()) + g.Properties.Size()
	if stored := f.groups.Get(g.id()); stored != nil {
		properties := stored.Properties.Fields()
		maps.Copy(properties, g.Properties.Fields())
		g.Properties = encodeProperties(properties)
		growth = g.Properties.Size() - stored.Properties.Size()
	}
	if g.Properties.Size() > MaxPersonProperties || f.groupBytes+growth > maxGroupBytes {
		return false
	}
	f.groupBytes += growth
	f.groups.Put(g.id(), &g)
	return true
}

// PutGroupOfEvent is PutGroup for a group that an app names: the first of a type adds the type to the
// project, unless it has as many as it can have.
func (st *Store) PutGroupOfEvent(g Group) {
	project := st.Projects.Get(g.Project)
	isNew := !slices.Contains(project.GroupTypes, g.Type)
	if isNew && len(project.GroupTypes) >= MaxGroupTypes || !st.PutGroup(g) || !isNew {
		return
	}
	updated := *project
	updated.GroupTypes = append(slices.Clip(project.GroupTypes), g.Type)
	st.Projects.Put(updated.ID, &updated)
}
