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

// newSync returns the verb that makes one source like another.
func newSync(p *program) *cobra.Command {
	f := syncFlags{maxDeletes: 5}
	cmd := &cobra.Command{
		Use:   "sync A B",
		Short: "Make a live project like another source",
		Long: `Make the surveys and import apps of B like those of A. A is live:NAME or file:PATH, a
snapshot or surveys that people write as YAML (.yaml, .yml); B is live:NAME.

Objects are matched by name within their kind. New surveys are drafts, and existing ones keep
their dates and whether they are archived, unless A is YAML. Questions of B keep their ids, so
responses stay attached; an update that would drop a question of a survey with responses is
refused without --allow-detached-answers, and one that takes off a targeting flag, which the service
deletes, without --allow-delete. Feature flags are found in B by their keys; a flag that B
lacks is an error before anything is written. What only B has is left alone.

YAML has the attributes of the provider. One that is left out has its default: a survey that was
archived by hand leaves the archive, unless the file has archived: true. status launches and stops
a survey, and changes nothing where it is left out. Feature flags are those of B, by id; without the
scope feature_flag:read the service alone knows which it lacks.

Actions are listed and, at a terminal, confirmed first; without a terminal nothing is done unless
--yes is given. Right before each write the object is read again: one that was changed since it
was listed is skipped, and so is a survey that got its first responses since and would lose them.
An interrupted run continues when it is started again.

Exit codes: 0 done, or nothing to do; 1 an action failed; 2 an action was proposed and
not done, or skipped, or answers stay detached; 3 a guard refused an action, and the report names the flag that
allows it. The other actions are still carried out.`,
		Example: `  # What would a promotion to production do?
  posthog-sync sync live:staging live:production --dry-run

  # Try it twice on a copy of production in memory
  posthog-sync sync live:staging live:production --rehearse

  # Do it, in CI
  posthog-sync sync live:staging live:production --yes --select 'Spring*'

  # What surveys without Terraform would do, as a comment for a pull request
  posthog-sync sync file:surveys.yaml live --dry-run --format markdown

  # Go back to a snapshot, names and dates included
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
	flags.BoolVar(&f.dryRun, "dry-run", false, "list the actions, and do nothing")
	flags.BoolVar(&f.yes, "yes", false, "do not ask")
	flags.BoolVar(&f.rehearse, "rehearse", false, "carry the actions out twice on a copy of B in memory, and nothing on B")
	flags.Var(newChoice(&f.match, reconcile.ByName, reconcile.ByName, reconcile.ByID), "match", "name, or id for two sources of one project")
	flags.BoolVar(&f.keepSchedule, "keep-schedule", false, "copy start and end dates, and what is archived: launches, stops and resumes surveys as in A")
	flags.Var(newChoice(&f.allowDelete, reconcile.KeepExtra, reconcile.DeleteUnanswered, reconcile.DeleteWithResponses), "allow-delete",
		"delete what A lacks, except surveys with responses; with-responses deletes those too")
	flags.Lookup("allow-delete").NoOptDefVal = string(reconcile.DeleteUnanswered)
	flags.BoolVar(&f.archive, "archive", false, "archive surveys that A lacks instead of deleting them")
	flags.BoolVar(&f.allowDetachedAnswers, "allow-detached-answers", false, "drop questions that A lacks, even of surveys with responses")
	flags.IntVar(&f.maxDeletes, "max-deletes", f.maxDeletes, "how many objects may be deleted or archived")
	flags.StringArrayVar(&f.states, "state", nil, "directory with a Terraform state; what it manages is not changed; may be repeated")
	flags.Var(&f.maps.Flags, "map-flag", "feature flag of B that stands for one of A, as KEY=KEY; may be repeated")
	flags.Var(&f.maps.Actions, "map-action", "action of B that stands for one of A, as NAME=ID (ID=ID for one without a name); may be repeated")
	flags.Var(&f.maps.Cohorts, "map-cohort", "cohort of B that stands for one of A, as ID=ID; may be repeated")
	excludeEachOther(cmd, "dry-run", "rehearse", "yes")
}

// sync makes B like A.
func (p *program) sync(ctx context.Context, nameA, nameB string, f syncFlags) error {
	job, err := p.newSyncJob(nameA, nameB, f)
	if err != nil {
		return err
	}
	if err := job.load(ctx); err != nil {
		return err
	}
	plan, err := job.plan(ctx, job.current)
	if err != nil {
		return err
	}

	detached, err := job.detached(ctx, &plan)
	if err != nil {
		return err
	}

	proposed := newSyncReport(job.a, job.b, plan, detached)
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
	job.targetOf(job.live).Run(ctx, &plan, func() { task.Add(1) })
	return p.finish(newSyncReport(job.a, job.b, plan, detached), ctx.Err())
}

// approve shows the plan at a terminal and asks whether to carry it out. Without a terminal
// it prints the plan as the result.
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

// finish prints a report and returns the error for the worst of its outcomes.
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
		return &differencesError{responses.Count(number(reconcile.Planned), "action") + " proposed, and nothing was written: --yes carries them out"}
	case number(reconcile.Skipped, reconcile.NotRun) > 0:
		return &differencesError{responses.Count(number(reconcile.Skipped, reconcile.NotRun), "action") + " not done: see the report"}
	}
	return detachedError(report.Detached)
}

// syncJob is one run of sync.
type syncJob struct {
	*program
	given syncFlags
	a, b  source.Source
	// live is the service of B, and selected what is synced.
	live     *live
	selected selection
	// desired and current are the objects of A and B.
	desired, current []source.Object
	options          reconcile.Options
	// counter tells how many responses the surveys of B have.
	counter *responses.Counter
}

// newSyncJob checks the sources. It makes no request.
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
		return nil, fmt.Errorf("%s cannot be written onto a live source: A must be live:NAME or file:PATH; apply code with Terraform", job.a)
	}
	if job.b.Form != source.Live {
		return nil, fmt.Errorf("%s cannot be changed: B must be live:NAME", job.b)
	}
	if f.maxDeletes < 0 {
		return nil, fmt.Errorf("--max-deletes is %d: it must be 0 or more", f.maxDeletes)
	}
	return job, nil
}

// plan plans the actions that make objects like those of A.
func (j *syncJob) plan(ctx context.Context, current []source.Object) (reconcile.Plan, error) {
	plan, err := reconcile.NewPlan(ctx, j.desired, current, j.options)
	if err != nil {
		return plan, err
	}

	j.countDetachedAnswers(ctx, &plan)
	return plan, ctx.Err()
}

// effects are what the actions of a plan mean to people, in the words of review; nil where the report
// is no page.
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

// countDetachedAnswers sets the numbers of responses of the surveys that lose questions, or are
// deleted.
func (j *syncJob) countDetachedAnswers(ctx context.Context, plan *reconcile.Plan) {
	for i := range plan.Actions {
		action := &plan.Actions[i]
		isDeleted := action.Verb == reconcile.Delete && action.Kind == source.Survey
		if isDeleted || len(action.Dropped) > 0 {
			action.Count(j.options.Responses(ctx, action.ID))
		}
	}
}
