package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/audience"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/doctor"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// newDoctor returns the command that checks the settings, or explains why PostHog does not show a survey.
func newDoctor(p *program) *cobra.Command {
	var survey string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check settings, PostHog access, and installed programs",
		Long: `Checks everything that the provider and the other commands need. Each line shows a check, its result
(ok, warning, or failed), and what to do. This command changes nothing: to test whether the key may
write, it tries to change an object that does not exist.

With --survey, the command finds out why a survey is not shown.`,
		Example: `  posthog-sync doctor --env production

  # Find out why a survey is not shown
  posthog-sync doctor --survey "Quarterly NPS"`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			checks, err := p.doctor(cmd.Context(), survey)
			if err != nil {
				return err
			}
			if err := p.print(checks); err != nil {
				return err
			}
			return checks.verdict()
		},
	}
	cmd.Flags().StringVar(&survey, "survey", "", "find out why this survey (name or ID) is not shown")
	return cmd
}

// doctor checks the settings, or a survey. After a failure, it skips the checks that would fail for the
// same reason.
func (p *program) doctor(ctx context.Context, survey string) (*doctorReport, error) {
	if survey != "" {
		return p.checkSurvey(ctx, survey)
	}

	r := &doctorReport{}
	service, set, err := p.checkSettings()
	if err != nil {
		r.Checks = append(r.Checks, audience.Finding{Result: audience.Failed, Check: "environment", Text: plainError(err)})
	} else {
		origin := cmp.Or(set.Path, "the environment variables")
		r.Checks = append(r.Checks, audience.Finding{Result: audience.OK, Check: "environment", Text: fmt.Sprintf("%q of %s: %s", service.Name, origin, service.BaseURL)})
		r.Checks = append(r.Checks, doctor.CheckService(ctx, p.doctorService(service, set))...)
	}
	r.Checks = append(r.Checks, doctor.CheckPlanner(ctx, p.flags.terraform, p.version)...)
	return r, nil
}

// checkSettings checks the settings without sending a request. It returns the live source if they are
// complete.
func (p *program) checkSettings() (*live, environment.Set, error) {
	set, err := p.environments()
	if err != nil {
		return nil, set, err
	}
	e, err := set.Get(p.namedEnvironment())
	if err != nil {
		return nil, set, err
	}
	service, err := p.live(e, p.selection())
	return service, set, err
}

// doctorService returns the functions through which the checks access a live source.
func (p *program) doctorService(service *live, set environment.Set) doctor.Service {
	return doctor.Service{
		Client: service.client, ProjectID: service.ProjectID, OrganizationID: service.OrganizationID,
		Surveys: service.surveys, Apps: service.apps, PageSize: pageSize, Traffic: p.traffic.counts,
		Settings: doctor.Settings{
			BaseURL: service.BaseURL, KeyVariable: service.APIKeyVariable, Path: set.Path, Environment: service.Name, RequestsPerMinute: int64(service.RequestsPerMinute),
		},
	}
}

// checkSurvey explains why PostHog does not show a survey.
func (p *program) checkSurvey(ctx context.Context, name string) (*doctorReport, error) {
	service, err := p.liveSource("", p.selection().of(true, false))
	if err != nil {
		return nil, err
	}
	objects, err := service.objects(ctx, source.Object.Whole)
	if err != nil {
		return nil, err
	}
	survey, err := service.findSurvey(func(yield func(api.Survey, error) bool) {
		for _, o := range objects {
			if service.selected.selects(o.Name) && !yield(*o.SurveyResponse, nil) {
				return
			}
		}
	}, name)
	if err != nil {
		return nil, err
	}

	surveys := service.client.Surveys(service.ProjectID)
	facts := doctor.Facts{Now: p.now(), Responses: func(id string) responses.Number { return responses.NewCounter(surveys, nil).Of(ctx, id) }}
	facts.ShowsSurveys, facts.IsKnown = surveys.SwitchedOn(ctx)
	r := &doctorReport{Checks: doctor.CheckSurvey(survey, facts)}
	if err := r.addCauses(survey, objects); err != nil {
		return nil, err
	}
	return r, r.addAnswersCheck(ctx, service, survey)
}

