package evaluation

// matchFlag decides about a property that is the value of another flag.
func (q *query) matchFlag(p *property) outcome {
	id, ok := p.flagID()
	other := q.project.Flags[id]
	switch {
	case !ok, other == nil:
		return unknown("there is no flag " + p.key)
	case p.operatorName != "flag_evaluates_to":
		return unknown("the operator " + p.operatorName + " is not for flags")
	}

	r, ok := q.results[id]
	if !ok {
		r = q.result(other)
		q.results[id] = r
	}
	if !r.IsConclusive() {
		return unknown("the flag " + other.Key + " has no value: too little is known of the person")
	}
	return matches(r.matchesValue(p.want))
}

// lacksDependency reports whether a flag asks for one that does not exist, or for itself,
// by whatever way: it is then off, whatever its other conditions say.
func (q *query) lacksDependency(flag *Flag) bool {
	if len(flag.dependencies) == 0 {
		return false
	}
	if lacks, ok := q.broken[flag.ID]; ok {
		return lacks
	}

	// Who comes by here again went in a circle.
	q.broken[flag.ID] = true
	for _, id := range flag.dependencies {
		other := q.project.Flags[id]
		if other == nil || other.Deleted || q.lacksDependency(other) {
			return true
		}
	}
	q.broken[flag.ID] = false
	return false
}
