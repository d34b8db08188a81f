package evaluation

import "time"

// query is the evaluation of flags for one person at one time.
type query struct {
	project *Project
	person  *Person
	clock   clock
	// results are those of the flags that others ask for, by their ids.
	results map[int64]Result
	// broken says of flags that ask for others whether one of those cannot be had.
	broken map[int64]bool
	// cohorts are the cohorts that were looked at, by their ids.
	cohorts map[int64]outcome
	// spent is the time that regular expressions have taken.
	spent time.Duration
}

// result decides about a flag: by what switches the whole flag first, then by its
// conditions, of which the first that matches counts.
func (q *query) result(flag *Flag) Result {
	switch {
	case !flag.Active || flag.Deleted:
		return off(Disabled)
	case q.lacksDependency(flag):
		return off(MissingDependency)
	case q.person.Partial && flag.KeepsExperience:
		return off(Inconclusive)
	}

	for _, decide := range []func(*Flag) (Result, bool){q.byEnrollment, q.byGate, q.byHoldout} {
		if r, ok := decide(flag); ok {
			return r
		}
	}
	return q.byConditions(flag)
}

func off(code Code) Result { return Result{Reason: Reason{Code: code, Condition: -1}} }

// byConditions goes through the conditions of a flag. The reason of a flag that is off is
// the nearest that a condition came to a match, and the last of those as near.
func (q *query) byConditions(flag *Flag) Result {
	r := off(NoGroup)
	isOpen := false
	for i := range flag.conditions {
		c := q.matchCondition(flag, &flag.conditions[i])
		r.Conditions = append(r.Conditions, c.Condition)

		switch {
		case c.Code == ConditionMatch:
			r.Enabled, r.Reason = true, Reason{Code: ConditionMatch, Condition: i}
			r.Variant = q.variant(flag, &flag.conditions[i])
			r.Payload = flag.payload(r.Variant)
			return r
		case c.endsFlag:
			r.Reason.Code, r.Reason.Condition = c.Code, i
			return r
		case c.Code == Inconclusive:
			isOpen = true
		case c.Code.rank() >= r.Reason.Code.rank():
			r.Reason.Code, r.Reason.Condition = c.Code, i
		}
		r.Reason.skipsGroups = r.Reason.skipsGroups || c.Code == NoGroup
	}

	if isOpen {
		r.Reason = Reason{Code: Inconclusive, Condition: -1}
	}
	return r
}

// variant is the value of a flag that is on: the one that the condition names, or the one
// by hash.
func (q *query) variant(flag *Flag, c *condition) *string {
	if c.variant != nil && flag.hasVariant(*c.variant) {
		return c.variant
	}
	if len(flag.variants) == 0 {
		return nil
	}
	return variantAt(flag.variants, q.hash(flag, c.aggregation, "variant"))
}

// hash is where the person, the device or the group stands among all of them. Without an
// id it is 0, which is within every share.
func (q *query) hash(flag *Flag, aggregation *int64, salt string) float64 {
	id := q.spreadID(flag, aggregation, true)
	if id == "" {
		return 0
	}
	return Hash(flag.Key, id, salt)
}

// spreadID is the id that is spread over the shares of a flag. Who was seen before signing
// in, and where a flag keeps the experience, has the id of then.
func (q *query) spreadID(flag *Flag, aggregation *int64, keeps bool) string {
	if aggregation != nil {
		group, _ := q.group(*aggregation)
		return group.id()
	}
	if flag.ByDevice && q.person.DeviceID != "" {
		return q.person.DeviceID
	}

	if kept, ok := q.person.KeptIDs[flag.Key]; ok && keeps {
		return kept
	}
	if flag.KeepsExperience && q.person.AnonymousID != "" {
		return q.person.AnonymousID
	}
	return q.person.DistinctID
}

// group is the group of the person of a type.
func (q *query) group(index int64) (Group, bool) {
	if index < 0 || index >= int64(len(q.project.GroupTypes)) {
		return Group{}, false
	}
	group, ok := q.person.Groups[q.project.GroupTypes[index]]
	return group, ok && group.id() != ""
}
