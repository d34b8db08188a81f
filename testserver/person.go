package testserver

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/strictjson"
)

// person is somebody who sees surveys, with all of the ids that apps know the person by.
type person struct {
	project     int64
	distinctIDs []string
	// properties are a JSON object.
	properties json.RawMessage
}

// distinctID is an id by which an app knows a person, within a project.
type distinctID struct {
	project int64
	id      string
}

// personOf identifies who made an event: the person with its distinct id, or one who has that
// id alone. It is empty for several events of several persons.
func (st *store) personOf(e storedEvent) string {
	if e.distinctID == "" {
		return ""
	}
	if place, known := st.personByID[distinctID{e.project, e.distinctID}]; known {
		return "person " + strconv.Itoa(place)
	}
	return "id " + e.distinctID
}

// addPerson stores a person.
func (st *store) addPerson(p person) {
	for _, id := range p.distinctIDs {
		st.personByID[distinctID{p.project, id}] = len(st.persons)
	}
	st.persons = append(st.persons, p)
}

// person reads an entry of persons.
func (l *loader) person(path string, raw json.RawMessage) error {
	o := strictjson.Read(path, raw, []string{"project_id", "distinct_ids", "properties"})
	o.Require("project_id", "distinct_ids")
	p := person{project: o.ID("project_id"), distinctIDs: o.Texts("distinct_ids"), properties: readProperties(o)}
	if o.Err != nil {
		return o.Err
	}
	if len(p.distinctIDs) == 0 {
		o.Fail("distinct_ids", "must not be empty")
	}

	seen := map[string]bool{}
	for i, id := range p.distinctIDs {
		_, taken := l.store.personByID[distinctID{p.project, id}]
		switch {
		case id == "":
			o.Fail(fmt.Sprintf("distinct_ids[%d]", i), "must not be empty")
		case taken:
			o.Fail(fmt.Sprintf("distinct_ids[%d]", i), "another person of project %d has it too", p.project)
		case seen[id]:
			o.Fail(fmt.Sprintf("distinct_ids[%d]", i), "is there twice")
		}
		seen[id] = true
	}

	l.store.addPerson(p)
	l.later(func() error { return l.knownProject(path+".project_id", p.project) })
	return o.Err
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
