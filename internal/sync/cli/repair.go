package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/past"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
)

// repairFlags are the flags of repair.
type repairFlags struct {
	dryRun, yes, detachedAnswers bool
	sources                      pastSources
	decisions                    []string
	writeIDs                     string
}

// newRepair returns the command that restores question IDs.
func newRepair(p *program) *cobra.Command {
	var f repairFlags
	cmd := &cobra.Command{
		Use:   "repair [SURVEY]",
		Short: "Restore question IDs that a save replaced",
		Long: `If someone saves SURVEY without question IDs, PostHog assigns new ones, and earlier answers stay
detached under the old IDs. This command finds the old IDs and writes them back. It changes nothing
else, and a second run does nothing. SURVEY is a name or an ID. Without SURVEY, --dry-run lists all
surveys with detached answers.

Old IDs come from:
  - the activity log (the API key needs the scope activity_log:read)
  - a snapshot (--snapshot)
  - a Terraform state (--state)

An ID is restored automatically only if the activity log contains the save that replaced it, and only
one question can match. Other questions are listed, with the --question flag that decides each one. A
question never receives the ID of a question of another type, and no two questions receive the same
ID. A --question flag that would move answers to another current question is refused without
--allow-detached-answers.

If a question has answers under its new ID, restoring the old ID detaches them. The report shows both
counts, and the question stays unchanged until you decide: use --question for one question, or
--allow-detached-answers for all.

If the state of the working directory, --state, or --write-ids manages the survey, the report shows
whether its next plan keeps the restored IDs. If it does not, because neither the state nor an
activity log contains them, add --write-ids to write them into your configuration.

Before writing, the command reads the survey again. If the questions changed, it writes nothing.

Exit codes:

    0    done, or nothing to repair
    1    error
    2    IDs were proposed but not written, or need your decision
    3    a decision was refused
    130  interrupted`,
		Example: `  # List all surveys with detached answers
  posthog-sync repair --dry-run

  # Show which IDs were replaced, and how many answers each ID has
  posthog-sync repair "Quarterly NPS" --dry-run

  # Restore them
  posthog-sync repair "Quarterly NPS" --yes

  # Without access to the activity log
  posthog-sync repair "Quarterly NPS" --snapshot before.json

  # Decide one question
  posthog-sync repair "Quarterly NPS" --yes --question 0b5f3b1e-5c1f-4e42-9a35-6a2f9d1c7e10=why

  # Write the IDs into the configuration as well
  posthog-sync repair "Quarterly NPS" --yes --state . --write-ids .`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 1:
				return p.repair(cmd.Context(), args[0], f)
			case f.dryRun:
				return p.listDetachedSurveys(cmd.Context())
			}
			return errors.New("repair requires a survey. To list all surveys with detached answers, use --dry-run")
		},
	}
	f.add(cmd)
	return cmd
}

// add defines the flags.
func (f *repairFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.dryRun, "dry-run", false, "show what would be written, and write nothing")
	flags.BoolVar(&f.yes, "yes", false, "don't ask for confirmation")
	flags.StringVar(&f.sources.snapshot, "snapshot", "", "snapshot that contains the survey with its old IDs")
	flags.StringVar(&f.sources.state, "state", "", "directory whose Terraform state manages the survey")
	flags.StringArrayVar(&f.decisions, "question", nil, "restore one ID, as NEWID=OLDID or questions[N]=OLDID; NEWID=NEWID keeps the new one; the first 8 characters of an ID are enough (repeatable)")
	flags.BoolVar(&f.detachedAnswers, "allow-detached-answers", false, "allow detaching answers under a new ID if the old ID has more, or an unknown number; allow --question to move answers to another question")
	flags.StringVar(&f.writeIDs, "write-ids", "", "directory whose configuration the IDs are also written to")
	excludeEachOther(cmd, "dry-run", "yes")
}

// options converts the flags to options.
func (f *repairFlags) options() (past.RepairOptions, error) {
	options := past.RepairOptions{DetachedAnswers: f.detachedAnswers}
	for _, text := range f.decisions {
		question, id, ok := strings.Cut(text, "=")
		if !ok || question == "" || id == "" {
			return options, fmt.Errorf("--question %q is invalid. Use NEWID=OLDID, where NEWID is the current ID of the question and OLDID is the ID to restore", text)
		}
		options.Decisions = append(options.Decisions, past.Decision{Question: question, ID: id})
	}
	return options, nil
}

