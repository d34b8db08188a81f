package cli

import (
	"context"
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/past"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
)

// detachedReport lists the surveys of a project that have detached answers.
type detachedReport struct {
	Format  int              `json:"format"`
	Surveys []detachedSurvey `json:"surveys"`
	// Looked is the number of surveys whose activity log was read, and Unread is the number of surveys
	// whose log could not be read.
	Looked int `json:"looked"`
	Unread int `json:"unread"`
}

// listDetachedSurveys lists the surveys with detached answers. It changes nothing.
func (p *program) listDetachedSurveys(ctx context.Context) error {
	service, err := p.liveSource("", p.selection().of(true, false))
	if err != nil {
		return err
	}

	r, log := &detachedReport{Format: 1, Surveys: []detachedSurvey{}}, service.answerLog()
	for survey, err := range service.allSurveys(ctx) {
		if err != nil {
			return err
		}
		name, _ := survey.Name.Get() // a survey without a name cannot be selected
		if survey.ID == nil || !service.selected.selects(name) {
			continue
		}
		if isDraft := orEmpty(survey.StartDate) == ""; isDraft && !log.mayHaveRun(ctx, *survey.ID, isDraft) {
			continue // unlike a survey that was reset to draft, it has no responses
		}
		if err := r.add(ctx, log, survey); err != nil {
			return err
		}
	}

	if err := p.print(r); err != nil {
		return err
	}
	switch {
	case r.Looked == 0 && r.Unread > 0:
		return fmt.Errorf("could not read the activity log of any survey. Add the scope activity_log:read to the API key")
	}
	return detachedError(r.Surveys)
}

func (r *detachedReport) add(ctx context.Context, log *answerLog, survey api.Survey) error {
	raws, _ := survey.Questions.Get() // no questions if null
	if questions, ok := past.ParseQuestionList(raws); !ok || len(questions) == 0 {
		return nil
	}
	logged, ok := log.read(ctx, survey)
	if !ok {
		r.Unread++
		return ctx.Err()
	}

	r.Looked++
	if list := logged.detachedList(ctx).WithAnswers(); len(list) > 0 {
		r.Surveys = append(r.Surveys, newDetachedSurvey(*survey.ID, orEmpty(survey.Name), list, repairing{flags: log.program.environmentFlags("")}))
	}
	return ctx.Err()
}

// toReport implements result.
func (r *detachedReport) toReport() report.Report {
	page := report.Report{
		Title: "Surveys with detached answers", Noun: "survey",
		Summary: fmt.Sprintf("%s with %s, of %d whose activity log was read.", responses.Count(len(r.Surveys), "survey"), identity.DetachedAnswers, r.Looked),
	}
	if r.Unread > 0 {
		page.Notes = append(page.Notes, fmt.Sprintf("The activity log of %s could not be read.", responses.Count(r.Unread, "more survey")))
	}
	page.Sections = detachedSections(r.Surveys)
	return page
}
