package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/past"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/tfplan"
)

// Values of review's --fail-on flag.
const (
	failDetachedAnswers = "detached-answers"
	failLaunch          = "launch"
	failDelete          = "delete"
)

// newReview returns the command that shows what a plan changes for respondents.
func newReview(p *program) *cobra.Command {
	var failOn []string
	cmd := &cobra.Command{
		Use:   "review PLAN",
		Short: "Show how a plan affects respondents and answers",
		Long: `Writes a page of Markdown about a plan, for a pull request. The page shows:
  - which surveys are launched (and to whom), stopped, or deleted
  - which questions are kept, edited, moved, added, or removed
  - how many responses stay attached or are detached
  - the flow before and after

If a plan restores a question's old ID after a save without IDs, the answers are reattached. The page
shows the question as detached only if answers arrived under the new ID, or if the number is unknown.
If a plan keeps the new ID, the answers stay detached. The page shows this even if nothing else changes,
and the command that restores the old ID.

PLAN is a saved plan, or its JSON from terraform show -json. Response counts are read from PostHog.
Without access to PostHog, they are unknown.

Exit codes:

    0    done
    1    error
    3    the plan contains a change that --fail-on lists
    130  interrupted`,
		Example: `  # Write a page for a pull request
  terraform plan -out=p.tfplan
  posthog-sync review p.tfplan > review.md

  # Stop a pipeline that would detach answers
  posthog-sync review p.tfplan --fail-on detached-answers,delete`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.review(cmd.Context(), args[0], failOn)
		},
	}
	cmd.Flags().StringSliceVar(&failOn, "fail-on", nil, "changes that cause exit code 3: detached-answers, launch, or delete, comma-separated")
	return cmd
}

// review reviews a plan.
func (p *program) review(ctx context.Context, file string, failOn []string) error {
	for _, word := range failOn {
		if !slices.Contains([]string{failDetachedAnswers, failLaunch, failDelete}, word) {
			return fmt.Errorf("--fail-on %q is unknown. Use detached-answers, launch, or delete", word)
		}
	}

	selected := p.selection()
	plan, err := p.loader(selected).readPlan(ctx, file)
	if err != nil {
		return fmt.Errorf("plan:%s: %w", file, err)
	}
	detached, err := detachedInPlan(plan, pull.PrivateStates(file))
	if err != nil {
		return err
	}
	changes, err := tfplan.Changes(ctx, plan, slices.Collect(maps.Keys(detached))...)
	if err != nil {
		return err
	}
	changes = slices.DeleteFunc(changes, func(c tfplan.Change) bool { return !selected.selects(changedName(c)) })

	service := p.answerCounts()
	service.addDetachedQuestions(ctx, detached, changes)
	service.nameFlags(ctx, changes)
	surveys, err := review.Plan(changes, service.numbers(ctx, changes))
	if err != nil {
		return err
	}
	for i := range surveys {
		service.addAdvice(&surveys[i])
	}
	report := reviewReport{Format: 1, Surveys: append([]review.SurveyChange{}, surveys...)}
	if err := p.print(report); err != nil {
		return err
	}
	return report.refusal(failOn)
}

func changedName(c tfplan.Change) string {
	if c.After != nil {
		return c.After.Name
	}
	return c.Before.Name
}

// refusal returns the error for changes that --fail-on lists, or nil.
func (r reviewReport) refusal(failOn []string) error {
	var reasons []string
	for _, survey := range r.Surveys {
		hasEvent := func(event review.Event) bool { return slices.Contains(survey.Events, event) }
		switch {
		case slices.Contains(failOn, failDelete) && (hasEvent(review.Deleted) || hasEvent(review.Replaced)):
			reasons = append(reasons, fmt.Sprintf("survey %q is deleted", survey.Name))
		case slices.Contains(failOn, failDetachedAnswers) && survey.DetachesAnswers:
			reasons = append(reasons, fmt.Sprintf("answers of survey %q are detached", survey.Name))
		case slices.Contains(failOn, failLaunch) && (hasEvent(review.Launched) || hasEvent(review.Resumed) || hasEvent(review.UnarchivedToRun)):
			reasons = append(reasons, fmt.Sprintf("survey %q is launched", survey.Name))
		case slices.Contains(failOn, failLaunch) && hasEvent(review.MayRun):
			reasons = append(reasons, fmt.Sprintf("survey %q may be launched", survey.Name))
		}
	}

	if len(reasons) == 0 {
		return nil
	}
	if len(reasons) > 10 {
		reasons = append(reasons[:10], "and more")
	}
	return &refusedError{"refused by --fail-on: " + strings.Join(reasons, ", ")}
}

// answerCounts counts the answers to a plan's surveys in PostHog.
type answerCounts struct {
	*program
	// live is the source whose answers are counted. If it is nil, err explains why.
	live *live
	err  error
	// counters maps project IDs to response counters.
	counters map[string]*responses.Counter
}

