package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/past"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/export"
)

// answerLog finds the detached answers of surveys in a project's activity log.
type answerLog struct {
	program *program
	// environment is the name of the project's environment. It is empty for the default.
	environment string
	surveys     *client.Surveys
	counter     *responses.Counter
	looks       int
	// isForbidden is set if the API key cannot read the log.
	isForbidden bool
}

func (l *live) answerLog() *answerLog {
	surveys := l.client.Surveys(l.ProjectID)
	return &answerLog{program: l.program, surveys: surveys, counter: responses.NewCounter(surveys, nil)}
}

// mostLooks limits how many surveys without a visible problem one run looks up in the activity log.
const mostLooks = 50

// isWorthALook reports whether a survey may have detached answers: it has or may have responses. Once the
// run has looked up mostLooks surveys, it returns false, and logs once how to check all surveys.
func (l *answerLog) isWorthALook(ctx context.Context, survey api.Survey) bool {
	if survey.ID == nil || l.isForbidden || l.looks > mostLooks || !l.mayHaveRun(ctx, *survey.ID, orEmpty(survey.StartDate) == "") {
		return false
	}
	l.looks++
	if l.looks == mostLooks+1 {
		words := append([]string{"posthog-sync repair --dry-run"}, l.program.environmentFlags(l.environment)...)
		for i := range words[1:] {
			words[i+1] = escape.Shell(words[i+1])
		}
		l.program.logf("More than %d surveys may have detached answers. The others were not checked. To list all surveys with detached answers, run:\n  %s", mostLooks, strings.Join(words, " "))
	}
	return l.looks <= mostLooks
}

// mayHaveRun reports whether a survey has or may have responses.
func (l *answerLog) mayHaveRun(ctx context.Context, id string, isDraft bool) bool {
	return l.counter.Of(ctx, id).MayBeSome(isDraft)
}

// loggedSurvey is a survey with the history of its questions from the activity log.
type loggedSurvey struct {
	questions []past.Question
	feed      past.Feed
	timeline  *past.Timeline
	counter   past.Counter
}

// read reads the survey's history from the activity log. It returns false if it cannot read the log or
// cannot trace the survey's questions.
func (l *answerLog) read(ctx context.Context, survey api.Survey) (logged loggedSurvey, ok bool) {
	raws, _ := survey.Questions.Get() // no questions if null
	if logged.questions, ok = past.ParseQuestionList(raws); !ok || len(logged.questions) == 0 || survey.ID == nil {
		return logged, false
	}
	var err error
	if logged.feed, err = past.ReadSurveyFeed(ctx, l.surveys, *survey.ID); err != nil {
		if client.IsForbidden(err) && !l.isForbidden {
			l.isForbidden = true
			l.program.logf("Could not read the activity log, so detached answers were not looked for. Add the scope activity_log:read to the API key.")
		}
		return logged, false
	}

	logged.timeline = past.Follow(logged.questions, logged.feed)
	logged.counter = counterOfSurvey(l.surveys, survey, logged.feed)
	return logged, true
}

func counterOfSurvey(surveys *client.Surveys, survey api.Survey, feed past.Feed) *past.ServiceCounter {
	start, _ := time.Parse(time.RFC3339, orEmpty(survey.StartDate)) // zero if not set
	return &past.ServiceCounter{Surveys: surveys, SurveyID: *survey.ID, Start: start, FirstLaunch: feed.FirstLaunch(start)}
}

// replacedIDs returns the current IDs that replaced one of the given IDs.
func (s loggedSurvey) replacedIDs(ids []string) identity.ReplacedIDs {
	replaced := identity.ReplacedIDs{}
	for i, q := range s.questions {
		for _, id := range s.timeline.IDs(i) {
			if isLost := id != "" && !s.timeline.IsLive(id); isLost && q.ID != "" && slices.Contains(ids, id) {
				replaced[q.ID] = id
			}
		}
	}
	return replaced
}

// detachedList returns the questions with detached answers and their answer counts.
func (s loggedSurvey) detachedList(ctx context.Context) identity.DetachedList {
	return s.timeline.Detached(ctx, s.counter)
}

// count sets the answer counts of questions that another source reports. If the log does not show that a
// question was replaced, repair asks the user to decide. isUnlogged is set if any old ID is missing from
// the log.
func (s loggedSurvey) count(ctx context.Context, list identity.DetachedList) (isUnlogged bool) {
	logged := s.detachedList(ctx)
	for i, d := range list {
		index := slices.IndexFunc(logged, func(k identity.Detached) bool { return k.ID == d.ID && k.OldID == d.OldID })
		if index >= 0 {
			list[i].Counts = logged[index].Counts
			list[i].Stays = list[i].Stays || logged[index].IsPossible
			continue
		}
		list[i].Counts = s.timeline.Counts(ctx, s.counter, d)
		list[i].Stays = true
		_, wasHeld := s.timeline.Holding(d.OldID)
		isUnlogged = isUnlogged || !wasHeld
	}
	return isUnlogged
}

// countAnswers adds answer counts to the surveys with detached answers that an export found. written
// describes how the exported files restore the old IDs.
func (l *answerLog) countAnswers(ctx context.Context, surveys []export.Detached, written repairing) ([]detachedSurvey, error) {
	counted := []detachedSurvey{}
	for _, item := range surveys {
		repair := written
		repair.isUnlogged = true
		if survey, err := l.surveys.Retrieve(ctx, item.ID); err == nil {
			if logged, ok := l.read(ctx, survey); ok {
				repair.isUnlogged = logged.count(ctx, item.Questions)
			}
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !repair.isUnlogged {
			repair.flags = l.program.environmentFlags("")
		}
		counted = append(counted, newDetachedSurvey(item.ID, item.Survey, item.Questions, repair))
	}
	return counted, nil
}
