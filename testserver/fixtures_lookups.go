package testserver

import (
	"encoding/json"
)

// cohort is a group of persons that targeting can name; a behavioral one depends on
// events.
type cohort struct {
	id, project int64
	name        string
	behavioral  bool
}

// insight is an insight that a survey can be linked to.
type insight struct {
	id, project int64
	name        string
}

func (l *loader) cohort(path string, raw json.RawMessage) error {
	o := readStrict(path, raw, []string{"id", "project_id", "name", "behavioral"})
	o.need("id", "project_id")
	c := &cohort{id: o.id("id"), project: o.id("project_id"), name: o.text("name", "Cohort"), behavioral: o.boolean("behavioral", false)}
	if l.store.cohorts[c.id] != nil {
		o.fail("id", "another cohort has it too")
	}
	l.store.cohorts[c.id] = c
	l.later(func() error { return l.knownProject(path+".project_id", c.project) })
	return o.err
}

func (l *loader) insight(path string, raw json.RawMessage) error {
	o := readStrict(path, raw, []string{"id", "project_id", "name"})
	o.need("id", "project_id")
	i := &insight{id: o.id("id"), project: o.id("project_id"), name: o.text("name", "Insight")}
	if l.store.insights[i.id] != nil {
		o.fail("id", "another insight has it too")
	}
	l.store.insights[i.id] = i
	l.later(func() error { return l.knownProject(path+".project_id", i.project) })
	return o.err
}

// lookups writes the lists of things that a document seldom has, when it has them.
func (d *dumper) lookups(st *store) {
	if len(st.cohorts) > 0 {
		list(d, "cohorts", sortedIDs(st.cohorts), func(b []byte, id int64) []byte {
			c := st.cohorts[id]
			return encoded(b, struct {
				ID         int64  `json:"id"`
				Project    int64  `json:"project_id"`
				Name       string `json:"name"`
				Behavioral bool   `json:"behavioral"`
			}{c.id, c.project, c.name, c.behavioral})
		})
	}
	if len(st.insights) > 0 {
		list(d, "insights", sortedIDs(st.insights), func(b []byte, id int64) []byte {
			i := st.insights[id]
			return encoded(b, struct {
				ID      int64  `json:"id"`
				Project int64  `json:"project_id"`
				Name    string `json:"name"`
			}{i.id, i.project, i.name})
		})
	}
}
