package tfpolicy

// Outcome is what a policy says of a resource.
type Outcome string

// The outcomes of a policy.
const (
	// Skipped: the filter leaves the resource out.
	Skipped Outcome = "skipped"
	// Passed: every condition holds.
	Passed Outcome = "passed"
	// Unknown: no condition is known to fail, and one is known only after the apply.
	// Terraform warns at plan. An apply with -policies decides, after the change.
	Unknown Outcome = "unknown"
	// Refused: a condition does not hold.
	Refused Outcome = "refused"
)
