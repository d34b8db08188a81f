package tfpolicy

// Verdict is what one policy says of one resource.
type Verdict struct {
	// File and Label say which policy it is.
	File, Label string
	// Address is that of the resource.
	Address string
	Outcome Outcome
	// Messages are those of the conditions that do not hold.
	Messages []string
}
