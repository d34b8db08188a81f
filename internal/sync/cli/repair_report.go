package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/history"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/repair"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/report"
)

// repairReport reports what a repair would do, or has done.
type repairReport struct {
	// Format is the version of this document.
	Format int            `json:"format"`
	Survey reportedSurvey `json:"survey"`
	// Notes say what is not known of the past.
	Notes     []string           `json:"notes"`
	Questions []repairedQuestion `json:"questions"`
	// Gone are ids of questions that nobody asks any more.
	Gone []repair.Candidate `json:"gone"`
	// Total is the number of questions of the survey.
	Total int `json:"total"`
	// Command decides what is left: each question gets the first of its ids that no other one gets.
	Command string `json:"command,omitempty"`
	// Code is what was written into the code, Diff what would be.
	Code []pullFinding `json:"code,omitempty"`
	Diff string        `json:"diff,omitempty"`

	plan repair.Plan
}

// repairedQuestion is a question with its reason in words.
type repairedQuestion struct {
	repair.Question
	Reason string `json:"reason,omitempty"`
	// Decisions are the arguments of the flag that decides about it.
	Decisions []string `json:"decisions,omitempty"`
}

func newRepairReport(j *repairJob, plan repair.Plan) *repairReport {
	r := &repairReport{
		Format: 1, Survey: newReportedSurvey(j.past), Notes: j.notes(), Questions: []repairedQuestion{}, Gone: plan.Gone,
		Total: len(j.past.questions), plan: plan,
	}

	given := map[string]bool{}
	for _, q := range plan.Questions {
		if q.Outcome == repair.Planned {
			given[q.Old.ID] = true
		}
	}
	var suggested []string
	for _, q := range plan.Questions {
		reported := repairedQuestion{Question: q}
		if words := repairWords[q.Code]; words != nil {
			reported.Reason = words(q)
		}

		choices := choicesOf(q)
		if q.Outcome == repair.Unresolved && len(choices) > 0 {
			name := nameOf(q, plan)
			for _, choice := range choices {
				reported.Decisions = append(reported.Decisions, name+"="+plan.Short(choice.ID))
			}
			if first := slices.IndexFunc(choices, func(c repair.Candidate) bool { return !given[c.ID] }); first >= 0 {
				given[choices[first].ID] = true
				suggested = append(suggested, reported.Decisions[first])
			}
			if q.ID != "" {
				reported.Decisions = append(reported.Decisions, name+"="+plan.Short(q.ID))
			}
		}

		r.Questions = append(r.Questions, reported)
	}

	if len(suggested) > 0 {
		r.Command = j.command(suggested)
	}
	return r
}

// nameOf is how a decision names a question.
func nameOf(q repair.Question, plan repair.Plan) string {
	if q.ID == "" || !plan.IsOne(q.ID) || strings.Contains(q.ID, "=") {
		return fmt.Sprintf("questions[%d]", q.Index)
	}
	return plan.Short(q.ID)
}

// notes say what is not known of the past.
func (j *repairJob) notes() []string {
	notes := []string{}
	switch {
	case j.past.feedErr != nil:
		notes = append(notes, "The activity log is not known: "+feedError(j.past.feedErr).Error()+". So nothing shows what was saved, and every id is yours to decide.")
	case j.past.feed.CutOff != nil:
		notes = append(notes, "Older edits could not be read: "+j.past.feed.CutOff.Error())
	case !j.past.feed.IsComplete:
		notes = append(notes, "The activity log does not reach back to the creation: questions may have had other ids before.")
	}
	return notes
}

// command is the command line that decides.
func (j *repairJob) command(decisions []string) string {
	words := []string{"posthog-sync", "repair", j.past.id()}
	for _, flag := range []struct{ name, value string }{
		{"--config", j.flags.config}, {"--env", j.namedEnvironment()},
		{"--snapshot", j.given.sources.snapshot}, {"--state", j.given.sources.state}, {"--write-ids", j.given.writeIDs},
	} {
		if flag.value != "" {
			words = append(words, flag.name, flag.value)
		}
	}
	if j.given.cutAnswers {
		words = append(words, "--allow-cut-answers")
	}
	for _, decision := range append(append([]string{}, j.given.decisions...), decisions...) {
		words = append(words, "--question", decision)
	}
	words = append(words, "--yes")
	for i := range words {
		words[i] = escape.Shell(words[i])
	}
	return strings.Join(words, " ")
}

// left is the number of ids that could not be written into the code.
func (r *repairReport) left() int { return pullReport{Findings: r.Code}.left() }

