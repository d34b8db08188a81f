package store

import (
	"fmt"
	"maps"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Group is a group of persons, such as a company. Groups are replaced and never modified.
type Group struct {
	Project int64 `json:"project_id"`
	// Type is a group type name of the project.
	Type string `json:"group_type"`
	Key  string `json:"group_key"`
	// Properties is a JSON object.
	Properties wire.Value `json:"properties"`
}

// id returns the group's ID in the store.
func (g *Group) id() string { return fmt.Sprintf("%d %q %q", g.Project, g.Type, g.Key) }

// MaxGroupTypes is the maximum number of group types in a project.
const MaxGroupTypes = 5

// MaxGroupBytes is the maximum memory of all groups. groupOverhead is the approximate memory of a group in
// addition to its texts.
const (
	MaxGroupBytes = 16 << 20
	groupOverhead = 256
)

// Group returns the group with a type and a key, or nil if there is none.
func (f *Feedback) Group(project int64, kind, key string) *Group {
	return f.groups.Get((&Group{Project: project, Type: kind, Key: key}).id())
}

// Groups returns the groups ordered by project, type, and key.
func (f *Feedback) Groups() []*Group { return f.groups.Sorted() }

// PutGroup adds a group, or merges its properties into an existing group. If the group exceeds the memory
// limit, PutGroup changes nothing and returns false.
func (f *Feedback) PutGroup(g Group) (fits bool) {
	growth := groupOverhead + 2*len(g.id()) + g.Properties.Size()
	if stored := f.groups.Get(g.id()); stored != nil {
		properties := stored.Properties.Fields()
		maps.Copy(properties, g.Properties.Fields())
		g.Properties = encodeProperties(properties)
		growth = g.Properties.Size() - stored.Properties.Size()
	}
	if g.Properties.Size() > MaxPersonProperties || f.groupBytes+growth > MaxGroupBytes {
		return false
	}
	f.groupBytes += growth
	f.groups.Put(g.id(), &g)
	return true
}

// PutGroupOfEvent calls [Feedback.PutGroup] for a group that an app sent. A new group type is added to the
// project, up to [MaxGroupTypes].
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
