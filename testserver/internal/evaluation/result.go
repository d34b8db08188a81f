package evaluation

import "encoding/json"

// Result is the value of a flag for a person, and how it came about.
type Result struct {
	Enabled bool
	// Variant is nil for a flag that is off, and for one without variants.
	Variant *string
	// Payload is what an app gets with the value; nil for none.
	Payload json.RawMessage
	Reason  Reason
	// Conditions say what came of each condition that was looked at, in their order.
	Conditions []Condition
}

// IsConclusive reports whether a flag has a value. It always has one unless the person is
// known in part.
func (r Result) IsConclusive() bool { return r.Reason.Code != Inconclusive }

// Condition is what came of one condition of a flag.
type Condition struct {
	// Code is ConditionMatch, NoMatch, OutOfRollout, NoGroup or Inconclusive.
	Code Code
	// Property is the place of the property that did not match, from 0; -1 for none.
	Property int
	// Key and Operator are those of this property.
	Key, Operator string
	// Undecided says why the property could not be compared; empty when it could.
	Undecided string
	// Hash is where the person stands, and Rollout how far the condition reaches, both from
	// 0 to 1. The hash of a condition for everybody is not asked for, and 0.
	Hash, Rollout float64
}

// matchesValue reports whether a flag has the value that another flag asks for.
func (r Result) matchesValue(want value) bool {
	switch want.kind {
	case trueKind:
		return r.Enabled
	case falseKind:
		return !r.Enabled
	case textKind:
		return r.Variant != nil && *r.Variant == want.text
	default:
		return false
	}
}
