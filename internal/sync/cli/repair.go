package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/repair"
)

// repairFlags are the flags of repair.
type repairFlags struct {
	dryRun, yes, cutAnswers bool
	sources                 pastSources
	decisions               []string
	writeIDs                string
}

// newRepair returns the verb that gives questions the ids back that they lost.
func newRepair(p *program) *cobra.Command {
	var f repairFlags
	cmd := &cobra.Command{
		Use:   "repair SURVEY",
		Short: "Give questions the ids back under which their answers are",
		Long: `Find the questions of SURVEY, a name or an id, that lost their ids, as when somebody saved
them without: their answers are under the old ids. Write those back.

The old ids come from the activity log (scope activity_log:read), from a snapshot, and from
what the Terraform state of a directory remembers. An old id is written back when the
activity log shows the save that cut it off, and nothing but that question can be meant:
it has the type and text of no other one, or the save changed nothing but ids. Everything
else is listed, with the flag that decides it: --question, or a question at a terminal.
A question never gets the id of one of another type, and no two questions get one id.

A question that has answers under its new id loses those: both numbers are listed, and it
is left until you decide, by --question or for all by --allow-cut-answers.

Right before the write the survey is read again. If its questions were changed since they
were listed, nothing is written. Nothing but ids is changed, and a second run does nothing.

Exit codes: 0 done, or nothing to repair; 1 error; 2 an id was proposed and not written, or
is yours to decide; 3 a decision was refused.`,
		Example: `  # Which questions lost their ids, and how many answers are where?
  posthog-sync repair "Quarterly NPS" --dry-run

  # Give them back
  posthog-sync repair "Quarterly NPS" --yes

  # Without access to the activity log, from a snapshot of better days
  posthog-sync repair "Quarterly NPS" --snapshot before.json

  # Decide for a question that was reworded in the same save
  posthog-sync repair "Quarterly NPS" --yes --question 0b5f3b1e-5c1f-4e42-9a35-6a2f9d1c7e10=why

  # Write the ids into the code as well
  posthog-sync repair "Quarterly NPS" --yes --state . --write-ids .`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.repair(cmd.Context(), args[0], f)
		},
	}
	f.add(cmd)
	return cmd
}

// add defines the flags.
func (f *repairFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.dryRun, "dry-run", false, "list what would be done, and write nothing")
	flags.BoolVar(&f.yes, "yes", false, "do not ask")
	flags.StringVar(&f.sources.snapshot, "snapshot", "", "snapshot that has the survey as it was")
	flags.StringVar(&f.sources.state, "state", "", "directory whose Terraform state manages the survey")
	flags.StringArrayVar(&f.decisions, "question", nil, "NEWID=OLDID: give a question, or questions[N], an id that one had; NEWID=NEWID leaves it; may be repeated")
	flags.BoolVar(&f.cutAnswers, "allow-cut-answers", false, "give up answers under a new id where there are more, or an unknown number, under the old one")
	flags.StringVar(&f.writeIDs, "write-ids", "", "directory whose code gets the ids, too")
	cmd.MarkFlagsMutuallyExclusive("dry-run", "yes")
}

// options are what the flags allow and decide.
func (f *repairFlags) options() (repair.Options, error) {
	options := repair.Options{CutAnswers: f.cutAnswers}
	for _, text := range f.decisions {
		question, id, ok := strings.Cut(text, "=")
		if !ok || question == "" || id == "" {
			return options, fmt.Errorf("--question %q: write NEWID=OLDID, the id that the question has and the one that it gets", text)
		}
		options.Decisions = append(options.Decisions, repair.Decision{Question: question, ID: id})
	}
	return options, nil
}

// repair gives the questions of a survey their ids back.
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

	switch {
	case f.dryRun:
	case f.yes:
		repair.Run(ctx, job.past.surveys, job.past.counter, &plan)
	case p.interactive:
		if plan, err = job.ask(ctx, plan, options); err != nil {
			return err
		}
	}
	return job.finish(ctx, plan)
}

// repairJob is one run of repair.
type repairJob struct {
	*program
	given repairFlags
	past  *surveyPast
	// code is the directory that gets ids; zero for none.
	code plannedDirectory
}

// newRepairJob reads everything that a repair is planned from. Nothing is written when any of it
// cannot be read.
func (p *program) newRepairJob(ctx context.Context, name string, f repairFlags) (*repairJob, error) {
	past, err := p.readPast(ctx, name, f.sources)
	if err != nil {
		return nil, err
	}
	if past.feedErr != nil && f.sources == (pastSources{}) {
		return nil, fmt.Errorf("cannot tell which ids the questions of survey %q had: %w; or name a snapshot with --snapshot, or the directory of the code with --state",
			orEmpty(past.survey.Name), feedError(past.feedErr))
	}

	job := &repairJob{program: p, given: f, past: past}
	if f.writeIDs == "" {
		return job, nil
	}
	planned, ok := past.directories[f.writeIDs]
	if !ok {
		if planned, err = p.planDirectory(ctx, past.Environment, f.writeIDs); err != nil {
			return nil, err
		}
	}
	if _, ok := planned.survey(past.id()); !ok {
		return nil, fmt.Errorf("--write-ids: no resource of %s manages survey %q", f.writeIDs, orEmpty(past.survey.Name))
	}
	job.code = planned
	return job, nil
}

func (j *repairJob) plan(ctx context.Context, options repair.Options) (repair.Plan, error) {
	plan, err := repair.NewPlan(ctx, j.past.id(), j.past.questions, j.past.timeline, j.past.counter, options)
	return plan, wordedDecisionError(err)
}

// finish writes the ids into the code, prints the report and returns the error for the worst of
// its outcomes.
func (j *repairJob) finish(ctx context.Context, plan repair.Plan) error {
	report := newRepairReport(j, plan)
	codeErr := j.writeCode(report, plan)
	if err := j.print(report); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}

	number := plan.Count
	switch {
	case number(repair.Failed) > 0:
		return errors.New(count(number(repair.Failed), "question") + " could not be repaired: see the report")
	case codeErr != nil:
		return fmt.Errorf("the ids could not be written into the code: %w", codeErr)
	case number(repair.Planned) > 0:
		return &differencesError{count(number(repair.Planned), "id") + " proposed, and nothing was written: --yes writes them"}
	case number(repair.Skipped, repair.NotRun) > 0:
		return &differencesError{count(number(repair.Skipped, repair.NotRun), "question") + " not repaired: see the report"}
	case number(repair.Unresolved) > 0:
		return &differencesError{count(number(repair.Unresolved), "question") + " left for you to decide: see the report"}
	case report.Diff != "":
		return &differencesError{"ids for the code proposed, and nothing was written: --yes writes them"}
	case report.left() > 0:
		return &differencesError{count(report.left(), "id") + " could not be written into the code: see the report"}
	}
	return nil
}
