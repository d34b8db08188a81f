package store

import (
	"maps"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Person is a person and all their distinct IDs. Persons are replaced and never modified.
type Person struct {
	// ID identifies the person in the store. IDs are in the order in which persons were added.
	ID          int64    `json:"-"`
	Project     int64    `json:"project_id"`
	DistinctIDs []string `json:"distinct_ids"`
	// Properties is a JSON object.
	Properties wire.Value `json:"properties"`
	// IsIdentified reports whether an app has identified the person. PostHog does not merge an identified
	// person into another one unless an app insists.
	IsIdentified bool `json:"is_identified,omitempty"`
}

// distinctID is a distinct ID in a project.
type distinctID struct {
	project int64
	id      string
}

// Limits of persons: the size of one person's properties, as in PostHog, the total size of all properties, and
// the number of distinct IDs.
const (
	MaxPersonProperties = 512 << 10
	MaxPersons          = 64 << 20
	maxDistinctIDs      = 500_000
)

// PersonChanges collects the changes that several events make to persons. Close stores them, so that the cost of an
// event does not depend on the size of its person.
type PersonChanges struct {
	feedback *Feedback
	drafts   map[int64]*personDraft
	// isFull is true if the store had no room for a distinct ID.
	isFull bool
}

// personDraft is a person that is being changed. Its Properties are the stored ones.
type personDraft struct {
	Person
	properties wire.Fields
}

// ChangePersons begins a set of changes. The caller must close it.
func (f *Feedback) ChangePersons() *PersonChanges {
	return &PersonChanges{feedback: f, drafts: map[int64]*personDraft{}}
}

// Close stores the changes. It returns false if the store had no room for all of them. A person whose
// properties don't fit keeps the previous ones.
func (c *PersonChanges) Close() (fit bool) {
	fit = !c.isFull
	for id, d := range c.drafts {
		stored := d.Person
		properties := encodeProperties(d.properties)
		growth := properties.Size() - stored.Properties.Size()
		if growth > 0 && (properties.Size() > MaxPersonProperties || c.feedback.personBytes+growth > MaxPersons) {
			fit, properties, growth = false, stored.Properties, 0
		}
		stored.Properties = properties
		c.feedback.personBytes += growth
		c.feedback.persons.Put(id, &stored)
	}
	clear(c.drafts)
	return fit
}

// encodeProperties returns an object with the properties in the order of their names.
func encodeProperties(properties wire.Fields) wire.Value {
	var object []wire.Member
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		object = append(object, wire.Member{Name: name, Value: properties[name]})
	}
	return wire.NewObject(object...)
}

// find returns the person with a distinct ID, or nil if there is none.
func (c *PersonChanges) find(project int64, id string) *personDraft {
	key, ok := c.feedback.personByID[distinctID{project, id}]
	if !ok {
		return nil
	}
	if d := c.drafts[key]; d != nil {
		return d
	}
	p := c.feedback.persons.Get(key)
	d := &personDraft{Person: *p, properties: p.Properties.Fields()}
	d.DistinctIDs = slices.Clone(p.DistinctIDs)
	c.drafts[key] = d
	return d
}

// create adds a person with a distinct ID. It returns nil if the store is full.
func (c *PersonChanges) create(project int64, id string) *personDraft {
	d := &personDraft{
		Person: Person{ID: c.feedback.lastPerson + 1, Project: project, Properties: wire.EmptyObject}, properties: wire.Fields{},
	}
	if !c.addID(d, id) {
		return nil
	}
	c.feedback.lastPerson++
	c.drafts[d.ID] = d
	return d
}

// addID adds a distinct ID to a person. It returns false if the store has no room for it.
func (c *PersonChanges) addID(d *personDraft, id string) bool {
	if len(c.feedback.personByID) >= maxDistinctIDs {
		c.isFull = true
		return false
	}
	c.feedback.personByID[distinctID{d.Project, id}] = d.ID
	d.DistinctIDs = append(d.DistinctIDs, id)
	return true
}

// Merge assigns two distinct IDs to one person. The properties of that person take precedence over the
// properties of the person who is merged into it. An identified person is not merged into another one unless
// the app insists.
func (c *PersonChanges) Merge(project int64, from, into string, insists bool) {
	if from == into || from == "" || into == "" {
		return
	}

	source, target := c.find(project, from), c.find(project, into)
	switch {
	case source == nil && target == nil:
		if target = c.create(project, into); target == nil {
			return
		}
		c.addID(target, from)
	case source == nil:
		c.addID(target, from)
	case target == nil:
		target = source
		c.addID(target, into)
	case source.ID != target.ID && (insists || !source.IsIdentified):
		target = c.join(source, target)
	}
	target.IsIdentified = true
}

// Put adds a person, or merges it with the persons to whom its distinct IDs belong.
func (c *PersonChanges) Put(p Person) {
	d := c.find(p.Project, p.DistinctIDs[0])
	if d == nil {
		d = c.create(p.Project, p.DistinctIDs[0])
	}
	if d == nil {
		return
	}
	for _, id := range p.DistinctIDs[1:] {
		switch duplicate := c.find(p.Project, id); {
		case duplicate == nil:
			c.addID(d, id)
		case duplicate.ID != d.ID:
			d = c.join(duplicate, d)
		}
	}
	d.IsIdentified = d.IsIdentified || p.IsIdentified
	maps.Copy(d.properties, p.Properties.Fields())
}

// join merges source into target. The target's properties take precedence. join moves the smaller parts, so
// that a long chain of merges does not take quadratic time.
func (c *PersonChanges) join(source, target *personDraft) *personDraft {
	properties := target.properties
	if len(source.properties) > len(target.properties) {
		properties = source.properties
		maps.Copy(properties, target.properties)
	} else {
		addMissing(properties, source.properties)
	}

	survivor, absorbed := target, source
	if len(source.DistinctIDs) > len(target.DistinctIDs) {
		survivor, absorbed = source, target
	}
	for _, id := range absorbed.DistinctIDs {
		c.feedback.personByID[distinctID{survivor.Project, id}] = survivor.ID
	}
	survivor.DistinctIDs = append(survivor.DistinctIDs, absorbed.DistinctIDs...)
	survivor.IsIdentified = source.IsIdentified || target.IsIdentified
	survivor.properties = properties

	c.feedback.personBytes -= absorbed.Properties.Size()
	delete(c.drafts, absorbed.ID)
	c.feedback.persons.Remove(absorbed.ID)
	return survivor
}

// addMissing adds the properties of source that are missing from target.
func addMissing(target, source wire.Fields) {
	for name, value := range source {
		if _, exists := target[name]; !exists {
			target[name] = value
		}
	}
}

// Know adds a person with a distinct ID, unless the person exists or the store is full.
func (c *PersonChanges) Know(project int64, id string) {
	if _, isKnown := c.feedback.personByID[distinctID{project, id}]; !isKnown {
		c.create(project, id)
	}
}

// Set changes the properties of the person with a distinct ID, if the person exists. It first adds missing
// properties (once), then replaces properties (set), and then removes properties.
func (c *PersonChanges) Set(project int64, id string, once, set wire.Fields, unset []string) {
	if len(once) == 0 && len(set) == 0 && len(unset) == 0 {
		return
	}
	d := c.find(project, id)
	if d == nil {
		return
	}
	addMissing(d.properties, once)
	maps.Copy(d.properties, set)
	for _, name := range unset {
		delete(d.properties, name)
	}
}
