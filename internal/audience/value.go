package audience

import "strconv"

// Value is the value of a flag for a person, and how it came about.
type Value struct {
	Enabled bool
	// Variant is nil for a flag that is off, and for one without variants.
	Variant *string
	Reason  Reason
	// Conditions say what came of each condition that was looked at, in their order.
	Conditions []Condition
}

// Condition is what came of one condition of a flag.
type Condition struct {
	// Code is ConditionMatch, NoMatch, OutOfRollout or NoGroup.
	Code Code
	// Property is the place of the property that did not match, from 0; -1 for none.
	Property int
	// Undecided says why the property could not be compared; empty when it could.
	Undecided string
	// Hash is where the person stands, and Rollout how far the condition reaches, both from
	// 0 to 1. The hash of a condition for everybody is not asked for, and 0.
	Hash, Rollout float64
}

// Code is why a flag has its value, in the words of the service.
type Code string

// The codes of the service.
const (
	Disabled          Code = "flag_disabled"
	MissingDependency Code = "missing_dependency"
	EarlyAccess       Code = "super_condition_value"
	ConditionMatch    Code = "condition_match"
	NoMatch           Code = "no_condition_match"
	OutOfRollout      Code = "out_of_rollout_bound"
	NoGroup           Code = "no_group_type"
)

// rank orders the codes of conditions that did not match: the highest is the reason.
func (c Code) rank() int {
	return map[Code]int{OutOfRollout: 3, NoMatch: 2, NoGroup: 1}[c]
}

// Reason is why a flag has its value.
type Reason struct {
	Code Code
	// Condition is the place of the condition that decided, from 0; -1 for none.
	Condition int
	// skipsGroups is set when conditions on groups had no group to ask about.
	skipsGroups bool
}

// Description is the reason as the service words it.
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

// outcome is what comes of one property, or of a cohort.
type outcome struct {
	isMatch bool
	// unknown says why nothing could be decided; empty when it could.
	unknown string
}

// miss is the outcome of what does not match.
var miss = outcome{}

func matches(isMatch bool) outcome { return outcome{isMatch: isMatch} }

func unknown(reason string) outcome { return outcome{unknown: reason} }

// opposite turns an outcome round; what cannot be decided stays so.
func (o outcome) opposite() outcome {
	if o.unknown != "" {
		return o
	}
	return matches(!o.isMatch)
}
