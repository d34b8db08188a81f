package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/past"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
)

// newHistory returns the command that shows a survey's history.
func newHistory(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "history SURVEY",
		Short: "Show who edited a survey, and what each edit did to answers",
		Long: `Lists the edits of a survey from the activity log, oldest first: who made each edit, when, and what
changed. It shows when the survey was launched and stopped, and what each edit did to the answers of
each question:

    kept      the question kept its ID and its answers
    retyped   the question kept its ID, but its earlier answers are for another type
    detached  the question has a new ID; earlier answers are under the old ID
    restored  the question has an ID again that it had before
    new       the question has no answers yet
    removed   the question was removed, and its answers no longer appear in the survey

SURVEY is a name or an ID. The API key needs the scope activity_log:read. If the survey has detached
answers, the report ends with the command that restores the old IDs.`,
		Example: `  # Find out who detached the answers
  posthog-sync history "Quarterly NPS"`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.history(cmd.Context(), args[0])
		},
	}
}

// history reports a survey's history.
func (p *program) history(ctx context.Context, name string) error {
	history, err := p.readPast(ctx, "", name, pastSources{})
	if err != nil {
		return err
	}
	if history.feedErr != nil {
		return fmt.Errorf("cannot read the history of survey %q: %w", orEmpty(history.survey.Name), feedError(history.feedErr))
	}

	report := newHistoryReport(history)
	report.count(ctx, history)
	if list := history.logView().detachedList(ctx).WithAnswers(); len(list) > 0 {
		report.Detached = append(report.Detached, newDetachedSurvey(history.id(), orEmpty(history.survey.Name), list, repairing{flags: p.environmentFlags("")}))
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return p.print(report)
}

// feedError adds a remedy to an error about an unreadable activity feed.
func feedError(err error) error {
	switch {
	case errors.Is(err, past.ErrNoFeed):
		return errors.New("PostHog does not provide an activity log here")
	case client.IsForbidden(err):
		return fmt.Errorf("%w. To read the activity log, add the scope activity_log:read to the API key", err)
	}
	return err
}

// historyReport is the report of history.
type historyReport struct {
	// Format is the version of the JSON format.
	Format int            `json:"format"`
	Survey reportedSurvey `json:"survey"`
	// Complete is set if the activity log starts with the survey's creation. CutOff explains why the
	// log was not read completely.
	Complete bool         `json:"complete"`
	CutOff   string       `json:"cut_off,omitempty"`
	Events   []past.Event `json:"events"`
	// Detached contains the survey if it has detached answers.
	Detached []detachedSurvey `json:"detached,omitempty"`

	gaps []string
}

// reportedSurvey is the survey in a report.
type reportedSurvey struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Status string `json:"status"`
}

func newReportedSurvey(history *surveyPast) reportedSurvey {
	return reportedSurvey{ID: history.id(), Name: orEmpty(history.survey.Name), Status: history.status()}
}

func newHistoryReport(history *surveyPast) *historyReport {
	r := &historyReport{
		Format: 1, Survey: newReportedSurvey(history), Complete: history.feed.IsComplete,
		Events: past.Events(history.feed, history.timeline), Detached: []detachedSurvey{}, gaps: history.gaps(),
	}
	if history.feed.CutOff != nil {
		r.CutOff = history.feed.CutOff.Error()
	}
	return r
}

// count asks PostHog how many responses were submitted while questions had IDs that have since been
// replaced.
func (r *historyReport) count(ctx context.Context, history *surveyPast) {
	for i := range r.Events {
		for k := range r.Events[i].Questions {
			change := &r.Events[i].Questions[k]
			id := change.OldID
			if change.Effect == past.Removed {
				id = change.ID
			}
			holding, ok := history.timeline.Holding(id)
			if ok && slices.Contains([]past.Effect{past.Cut, past.Removed}, change.Effect) && holding.IsLost() {
				change.Responses = new(history.counter.Responses(ctx, holding))
			}
		}
	}
}

// toReport implements result.
func (r *historyReport) toReport() report.Report {
	page := report.Report{Title: "History of survey " + r.Survey.Name, Summary: r.summary(), Notes: append([]string{r.Survey.sentence()}, r.gaps...), Noun: "edit"}
	for _, event := range r.Events {
		table := report.Table{Columns: []string{"answers", "question"}, Line: "%-8s  %s"}
		for _, change := range event.Questions {
			table.Add(string(change.Effect), changeWords(change))
		}
		page.Sections = append(page.Sections, report.Section{Title: eventTitle(event), Table: table})
	}
	page.Sections = append(page.Sections, detachedSections(r.Detached)...)
	return page
}

// sentence describes the survey in a sentence.
func (s reportedSurvey) sentence() string {
	return fmt.Sprintf("Survey %q (%s), %s", s.Name, s.ID, s.Status)
}

func (r *historyReport) summary() string {
	answers := "no detached answers"
	if len(r.Detached) > 0 {
		answers = detachedSummary(r.Detached[0].list)
	}
	return fmt.Sprintf("%s, %s.", responses.Count(len(r.Events), "event"), answers)
}

// eventTitle returns the time, the author, and the type of an event.
func eventTitle(e past.Event) string {
	if e.At.IsZero() {
		return joinSteps(e)
	}
	return fmt.Sprintf("%s %s: %s", e.At.UTC().Format(time.RFC3339), cmp.Or(e.By, "someone"), joinSteps(e))
}

// joinSteps describes the steps and fields of an event.
func joinSteps(e past.Event) string {
	steps := make([]string, len(e.Steps))
	for i, step := range e.Steps {
		steps[i] = string(step)
	}
	title := strings.Join(steps, ", ")
	if len(e.Fields) > 0 {
		title += " (" + strings.Join(e.Fields, ", ") + ")"
	}
	return title
}

// changeWords describes what happened to a question.
func changeWords(c past.Change) string {
	place := fmt.Sprintf("questions[%d] %q (%s)", max(c.To, 0), c.Text, c.Type)
	if c.To < 0 {
		place = fmt.Sprintf("questions[%d] %q (%s)", c.From, c.Text, c.Type)
	}
	var more []string
	if c.From >= 0 && c.To >= 0 && c.From != c.To {
		more = append(more, fmt.Sprintf("moved from questions[%d]", c.From))
	}
	if c.OldText != "" && c.OldText != c.Text {
		more = append(more, fmt.Sprintf("reworded from %q", c.OldText))
	} else if c.IsEdited {
		more = append(more, "edited")
	}

	switch c.Effect {
	case past.Retyped:
		more = append(more, "was of type "+c.OldType)
	case past.Cut:
		more = append(more, fmt.Sprintf(identity.DetachedAnswers+": ID %s instead of %s (%s)", orNone(c.ID), orNone(c.OldID), matchWords[c.Match]))
	case past.Restored:
		more = append(more, fmt.Sprintf("ID %s again, instead of %s", orNone(c.ID), orNone(c.OldID)))
	case past.New:
		more = append(more, "ID "+orNone(c.ID))
	case past.Removed:
		more = append(more, "had ID "+orNone(c.ID))
	case past.Kept:
	}
	if c.Responses != nil {
		more = append(more, "under the old ID: "+c.Responses.Estimate())
	}
	if len(more) == 0 {
		return place
	}
	return place + ": " + strings.Join(more, ", ")
}

func orNone(id string) string { return cmp.Or(id, "(none)") }
