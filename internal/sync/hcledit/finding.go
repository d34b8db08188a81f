package hcledit

// Outcome says how a difference ended.
type Outcome string

// The outcomes.
const (
	// Edited was written into the code.
	Edited Outcome = "edited"
	// Unresolved comes from an expression that is not overwritten.
	Unresolved Outcome = "left"
	// Conflict was changed in the code as well, and not applied yet.
	Conflict Outcome = "conflict"
	// Pending was changed in the code alone, and not applied yet.
	Pending Outcome = "pending"
)

// Finding is one difference between code and live object.
type Finding struct {
	Outcome Outcome
	// Line is that of the value in the code, from 1.
	Line int
	// Attribute is its path, such as questions[1].question.
	Attribute string
	// Code and Live are the values; nil for none.
	Code, Live any
	// Reason says why it was left, or adds to an edit.
	Reason string
}

// The reasons.
const (
	reasonExpression = "the value comes from an expression"
	reasonBoth       = "changed in the code as well, and not applied yet"
	reasonPending    = "changed in the code, and not applied yet"
	reasonSilent     = "the code leaves it out, so a plan sets it to its default"
	reasonMoved      = "moved"
	reasonUncertain  = "the list joins several that come from expressions, so its elements cannot be told apart"
	reasonTarget     = "branching that only the code has leads to it"
	reasonConcat     = "the change does not fit into the lists that concat joins"
	reasonKeys       = "the object has keys that are expressions, so none is added"
)
