package testserver

import "github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/page"

// shownProblems is the number of problems of a kind that the page shows.
const shownProblems = 100

// report is the report of the world as the page shows it.
func (p pages) report() *page.Report {
	report := p.server.Report()
	shown := &page.Report{Requests: report.Requests}
	addProblems(shown, "Answers cut off", report.CutAnswers, func(c CutAnswers) page.Problem {
		return page.Problem{Text: c.String(), World: c.World, Request: p.kept(c.World, c.Sequence)}
	})
	addProblems(shown, "Undocumented fields", report.UndocumentedFields, func(f UndocumentedField) page.Problem {
		return page.Problem{Text: f.String(), World: f.World, Request: p.kept(f.World, f.Sequence)}
	})
	addProblems(shown, "Faults that never hit", report.UnusedFaults, func(f UnusedFault) page.Problem {
		return page.Problem{Text: f.String()}
	})

	for _, n := range report.NeverShown {
		shown.NeverShown = append(shown.NeverShown, n.String())
	}
	return shown
}

// kept is the number of a request, 0 if the journal of its world no longer has it.
func (p pages) kept(world string, sequence int64) int64 {
	server := p.server
	if world != server.world.name {
		// Looking at its report does not keep a world that nobody uses.
		if server = server.worlds.all()[world]; server == nil {
			return 0
		}
	}
	if server.journal.Numbered(sequence) == nil {
		return 0
	}
	return sequence
}

// addProblems adds the problems of a kind, unless there are none.
func addProblems[T any](shown *page.Report, kind string, found []T, problem func(T) page.Problem) {
	if len(found) == 0 {
		return
	}
	problems := page.Problems{Kind: kind, Omitted: max(len(found)-shownProblems, 0)}
	for _, item := range found[:len(found)-problems.Omitted] {
		problems.Found = append(problems.Found, problem(item))
	}
	shown.Problems = append(shown.Problems, problems)
}
