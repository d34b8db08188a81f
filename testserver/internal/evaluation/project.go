package evaluation

import (
	"iter"
	"time"
)

// Project is what the flags of a project can ask for.
type Project struct {
	// Flags are all flags of the project by their ids, those that are off too.
	Flags map[int64]*Flag
	// Cohorts are the cohorts of the project by their ids.
	Cohorts map[int64]*Cohort
	// GroupTypes are the names of the group types by their index.
	GroupTypes []string
	// Location is where the days of the project begin; nil is UTC.
	Location *time.Location
}

// Evaluate decides about one flag.
func (p *Project) Evaluate(flag *Flag, person *Person, now time.Time) Result {
	return p.query(person, now).result(flag)
}

// EvaluateAll decides about some flags, in their order. Flags that others ask for are
// evaluated once.
func (p *Project) EvaluateAll(flags iter.Seq[*Flag], person *Person, now time.Time) iter.Seq2[*Flag, Result] {
	return func(yield func(*Flag, Result) bool) {
		q := p.query(person, now)
		for flag := range flags {
			if !yield(flag, q.result(flag)) {
				return
			}
		}
	}
}

func (p *Project) query(person *Person, now time.Time) *query {
	location := p.Location
	if location == nil {
		location = time.UTC
	}
	return &query{
		project: p, person: person, clock: clock{now, location},
		results: map[int64]Result{}, broken: map[int64]bool{}, cohorts: map[int64]outcome{},
	}
}