// repair restores a survey's question IDs.
func (p *program) repair(ctx context.Context, name string, f repairFlags) error {
	options, err := f.options()
	if err != nil {
		return err
	}
	job, err := p.newRepairJob(ctx, name, f)
	if err != nil {
		return err
	}
	plan, err := job.plan(ctx, options)
	if err != nil {
		return err
	}

	refused := job.checkState(plan)
	switch {
	case f.dryRun || refused != nil:
	case f.yes:
		past.Repair(ctx, job.past.surveys, job.past.counter, &plan)
	case p.interactive && plan.Count(past.Planned) > 0:
		if err := job.ask(ctx, &plan); err != nil {
			return err
		}
	}
	err = job.finish(ctx, plan)
	if refused != nil && ctx.Err() == nil {
		return refused
	}
	return err
}

// repairJob is one run of repair.
type repairJob struct {
	*program
	given repairFlags
	past  *surveyPast
	// dir is the directory whose state manages the survey, and planned is its plan. dir is empty if there
	// is no such directory.
	dir     string
	planned plannedDirectory
	// unread explains why the state of the working directory cannot be read.
	unread error
}

// newRepairJob reads everything that a repair plan requires. If a read fails, repair writes nothing.
func (p *program) newRepairJob(ctx context.Context, name string, f repairFlags) (*repairJob, error) {
	history, err := p.readPast(ctx, "", name, f.sources)
	if err != nil {
		return nil, err
	}
	if history.feedErr != nil && f.sources == (pastSources{}) {
		return nil, fmt.Errorf("cannot find the old question IDs of survey %q: %w. Or set --snapshot to a snapshot, or --state to the directory with your configuration",
			orEmpty(history.survey.Name), feedError(history.feedErr))
	}

	job := &repairJob{program: p, given: f, past: history}
	if f.writeIDs == "" && f.sources.state == "" {
		return job, job.findState(ctx)
	}
	job.dir = cmp.Or(f.writeIDs, f.sources.state)
	planned, ok := history.directories[job.dir]
	if !ok {
		if planned, err = p.planDirectory(ctx, history.Environment, job.dir, planning{}); err != nil {
			return nil, err
		}
	}
	if _, ok := planned.survey(history.id()); !ok {
		return nil, fmt.Errorf("--write-ids: no resource in %s manages survey %q", job.dir, orEmpty(history.survey.Name))
	}
	job.planned = planned
	return job, nil
}

// findState plans the working directory if its state manages the survey. If the state cannot be read, the
// repair continues.
func (j *repairJob) findState(ctx context.Context) error {
	dir, err := j.getwd()
	if err != nil || !hasState(dir) {
		return ctx.Err()
	}
	managed, err := j.managedKeys(ctx, j.past.Environment, "", dir)
	key := code.Key{Type: code.SurveyType, ImportID: j.past.ProjectID + "/" + j.past.id()}
	if err == nil && managed[key] {
		j.planned, err = j.planDirectory(ctx, j.past.Environment, dir, planning{})
	}
	if _, ok := j.planned.survey(j.past.id()); ok && err == nil {
		j.dir = "."
	}
	j.unread = err
	return ctx.Err()
}

// checkState returns an error if the next plan would replace the restored IDs again. This happens if the
// state that manages the survey does not contain these IDs, and the provider cannot see in the activity
// log that they were restored.
func (j *repairJob) checkState(plan past.RepairPlan) error {
	r, ok := j.planned.survey(j.past.id())
	if !ok || j.given.writeIDs != "" || j.past.feedErr == nil {
		return nil
	}
	remembered, err := r.QuestionHistory()
	if err != nil {
		return nil //nolint:nilerr // it says nothing then
	}
	for _, q := range plan.Questions {
		isKnown := q.Outcome != past.Planned || r.Plans(q.Old.ID) || remembered.Has(q.Old.ID)
		if !isKnown {
			return &refusedError{fmt.Sprintf("%s in %s manages the survey, but its state does not contain the ID %s, so the next apply would remove the ID again. "+
				"Also write the IDs into the configuration, with --write-ids %s", r.Address, j.dir, q.Old.ID, escape.Shell(j.dir))}
		}
	}
	return nil
}

