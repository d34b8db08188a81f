package audience

import (
	"encoding/json"
	"strconv"
)

// Person is somebody for whom flags are evaluated: what is stored of the person, with what
// the request says on top.
type Person struct {
	DistinctID string
	// AnonymousID is the id of the same person before signing in; empty for none.
	AnonymousID string
	// DeviceID is empty where none is known.
	DeviceID string
	// Properties are decoded JSON by their names, with numbers as json.Number.
	Properties map[string]any
	// Groups are the groups of the person by the names of their types.
	Groups map[string]Group
	// Cohorts are the ids of the static cohorts that the person is in.
	Cohorts map[int64]bool
}

// property is a property that a condition asks for: one that is stored, or the distinct id.
func (p *Person) property(key string) (any, bool) {
	if value, ok := p.Properties[key]; ok {
		return value, true
	}
	return p.DistinctID, key == "distinct_id"
}

// Group is a group that a person belongs to: a company, say.
type Group struct {
	// Key is a text or a json.Number; anything else is no group.
	Key        any
	Properties map[string]any
}

// id is what the group is spread by; empty for none.
func (g Group) id() string {
	switch g.Key.(type) {
	case string, json.Number:
		return toText(g.Key)
	}
	return ""
}

func (g Group) property(key string) (any, bool) {
	if value, ok := g.Properties[key]; ok {
		return value, true
	}
	return g.Key, key == "$group_key" && g.id() != ""
}

// isInCohort decides whether the person is in a cohort.
func (e *Evaluator) isInCohort(id int64) outcome {
	isListed, exists := e.project.Cohorts[id]
	switch name := strconv.FormatInt(id, 10); {
	case !exists:
		return unknown("no cohort has the ID " + name)
	case !isListed:
		return unknown("the members of cohort " + name + " depend on its filters, which are not evaluated here")
	}
	return matches(e.person.Cohorts[id])
}

// matchMembership decides about a property that is a cohort.
func (e *Evaluator) matchMembership(p *property) outcome {
	id, err := strconv.ParseInt(toText(p.want), 10, 64)
	switch {
	case err != nil:
		return unknown("the filter does not contain a cohort ID")
	case p.operator == "in":
		return e.isInCohort(id)
	case p.operator == "not_in":
		return e.isInCohort(id).opposite()
	}
	return unknown("the operator " + p.operator + " is not for cohorts")
}
