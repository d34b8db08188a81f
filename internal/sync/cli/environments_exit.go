package cli

import (
	"fmt"
	"slices"
	"strings"
)

// verdict is the error for the worst result: interrupted or failed, then refused, then
// differences.
func (r environmentsReport) verdict() error {
	switch s := r.Summary; {
	case len(r.CutOff) > 0:
		return fmt.Errorf("%s: cut off, as when a job is killed: run it again and join the reports of all", strings.Join(r.CutOff, ", "))
	case len(r.MissingShards) > 0:
		return fmt.Errorf("no report of shard %s: run it again and join the reports of all", strings.Join(r.MissingShards, ", "))
	case s.Failed+s.Interrupted > 0:
		return fmt.Errorf("%s of %d failed: see the report", count(s.Failed+s.Interrupted, "environment"), s.Environments)
	case s.Refused > 0:
		return &refusedError{fmt.Sprintf("%s of %d refused: see the report", count(s.Refused, "environment"), s.Environments)}
	case s.Differences > 0:
		return &differencesError{fmt.Sprintf("%s of %d with differences: see the report", count(s.Differences, "environment"), s.Environments)}
	}
	return nil
}

// severity orders exit codes.
func severity(code int) int {
	order := []int{codeDone, codeDifferences, codeRefused, codeInterrupted, codeError}
	return slices.Index(order, code)
}
