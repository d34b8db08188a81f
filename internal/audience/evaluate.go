package audience

import "time"

// Project contains the objects that a project's flags may refer to.
type Project struct {
	// Flags contains all flags of the project by ID, including those that are off.
	Flags map[int64]*Flag
	// Cohorts maps the IDs of the project's cohorts to whether the cohort is a fixed list of members.
	Cohorts map[int64]bool
	// GroupTypes contains the names of the group types by index.
	GroupTypes []string
}

// Evaluator evaluates a project's flags for one person at one time. Like PostHog, it treats a condition that it
// cannot evaluate as no match. The reason explains why it cannot.
type Evaluator struct {
	project *Project
	person  *Person
	now     time.Time
	// values caches the values of flags that other flags depend on, by ID.
	values map[int64]Value
	// broken maps the IDs of flags with dependencies to whether a dependency is missing or circular.
	broken map[int64]bool
	// spent is the total time that all regular expression matches took.
	spent time.Duration
}

// Evaluator returns an Evaluator for a person.
func (p *Project) Evaluator(person *Person, now time.Time) *Evaluator {
	return &Evaluator{
		project: p, person: person, now: now.UTC(),
		values: map[int64]Value{}, broken: map[int64]bool{},
	}
}

// Value evaluates a flag. It first checks the settings that switch the whole flag on or off, and then the conditions.
// The first matching condition decides.
func (e *Evaluator) Value(flag *Flag) Value {
	switch {
	case !flag.Active || flag.Deleted:
		return off(Disabled)
	case e.lacksDependency(flag):
		return off(MissingDependency)
	}
	if chosen, ok := e.person.property("$feature_enrollment/" + flag.Key); ok && flag.enrolls {
		return Value{Enabled: chosen == true || chosen == "true", Reason: Reason{Code: EarlyAccess}}
	}
	return e.byConditions(flag)
}

func off(code Code) Value { return Value{Reason: Reason{Code: code, Condition: -1}} }

// byConditions evaluates a flag's conditions. If none matches, the reason is the condition that came closest to a
// match. Of several equally close ones, it is the last.
func (e *Evaluator) byConditions(flag *Flag) Value {
	v := off(NoGroup)
	for i := range flag.conditions {
		c := e.matchCondition(flag, &flag.conditions[i])
		v.Conditions = append(v.Conditions, c)

		switch {
		case c.Code == ConditionMatch:
			v.Enabled, v.Reason = true, Reason{Code: ConditionMatch, Condition: i}
			v.Variant = e.variant(flag, &flag.conditions[i])
			return v
		case c.Code == OutOfRollout && c.Rollout < c.Hash && flag.exitsEarly:
			v.Reason.Code, v.Reason.Condition = c.Code, i
			return v
		case c.Code.rank() >= v.Reason.Code.rank():
			v.Reason.Code, v.Reason.Condition = c.Code, i
		}
		v.Reason.skipsGroups = v.Reason.skipsGroups || c.Code == NoGroup
	}
	return v
}

// matchCondition evaluates a condition. It first checks that the group or device that the condition requires is
// known, then compares the properties in order, and finally applies the rollout percentage.
func (e *Evaluator) matchCondition(flag *Flag, c *condition) Condition {
	r := Condition{Code: ConditionMatch, Property: -1, Rollout: c.share / 100}
	if c.aggregation != nil {
		if _, ok := e.group(*c.aggregation); !ok {
			r.Code = NoGroup
			return r
		}
	} else if flag.ByDevice && e.person.DeviceID == "" {
		r.Code = OutOfRollout
		return r
	}

	for i := range c.properties {
		if o := e.matchProperty(c, &c.properties[i]); !o.isMatch {
			r.Code, r.Property, r.Undecided = NoMatch, i, o.unknown
			return r
		}
	}
	if c.share == 100 {
		return r
	}
	if r.Hash = e.hash(flag, c.aggregation, ""); r.Hash > r.Rollout {
		r.Code = OutOfRollout
	}
	return r
}

// matchProperty evaluates a condition's property of any type.
func (e *Evaluator) matchProperty(c *condition, p *property) outcome {
	switch p.of {
	case "person":
		return e.compare(p, e.person.property)
	case "group":
		index := p.groupType
		if index == nil {
			index = c.aggregation
		}
		var group Group
		if index != nil {
			group, _ = e.group(*index)
		}
		return e.compare(p, group.property)
	case "cohort":
		return e.matchMembership(p)
	case "flag":
		return e.matchFlag(p)
	}
	return unknown("properties of a " + p.of + " are not known")
}

// patienceWithAll limits the total time of all regular expression matches of an Evaluator.
const patienceWithAll = time.Second

// compare evaluates a property of a person or a group.
func (e *Evaluator) compare(p *property, lookup func(key string) (any, bool)) outcome {
	switch {
	case p.pattern == nil:
		return p.match(lookup, e.now)
	case e.spent >= patienceWithAll:
		return unknown("the regular expressions of the flags together take too long")
	}
	start := time.Now()
	o := p.match(lookup, e.now)
	e.spent += time.Since(start)
	return o
}

// matchFlag evaluates a property that refers to another flag.
func (e *Evaluator) matchFlag(p *property) outcome {
	id, ok := p.flagID()
	dependency := e.project.Flags[id]
	switch {
	case !ok, dependency == nil:
		return unknown("no flag has the ID " + p.key)
	case p.operator != "flag_evaluates_to":
		return unknown("the operator " + p.operator + " is not for flags")
	}

	v, ok := e.values[id]
	if !ok {
		v = e.Value(dependency)
		e.values[id] = v
	}
	switch want := p.want.(type) {
	case bool:
		return matches(v.Enabled == want)
	case string:
		return matches(v.Variant != nil && *v.Variant == want)
	}
	return miss
}

// lacksDependency reports whether a flag depends on a missing flag or, directly or through others,
// on itself. Such a flag is off, regardless of its other conditions.
func (e *Evaluator) lacksDependency(flag *Flag) bool {
	if len(flag.dependencies) == 0 {
		return false
	}
	if lacks, ok := e.broken[flag.ID]; ok {
		return lacks
	}

	// Reaching this flag again means that the dependency is circular.
	e.broken[flag.ID] = true
	for _, id := range flag.dependencies {
		dependency := e.project.Flags[id]
		if dependency == nil || dependency.Deleted || e.lacksDependency(dependency) {
			return true
		}
	}
	e.broken[flag.ID] = false
	return false
}

// group returns the person's group of the given type.
func (e *Evaluator) group(index int64) (Group, bool) {
	if index < 0 || index >= int64(len(e.project.GroupTypes)) {
		return Group{}, false
	}
	group, ok := e.person.Groups[e.project.GroupTypes[index]]
	return group, ok && group.id() != ""
}
