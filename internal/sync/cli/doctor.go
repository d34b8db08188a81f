package cli

import (
	"bytes"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/doctor"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
)

// newDoctor returns the verb that checks the settings, or finds out why a survey is not
// shown.
func newDoctor(p *program) *cobra.Command {
	var survey string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the settings, the service and the programs in use",
		Long: `Check everything that the other verbs and the provider need, one line a check: ok,
warning or failed, and what to do. Nothing is changed: whether the key may write is
tested by changing an object that does not exist.

With --survey, find out why a survey is not shown instead.`,
		Example: `  posthog-sync doctor --env production

  # Why does nobody see it?
  posthog-sync doctor --survey "Quarterly NPS"`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			report, err := p.doctor(cmd.Context(), survey)
			if err != nil {
				return err
			}
			if err := p.print(report); err != nil {
				return err
			}
			return report.verdict()
		},
	}
	cmd.Flags().StringVar(&survey, "survey", "", "name or id of a survey: find out why it is not shown")
	return cmd
}

// doctor checks the settings, or a survey. Checks that could only repeat a failure are left
// out.
func (p *program) doctor(ctx context.Context, survey string) (*doctorReport, error) {
	if survey != "" {
		return p.checkSurvey(ctx, survey)
	}

	r := &doctorReport{}
	source, set, err := p.checkSettings()
	words := doctorWords{program: p.version, settings: set}
	if err != nil {
		r.Checks = append(r.Checks, doctorCheck{doctor.Failed, "environment", err.Error()})
	} else {
		words.source = source
		r.Checks = append(r.Checks, doctorCheck{doctor.OK, "environment", words.environment()})
		r.add(words, doctor.CheckService(ctx, p.serviceOf(source)))
	}
	r.add(words, doctor.CheckPlanner(ctx, p.flags.terraform))
	return r, nil
}

// checkSettings checks the settings without a request, and returns the live side if they are
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
	source, err := p.live(e, p.selection())
	return source, set, err
}

// serviceOf is the service of a live side.
func (p *program) serviceOf(source *live) doctor.Service {
	return doctor.Service{
		Client: source.client, ProjectID: source.ProjectID, OrganizationID: source.OrganizationID,
		Surveys: source.surveys, Apps: source.apps, PageSize: pageSize, Traffic: p.traffic,
	}
}

// checkSurvey finds out why a survey is not shown.
func (p *program) checkSurvey(ctx context.Context, name string) (*doctorReport, error) {
	e, err := p.environment()
	if err != nil {
		return nil, err
	}
	if e.ProjectID == "" {
		return nil, fmt.Errorf("environment %q has no project_id (POSTHOG_PROJECT_ID), so it has no surveys", e.Name)
	}
	source, err := p.live(e, p.selection())
	if err != nil {
		return nil, err
	}

	all, err := collected(source.allSurveys(ctx))
	if err != nil {
		return nil, err
	}
	survey, err := source.findSurvey(onlySelected(each(all), source.selected, surveyName), name)
	if err != nil {
		return nil, err
	}

	surveys := source.client.Surveys(e.ProjectID)
	facts := doctor.Facts{Now: p.now(), Responses: func(id string) responses.Number { return responses.NewCounter(surveys, nil).Of(ctx, id) }}
	facts.ShowsSurveys, facts.IsKnown = surveys.SwitchedOn(ctx)
	r := &doctorReport{}
	r.add(doctorWords{source: source}, doctor.CheckSurvey(survey, facts))
	if err := r.addCauses(ctx, survey, all, source); err != nil {
		return nil, err
	}
	return r, nil
}

// doctorCheck is one line of the report.
type doctorCheck struct {
	Result doctor.Result `json:"result"`
	// Check names what was checked.
	Check string `json:"check"`
	// Detail says what was found and, when it is not ok, what to do.
	Detail string `json:"detail"`
}

type doctorReport struct {
	Checks []doctorCheck `json:"checks"`
}

// add adds findings, in words.
func (r *doctorReport) add(words doctorWords, findings []doctor.Finding) {
	for _, f := range findings {
		r.Checks = append(r.Checks, doctorCheck{f.Result, f.Check, words.of(f)})
	}
}

// Text implements report.
func (r *doctorReport) Text(b *bytes.Buffer) {
	for _, c := range r.Checks {
		fmt.Fprintf(b, "%-8s%s: %s\n", c.Result, c.Check, c.Detail)
	}
}

// Markdown implements report.
func (r *doctorReport) Markdown(b *bytes.Buffer) {
	b.WriteString("| | check | |\n|---|---|---|\n")
	for _, c := range r.Checks {
		fmt.Fprintf(b, "| %s | %s | %s |\n", markdownText(string(c.Result)), markdownText(c.Check), markdownText(c.Detail))
	}
}

// verdict is an error when a check failed.
func (r *doctorReport) verdict() error {
	failed := 0
	for _, c := range r.Checks {
		if c.Result == doctor.Failed {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %s failed", failed, count(len(r.Checks), "check"))
	}
	return nil
}
