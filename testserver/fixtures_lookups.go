package testserver

import (
	"encoding/json"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/strictjson"
)

func (l *loader) cohort(path string, raw json.RawMessage) error {
	o := strictjson.Read(path, raw, []string{"id", "project_id", "name", "behavioral", "backfilling"})
	o.Require("id", "project_id")
	c := &cohort{id: o.ID("id"), project: o.ID("project_id"), name: o.Text("name", "Cohort"), backfilling: o.Boolean("backfilling", false)}
	c.events = readEvents(o)
	if l.store.cohorts[c.id] != nil {
		o.Fail("id", "another cohort has it too")
	}
	l.store.addCohort(c)
	l.later(func() error { return l.knownProject(path+".project_id", c.project) })
	return o.Err
}

// readEvents reads behavioral: the conditions on events, or true for one on page views.
func readEvents(o *strictjson.Object) []eventCondition {
	const name = "behavioral"
	if !rawjson.IsArray(o.Fields[name]) {
		if o.Boolean(name, false) {
			return []eventCondition{pageViews}
		}
		return nil
	}
	var events []eventCondition
	o.List(name, func(path string, item json.RawMessage) error {
		event := strictjson.Read(path, item, []string{"key", "value"})
		event.Require("key")
		if event.Err == nil {
			events = append(events, eventCondition{event.Text("key", ""), event.Text("value", "performed_event")})
		}
		return event.Err
	})
	return events
}

func (l *loader) insight(path string, raw json.RawMessage) error {
	o := strictjson.Read(path, raw, []string{"id", "project_id", "name"})
	o.Require("id", "project_id")
	i := &insight{id: o.ID("id"), project: o.ID("project_id"), name: o.Text("name", "Insight")}
	if l.store.insights[i.id] != nil {
		o.Fail("id", "another insight has it too")
	}
	l.store.addInsight(i)
	l.later(func() error { return l.knownProject(path+".project_id", i.project) })
	return o.Err
}

// lookups writes the optional lists, if they are not empty.
func (d *dumper) lookups(st *store) {
	if len(st.cohorts) > 0 {
		list(d, "cohorts", sortedIDs(st.cohorts), func(b []byte, id int64) []byte {
			c := st.cohorts[id]
			return encoded(b, struct {
				ID          int64  `json:"id"`
				Project     int64  `json:"project_id"`
				Name        string `json:"name"`
				Behavioral  any    `json:"behavioral"`
				Backfilling bool   `json:"backfilling,omitempty"`
			}{c.id, c.project, c.name, c.behavioral(), c.backfilling})
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
