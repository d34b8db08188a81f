package audience

import "strconv"

// Value is a flag's value for a person, with the reason.
type Value struct {
	Enabled bool
	// Variant is nil if the flag is off or does not have variants.
	Variant *string
	Reason  Reason
	// Conditions contains the result of each evaluated condition, in order.
	Conditions []Condition
}

// Condition is the result of evaluating one of a flag's conditions.
type Condition struct {
	// Code is ConditionMatch, NoMatch, OutOfRollout, or NoGroup.
	Code Code
	// Property is the index of the first property that does not match, or -1.
	Property int
	// Undecided explains why the property could not be compared. It is empty if the comparison worked.
	Undecided string
	// Hash is the person's position in the rollout, and Rollout the rollout percentage as a fraction, both from 0 to
	// 1. Hash is 0 if the condition is rolled out to everyone.
	Hash, Rollout float64
}

// Code is the reason code of a flag's value, with PostHog's names.
type Code string

// PostHog's reason codes.
const (
	Disabled          Code = "flag_disabled"
	MissingDependency Code = "missing_dependency"
	EarlyAccess       Code = "super_condition_value"
	ConditionMatch    Code = "condition_match"
	NoMatch           Code = "no_condition_match"
	OutOfRollout      Code = "out_of_rollout_bound"
	NoGroup           Code = "no_group_type"
)

// rank orders the codes of conditions that do not match. The highest one is the reason.
func (c Code) rank() int {
	return map[Code]int{OutOfRollout: 3, NoMatch: 2, NoGroup: 1}[c]
}

// Reason is the reason for a flag's value.
type Reason struct {
	Code Code
	// Condition is the index of the deciding condition, or -1.
	Condition int
	// skipsGroups is set if a condition on groups was skipped because the person has no such group.
	skipsGroups bool
}

// Description returns the reason in PostHog's words.
func (r Reason) Description() string {
	switch r.Code {
	case Disabled:
		return "Feature flag is disabled"
	case MissingDependency:
		return "Flag cannot be evaluated due to missing dependency"
	case EarlyAccess:
		return "Super condition value"
	case ConditionMatch:
		return "Matched condition set " + strconv.Itoa(max(r.Condition, 0)+1)
	case OutOfRollout:
		return "Out of rollout bound"
	case NoGroup:
		return "No group type"
	case NoMatch:
		if r.skipsGroups {
			return "No matching condition set (group conditions were not evaluated because no group type was provided)"
		}
	}
	return "No matching condition set"
}

// outcome is the result of evaluating a property or a cohort.
type outcome struct {
	isMatch bool
	// unknown explains why there is no result. It is empty if there is a result.
	unknown string
}

// miss is the outcome of a property that does not match.
var miss = outcome{}

func matches(isMatch bool) outcome { return outcome{isMatch: isMatch} }

func unknown(reason string) outcome { return outcome{unknown: reason} }

// opposite negates an outcome. An unknown outcome stays unknown.
func (o outcome) opposite() outcome {
	if o.unknown != "" {
		return o
	}
	return matches(!o.isMatch)
}
