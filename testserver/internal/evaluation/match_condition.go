package evaluation

import "time"

// conditionResult is what came of a condition, and whether it decides about the flag
// although it did not match.
type conditionResult struct {
	Condition
	endsFlag bool
}

// matchCondition decides about a condition: first whether it can be asked, then its
// properties in their order, last the share.
func (q *query) matchCondition(flag *Flag, c *condition) conditionResult {
	r := conditionResult{Condition: Condition{Code: ConditionMatch, Property: -1, Rollout: c.share / 100}}
	if code, isAsked := q.asks(flag, c); !isAsked {
		r.Code = code
		return r
	}

	for i := range c.properties {
		p := &c.properties[i]
		o := q.matchProperty(c, p)
		if o.isMatch && o.isDecided() {
			continue
		}
		r.Code, r.Property, r.Key, r.Operator, r.Undecided = NoMatch, i, p.key, p.operatorName, o.unknown
		if q.person.Partial && !o.isDecided() {
			r.Code, r.endsFlag = Inconclusive, o.isFinal
		}
		return r
	}

	if c.share == 100 {
		return r
	}
	if r.Hash = q.hash(flag, c.aggregation, ""); r.Hash > r.Rollout {
		r.Code, r.endsFlag = OutOfRollout, flag.exitsEarly
	}
	return r
}

// asks reports whether there is somebody to ask about: the group of a condition on groups,
// and the device where devices are spread. The code says what came of the condition where
// there is not.
func (q *query) asks(flag *Flag, c *condition) (Code, bool) {
	code := OutOfRollout
	if c.aggregation != nil {
		if _, ok := q.group(*c.aggregation); ok {
			return "", true
		}
		code = NoGroup
	} else if !flag.ByDevice || q.person.DeviceID != "" {
		return "", true
	}

	if q.person.Partial {
		code = Inconclusive
	}
	return code, false
}

// patienceWithAll is how long all regular expressions of an evaluation may take together.
const patienceWithAll = time.Second

// compare decides about a property that belongs to a person or to a group.
func (q *query) compare(p *property, has bag) outcome {
	switch {
	case p.pattern == nil:
		return p.match(has, q.person.Partial, q.clock)
	case q.spent >= patienceWithAll:
		return unknown("the regular expressions of the flags take too long together")
	}

	start := time.Now()
	o := p.match(has, q.person.Partial, q.clock)
	q.spent += time.Since(start)
	return o
}

// matchProperty decides about one property of a condition, of whatever it is.
func (q *query) matchProperty(c *condition, p *property) outcome {
	switch p.of {
	case "person":
		return q.compare(p, q.person.bag())
	case "group":
		index := p.groupType
		if index == nil {
			index = c.aggregation
		}
		var group Group
		if index != nil {
			group, _ = q.group(*index)
		}
		return q.compare(p, group.bag())
	case "cohort":
		return q.matchMembership(p)
	case "flag":
		return q.matchFlag(p)
	default:
		return unknown("properties of a " + p.of + " are not known")
	}
}
