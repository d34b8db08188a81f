package cli

import "errors"

// The exit codes of every verb.
const (
	codeDone        = 0
	codeError       = 1
	codeDifferences = 2
	codeRefused     = 3
	codeInterrupted = 130
)

// differencesError is the error of a command that found differences, or proposed a change
// and did not make it. The report is printed before it is returned.
type differencesError struct{ reason string }

func (e *differencesError) Error() string { return e.reason }

// refusedError is the error of a command that a guard stopped. Its reason names the flag
// that overrides the guard, if there is one.
type refusedError struct{ reason string }

func (e *refusedError) Error() string { return e.reason }

// exitCode is the exit code for the error of a verb.
func exitCode(err error) int {
	var differences *differencesError
	var refused *refusedError
	switch {
	case err == nil:
		return codeDone
	case errors.As(err, &refused):
		return codeRefused
	case errors.As(err, &differences):
		return codeDifferences
	}
	return codeError
}
