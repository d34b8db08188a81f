package page

// Report is what is wrong with a test run.
type Report struct {
	Requests int64
	// Problems are by kind, those that lose the most first.
	Problems []Problems
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

// Total is the number of problems in words.
func (r *Report) Total() string {
	total := 0
	for _, kind := range r.Problems {
		total += len(kind.Found) + kind.Omitted
	}
	problems := "No problems"
	if total > 0 {
		problems = count(int64(total), "problem")
	}
	return problems + " in " + count(r.Requests, "request")
}
