package page

import "fmt"

// Report is what a test run has reached, and what is wrong with it.
type Report struct {
	// Reached and All are numbers of operations.
	Reached, All int
	Requests     int64
	// Problems are by kind, those that lose the most first.
	Problems []Problems
	// Operations are those that were called; Missed are the others, by their path.
	Operations []OperationRow
	Missed     []MissedRow
	// NeverShown are surveys that apps got and nobody saw.
	NeverShown []string
}

// Problems are those of a kind.
type Problems struct {
	Kind  string
	Found []Problem
	// Omitted is the number of those that are not shown.
	Omitted int
}

// Problem is what is wrong, and the request that shows it: its number in the journal of a
// world, 0 for none.
type Problem struct {
	Text    string
	World   string
	Request int64
}

// OperationRow is an operation with the statuses of its responses.
type OperationRow struct{ Name, Statuses string }

// MissedRow are operations below a path that were not called.
type MissedRow struct {
	Path  string
	Names []string
}

// Summary is how much of the interface was reached.
func (r *Report) Summary() string {
	return fmt.Sprintf("%s reached %d of %d operations", count(r.Requests, "request"), r.Reached, r.All)
}

// Total is the number of problems in words.
func (r *Report) Total() string {
	total := 0
	for _, kind := range r.Problems {
		total += len(kind.Found) + kind.Omitted
	}
	if total == 0 {
		return "No problems"
	}
	return count(int64(total), "problem")
}
