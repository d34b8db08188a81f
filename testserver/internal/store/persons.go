package store

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// Person is somebody who sees surveys, with all of the ids that apps know the person by. It is
// replaced and never changed.
type Person struct {
	// ID tells the persons of a store apart, in the order in which they were added.
	ID          int64
	Project     int64
	DistinctIDs []string
	// Properties are a JSON object.
	Properties json.RawMessage
	// IsIdentified is set once an app has named the person. Such a person is not merged into
	// another one, unless an app insists.
	IsIdentified bool
}

// distinctID is an id by which an app knows a person, within a project.
type distinctID struct {
	project int64
	id      string
}

// The memory that persons may take. The hosted service refuses changes that make the properties
// of one person larger, too.
const (
	MaxPersonProperties = 512 << 10
	MaxPersons          = 64 << 20
)

// personOverhead and distinctIDOverhead are about the memory that a person, and an id of one,
// take besides their texts.
const (
	personOverhead     = 256
	distinctIDOverhead = 128
)

// weight is an estimate of the memory that a person takes.
func (p *Person) weight() int {
	size := personOverhead + len(p.Properties)
	for _, id := range p.DistinctIDs {
		size += distinctIDOverhead + len(id)
	}
	return size
}

// PersonChanges are changes of persons by several events in a row. They are kept by Close, so
// that an event costs the same however much is known about its person.
type PersonChanges struct {
	feedback *Feedback
	drafts   map[int64]*personDraft
}

// personDraft is a person who is being changed.
type personDraft struct {
	Person
	properties rawjson.Fields
	// size is the size of the properties as JSON.
	size int
}

// ChangePersons begins changes, which the caller closes.
func (f *Feedback) ChangePersons() *PersonChanges {
	return &PersonChanges{feedback: f, drafts: map[int64]*personDraft{}}
}

// Close keeps the changes.
func (c *PersonChanges) Close() {
	for id, d := range c.drafts {
		kept := d.Person
		kept.Properties = encodeProperties(d.properties)
		c.feedback.persons.put(id, &kept)
	}
	clear(c.drafts)
}

// encodeProperties is the object of some properties, in the order of their names.
func encodeProperties(properties rawjson.Fields) json.RawMessage {
	var object rawjson.Pairs
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		object = append(object, rawjson.Member{Name: name, Value: properties[name]})
	}
	return object.JSON()
}

// find is the person with a distinct id; nil when there is none.
func (c *PersonChanges) find(project int64, id string) *personDraft {
	known, ok := c.feedback.personByID[distinctID{project, id}]
	if !ok {
		return nil
	}
	if d := c.drafts[known]; d != nil {
		return d
	}
	p := c.feedback.persons.Get(known)
	d := &personDraft{Person: *p, properties: rawjson.Members(p.Properties), size: len("{}")}
	for name, value := range d.properties {
		d.size += propertySize(name, value)
	}
	d.DistinctIDs = slices.Clone(p.DistinctIDs)
	c.drafts[known] = d
	return d
}

// create is a new person with a distinct id; nil when there is no room for one.
func (c *PersonChanges) create(project int64, id string) *personDraft {
	if c.feedback.personBytes+personOverhead+distinctIDOverhead+len(id) > MaxPersons {
		return nil
	}
	c.feedback.personBytes += personOverhead
	c.feedback.lastPerson++
	d := &personDraft{Person: Person{ID: c.feedback.lastPerson, Project: project}, properties: rawjson.Fields{}, size: len("{}")}
	c.drafts[d.ID] = d
	c.addID(d, id)
	return d
}

// addID gives a person a further distinct id. It reports whether there was room for it.
func (c *PersonChanges) addID(d *personDraft, id string) bool {
	if !c.feedback.reserve(distinctIDOverhead + len(id)) {
		return false
	}
	c.feedback.personByID[distinctID{d.Project, id}] = d.ID
	d.DistinctIDs = append(d.DistinctIDs, id)
	return true
}

// Merge makes two distinct ids those of one person, whose properties win over those of the
// person who is merged. A person whom an app has named already is not merged into another one,
// unless the app insists, and ids that stand for nobody are not merged at all.
func (c *PersonChanges) Merge(project int64, other, into string, insists bool) {
	if other == into || standsForNobody(other) || standsForNobody(into) {
		return
	}

	source, target := c.find(project, other), c.find(project, into)
	switch {
	case source == nil && target == nil:
		if target = c.create(project, into); target == nil {
			return
		}
		c.addID(target, other)
	case source == nil:
		c.addID(target, other)
	case target == nil:
		target = source
		c.addID(target, into)
	case source.ID != target.ID && (insists || !source.IsIdentified):
		target = c.join(source, target)
	}
	target.IsIdentified = true
}

