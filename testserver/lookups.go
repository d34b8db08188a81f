package testserver

import (
	"encoding/json"
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

type action struct {
	id, project int64
	name        string
}

// cohort is a group of people that targeting can refer to.
type cohort struct {
	id, project int64
	name        string
	// events are the conditions of a behavioral cohort, which surveys cannot use.
	events []eventCondition
	// backfilling is a cohort in real time that is still being filled.
	backfilling bool
}

// eventCondition is a condition of a cohort on an event.
type eventCondition struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// pageViews is the condition of a cohort whose behavioral is just true.
var pageViews = eventCondition{Key: "$pageview", Value: "performed_event"}

// behavioral is the value of that name in a fixtures document.
func (c *cohort) behavioral() any {
	if len(c.events) == 0 || len(c.events) == 1 && c.events[0] == pageViews {
		return len(c.events) > 0
	}
	return c.events
}

// unusable says why a survey cannot use a cohort; empty when it can.
func (c *cohort) unusable() string {
	switch {
	case c.backfilling:
		return fmt.Sprintf("Cohort '%s' is still being backfilled and cannot be used in surveys yet. "+
			"It will become available once its initial backfill completes.", c.name)
	case len(c.events) == 0:
		return ""
	}
	more := ""
	if n := len(c.events) - 1; n > 0 {
		more = fmt.Sprintf(" and %d others", n)
	}
	return fmt.Sprintf("Cohort '%s' has an event-based condition on '%s' (%s)%s and cannot be used in surveys.",
		c.name, c.events[0].Key, c.events[0].Value, more)
}

// insight is an insight that a survey can be linked to.
type insight struct {
	id, project int64
	name        string
}

// appSource is the code at a URL, as far as the service reads it. This server downloads
// nothing: the code comes from the fixtures, and any other URL has code with a name alone.
type appSource struct {
	// url is the address without a query, tag its newest version.
	url, tag string
	// description is the content of plugin.json; null when there is none.
	description json.RawMessage
}

// says returns the content of plugin.json; nil when there is none.
func (s appSource) says() rawjson.Fields {
	if len(s.description) == 0 || s.description[0] != '{' {
		return nil
	}
	return rawjson.Members(s.description)
}

// newestTag is the newest version of code that the fixtures do not have.
const newestTag = "0123456789abcdef0123456789abcdef01234567"
