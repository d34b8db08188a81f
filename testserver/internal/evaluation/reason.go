package evaluation

import "strconv"

// Code is why a flag has its value, in the words of the service.
type Code string

// The codes of the service.
const (
	Disabled          Code = "flag_disabled"
	MissingDependency Code = "missing_dependency"
	EarlyAccess       Code = "super_condition_value"
	Holdout           Code = "holdout_condition_value"
	ConditionMatch    Code = "condition_match"
	NoMatch           Code = "no_condition_match"
	OutOfRollout      Code = "out_of_rollout_bound"
	NoGroup           Code = "no_group_type"
)

// Inconclusive is the code of a flag without a value: too little is known of the person.
// The service never gives it.
const Inconclusive Code = "inconclusive"

// rank orders the codes of conditions that did not match: the highest is the reason.
func (c Code) rank() int {
	switch c {
	case OutOfRollout:
		return 3
	case NoMatch:
		return 2
	case NoGroup:
		return 1
	default:
		return 0
	}
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
	case Holdout:
		return "Holdout condition value"
	case ConditionMatch:
		return "Matched condition set " + strconv.Itoa(max(r.Condition, 0)+1)
	case OutOfRollout:
		return "Out of rollout bound"
	case NoGroup:
		return "No group type"
	case Inconclusive:
		return "Too little is known of the person"
	default:
		if r.skipsGroups {
			return "No matching condition set (group conditions were not evaluated because no group type was provided)"
		}
		return "No matching condition set"
	}
}
