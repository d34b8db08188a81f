package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/tfplan"
)

// syncFlags are the flags of sync.
type syncFlags struct {
	dryRun, yes, rehearse bool
	match                 reconcile.MatchBy
	keepSchedule          bool
	allowDelete           reconcile.Deletion
	archive               bool
	allowDetachedAnswers  bool
	maxDeletes            int
	states                []string
	maps                  reconcile.References
}

// newSync returns the command that makes one source equal to another.
func newSync(p *program) *cobra.Command {
	f := syncFlags{maxDeletes: 5}
	cmd := &cobra.Command{
		Use:   "sync A B",
		Short: "Make a live project match another source",
		Long: `Changes the surveys and import apps of B to match A. A is live:NAME or file:PATH (a snapshot, or a
YAML file of surveys). B is live:NAME. Objects that exist only in B stay unchanged.

Objects are matched by name within their kind. New surveys are created as drafts. Existing surveys
keep their dates, and stay archived or not, unless A is YAML. Questions in B keep their IDs, so their
answers stay attached. Feature flags are matched by key: if B lacks a flag, the command fails before
it writes anything.

YAML files use the attributes of the provider. An omitted attribute has its default: a survey that
was archived in PostHog is unarchived unless the file contains archived: true. status launches and
stops a survey, and if it is omitted, nothing is launched or stopped. Feature flags are IDs of flags
in B. Without the scope feature_flag:read, only PostHog can detect that a flag does not exist.

Guards:
  - An update that would remove a question of a survey with responses needs --allow-detached-answers.
  - An update that would unlink a targeting flag, which PostHog then deletes, needs --allow-delete.
  - The command lists the actions and asks for confirmation. Without a terminal, it changes nothing
    unless --yes is set.
  - Before each write, the object is read again. It is skipped if it changed after the list was
    made, or if the write would detach responses that arrived since.

You can run an interrupted sync again to continue it. A refused action does not stop the others.

Exit codes:

    0    done, or nothing to do
    1    an action failed
    2    actions were proposed but not carried out, or skipped, or answers stay detached
    3    a guard refused an action; the report shows the flag that allows it
    130  interrupted`,
		Example: `  # Preview what a promotion to production would change
  posthog-sync sync live:staging live:production --dry-run

  # Rehearse it twice on a copy of production in memory
  posthog-sync sync live:staging live:production --rehearse

  # Carry it out in CI
  posthog-sync sync live:staging live:production --yes --select 'Spring*'

  # Comment on a pull request that changes surveys without Terraform
  posthog-sync sync file:surveys.yaml live --dry-run --format markdown

  # Restore a snapshot, including names and dates
  posthog-sync sync file:before.json live --match id --keep-schedule`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.sync(cmd.Context(), args[0], args[1], f)
		},
	}
	f.add(cmd)
	return cmd
}

// add defines the flags.
func (f *syncFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.dryRun, "dry-run", false, "list the actions without carrying them out")
	flags.BoolVar(&f.yes, "yes", false, "don't ask for confirmation")
	flags.BoolVar(&f.rehearse, "rehearse", false, "carry out the actions twice on a copy of B in memory, without changing B")
	flags.Var(newChoice(&f.match, reconcile.ByName, reconcile.ByName, reconcile.ByID), "match", "match by name, or by id if both sources belong to one project")
	flags.BoolVar(&f.keepSchedule, "keep-schedule", false, "copy start and end dates and the archived state: launches, stops, and resumes surveys as in A")
	flags.Var(newChoice(&f.allowDelete, reconcile.KeepExtra, reconcile.DeleteUnanswered, reconcile.DeleteWithResponses), "allow-delete",
		"delete objects that A lacks, except surveys with responses; with-responses also deletes those")
	flags.Lookup("allow-delete").NoOptDefVal = string(reconcile.DeleteUnanswered)
	flags.BoolVar(&f.archive, "archive", false, "archive surveys that A lacks instead of deleting them")
	flags.BoolVar(&f.allowDetachedAnswers, "allow-detached-answers", false, "remove questions that A lacks, even from surveys with responses")
	flags.IntVar(&f.maxDeletes, "max-deletes", f.maxDeletes, "maximum number of objects to delete or archive")
	flags.StringArrayVar(&f.states, "state", nil, "directory with a Terraform state whose objects are not changed (repeatable)")
	flags.Var(&f.maps.Flags, "map-flag", "feature flag of A and its counterpart in B, as KEY=KEY (repeatable)")
	flags.Var(&f.maps.Actions, "map-action", "action of A and its counterpart in B, as NAME=ID, or ID=ID if it has no name (repeatable)")
	flags.Var(&f.maps.Cohorts, "map-cohort", "cohort of A and its counterpart in B, as ID=ID (repeatable)")
	excludeEachOther(cmd, "dry-run", "rehearse", "yes")
}

