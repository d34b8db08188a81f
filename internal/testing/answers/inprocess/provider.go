// Package inprocess runs the provider without a CLI for the adapters of package answers. As in runs of
// Terraform, each plan uses a new provider and does not change the state.
package inprocess

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/answers"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

const resourceType = "posthog_survey"

// Provider is an [answers.Adapter] for a running survey in a Terraform configuration.
type Provider struct {
	*answers.Server

	t     *testing.T
	env   *acctest.Env
	state *acctest.Resource
	saved *Run
}

// Run is a plan and the state that its refresh found.
type Run struct {
	Resource *acctest.Resource
	Plan     acctest.Plan
}

// New returns a provider without a state, and deletes the survey of the previous sequence.
func New(t *testing.T, env *acctest.Env, profile testserver.Profile) *Provider {
	t.Helper()
	return &Provider{Server: answers.NewServer(env.Instance, profile), t: t, env: env, state: env.Resource(t, resourceType)}
}

// Commands implements [answers.Adapter].
func (p *Provider) Commands() []answers.Command {
	return []answers.Command{answers.Refresh, answers.Plan, answers.Apply, answers.SavePlan, answers.ApplySaved, answers.Import}
}

// Run implements [answers.Adapter].
func (p *Provider) Run(_ *rapid.T, command answers.Command, code []answers.Question) answers.Report {
	switch command {
	case answers.Refresh:
		p.env.NextRun(p.t, p.state)
		p.saved = nil
		return newReport(p.state.Refresh())
	case answers.Import:
		p.state, p.saved = p.env.Resource(p.t, resourceType), nil
		return newReport(p.state.Import(p.ProjectID + "/" + p.SurveyID()))
	case answers.ApplySaved:
		return p.apply(*p.saved)
	default: // all other commands begin with a plan
	}

	run := p.PlanRun(Config(code))
	report := newReport(run.Plan.Diagnostics)
	report.IsEmpty = run.Resource.IsEmpty(run.Plan)
	switch {
	case command == answers.SavePlan && report.Failure == "":
		p.saved = &run
	case command == answers.Apply && report.Failure == "":
		applied := p.apply(run)
		applied.IsEmpty = report.IsEmpty
		return applied
	}
	return report
}

// Config returns the arguments of a survey with the given questions.
func Config(code []answers.Question) map[string]any {
	questions := make([]any, len(code))
	for i, q := range code {
		questions[i] = q.Attributes()
	}
	return map[string]any{"name": "NPS", "type": "popover", "status": "running", "questions": questions}
}

// PlanRun plans in a new run.
func (p *Provider) PlanRun(config map[string]any) Run {
	p.t.Helper()
	state := *p.state
	p.env.NextRun(p.t, &state)
	if state.Exists() {
		state.Refresh()
	}
	return Run{&state, state.Plan(config)}
}

func (p *Provider) apply(run Run) answers.Report {
	p.state, p.saved = run.Resource, nil
	return newReport(p.state.ApplyPlan(run.Plan))
}

// newReport converts diagnostics to a report. An apply's report includes its plan's report.
func newReport(diags acctest.Diagnostics) answers.Report {
	report := answers.Report{}
	if diags.HasError() {
		report = Failure(diags.Errors().Text())
	}
	for _, diagnostic := range diags {
		report.Messages = append(report.Messages, fmt.Sprint(diagnostic.Summary, ": ", diagnostic.Detail))
	}
	return report
}

// Failure returns the report of a command that failed with a provider error.
func Failure(text string) answers.Report {
	return answers.Report{
		Failure:   text,
		IsGuarded: strings.Contains(text, check.TitleReplaces),
		IsRefused: strings.Contains(text, check.TitleAmbiguous),
	}
}