// count is the number of questions with an outcome.
func (r *repairReport) count(outcome repair.Outcome) int {
	n := 0
	for _, q := range r.Questions {
		if q.Outcome == outcome {
			n++
		}
	}
	return n
}

// reported implements result.
func (r *repairReport) reported() report.Report {
	found := report.Report{
		Title: "Repair of survey " + r.Survey.Name, Summary: r.summary(), Notes: append([]string{r.Survey.sentence()}, r.Notes...), Noun: "section",
	}
	add := func(section report.Section) { found.Sections = append(found.Sections, section) }
	for _, q := range r.Questions {
		add(report.Section{Title: q.title(r.plan), Notes: q.lines(r.plan)})
	}
	if r.Command != "" {
		add(report.Section{Title: "To give each question the first id that is listed for it, and no id twice:", Code: r.Command + "\n", Language: "shell"})
	}
	if len(r.Gone) > 0 {
		gone := report.Section{Title: "Gone, and asked by no question now:"}
		for _, candidate := range r.Gone {
			gone.Notes = append(gone.Notes, candidateText(r.plan, candidate))
		}
		add(gone)
	}
	if len(r.Code) > 0 || r.Diff != "" {
		add(report.Section{Title: "In the code:", Table: findingTable(r.Code), Code: r.Diff, Language: "diff"})
	}
	return found
}

// title says which question it is and what becomes of it.
func (q repairedQuestion) title(plan repair.Plan) string {
	change := orNone(plan.Short(q.ID))
	if q.Old != nil {
		change += " -> " + plan.Short(q.Old.ID)
	}
	return fmt.Sprintf("questions[%d] %q (%s) %s: %s", q.Index, q.Text, q.Type, change, q.Outcome)
}

// lines are what is known of a question, and what to do.
func (q repairedQuestion) lines(plan repair.Plan) []string {
	var lines []string
	if q.Old != nil {
		lines = append(lines, fmt.Sprintf("%s, from %s; under the old id %s, under the new one %s",
			matchWords[q.Old.Evidence], sourceWords[q.Old.Source], upTo(q.Old.Responses), answersOf(q.Answers)))
	} else if q.Code != repair.SharedID {
		lines = append(lines, answersOf(q.Answers))
	}
	for _, other := range q.Others {
		lines = append(lines, "also: "+candidateText(plan, other))
	}
	if q.Restored != nil {
		lines = append(lines, "the question has "+answersOf(repair.Known(*q.Restored))+" now")
	}
	if q.Reason != "" {
		lines = append(lines, q.Reason)
	}

	for i, decision := range q.Decisions {
		if i == len(q.Decisions)-1 && q.ID != "" {
			lines = append(lines, "--question "+escape.Shell(decision)+" leaves it as it is")
			continue
		}
		lines = append(lines, "--question "+escape.Shell(decision))
	}

	return lines
}

// candidateText is an id with what is known of it.
func candidateText(plan repair.Plan, c repair.Candidate) string {
	text := fmt.Sprintf("%s, %q, %s", plan.Short(c.ID), c.Text, upTo(c.Responses))
	if words := matchWords[c.Evidence]; words != "" {
		text += " (" + words + ", from " + sourceWords[c.Source] + ")"
	}
	return text
}

// summary counts.
func (r *repairReport) summary() string {
	if len(r.Questions) == 0 {
		return fmt.Sprintf("Nothing to repair: %s.", count(r.Total, "question"))
	}
	var parts []string
	for _, outcome := range []repair.Outcome{repair.Planned, repair.Done, repair.Skipped, repair.Failed, repair.NotRun, repair.Unresolved} {
		if n := r.count(outcome); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, strings.ReplaceAll(string(outcome), "_", " ")))
		}
	}
	return fmt.Sprintf("%s, of %s.", strings.Join(parts, ", "), count(r.Total, "question"))
}

// matchWords say how a question was recognized.
var matchWords = map[history.Match]string{
	history.ByID:          "by its id",
	history.ByText:        "by text and type",
	history.ByChoices:     "by text, type and choices",
	history.ByPosition:    "by its position: the save changed nothing but ids",
	history.ByReturn:      "by text and type, which no other question ever had",
	repair.ByDecision:     "by your decision",
	repair.SameText:       "has the same text and type",
	repair.OlderText:      "once had this text and type",
	repair.SameChoices:    "has the same choices",
	repair.SimilarOrPlace: "had a similar text, or its position",
}

