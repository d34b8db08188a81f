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
	o := strictjson.Read(path, raw, []string{"project_id", "distinct_ids", "properties", "is_identified"})
	o.Require("project_id", "distinct_ids")
	p := store.Person{Project: o.ID("project_id"), DistinctIDs: o.Texts("distinct_ids"), Properties: readProperties(o), IsIdentified: o.Boolean("is_identified", false)}
	if o.Err != nil {
		return o.Err
	}
	if len(p.DistinctIDs) == 0 {
		o.Fail("distinct_ids", "must not be empty")
	}

	seen := map[string]bool{}
	for i, id := range p.DistinctIDs {
		taken := l.store.Person(p.Project, id) != nil
		switch {
		case id == "":
			o.Fail(fmt.Sprintf("distinct_ids[%d]", i), "must not be empty")
		case taken:
			o.Fail(fmt.Sprintf("distinct_ids[%d]", i), "another person of project %d has it too", p.Project)
		case seen[id]:
			o.Fail(fmt.Sprintf("distinct_ids[%d]", i), "is there twice")
		}
		seen[id] = true
	}

	l.store.AddPerson(p)
	l.later(func() error { return l.knownProject(path+".project_id", p.Project) })
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
