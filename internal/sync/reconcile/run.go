package reconcile

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// Target is the live source on which a plan is carried out. It makes no decisions: actions do what was
// planned, and objects that have changed since then are skipped.
type Target struct {
	Client *client.Client
	// ProjectID identifies the project of the surveys, and OrganizationID the organization of the
	// import apps.
	ProjectID, OrganizationID string
}

// Run carries out the actions of a plan in order, and sets the outcome of each. After a failure, it
// still runs independent actions, except those that delete or archive. Run reads each object again
// before it writes, and skips the action if the object has changed since planning. It calls done after
// each action.
//
// Run starts no action after the context ends.
func (t Target) Run(ctx context.Context, plan *Plan, done func()) {
	for i := range plan.Actions {
		action := &plan.Actions[i]
		if action.Outcome == Planned {
			action.Outcome, action.Reason = t.run(ctx, plan, action)
		}
		done()
	}
}

func (t Target) run(ctx context.Context, plan *Plan, action *Action) (outcome Outcome, reason string) {
	if ctx.Err() != nil {
		return NotRun, "interrupted"
	}
	for _, i := range action.After {
		if first := plan.Actions[i]; first.Outcome != Done {
			return NotRun, fmt.Sprintf("%s survey %q has to be done first; run again", first.Verb, first.Name)
		}
	}
	if action.Removes() && plan.Count(Failed) > 0 {
		return NotRun, "nothing is deleted or archived after a failure; run again"
	}

	err := t.write(ctx, plan, action)
	var notDone *notDoneError
	switch {
	case errors.As(err, &notDone):
		return notDone.outcome, notDone.reason
	case err != nil:
		return Failed, err.Error()
	}
	return Done, ""
}

func (t Target) write(ctx context.Context, plan *Plan, action *Action) error {
	switch {
	case action.Kind == source.App && action.Verb == Create:
		return t.createApp(ctx, plan, action)
	case action.Kind == source.App:
		return t.changeApp(ctx, action)
	case action.Verb == Create:
		return t.createSurvey(ctx, action)
	default:
		return t.changeSurvey(ctx, action)
	}
}

// notDoneError is the error of an action that was not carried out for a known reason.
type notDoneError struct {
	outcome Outcome
	reason  string
}

func (e *notDoneError) Error() string { return e.reason }

// newSkipError returns the error for an object that changed after the action was planned.
func newSkipError(reason string) error { return &notDoneError{Skipped, reason} }

// liveObjects are the surveys of a project or the import apps of an organization.
type liveObjects[T, R, K any] interface {
	Change(ctx context.Context, id K, decide func(ctx context.Context, live T) (R, error)) (T, error)
	Remove(ctx context.Context, id K, check func(ctx context.Context, live T) error) error
	Retrieve(ctx context.Context, id K) (T, error)
	List(ctx context.Context, options client.ListOptions) iter.Seq2[T, error]
}

// change updates or deletes an object, unless the object changed after planning or another check
// refuses the action.
func change[T, R, K any](
	ctx context.Context, objects liveObjects[T, R, K], action *Action, id K, request R,
	convert func(ctx context.Context, live T) (source.Object, error), mayWrite func(context.Context) error,
) error {
	wasThere := false
	check := func(ctx context.Context, live T) error {
		wasThere = true
		now, err := convert(ctx, live)
		switch {
		case err != nil:
			return err
		case Fingerprint(now) != action.Seen:
			return newSkipError("it was changed since this was planned; run again to see the difference")
		}
		return mayWrite(ctx)
	}
	if action.Verb != Delete {
		_, err := objects.Change(ctx, id, func(ctx context.Context, live T) (R, error) { return request, check(ctx, live) })
		return asDeletedSince(err)
	}

	err := objects.Remove(ctx, id, check)
	if !wasThere {
		return asDeletedSince(err)
	}
	if !client.IsNotFound(err) {
		return err
	}
	// An object that is already gone counts as a success, because the response to an earlier request
	// may have been lost. A single 404 is not proof: a misconfigured proxy or a wrong project returns
	// it for everything. Therefore, reading the object must also return 404, and its list must be
	// readable.
	if _, readErr := objects.Retrieve(ctx, id); !client.IsNotFound(readErr) {
		return err
	}
	for _, listErr := range objects.List(ctx, client.ListOptions{PageSize: 1}) {
		if listErr != nil {
			return fmt.Errorf("%w; whether it is deleted is not known, since the list cannot be read either: %w", err, listErr)
		}
		break
	}
	return nil
}