// nextPlan describes the managing directory's next plan. taken contains the IDs that this plan would
// replace again.
func (j *repairJob) nextPlan(ctx context.Context, plan past.RepairPlan) (note string, taken []string) {
	r, ok := j.planned.survey(j.past.id())
	switch {
	case j.unread != nil:
		return fmt.Sprintf("Could not read the state of the working directory, so it is unknown whether it manages the survey: %s", plainError(j.unread)), nil
	case !ok:
		return "", nil
	case plan.Count(past.Done) == 0:
		return fmt.Sprintf("%s in %s manages the survey.", r.Address, j.dir), nil
	}

	dir := j.dir
	if dir == "." {
		dir, _ = j.getwd() // the working directory's state manages the survey
	}
	planned, err := j.planDirectory(ctx, j.past.Environment, dir, planning{})
	if err != nil {
		return fmt.Sprintf("%s in %s manages the survey, and its next plan failed: %s", r.Address, j.dir, plainError(err)), nil
	}
	if r, ok = planned.survey(j.past.id()); !ok {
		return "", nil
	}
	for _, q := range plan.Questions {
		if q.Outcome == past.Done && !r.Plans(q.Old.ID) {
			taken = append(taken, q.Old.ID)
		}
	}
	for _, id := range plan.Kept {
		if !r.Plans(id) {
			taken = append(taken, id)
		}
	}
	if len(taken) > 0 {
		return fmt.Sprintf("%s in %s manages the survey, and its next apply removes %s again. To prevent this, write the IDs into the configuration with --write-ids %s",
			r.Address, j.dir, strings.Join(taken, ", "), escape.Shell(j.dir)), taken
	}
	return fmt.Sprintf("%s in %s manages the survey, and its next plan keeps the IDs.", r.Address, j.dir), nil
}

func (j *repairJob) plan(ctx context.Context, options past.RepairOptions) (past.RepairPlan, error) {
	plan, err := past.PlanRepair(ctx, j.past.id(), j.past.questions, j.past.timeline, j.past.counter, options)
	if err != nil && ctx.Err() == nil {
		return plan, &refusedError{"--question: " + err.Error()}
	}
	return plan, err
}

// finish writes the IDs to the configuration, prints the report, and returns the error for the worst
// result.
func (j *repairJob) finish(ctx context.Context, plan past.RepairPlan) error {
	report := newRepairReport(j, plan)
	codeErr := j.writeCode(report, plan)
	note, lostIDs := j.nextPlan(ctx, plan)
	if note != "" {
		report.Notes = append(report.Notes, note)
	}
	if err := j.print(report); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}

	number := plan.Count
	switch {
	case number(past.Failed) > 0:
		return errors.New(responses.Count(number(past.Failed), "question") + " could not be repaired: see the report")
	case codeErr != nil:
		return fmt.Errorf("could not write the IDs into the configuration: %w", codeErr)
	case number(past.Planned) > 0:
		return &differencesError{responses.Count(number(past.Planned), "ID") + " planned, none written. To write them, use --yes"}
	case number(past.Skipped, past.NotRun) > 0:
		return &differencesError{responses.Count(number(past.Skipped, past.NotRun), "question") + " not repaired: see the report"}
	case number(past.Unresolved) > 0:
		return &differencesError{responses.Count(number(past.Unresolved), "question") + " left for you to decide: see the report"}
	case len(lostIDs) > 0:
		return &differencesError{"the next apply would remove IDs again: see the report"}
	case report.Diff != "":
		return &differencesError{"IDs for the configuration planned, none written. To write them, use --yes"}
	case report.countRemaining() > 0:
		return &differencesError{responses.Count(report.countRemaining(), "ID") + " could not be written into the configuration: see the report"}
	}
	return nil
}

// ask shows the plan on the terminal, and executes it if the user confirms it.
func (j *repairJob) ask(ctx context.Context, plan *past.RepairPlan) error {
	j.progress.Close()
	if err := writeText(j.stderr, newRepairReport(j, *plan)); err != nil {
		return err
	}
	if j.confirm(ctx, fmt.Sprintf("Restore %s of survey %q?", responses.Count(plan.Count(past.Planned), "ID"), orEmpty(j.past.survey.Name))) {
		past.Repair(ctx, j.past.surveys, j.past.counter, plan)
	}
	return nil
}

// writeCode writes the question IDs to the configuration in the --write-ids directory. Until the user
// confirms the repair, it only reports the diff.
func (j *repairJob) writeCode(report *repairReport, plan past.RepairPlan) error {
	resource, ok := j.planned.survey(j.past.id())
	ok = ok && j.given.writeIDs != ""
	isFailed := plan.Count(past.Failed, past.Skipped, past.NotRun) > 0
	if !ok || isFailed {
		return nil
	}
	changes, findings, err := pull.StateIDs(j.given.writeIDs, j.planned.plan.Config, resource, plan.NewIDs(j.past.timeline))
	if err != nil {
		return err
	}

	report.Code = newPullReport(j.given.writeIDs, changes, findings).Findings
	if j.given.yes || plan.Count(past.Done) > 0 {
		return writeChanges(j.given.writeIDs, changes)
	}
	report.Diff = unifiedDiff(changes)
	return nil
}
