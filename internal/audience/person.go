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
		return textOf(g.Key)
	}
	return ""
}

func (g Group) property(key string) (any, bool) {
	if value, ok := g.Properties[key]; ok {
		return value, true
	}
	return g.Key, key == "$group_key" && g.id() != ""
}

// Cohort is a set of people: those who are listed, or all whom its filters choose.
type Cohort struct {
	// isStatic is set for a list of people.
	isStatic bool
	// root is what its filters ask for; nil for nobody.
	root *cohortNode
}

// cohortNode is a property, or several nodes of which all or any have to match.
type cohortNode struct {
	property *property
	isAny    bool
	nodes    []cohortNode
}

// NewCohort reads a cohort. Filters that are no filters choose nobody, and a static
// cohort has none.
func NewCohort(isStatic bool, filters any) *Cohort {
	c := &Cohort{isStatic: isStatic}
	if properties, isObject := members(filters)["properties"].(map[string]any); isObject && !isStatic {
		if node := cohortNodeOf(properties); node.property == nil {
			c.root = &node
		}
	}
	return c
}

func cohortNodeOf(value any) cohortNode {
	fields := members(value)
	var node cohortNode
	switch fields["type"] {
	case "AND", "property":
	case "OR":
		node.isAny = true
	default:
		p := propertyOf(value)
		return cohortNode{property: &p}
	}
	for _, item := range list(fields["values"]) {
		node.nodes = append(node.nodes, cohortNodeOf(item))
	}
	return node
}

// isIn decides whether the person is in a cohort, and remembers it.
func (e *Evaluator) isIn(id int64) outcome {
	if o, ok := e.cohorts[id]; ok {
		return o
	}

	name := strconv.FormatInt(id, 10)
	// A cohort that asks for itself has nobody.
	e.cohorts[id] = unknown("the cohort " + name + " asks for itself")
	var o outcome
	switch c := e.project.Cohorts[id]; {
	case c == nil:
		o = unknown("there is no cohort " + name)
	case c.isStatic:
		o = matches(e.person.Cohorts[id])
	case c.root != nil:
		o = e.matchNode(c.root)
	}
	e.cohorts[id] = o
	return o
}

// matchNode decides about a part of a cohort's filters. What cannot be decided ends it.
func (e *Evaluator) matchNode(node *cohortNode) outcome {
	if node.property != nil {
		return e.matchCohortProperty(node.property)
	}
	for i := range node.nodes {
		if o := e.matchNode(&node.nodes[i]); o.unknown != "" || o.isMatch == node.isAny {
			return o
		}
	}
	return matches(!node.isAny)
}

func (e *Evaluator) matchCohortProperty(p *property) outcome {
	var o outcome
	switch p.of {
	case "cohort":
		o = e.matchMembership(p)
	case "person":
		// A property that cannot be compared does not match, and does when it is negated.
		o = matches(e.compare(p, e.person.property).isMatch)
	default:
		// What people did is counted elsewhere.
		o = unknown("the cohort asks for a property of kind " + p.of)
	}
	if p.isNegated {
		return o.opposite()
	}
	return o
}

// matchMembership decides about a property that is a cohort.
func (e *Evaluator) matchMembership(p *property) outcome {
	id, err := strconv.ParseInt(textOf(p.want), 10, 64)
	switch {
	case err != nil:
		return unknown("the filter does not name a cohort")
	case p.operator == "in":
		return e.isIn(id)
	case p.operator == "not_in":
		return e.isIn(id).opposite()
	}
	return unknown("the operator " + p.operator + " is not for cohorts")
}
