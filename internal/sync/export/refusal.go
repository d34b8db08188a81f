package export

import "fmt"

// Refusal is the error of an export that would destroy something. Nothing was written.
type Refusal struct {
	// Reason says what is in the way, and which flag helps.
	Reason string
}

// Error implements error.
func (r *Refusal) Error() string { return r.Reason }

func refuse(form string, values ...any) error { return &Refusal{fmt.Sprintf(form, values...)} }
