package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/past"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/doctor"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/snapshot"
)

// surveyPast is a survey with the known history of its questions.
type surveyPast struct {
	surveys *client.Surveys
	environment.Environment
	survey    api.Survey
	questions []json.RawMessage
	feed      past.Feed
	// feedErr explains why the activity feed is missing: the API key may not read it, or the feed is
	// empty or does not exist. It is nil if the feed was read.
	feedErr  error
	timeline *past.Timeline
	counter  *past.ServiceCounter
	// directories maps paths to planned directories.
	directories map[string]plannedDirectory
}

// pastSources are sources of the survey's history in addition to the activity feed.
type pastSources struct{ snapshot, state string }

// readPast reads a survey of an environment and the known history of its questions.
func (p *program) readPast(ctx context.Context, environment, name string, sources pastSources) (*surveyPast, error) {
	service, err := p.liveSource(environment, p.selection().of(true, false))
	if err != nil {
		return nil, err
	}
	match, err := service.findSurvey(service.surveys(ctx), name)
	if err != nil {
		return nil, err
	}

	history := &surveyPast{surveys: service.client.Surveys(service.ProjectID), Environment: service.Environment, survey: match, directories: map[string]plannedDirectory{}}
	history.questions, _ = history.survey.Questions.Get() // no questions if null
	live, ok := past.ParseQuestionList(history.questions)
	if !ok {
		return nil, fmt.Errorf("survey %q has questions that are not JSON objects", orEmpty(history.survey.Name))
	}

	older, err := p.olderLists(ctx, history, sources)
	if err != nil {
		return nil, err
	}
	history.feed, history.feedErr = past.ReadSurveyFeed(ctx, history.surveys, history.id())
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}

	history.timeline = past.Follow(live, history.feed, older...)
	history.counter = counterOfSurvey(history.surveys, history.survey, history.feed)
	return history, nil
}

// logView returns the survey as the activity log shows it.
func (s *surveyPast) logView() loggedSurvey {
	return loggedSurvey{questions: s.timeline.Live(), feed: s.feed, timeline: s.timeline, counter: s.counter}
}

// findSurvey finds a survey by name or ID.
func (l *live) findSurvey(surveys iter.Seq2[api.Survey, error], name string) (api.Survey, error) {
	match, ok, nearest, err := doctor.FindSurvey(surveys, name)
	switch {
	case err != nil:
		return match, err
	case nearest != "" && !ok:
		return match, fmt.Errorf("project %s does not have a survey %q. Did you mean %q?", l.ProjectID, name, nearest)
	case !ok || match.ID == nil:
		return match, fmt.Errorf("project %s does not have a survey %q", l.ProjectID, name)
	}
	return match, nil
}

// gaps describes what is unknown about the survey's history.
func (s *surveyPast) gaps() []string {
	switch {
	case s.feedErr != nil:
		return []string{"The activity log is not available: " + feedError(s.feedErr).Error() + ". Without the log, the earlier IDs are uncertain, so you must decide about each ID."}
	case s.feed.CutOff != nil:
		return []string{"Older edits could not be read: " + s.feed.CutOff.Error()}
	case !s.feed.IsComplete:
		return []string{"The activity log does not start with the survey's creation, so earlier edits and IDs may be missing."}
	}
	return []string{}
}

func (s *surveyPast) id() string { return *s.survey.ID }

// status returns the survey's status, and notes whether it is archived.
func (s *surveyPast) status() string {
	if archived, err := s.survey.Archived.Get(); err == nil && archived {
		return "archived"
	}
	text := func(field nullable.Nullable[string]) *string {
		if value, err := field.Get(); err == nil {
			return &value
		}
		return nil
	}
	return survey.StatusByStrings(text(s.survey.StartDate), text(s.survey.EndDate))
}

// olderLists returns earlier question lists from the other sources, oldest first.
func (p *program) olderLists(ctx context.Context, history *surveyPast, sources pastSources) ([]past.List, error) {
	var lists []past.List
	if sources.snapshot != "" {
		list, err := snapshotList(sources.snapshot, history.id())
		if err != nil {
			return nil, err
		}
		lists = append(lists, list)
	}
	if sources.state == "" {
		return lists, nil
	}

	planned, err := p.planDirectory(ctx, history.Environment, sources.state, planning{})
	if err != nil {
		return nil, err
	}
	history.directories[sources.state] = planned
	resource, ok := planned.survey(history.id())
	if !ok {
		return nil, fmt.Errorf("--state: no resource in %s manages survey %q", sources.state, orEmpty(history.survey.Name))
	}
	remembered, err := resource.QuestionHistory()
	if err != nil {
		return nil, fmt.Errorf("--state: the private state of %s cannot be read: %w", resource.Address, err)
	}
	for _, version := range slices.Backward(remembered.Versions()) {
		lists = append(lists, past.List{Questions: past.FromIdentities(version), Source: past.FromState})
	}
	return lists, nil
}

// snapshotList returns a survey's questions in a snapshot.
func snapshotList(path, id string) (past.List, error) {
	list := past.List{Source: past.FromSnapshot}
	contents, err := snapshot.Open(path)
	if err != nil {
		return list, fmt.Errorf("--snapshot: %w", err)
	}
	for _, stored := range contents.Surveys {
		if *stored.ID != id {
			continue
		}
		raws, _ := stored.Questions.Get() // no questions if null
		questions, ok := past.ParseQuestionList(raws)
		if !ok {
			return list, fmt.Errorf("--snapshot: %s: the survey has questions that are not JSON objects", path)
		}
		list.Questions = questions
		return list, nil
	}
	return list, fmt.Errorf("--snapshot: %s does not have survey %s", path, id)
}
