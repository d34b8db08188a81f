package store

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// Action is an action, by which an event can show a survey.
type Action struct {
	ID      int64  `json:"id"`
	Project int64  `json:"project_id"`
	Name    string `json:"name"`
	// Steps are an array of what an event has to be like, by which SDKs know the action; nil for
	// none.
	Steps json.RawMessage `json:"steps,omitempty"`
}

// Cohort is a group of people that targeting can refer to.
type Cohort struct {
	ID, Project int64
	Name        string
	// Events are the conditions of a behavioral cohort, which surveys cannot use.
	Events []EventCondition
	// Backfilling is a cohort in real time that is still being filled.
	Backfilling bool
	// Filters choose the people of the cohort; nil for none.
	Filters json.RawMessage
	// IsStatic is set for a cohort whose people are listed, by Members.
	IsStatic bool
	// Members are distinct ids in the order of the fixtures.
	Members []string
}

// EventCondition is a condition of a cohort on an event.
type EventCondition struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// PageViews is the condition of a cohort whose behavioral is just true.
var PageViews = EventCondition{Key: "$pageview", Value: "performed_event"}

// Behavioral is the value of that name in a fixtures document.
func (c *Cohort) Behavioral() any {
	if len(c.Events) == 0 || len(c.Events) == 1 && c.Events[0] == PageViews {
		return len(c.Events) > 0
	}
	return c.Events
}

// Unusable says why a survey cannot use a cohort; empty when it can.
func (c *Cohort) Unusable() string {
	switch {
	case c.Backfilling:
		return fmt.Sprintf("Cohort '%s' is still being backfilled and cannot be used in surveys yet. "+
			"It will become available once its initial backfill completes.", c.Name)
	case len(c.Events) == 0:
		return ""
	}
	more := ""
	if n := len(c.Events) - 1; n > 0 {
		more = fmt.Sprintf(" and %d others", n)
	}
	return fmt.Sprintf("Cohort '%s' has an event-based condition on '%s' (%s)%s and cannot be used in surveys.",
		c.Name, c.Events[0].Key, c.Events[0].Value, more)
}

// Insight is an insight that a survey can be linked to.
type Insight struct {
	ID      int64  `json:"id"`
	Project int64  `json:"project_id"`
	Name    string `json:"name"`
}

// Source is the code at a URL, as far as the service reads it. This server downloads
// nothing: the code comes from the fixtures, and any other URL has code with a name alone.
type Source struct {
	// URL is the address without a query, Tag its newest version.
	URL string `json:"url"`
	Tag string `json:"tag"`
	// Description is the content of plugin.json; null when there is none.
	Description json.RawMessage `json:"plugin_json"`
}

// NewestTag is the newest version of code that the fixtures do not have.
const NewestTag = "0123456789abcdef0123456789abcdef01234567"

// LogEntry is an entry in the activity log of a project's surveys. It outlives the survey.
type LogEntry struct {
	ID uuid.UUID
	// Author is the user, 0 for the service itself.
	Author   int64
	Activity string
	Item     uuid.UUID
	// Name is the name of the survey at that time.
	Name string
	// Changes is a JSON array; null where nothing was changed.
	Changes json.RawMessage
	At      time.Time
}
