package evaluation

import (
	"encoding/json"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// Cohort is a set of people: those who are listed, or all whom its filters choose.
type Cohort struct {
	id int64
	// isStatic is set for a list of people.
	isStatic bool
	// root is what its filters ask for; nil for nobody.
	root *cohortNode
}

// cohortNode is a property, or several nodes of which all or any have to match.
type cohortNode struct {
	property *property
	isAny    bool
	isGroup  bool
	nodes    []cohortNode
}

// NewCohort reads a cohort. Filters that are no filters choose nobody, and a static
// cohort has none.
func NewCohort(id int64, isStatic bool, filters json.RawMessage) *Cohort {
	c := &Cohort{id: id, isStatic: isStatic}
	if isStatic {
		return c
	}
	if properties := rawjson.Lookup(filters, "properties"); rawjson.IsObject(properties) {
		if node := cohortNodeOf(properties); node.isGroup {
			c.root = &node
		}
	}
	return c
}

func cohortNodeOf(raw json.RawMessage) cohortNode {
	if !rawjson.IsObject(raw) {
		p := propertyOf(raw)
		return cohortNode{property: &p}
	}

	fields := rawjson.Members(raw)
	node := cohortNode{isGroup: true}
	switch wordOf(fields["type"]) {
	case "AND", "property":
	case "OR":
		node.isAny = true
	default:
		p := propertyOf(raw)
		return cohortNode{property: &p}
	}

	if rawjson.IsArray(fields["values"]) {
		for _, item := range rawjson.Items(fields["values"]) {
			node.nodes = append(node.nodes, cohortNodeOf(item))
		}
	}
	return node
}

// isIn decides whether the person is in a cohort, and remembers it.
func (q *query) isIn(id int64) outcome {
	if o, ok := q.cohorts[id]; ok {
		return o
	}

	// A cohort that asks for itself has nobody.
	q.cohorts[id] = unknown("the cohort " + strconv.FormatInt(id, 10) + " asks for itself")
	o := q.decideCohort(id)
	q.cohorts[id] = o
	return o
}

func (q *query) decideCohort(id int64) outcome {
	c := q.project.Cohorts[id]
	switch {
	case q.person.Partial && (c == nil || c.isStatic):
		return outcome{unknown: "only the service knows who is in the cohort " + strconv.FormatInt(id, 10), isFinal: true}
	case c == nil:
		return unknown("there is no cohort " + strconv.FormatInt(id, 10))
	case c.isStatic:
		return matches(q.person.Cohorts[id])
	case c.root == nil:
		return miss
	}
	return q.matchNode(c.root)
}

// matchNode decides about a part of a cohort's filters. What the service cannot decide
// ends it. What an SDK does not know matters only where nothing else decides, but it looks
// at everything: what only the service knows ends the flag.
func (q *query) matchNode(node *cohortNode) outcome {
	if !node.isGroup {
		return q.matchCohortProperty(node.property)
	}

	open, isDecisive := outcome{}, false
	for i := range node.nodes {
		o := q.matchNode(&node.nodes[i])
		switch {
		case o.isFinal || !o.isDecided() && !q.person.Partial:
			return o
		case !o.isDecided():
			open = o
		case o.isMatch == node.isAny:
			isDecisive = true
		}
		if isDecisive && !q.person.Partial {
			break
		}
	}

	if !open.isDecided() && !isDecisive {
		return open
	}
	return matches(isDecisive == node.isAny)
}

func (q *query) matchCohortProperty(p *property) outcome {
	var o outcome
	switch p.of {
	case "cohort":
		o = q.matchMembership(p)
	case "person":
		o = q.compare(p, q.person.bag())
		if !q.person.Partial {
			// A property that cannot be compared does not match, and does when it is negated.
			o = matches(o.isMatch)
		}
	default:
		// What people did is counted elsewhere.
		o = unknown("the cohort asks for a property of kind " + p.of)
	}

	if p.isNegated && o.isDecided() {
		return matches(!o.isMatch)
	}
	return o
}

// matchMembership decides about a property that is a cohort.
func (q *query) matchMembership(p *property) outcome {
	id, ok := p.cohortID()
	if !ok {
		return unknown("the filter does not name a cohort")
	}

	o := q.isIn(id)
	switch p.operatorName {
	case "in":
		return o
	case "not_in":
		if !o.isDecided() {
			return o
		}
		return matches(!o.isMatch)
	default:
		return unknown("the operator " + p.operatorName + " is not for cohorts")
	}
}