// asDeletedSince converts the error of a read or an update: 404 means that the object was deleted after
// planning.
func asDeletedSince(err error) error {
	if client.IsNotFound(err) {
		return newSkipError("it was deleted since this was planned; run again")
	}
	return err
}

// asCreatedSince converts the error of a create: a conflict means that the object was created after
// planning.
func asCreatedSince(err error) error {
	var conflict *client.ConflictError
	if errors.As(err, &conflict) && conflict.ID != "" {
		return newSkipError(fmt.Sprintf("one of this name or address was created since this was planned, with id %s; run again to see the difference", conflict.ID))
	}
	return err
}

func (t Target) createSurvey(ctx context.Context, action *Action) error {
	surveys := t.Client.Surveys(t.ProjectID)
	draft, launch, isSplit := survey.LaunchSeparately(action.SurveyRequest)
	created, err := surveys.CreateOnce(ctx, draft)
	if created.ID != nil {
		action.ID = *created.ID
	}
	if err != nil || !isSplit {
		return asCreatedSince(err)
	}

	if ctx.Err() != nil {
		return fmt.Errorf("it was created with id %s, as a draft, and not launched: interrupted; run again", action.ID)
	}
	if _, err := surveys.ChangeNew(ctx, *created.ID, created, survey.LaunchDecision(created, launch)); err != nil {
		return fmt.Errorf("it was created with id %s, as a draft, and not launched; run again: %w", action.ID, err)
	}
	return nil
}

// changeSurvey updates or deletes a survey. Before it deletes the survey or removes questions, it
// counts the responses again, because some may have arrived after planning.
func (t Target) changeSurvey(ctx context.Context, action *Action) error {
	surveys := t.Client.Surveys(t.ProjectID)
	convert := func(ctx context.Context, live api.Survey) (source.Object, error) {
		return source.FromSurvey(ctx, live, t.ProjectID)
	}

	err := change(ctx, surveys, action, action.ID, action.SurveyRequest, convert, func(ctx context.Context) error {
		if err := refuseNewAnswers(ctx, surveys, action); err != nil || !action.Unanswered {
			return err
		}

		switch number := responses.Again(ctx, surveys, action.ID); {
		case number.Err != nil:
			// A 404 from the count does not mean that the survey is gone.
			return &notDoneError{Failed, fmt.Sprintf("not %sd, since whether it has responses cannot be read: %v", action.Verb, number.Err)}
		case !number.IsKnown():
			return &notDoneError{Failed, fmt.Sprintf("not %sd: %s", action.Verb, number.Reason)}
		case number.Counted > 0:
			action.Count(number)
			return newSkipError(number.String() + " came in since this was planned; run again")
		}
		return nil
	})

	if client.IsUniqueName(err) {
		return newSkipError("another survey has taken the name since this was planned; run again")
	}
	return err
}

// refuseNewAnswers refuses to replace the ID of a question if answers under that ID have arrived since
// planning.
func refuseNewAnswers(ctx context.Context, surveys *client.Surveys, action *Action) error {
	hadNone := func(r ReplacedID) bool { return r.Answers != nil && *r.Answers == 0 }
	if !slices.ContainsFunc(action.Replaced, hadNone) {
		return nil
	}

	answers, err := surveys.AnswersBetween(ctx, action.ID, time.Unix(0, 0), farAway)
	if err != nil {
		return &notDoneError{Failed, fmt.Sprintf("not %sd, since the answers cannot be counted: %v", action.Verb, err)}
	}
	for _, replaced := range action.Replaced {
		if hadNone(replaced) && answers[replaced.ID] > 0 {
			return newSkipError(fmt.Sprintf("answers came in under the ID %s since this was planned; run again", replaced.ID))
		}
	}
	return nil
}

// farAway is late enough to include answers after the end of a survey.
var farAway = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
