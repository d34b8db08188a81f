package testserver

import (
	"encoding/json"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/strictjson"
)

// cohortEntry is the entry of a cohort in a fixtures document.
type cohortEntry struct {
	ID          int64           `json:"id"`
	Project     int64           `json:"project_id"`
	Name        string          `json:"name"`
	Behavioral  any             `json:"behavioral"`
	Backfilling bool            `json:"backfilling,omitempty"`
	Filters     json.RawMessage `json:"filters,omitempty"`
	IsStatic    bool            `json:"is_static,omitempty"`
	// Members are the distinct ids of the people of a static cohort.
	Members []string `json:"members,omitempty"`
}

func entryOfCohort(c *store.Cohort) cohortEntry {
	return cohortEntry{c.ID, c.Project, c.Name, c.Behavioral(), c.Backfilling, c.Filters, c.IsStatic, c.Members}
}

func (l *loader) cohort(path string, raw json.RawMessage) error {
	o := strictjson.Read(path, raw, []string{"id", "project_id", "name", "behavioral", "backfilling", "filters", "is_static", "members"})
	o.Require("id", "project_id")
	c := &store.Cohort{ID: o.ID("id"), Project: o.ID("project_id"), Name: o.Text("name", "Cohort"), Backfilling: o.Boolean("backfilling", false)}
	c.Events = readEvents(o)
	c.IsStatic, c.Members = o.Boolean("is_static", o.Has("members")), o.Texts("members")
	if !o.Fields.IsNull("filters") {
		c.Filters = o.Fields["filters"]
	}
	switch {
	case c.Filters != nil && !rawjson.IsObject(c.Filters):
		o.Fail("filters", "must be an object, is %s", rawjson.Kind(c.Filters))
	case len(c.Members) > 0 && !c.IsStatic:
		o.Fail("members", "is for static cohorts: the people of this one are chosen by its filters")
	}
	isTaken := l.store.Cohorts.Get(c.ID) != nil
	l.store.AddCohort(c)
	return l.of(c.Project, o, isTaken, "cohort")
}

// readEvents reads behavioral: the conditions on events, or true for one on page views.
func readEvents(o *strictjson.Object) []store.EventCondition {
	const name = "behavioral"
	if !rawjson.IsArray(o.Fields[name]) {
		if o.Boolean(name, false) {
			return []store.EventCondition{store.PageViews}
		}
		return nil
	}
	var events []store.EventCondition
	o.List(name, func(path string, item json.RawMessage) error {
		event := strictjson.Read(path, item, []string{"key", "value"})
		event.Require("key")
		if event.Err == nil {
			events = append(events, store.EventCondition{Key: event.Text("key", ""), Value: event.Text("value", "performed_event")})
		}
		return event.Err
	})
	return events
}

func (l *loader) insight(path string, raw json.RawMessage) error {
	o := strictjson.Read(path, raw, []string{"id", "project_id", "name"})
	o.Require("id", "project_id")
	i := &store.Insight{ID: o.ID("id"), Project: o.ID("project_id"), Name: o.Text("name", "Insight")}
	isTaken := l.store.Insights.Get(i.ID) != nil
	l.store.AddInsight(i)
	return l.of(i.Project, o, isTaken, "insight")
}

// lookups writes the optional lists, if they are not empty.
func (d *dumper) lookups(st *store.Store) {
	if cohorts := st.Cohorts.Sorted(); len(cohorts) > 0 {
		list(d, "cohorts", cohorts, func(b []byte, c *store.Cohort) []byte {
			return encoded(b, entryOfCohort(c))
		})
	}

	if insights := st.Insights.Sorted(); len(insights) > 0 {
		list(d, "insights", insights, func(b []byte, i *store.Insight) []byte {
			return encoded(b, struct {
				ID      int64  `json:"id"`
				Project int64  `json:"project_id"`
				Name    string `json:"name"`
			}{i.ID, i.Project, i.Name})
		})
	}
}