// addAnswersCheck adds a check for answers that were detached when a save omitted the question IDs, as far
// as the activity log shows this. Respondents still see such a survey, but its earlier answers are stored
// under other IDs.
func (r *doctorReport) addAnswersCheck(ctx context.Context, service *live, wire api.Survey) error {
	logged, ok := service.answerLog().read(ctx, wire)
	if !ok {
		return ctx.Err() // posthog-sync history shows why the log cannot be read
	}
	list := logged.detachedList(ctx).WithAnswers()
	if len(list) > 0 {
		r.Detached = append(r.Detached, newDetachedSurvey(*wire.ID, orEmpty(wire.Name), list, repairing{flags: service.program.environmentFlags("")}))
		r.Checks = append(r.Checks, audience.Finding{Result: audience.Warning, Check: "answers", Text: detachedSummary(list)})
	}
	return ctx.Err()
}

// surveyChecks lists a survey's checks in the order in which the SDKs decide. The last check covers how
// the SDKs show the survey.
var surveyChecks = []string{
	"status", "type", "linked flag", "targeting", "internal flag", "wait period", "repetition", "conditions", "display", "other surveys", "limit", "project", "questions", "sdk", "answers",
}

// addCauses adds the reasons why the SDKs may not show a survey as intended. Each reason follows the
// check to which it belongs.
func (r *doctorReport) addCauses(survey api.Survey, objects []source.Object) error {
	causes, err := review.Causes(objects, *survey.ID)
	if err != nil {
		return err
	}

	for _, object := range objects {
		if object.ID == *survey.ID {
			r.Checks = append(r.Checks, sdkChecks(object.Attributes)...)
		}
	}
	for _, cause := range causes {
		result := audience.Warning
		if cause.Severity == review.Error {
			result = audience.Failed
		}
		r.Checks = append(r.Checks, audience.Finding{Result: result, Check: string(cause.Stage), Text: cause.Message})
	}
	slices.SortStableFunc(r.Checks, func(a, b audience.Finding) int {
		return cmp.Compare(slices.Index(surveyChecks, a.Check), slices.Index(surveyChecks, b.Check))
	})
	return nil
}

// sdkChecks describes how the SDKs handle a survey. The SDKs that never show it come first, followed by
// the minimum versions with which the other SDKs support its settings.
func sdkChecks(attributes map[string]any) []audience.Finding {
	var findings []audience.Finding
	if never := audience.ExcludedSDKs(attributes); never != "" {
		findings = append(findings, audience.Finding{Result: audience.OK, Check: "sdk", Text: never})
	}
	if needs := audience.SDKSupport(attributes); needs != "" {
		findings = append(findings, audience.Finding{Result: audience.OK, Check: "sdk", Text: "its settings work with " + needs})
	}
	return findings
}

type doctorReport struct {
	Checks []audience.Finding `json:"checks"`
	// Detached contains the survey that --survey selects if it has detached answers.
	Detached []detachedSurvey `json:"detached,omitempty"`
}

func (r *doctorReport) toReport() report.Report {
	table := report.Table{Columns: []string{"", "check", ""}, Line: "%-8s%s: %s"}
	for _, c := range r.Checks {
		table.Add(string(c.Result), c.Check, c.Text)
	}
	return report.Report{Table: table, Sections: detachedSections(r.Detached), Noun: "survey"}
}

// verdict returns an error if a check failed.
func (r *doctorReport) verdict() error {
	failed := 0
	for _, c := range r.Checks {
		if c.Result == audience.Failed {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %s failed", failed, responses.Count(len(r.Checks), "check"))
	}
	return nil
}