func (p *program) answerCounts() answerCounts {
	c := answerCounts{program: p, counters: map[string]*responses.Counter{}}
	c.live, c.err = p.liveSource("", p.selection())
	return c
}

// numbers returns the response counts of a plan's surveys. Some counts may be unknown, because an
// incomplete page is better than none.
func (c answerCounts) numbers(ctx context.Context, changes []tfplan.Change) map[string]responses.Number {
	byProject := map[string][]source.Object{}
	for _, change := range changes {
		if before := change.Before; before != nil && before.Kind == source.Survey && before.ParentID != "" {
			byProject[before.ParentID] = append(byProject[before.ParentID], *before)
		}
	}

	counts := map[string]responses.Number{}
	for _, project := range slices.Sorted(maps.Keys(byProject)) {
		unknown := map[string][]string{}
		for _, o := range byProject[project] {
			number := c.number(ctx, project, o.ID)
			counts[o.ID] = number
			if !number.IsKnown() {
				unknown[number.Reason] = append(unknown[number.Reason], o.Name)
			}
		}
		for _, reason := range slices.Sorted(maps.Keys(unknown)) {
			c.logf("Could not count the responses of %s of project %s: %s", reconcile.NameSurveys(unknown[reason]), project, reason)
		}
	}
	return counts
}

// number returns the response count of a survey in a project of the environment.
func (c answerCounts) number(ctx context.Context, project, id string) responses.Number {
	if c.err != nil {
		return responses.Number{Reason: c.err.Error(), Err: c.err}
	}

	number := c.counter(project).Of(ctx, id)
	if errors.Is(number.Err, responses.ErrNoSuchSurvey) {
		// The environment may not match the plan, and its project with this ID may be a different one.
		number.Reason = fmt.Sprintf("it does not exist at %s. If environment %q is not the environment of the plan, set --env", c.live.BaseURL, c.live.Name)
	}
	return number
}

// addDetachedQuestions adds the questions with detached answers to the changes, with the number of
// answers that each question received under its new ID.
func (c answerCounts) addDetachedQuestions(ctx context.Context, detached map[string]pull.Resource, changes []tfplan.Change) {
	for i := range changes {
		change := &changes[i]
		if change.After == nil || len(detached[change.After.Address].Detached) == 0 {
			continue
		}
		r := detached[change.After.Address]
		change.Detached = slices.Clone(r.Detached)
		if c.err != nil {
			continue
		}

		counter := past.ServiceCounter{Surveys: c.live.client.Surveys(r.ParentID), SurveyID: r.ID}
		answers, err := counter.AnswersNow(ctx)
		for k := range change.Detached {
			if number, ok := answers[change.Detached[k].ID]; ok && err == nil {
				change.Detached[k].Since = &number
			}
		}
	}
}

// addAdvice adds the command that restores the old IDs of questions whose answers stay detached.
func (c answerCounts) addAdvice(survey *review.SurveyChange) {
	if len(survey.Detached) == 0 {
		return
	}
	repair := repairing{flags: c.environmentFlags("")}
	if slices.ContainsFunc(survey.Detached, func(d identity.Detached) bool { return d.Before == nil }) {
		repair.isUnlogged, repair.flags = true, append(repair.flags, "--state", ".")
	}
	survey.Advice = newDetachedSurvey(survey.ID, survey.Name, survey.Detached, repair).advice()
}

// nameFlags sets the keys of the feature flags that surveys reference by ID. The keys stay empty if the
// API key lacks the feature_flag:read scope.
func (c answerCounts) nameFlags(ctx context.Context, changes []tfplan.Change) {
	if c.err != nil {
		return
	}
	keys := map[string]map[string]string{} // by project ID and flag ID
	for _, change := range changes {
		after := change.After
		if after == nil || after.Kind != source.Survey || after.ParentID == "" {
			continue
		}
		for holder, id := range reconcile.UnnamedFlags(*after) {
			if keys[after.ParentID] == nil {
				keys[after.ParentID] = c.flagKeys(ctx, after.ParentID)
			}
			if key := keys[after.ParentID][id]; key != "" {
				after.Attributes[holder] = map[string]any{"key": key}
			}
		}
	}
}

// flagKeys maps the IDs of a project's feature flags to their keys, if the API key may list them.
func (c answerCounts) flagKeys(ctx context.Context, project string) map[string]string {
	keys := map[string]string{}
	for flag, err := range c.live.client.FeatureFlags(ctx, project, client.FlagOptions{ListOptions: client.ListOptions{PageSize: pageSize}}) {
		if err != nil {
			break
		}
		if flag.ID != nil && flag.Key != nil {
			keys[fmt.Sprint(*flag.ID)] = *flag.Key
		}
	}
	return keys
}

// counter returns a project's response counter.
func (c answerCounts) counter(project string) *responses.Counter {
	if c.counters[project] == nil {
		c.counters[project] = responses.NewCounter(c.live.client.Surveys(project), nil)
	}
	return c.counters[project]
}
