package cli

import (
	"context"
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/past"
)

// detachedReport lists the surveys of a project that have detached answers.
type detachedReport struct {
	Format  int              `json:"format"`
	Surveys []detachedSurvey `json:"surveys"`
	// Looked is the number of surveys whose activity log was read, Unread that of those whose log
	// could not be read.
	Looked int `json:"looked"`
	Unread int `json:"unread"`
}

type detachedSurvey struct {
	ID        string             `json:"id"`
	Name      string             `json:"name"`
	Questions []detachedQuestion `json:"questions"`

	list identity.DetachedList
}

type detachedQuestion struct {
	Index       int    `json:"index"`
	Text        string `json:"question"`
	ID          string `json:"id"`
	OldID       string `json:"old_id"`
	OldText     string `json:"old_question"`
	IsPossible  bool   `json:"possible"`
	Description string `json:"text"`
}

// listDetached lists the surveys with detached answers, and writes nothing.
func (p *program) listDetached(ctx context.Context) error {
	service, err := p.liveSide("", p.selection().of(true, false))
	if err != nil {
		return err
	}

	r := &detachedReport{Format: 1, Surveys: []detachedSurvey{}}
	for survey, err := range service.allSurveys(ctx) {
		if err != nil {
			return err
		}
		name, _ := survey.Name.Get() // one without a name has none to select by
		start, _ := survey.StartDate.Get()
		if survey.ID == nil || start == "" || !service.selected.selects(name) {
			continue
		}
		if err := r.add(ctx, service, survey); err != nil {
			return err
		}
	}

	if err := p.print(r); err != nil {
		return err
	}
	switch {
	case r.Looked == 0 && r.Unread > 0:
		return fmt.Errorf("the activity log of no survey could be read, so nothing is known: the key needs the scope activity_log:read")
	case len(r.Surveys) > 0:
		return &differencesError{identity.DetachedAnswers + " of " + responses.Count(len(r.Surveys), "survey") + ": see the report"}
	}
	return nil
}

func (r *detachedReport) add(ctx context.Context, service *live, survey api.Survey) error {
	raws, _ := survey.Questions.Get() // none for null
	live, ok := past.QuestionsOf(raws)
	if !ok || len(live) == 0 {
		return nil
	}
	feed, err := past.ReadSurveyFeed(ctx, service.client.Surveys(service.ProjectID), *survey.ID)
	if err != nil {
		r.Unread++
		return ctx.Err()
	}

	r.Looked++
	one := detachedSurvey{ID: *survey.ID, Name: orEmpty(survey.Name)}
	questions := past.Identities(live)
	one.list = identity.Replay(feed.Versions(), questions).Detached(questions)
	for _, d := range one.list {
		one.Questions = append(one.Questions, detachedQuestion{d.Position, d.Text, d.ID, d.OldID, d.OldText, d.IsPossible, d.String()})
	}
	if len(one.list) > 0 {
		r.Surveys = append(r.Surveys, one)
	}
	return nil
}

// reported implements result.
func (r *detachedReport) reported() report.Report {
	found := report.Report{
		Title: "Surveys with detached answers", Noun: "survey",
		Summary: fmt.Sprintf("%s with %s, of %d whose activity log was read.", responses.Count(len(r.Surveys), "survey"), identity.DetachedAnswers, r.Looked),
	}
	if r.Unread > 0 {
		found.Notes = append(found.Notes, fmt.Sprintf("The activity log of %s could not be read.", responses.Count(r.Unread, "more survey")))
	}
	for _, one := range r.Surveys {
		notes := append(detachedLines(one.list), "To see the answers under each ID, run:", "posthog-sync repair "+escape.Shell(one.Name)+" --dry-run")
		found.Sections = append(found.Sections, report.Section{Title: one.Name + " (" + one.ID + ")", Notes: notes})
	}
	return found
}
