package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/past"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
)

// repairReport shows what a repair would do, or has done.
type repairReport struct {
	// Format is the version of the JSON format.
	Format int            `json:"format"`
	Survey reportedSurvey `json:"survey"`
	// Notes describes the gaps in the survey's known history.
	Notes     []string            `json:"notes"`
	Questions []past.LostQuestion `json:"questions"`
	// Gone contains the IDs of questions that no longer exist.
	Gone []past.Candidate `json:"gone"`
	// Total is the survey's number of questions.
	Total int `json:"total"`
	// Command is a command that resolves the remaining questions. It assigns to each question its first
	// candidate that is not assigned to another question.
	Command string `json:"command,omitempty"`
	// Code contains the configuration edits. If they are not written, Diff shows them.
	Code []pull.Finding `json:"code,omitempty"`
	Diff string         `json:"diff,omitempty"`

	plan past.RepairPlan
}

func newRepairReport(j *repairJob, plan past.RepairPlan) *repairReport {
	r := &repairReport{
		Format: 1, Survey: newReportedSurvey(j.past), Notes: j.past.gaps(), Questions: plan.Questions, Gone: plan.Gone,
		Total: len(j.past.questions), plan: plan,
	}

	assigned := map[string]bool{}
	for _, q := range plan.Questions {
		if q.Outcome == past.Planned {
			assigned[q.Old.ID] = true
		}
	}
	var suggested []string
	for _, q := range plan.Questions {
		first := slices.IndexFunc(q.Choices(), func(c past.Candidate) bool { return !assigned[c.ID] })
		if len(q.Decisions) > 0 && first >= 0 {
			assigned[q.Choices()[first].ID] = true
			suggested = append(suggested, q.Decisions[first])
		}
	}
	if len(suggested) > 0 {
		r.Command = j.command(suggested)
	}
	return r
}

// command returns the command line with the decisions about questions.
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
	if j.given.detachedAnswers {
		words = append(words, "--allow-detached-answers")
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

// countRemaining returns the number of IDs that could not be written to the configuration.
func (r *repairReport) countRemaining() int { return pullReport{Findings: r.Code}.countRemaining() }

// toReport implements result.
func (r *repairReport) toReport() report.Report {
	page := report.Report{
		Title: "Repair of survey " + r.Survey.Name, Summary: r.summary(), Notes: append([]string{r.Survey.sentence()}, r.Notes...), Noun: "section",
	}
	add := func(section report.Section) { page.Sections = append(page.Sections, section) }
	for _, q := range r.Questions {
		add(report.Section{Title: repairTitle(q, r.plan), Notes: repairLines(q, r.plan)})
	}
	if r.Command != "" {
		add(report.Section{Title: "To assign each question the first listed ID that is still free:", Code: r.Command + "\n", Language: "shell"})
	}
	if len(r.Gone) > 0 {
		gone := report.Section{Title: "IDs of questions that no longer exist:"}
		for _, candidate := range r.Gone {
			gone.Notes = append(gone.Notes, candidateText(r.plan, candidate))
		}
		add(gone)
	}
	if len(r.Code) > 0 || r.Diff != "" {
		add(report.Section{Title: "In the configuration:", Table: findingTable(r.Code), Code: r.Diff, Language: "diff"})
	}
	return page
}

// repairTitle names a question and describes what the repair does with it.
func repairTitle(q past.LostQuestion, plan past.RepairPlan) string {
	change := orNone(plan.Short(q.ID))
	if q.Old != nil {
		change += " -> " + plan.Short(q.Old.ID)
	}
	return fmt.Sprintf("questions[%d] %q (%s) %s: %s", q.Index, q.Text, q.Type, change, q.Outcome)
}

// repairLines describes the facts about a question and the next step.
func repairLines(q past.LostQuestion, plan past.RepairPlan) []string {
	var lines []string
	if q.Old != nil {
		lines = append(lines, fmt.Sprintf("%s: %s, from %s; under the old ID %s, under the new ID %s",
			identity.DetachedAnswers, matchWords[q.Old.Evidence], sourceWords[q.Old.Source], q.Old.Responses.Estimate(), q.Answers.Words()))
	} else if q.Code != past.SharedID {
		lines = append(lines, q.Answers.Words())
	}
	for _, candidate := range q.Others {
		lines = append(lines, "also: "+candidateText(plan, candidate))
	}
	if q.Restored != nil {
		lines = append(lines, "the question has "+past.ExactCount(*q.Restored).Words()+" now")
	}
	if q.Reason != "" {
		lines = append(lines, q.Reason)
	}

	for i, decision := range q.Decisions {
		if i == len(q.Decisions)-1 && q.ID != "" {
			lines = append(lines, "--question "+escape.Shell(decision)+" keeps the new ID")
			continue
		}
		lines = append(lines, "--question "+escape.Shell(decision))
	}

	return lines
}

// candidateText formats an ID with the facts about it.
func candidateText(plan past.RepairPlan, c past.Candidate) string {
	text := fmt.Sprintf("%s, %q, %s", plan.Short(c.ID), c.Text, c.Responses.Estimate())
	if words := matchWords[c.Evidence]; words != "" {
		text += " (" + words + ", from " + sourceWords[c.Source] + ")"
	}
	return text
}

// summary counts.
func (r *repairReport) summary() string {
	if len(r.Questions) == 0 {
		return fmt.Sprintf("Nothing to repair: %s.", responses.Count(r.Total, "question"))
	}
	var parts []string
	for _, outcome := range []past.Outcome{past.Planned, past.Done, past.Skipped, past.Failed, past.NotRun, past.Unresolved} {
		if n := r.plan.Count(outcome); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, strings.ReplaceAll(string(outcome), "_", " ")))
		}
	}
	return fmt.Sprintf("%s, of %s.", strings.Join(parts, ", "), responses.Count(r.Total, "question"))
}

// matchWords describes how a question was recognized.
var matchWords = map[past.Match]string{
	past.ByID:           "by its ID",
	past.ByText:         "by text and type",
	past.ByDecision:     "by your decision",
	past.SameText:       "has the same text and type",
	past.OlderText:      "once had this text and type",
	past.SimilarOrPlace: "had a similar text, or its position",
}

// sourceWords describes where an ID was found.
var sourceWords = map[past.Source]string{
	past.FromFeed:     "the activity log",
	past.FromSnapshot: "the snapshot",
	past.FromState:    "the Terraform state",
	past.FromLive:     "the survey",
}