// sourceWords say where an id is known from.
var sourceWords = map[history.Source]string{
	history.FromFeed:     "the activity log",
	history.FromSnapshot: "the snapshot",
	history.FromState:    "the Terraform state",
	history.FromLive:     "the survey",
}

// repairWords say why an id is not written back, and which flag decides it.
var repairWords = map[repair.Code]func(repair.Question) string{
	repair.CutsAnswers: func(q repair.Question) string {
		return fmt.Sprintf("it has %s under its new id, which would be cut off for %s under the old one: "+
			"decide, or --allow-cut-answers gives up the smaller number", answersOf(q.Answers), upTo(q.Old.Responses))
	},
	repair.MayCutAnswers: func(q repair.Question) string {
		return fmt.Sprintf("it may have answers under its new id (the service does not say), which would be cut off for %s under the old one: "+
			"decide, or --allow-cut-answers does it anyway", upTo(q.Old.Responses))
	},
	repair.NewHasMore: func(q repair.Question) string {
		return fmt.Sprintf("it has %s under its new id, and %s under the old one", answersOf(q.Answers), upTo(q.Old.Responses))
	},
	repair.Uncertain: func(repair.Question) string {
		return "it may be a question that lost its id, or a new one"
	},
	repair.SharedID: func(q repair.Question) string {
		return fmt.Sprintf("questions have or had the id %s at the same time, and their answers cannot be told apart: give one of them another id in the code or the web interface", q.ID)
	},

	repair.Interrupted: func(repair.Question) string { return "interrupted" },
	repair.ChangedSince: func(repair.Question) string {
		return "the questions were changed since they were read; run again to see the difference"
	},
	repair.DeletedSince: func(repair.Question) string { return "the survey was deleted since it was read" },
	repair.AnsweredSince: func(q repair.Question) string {
		return fmt.Sprintf("%s came in under its new id since it was read; run again to decide", answersOf(q.Answers))
	},
	repair.NotKept: func(repair.Question) string { return "the service accepted the update, and did not store the ids" },
	repair.RequestFailed: func(q repair.Question) string {
		if q.Err == nil {
			return "the request failed"
		}
		return q.Err.Error()
	},
}

// decisionWords say why a decision is refused.
var decisionWords = map[repair.Code]func(*repair.DecisionError) string{
	repair.NoSuchQuestion: func(e *repair.DecisionError) string {
		return fmt.Sprintf("the survey has no question %q: name it by its id, or as questions[0] by its place", e.Question)
	},
	repair.NotOneQuestion: func(e *repair.DecisionError) string {
		return fmt.Sprintf("several questions have the id %q: name one by its place, as questions[0]", e.Question)
	},
	repair.NoSuchID: func(e *repair.DecisionError) string {
		return fmt.Sprintf("no source knows the id %q of this survey, so nobody can tell what it asked: name a snapshot that has it with --snapshot, or a directory with --state", e.ID)
	},
	repair.IDInUse: func(e *repair.DecisionError) string {
		return fmt.Sprintf("another question has the id %q", e.ID)
	},
	repair.IDTwice: func(e *repair.DecisionError) string { return fmt.Sprintf("two questions would get the id %q", e.ID) },
	repair.OtherKind: func(e *repair.DecisionError) string {
		return fmt.Sprintf("%q is the id of a question of type %s, and the question is of type %s: its answers would be of another kind", e.ID, e.OldType, e.Type)
	},
	repair.DecidedTwice: func(e *repair.DecisionError) string {
		return fmt.Sprintf("the question %q is named twice", e.Question)
	},
}

// wordedDecisionError words the error of a plan.
func wordedDecisionError(err error) error {
	if refused, ok := errors.AsType[*repair.DecisionError](err); ok {
		return &refusedError{"--question: " + decisionWords[refused.Code](refused)}
	}
	return err
}

// answersOf words a number of answers.
func answersOf(c repair.Count) string {
	switch {
	case c.Number == nil:
		return "an unknown number of answers"
	case c.AtLeast:
		return "at least " + count(*c.Number, "answer")
	case *c.Number == 0:
		return "no answers"
	}
	return count(*c.Number, "answer")
}

// upTo words the number of answers by the responses of a time.
func upTo(c repair.Count) string {
	switch {
	case c.Number == nil, c.AtLeast && *c.Number == 0:
		return "an unknown number of answers"
	case c.AtLeast:
		return "the answers of at least " + count(*c.Number, "response")
	case *c.Number == 0:
		return "no answers"
	}
	return "at most " + count(*c.Number, "answer")
}
