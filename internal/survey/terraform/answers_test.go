package terraform_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/answers"
)

// Whatever happens to a survey in PostHog and in the configuration, answers stay with their
// questions through plan, apply, and import.
func TestAnswersStayWithTheirQuestions(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Profile(profile))
			answers.Check(t, func(*rapid.T) answers.Adapter {
				server := answers.NewServer(env.Instance, profile)
				return &providerAnswers{Server: server, t: t, env: env, survey: env.Resource(t, "posthog_survey")}
			})
		})
	}
}

// providerAnswers runs the provider in process.
type providerAnswers struct {
	*answers.Server
	t      *testing.T
	env    *acctest.Env
	survey *acctest.Resource
	saved  *plannedRun
}

// plannedRun is a plan with the state that its refresh found.
type plannedRun struct {
	survey *acctest.Resource
	plan   acctest.Plan
}

// Commands implements [answers.Adapter].
func (p *providerAnswers) Commands() []answers.Command {
	return []answers.Command{answers.Refresh, answers.Plan, answers.Apply, answers.SavePlan, answers.ApplySaved, answers.Import}
}

// Run implements [answers.Adapter].
func (p *providerAnswers) Run(_ *rapid.T, command answers.Command, code []answers.Question) answers.Report {
	switch command {
	case answers.Refresh:
		p.env.NextRun(p.t, p.survey)
		p.saved = nil
		return reportOf(p.survey.Refresh())
	case answers.Import:
		p.survey, p.saved = p.env.Resource(p.t, "posthog_survey"), nil
		return reportOf(p.survey.Import(p.ProjectID + "/" + p.SurveyID()))
	case answers.ApplySaved:
		return p.apply(*p.saved)
	}

	run := p.plan(code)
	report := reportOf(run.plan.Diagnostics)
	report.IsEmpty = run.survey.IsEmpty(run.plan)
	switch {
	case command == answers.SavePlan && report.Failure == "":
		p.saved = &run
	case command == answers.Apply && report.Failure == "":
		applied := p.apply(run)
		applied.Messages, applied.IsEmpty = append(report.Messages, applied.Messages...), report.IsEmpty
		return applied
	}
	return report
}

// plan plans in a run of its own, which leaves the state as it is.
func (p *providerAnswers) plan(code []answers.Question) plannedRun {
	questions := make([]any, len(code))
	for i, q := range code {
		questions[i] = q.Attributes()
	}

	own := *p.survey
	p.env.NextRun(p.t, &own)
	if own.Exists() {
		own.Refresh()
	}
	return plannedRun{&own, own.Plan(merged(asking(questions...), object{"status": "running"}))}
}

func (p *providerAnswers) apply(run plannedRun) answers.Report {
	p.survey, p.saved = run.survey, nil
	return reportOf(p.survey.ApplyPlan(run.plan))
}

func reportOf(diags acctest.Diagnostics) answers.Report {
	report := answers.Report{}
	for _, one := range diags {
		report.Messages = append(report.Messages, fmt.Sprint(one.Summary, ": ", one.Detail))
	}
	if diags.HasError() {
		report.Failure = diags.Errors().Text()
		report.IsStale = strings.Contains(report.Failure, "lan again")
		report.IsGuarded = strings.Contains(report.Failure, "ignore_changes of a single question")
		report.IsRefused = strings.Contains(report.Failure, "Which question is it?")
	}
	return report
}