// sync makes B equal to A.
func (p *program) sync(ctx context.Context, nameA, nameB string, f syncFlags) error {
	job, err := p.newSyncJob(nameA, nameB, f)
	if err != nil {
		return err
	}
	if err := job.load(ctx); err != nil {
		return err
	}
	if err := job.lookUpAnswers(ctx); err != nil {
		return err
	}
	plan, err := job.plan(ctx, job.current)
	if err != nil {
		return err
	}

	detached, err := job.detachedSurveys(ctx, &plan)
	if err != nil {
		return err
	}

	returned, err := job.returnedSurveys(ctx, plan)
	if err != nil {
		return err
	}

	proposed := newSyncReport(job.a, job.b, plan, detached, returned)
	if proposed.effects, err = job.effects(ctx, plan); err != nil {
		return err
	}
	switch {
	case f.rehearse:
		return job.rehearse(ctx)
	case plan.Count(reconcile.Planned) == 0 || f.dryRun:
		return p.finish(proposed, nil)
	case !f.yes:
		if sure, err := p.approve(ctx, proposed); !sure {
			return err
		}
	}

	task := p.progress.Task("actions")
	task.SetTotal(int64(len(plan.Actions)))
	job.syncTarget(job.live).Run(ctx, &plan, func() { task.Add(1) })
	return p.finish(newSyncReport(job.a, job.b, plan, detached, returned), ctx.Err())
}

// approve shows the plan on a terminal and asks whether to execute it. Without a terminal, it prints the
// plan as its result.
func (p *program) approve(ctx context.Context, report syncReport) (bool, error) {
	if !p.interactive {
		return false, p.finish(report, nil)
	}
	p.progress.Close()
	if err := writeText(p.stderr, report); err != nil {
		return false, err
	}
	if !p.confirm(ctx, fmt.Sprintf("Carry out %s on %s?", responses.Count(report.count(reconcile.Planned), "action"), report.B)) {
		return false, p.finish(report, ctx.Err())
	}
	return true, nil
}

// finish prints a report and returns the error for the worst result.
func (p *program) finish(report syncReport, interrupted error) error {
	if err := p.print(report); err != nil {
		return err
	}
	if interrupted != nil {
		return interrupted
	}

	number := report.count
	switch {
	case number(reconcile.Failed) > 0:
		return errors.New(responses.Count(number(reconcile.Failed), "action") + " failed: see the report")
	case number(reconcile.Refused) > 0:
		return &refusedError{responses.Count(number(reconcile.Refused), "action") + " refused: see the report"}
	case number(reconcile.Planned) > 0:
		return &differencesError{responses.Count(number(reconcile.Planned), "action") + " planned, none carried out. To carry them out, use --yes"}
	case number(reconcile.Skipped, reconcile.NotRun) > 0:
		return &differencesError{responses.Count(number(reconcile.Skipped, reconcile.NotRun), "action") + " not carried out: see the report"}
	}
	return detachedError(report.Detached)
}

// syncJob is one run of sync.
type syncJob struct {
	*program
	given syncFlags
	a, b  source.Source
	// live is the live source B, and selected is the selection of objects to sync.
	live     *live
	selected selection
	// desired contains the objects of A, and current contains the objects of B.
	desired, current []source.Object
	options          reconcile.Options
	// counter counts the responses of B's surveys.
	counter *responses.Counter
	// answers finds detached answers in B. It is nil if B does not have a project.
	answers *comparedAnswers
}

// newSyncJob checks the sources. It sends no requests.
func (p *program) newSyncJob(nameA, nameB string, f syncFlags) (*syncJob, error) {
	job := &syncJob{program: p, given: f}
	var err error
	if job.a, err = source.Parse(nameA); err != nil {
		return nil, err
	}
	if job.b, err = source.Parse(nameB); err != nil {
		return nil, err
	}
	if job.a.Form != source.Live && job.a.Form != source.File {
		return nil, fmt.Errorf("sync cannot copy %s to a live project. Set the first argument to live:NAME or file:PATH. To apply configuration, use Terraform", job.a)
	}
	if job.b.Form != source.Live {
		return nil, fmt.Errorf("sync can write only to a live project. Set the second argument to live or live:NAME, not %s", job.b)
	}
	if f.maxDeletes < 0 {
		return nil, fmt.Errorf("--max-deletes is %d, but must be 0 or more", f.maxDeletes)
	}
	return job, nil
}

// plan plans the actions that make the current objects equal to A's objects.
func (j *syncJob) plan(ctx context.Context, current []source.Object) (reconcile.Plan, error) {
	plan, err := reconcile.NewPlan(ctx, j.desired, current, j.options)
	if err != nil {
		return plan, err
	}

	j.countDetachedAnswers(ctx, &plan)
	return plan, ctx.Err()
}

// effects describes how a plan changes surveys for respondents, with the same wording as review. It
// returns nil if the report's format is not a page.
func (j *syncJob) effects(ctx context.Context, plan reconcile.Plan) ([]review.SurveyChange, error) {
	if !j.given.dryRun || j.flags.format != formatMarkdown {
		return nil, nil
	}
	var changes []tfplan.Change
	counts := map[string]responses.Number{}
	for _, action := range plan.Actions {
		if action.Effect.Before == nil && action.Effect.After == nil {
			continue
		}
		changes = append(changes, action.Effect)
		if action.Effect.Before != nil {
			counts[action.ID] = j.options.Responses(ctx, action.ID)
		}
	}
	return review.Plan(changes, counts)
}

// countDetachedAnswers sets the response counts of surveys that a plan deletes, or from which it removes
// questions.
func (j *syncJob) countDetachedAnswers(ctx context.Context, plan *reconcile.Plan) {
	for i := range plan.Actions {
		action := &plan.Actions[i]
		isDeleted := action.Verb == reconcile.Delete && action.Kind == source.Survey
		if isDeleted || len(action.Dropped) > 0 {
			action.Count(j.options.Responses(ctx, action.ID))
		}
	}
}
