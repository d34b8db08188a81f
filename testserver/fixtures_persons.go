package testserver

import (
	"encoding/json"
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/strictjson"
)

// person reads an entry of persons.
func (l *loader) person(path string, raw json.RawMessage) error {
	o, p := readPerson(path, raw)
	for i, id := range p.DistinctIDs {
		if o.Err == nil && l.store.Person(p.Project, id) != nil {
			o.Fail(fmt.Sprintf("distinct_ids[%d]", i), "another person of project %d has it too", p.Project)
		}
	}
	if o.Err != nil {
		return o.Err
	}

	l.store.AddPerson(p)
	l.later(func() error { return l.knownProject(path+".project_id", p.Project) })
	return nil
}

// readPerson reads a person, apart from others.
func readPerson(path string, raw json.RawMessage) (*strictjson.Object, store.Person) {
	o := strictjson.Read(path, raw, []string{"project_id", "distinct_ids", "properties", "is_identified"})
	o.Require("project_id", "distinct_ids")
	p := store.Person{
		Project: o.ID("project_id"), DistinctIDs: o.Texts("distinct_ids"), Properties: readProperties(o), IsIdentified: o.Boolean("is_identified", false),
	}
	if o.Err == nil && len(p.DistinctIDs) == 0 {
		o.Fail("distinct_ids", "must not be empty")
	}

	seen := map[string]bool{}
	for i, id := range p.DistinctIDs {
		switch {
		case id == "":
			o.Fail(fmt.Sprintf("distinct_ids[%d]", i), "must not be empty")
		case seen[id]:
			o.Fail(fmt.Sprintf("distinct_ids[%d]", i), "is there twice")
		}
		seen[id] = true
	}
	return o, p
}

// putPerson adds a person, or merges what is known of its distinct ids, and returns its entry.
func (c *contents) putPerson(entry json.RawMessage) (Object, error) {
	o, p := readPerson("person", entry)
	if o.Err != nil {
		return nil, o.Err
	}

	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.editor().knownProject("person.project_id", p.Project); err != nil {
		return nil, err
	}
	changes := c.store.ChangePersons()
	fits := changes.Put(p)
	changes.Close()
	if !fits {
		return nil, fmt.Errorf("person %s: there is no room for it: the properties of a person may have %d bytes, all persons %d",
			p.DistinctIDs[0], store.MaxPersonProperties, store.MaxPersons)
	}
	return decodeObject(rawjson.Encode(entryOfPerson(c.store.Person(p.Project, p.DistinctIDs[0])))), nil
}

// personEntry is the entry of a person in a fixtures document.
type personEntry struct {
	Project     int64           `json:"project_id"`
	DistinctIDs []string        `json:"distinct_ids"`
	Properties  json.RawMessage `json:"properties"`
	// Identified is only there when it is true.
	Identified bool `json:"is_identified,omitempty"`
}

func entryOfPerson(p *store.Person) personEntry {
	return personEntry{p.Project, p.DistinctIDs, p.Properties, p.IsIdentified}
}

// readProperties reads the properties of a person or of an event, an object.
func readProperties(o *strictjson.Object) json.RawMessage {
	raw := o.Fields["properties"]
	switch {
	case raw == nil:
		return json.RawMessage("{}")
	case !rawjson.IsObject(raw):
		o.Fail("properties", "must be an object, is %s", rawjson.Kind(raw))
	}
	return raw
}
