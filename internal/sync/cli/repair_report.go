package cli

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/repair"
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
	// Command repairs what is left, if the first of the ids proposed for each question is right.
	Command string `json:"command,omitempty"`
	// Code is what was written into the code, Diff what would be.
	Code []pullFinding `json:"code,omitempty"`
	Diff string        `json:"diff,omitempty"`
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
		Total: len(j.past.questions),
	}

	var suggested []string
	for _, q := range plan.Questions {
		reported := repairedQuestion{Question: q}
		if words := repairWords[q.Code]; words != nil {
			reported.Reason = words(q)
		}

		if choices := choicesOf(q); q.Outcome == repair.Unresolved && len(choices) > 0 {
			name := nameOf(q, plan)
			for _, choice := range choices {
				reported.Decisions = append(reported.Decisions, name+"="+choice.ID)
			}
			suggested = append(suggested, reported.Decisions[0])
			if q.ID != "" {
				reported.Decisions = append(reported.Decisions, name+"="+q.ID)
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
	return q.ID
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

// Text implements report.
func (r *repairReport) Text(b *bytes.Buffer) {
	fmt.Fprintf(b, "Survey %q (%s), %s\n", r.Survey.Name, r.Survey.ID, r.Survey.Status)
	for _, note := range r.Notes {
		fmt.Fprintln(b, note)
	}
	for _, q := range r.Questions {
		fmt.Fprintf(b, "\n%s\n", q.title())
		for _, line := range q.lines() {
			fmt.Fprintf(b, "    %s\n", line)
		}
	}
	if len(r.Gone) > 0 {
		b.WriteString("\nGone, and asked by no question now:\n")
	}
	for _, gone := range r.Gone {
		fmt.Fprintf(b, "    %s\n", candidateText(gone))
	}

	if len(r.Code) > 0 {
		b.WriteString("\n")
	}
	for _, f := range r.Code {
		fmt.Fprintf(b, "%-8s %s %s: %s\n", f.Outcome, f.location(), strings.TrimSpace(f.Address+" "+f.Attribute), f.detail(shortText))
	}
	b.WriteString(r.Diff)
	fmt.Fprintf(b, "\n%s\n", r.summary())
	if r.Command != "" {
		fmt.Fprintf(b, "If the first id listed for each is right:\n  %s\n", r.Command)
	}
}

// Markdown implements report.
func (r *repairReport) Markdown(b *bytes.Buffer) {
	fmt.Fprintf(b, "### Repair of survey %s\n\n%s\n", markdownText(r.Survey.Name), markdownText(r.summary()))
	for _, note := range r.Notes {
		fmt.Fprintf(b, "\n%s\n", markdownText(note))
	}

	writeWhatFits(b, markdownLimit/2, r.Questions, "\n", "question", func(b *bytes.Buffer, q repairedQuestion) {
		fmt.Fprintf(b, "\n#### %s\n\n", markdownText(q.title()))
		for _, line := range q.lines() {
			fmt.Fprintf(b, "- %s\n", markdownText(line))
		}
	})
	if len(r.Gone) > 0 {
		b.WriteString("\n#### Gone, and asked by no question now\n\n")
	}
	writeWhatFits(b, markdownLimit/2+markdownLimit/8, r.Gone, "- ", "id", func(b *bytes.Buffer, gone repair.Candidate) {
		fmt.Fprintf(b, "- %s\n", markdownText(candidateText(gone)))
	})

	if r.Command != "" && b.Len()+len(r.Command) < markdownLimit*3/4 {
		b.WriteString("\nIf the first id listed for each is right:\n\n" + escape.MarkdownBlock("shell", r.Command))
	}
	if r.Diff != "" && b.Len()+len(r.Diff) < sectionsLimit {
		b.WriteString("\n" + escape.MarkdownBlock("diff", r.Diff))
	}
}

// title says which question it is and what becomes of it.
func (q repairedQuestion) title() string {
	change := orNone(q.ID)
	if q.Old != nil {
		change += " -> " + q.Old.ID
	}
	return fmt.Sprintf("questions[%d] %q (%s) %s: %s", q.Index, q.Text, q.Type, change, q.Outcome)
}

// lines are what is known of a question, and what to do.
func (q repairedQuestion) lines() []string {
	var lines []string
	if q.Old != nil {
		lines = append(lines, fmt.Sprintf("recognized %s, from %s", matchWords[q.Old.Evidence], sourceWords[q.Old.Source]))
		lines = append(lines, fmt.Sprintf("under %s: %s; under %s: %s", q.Old.ID, upTo(q.Old.Responses), orNone(q.ID), answersOf(q.Answers)))
	} else if q.Code != repair.SharedID {
		lines = append(lines, fmt.Sprintf("under %s: %s", orNone(q.ID), answersOf(q.Answers)))
	}

	for _, other := range q.Others {
		lines = append(lines, "also: "+candidateText(other))
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
func candidateText(c repair.Candidate) string {
	text := fmt.Sprintf("%s, %q, %s", c.ID, c.Text, upTo(c.Responses))
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