// Put adds a person, or merges what is known of its distinct ids. It reports whether there was
// room for it.
func (c *PersonChanges) Put(p Person) bool {
	d := c.find(p.Project, p.DistinctIDs[0])
	if d == nil {
		d = c.create(p.Project, p.DistinctIDs[0])
	}
	if d == nil {
		return false
	}

	fits := true
	for _, id := range p.DistinctIDs[1:] {
		switch other := c.find(p.Project, id); {
		case other == nil:
			fits = c.addID(d, id) && fits
		case other.ID != d.ID:
			d = c.join(other, d)
		}
	}
	d.IsIdentified = d.IsIdentified || p.IsIdentified
	return d.set(c.feedback, nil, rawjson.Members(p.Properties)) && fits
}

// join merges a person into another one. The smaller parts are moved, so that a long chain of
// merges takes no quadratic time.
func (c *PersonChanges) join(source, target *personDraft) *personDraft {
	before := source.size + target.size
	properties, size := joinProperties(source, target)

	kept, gone := target, source
	if len(source.DistinctIDs) > len(target.DistinctIDs) {
		kept, gone = source, target
	}
	for _, id := range gone.DistinctIDs {
		c.feedback.personByID[distinctID{kept.Project, id}] = kept.ID
	}
	kept.DistinctIDs = append(kept.DistinctIDs, gone.DistinctIDs...)
	kept.IsIdentified = source.IsIdentified || target.IsIdentified
	kept.properties, kept.size = properties, size

	c.feedback.personBytes += size - before - personOverhead
	delete(c.drafts, gone.ID)
	c.feedback.persons.remove(gone.ID)
	return kept
}

// joinProperties are the properties of two persons, of which those of the target win, and their
// size. What has no room is left out.
func joinProperties(source, target *personDraft) (rawjson.Fields, int) {
	base, added := target, source
	if len(source.properties) > len(target.properties) {
		base, added = source, target
	}

	size := base.size
	for name, value := range added.properties {
		known, has := base.properties[name]
		growth := propertySize(name, value)
		if has {
			growth -= propertySize(name, known)
		}
		if has && added == source || size+growth > MaxPersonProperties {
			continue
		}
		base.properties[name] = value
		size += growth
	}
	return base.properties, size
}

// Know adds a person with a distinct id, unless there is one or no room for it.
func (c *PersonChanges) Know(project int64, id string) {
	if _, known := c.feedback.personByID[distinctID{project, id}]; !known {
		c.create(project, id)
	}
}

// Set changes the properties of the person with a distinct id, if it is known: those that the
// person lacks, then those that replace others, and then those that are removed. A change for
// which there is no room is ignored.
func (c *PersonChanges) Set(project int64, id string, once, set rawjson.Fields, unset []string) {
	if len(once) == 0 && len(set) == 0 && len(unset) == 0 {
		return
	}
	d := c.find(project, id)
	if d == nil {
		return
	}
	d.set(c.feedback, once, set)

	for _, name := range unset {
		if value, has := d.properties[name]; has {
			delete(d.properties, name)
			d.grow(c.feedback, -propertySize(name, value))
		}
	}
}

// set adds and replaces properties, all of them or none when there is no room. It reports whether
// there was.
func (d *personDraft) set(f *Feedback, once, set rawjson.Fields) bool {
	changes, growth := rawjson.Fields{}, 0
	for name, value := range once {
		if _, has := d.properties[name]; !has {
			changes[name] = value
		}
	}
	maps.Copy(changes, set)
	for name, value := range changes {
		growth += propertySize(name, value)
		if before, has := d.properties[name]; has {
			growth -= propertySize(name, before)
		}
	}

	if growth > 0 && (d.size+growth > MaxPersonProperties || f.personBytes+growth > MaxPersons) {
		return false
	}
	maps.Copy(d.properties, changes)
	d.grow(f, growth)
	return true
}

func (d *personDraft) grow(f *Feedback, by int) {
	d.size += by
	f.personBytes += by
}

// propertySize is about the size of a property as JSON.
func propertySize(name string, value json.RawMessage) int {
	return len(name) + len(value) + len(`"":,`)
}

// nobody are the distinct ids that apps send by mistake for everybody, in any letter case, and
// nobodyAsWritten those that are one only as they are written here.
var (
	nobody          = []string{"anonymous", "guest", "distinctid", "distinct_id", "id", "not_authenticated", "email", "undefined", "true", "false"}
	nobodyAsWritten = []string{"[object Object]", "NaN", "None", "none", "null", "0"}
)

// standsForNobody reports whether an id is one that many apps send by mistake.
func standsForNobody(id string) bool {
	plain := strings.Trim(strings.TrimSpace(id), `'"`)
	return plain == "" || slices.Contains(nobody, strings.ToLower(plain)) || slices.Contains(nobodyAsWritten, plain)
}
