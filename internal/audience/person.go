package audience

import (
	"encoding/json"
	"strconv"
)

// Person is a person for whom flags are evaluated. It combines the stored person with the data in the request.
type Person struct {
	DistinctID string
	// AnonymousID is the person's ID before signing in. It may be empty.
	AnonymousID string
	// DeviceID is empty if the device is unknown.
	DeviceID string
	// Properties maps property names to decoded JSON, with numbers as json.Number.
	Properties map[string]any
	// Groups contains the person's groups by group type name.
	Groups map[string]Group
	// Cohorts contains the IDs of the static cohorts that the person belongs to.
	Cohorts map[int64]bool
}

// property returns a property for a condition: a stored property, or the distinct ID.
func (p *Person) property(key string) (any, bool) {
	if value, ok := p.Properties[key]; ok {
		return value, true
	}
	return p.DistinctID, key == "distinct_id"
}

// Group is a group that a person belongs to, such as a company.
type Group struct {
	// Key is a string or a json.Number. Any other value means that there is no group.
	Key        any
	Properties map[string]any
}

// id returns the ID that the rollout hashes, or an empty string.
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

// isInCohort evaluates whether the person belongs to a cohort.
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

// matchMembership evaluates a property that refers to a cohort.
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
