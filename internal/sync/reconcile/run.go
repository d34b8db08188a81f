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

// Target is the live source on which a plan is executed. It makes no decisions: it executes the planned
// actions, and skips objects that changed after planning.
type Target struct {
	Client *client.Client
	// ProjectID identifies the surveys' project, and OrganizationID identifies the import apps'
	// organization.
	ProjectID, OrganizationID string
}

// Run executes the actions of a plan in order, and sets the outcome of each. After a failure, Run still
// executes independent actions, except deletions and archivals. Before each write, Run reads the object
// again, and skips the action if the object changed after planning. Run calls done after each action.
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
			return NotRun, fmt.Sprintf("%s survey %q must succeed first; run again", first.Verb, first.Name)
		}
	}
	if action.Removes() && plan.Count(Failed) > 0 {
		return NotRun, "objects are not deleted or archived after a failure; run again"
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

// notDoneError is the error of an action that did not run, with the reason.
type notDoneError struct {
	outcome Outcome
	reason  string
}

func (e *notDoneError) Error() string { return e.reason }

// newSkipError returns the error for an object that changed after planning.
func newSkipError(reason string) error { return &notDoneError{Skipped, reason} }

// liveObjects provides access to the surveys of a project or the import apps of an organization.
type liveObjects[T, R, K any] interface {
	Change(ctx context.Context, id K, decide func(ctx context.Context, live T) (R, error)) (T, error)
	Remove(ctx context.Context, id K, check func(ctx context.Context, live T) error) error
	Retrieve(ctx context.Context, id K) (T, error)
	List(ctx context.Context, options client.ListOptions) iter.Seq2[T, error]
}

// change updates or deletes an object. It returns an error if the object changed after planning, or if
// another check refuses the action.
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
			return newSkipError("it changed after the plan; run again to see the difference")
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
	// If the object no longer exists, the deletion succeeded, because the response to an earlier request
	// may have been lost. A single 404 is not proof, because a misconfigured proxy or a wrong project
	// returns 404 for every request. Therefore, a read of the object must also return 404, and its list
	// must be readable.
	if _, readErr := objects.Retrieve(ctx, id); !client.IsNotFound(readErr) {
		return err
	}
	for _, listErr := range objects.List(ctx, client.ListOptions{PageSize: 1}) {
		if listErr != nil {
			return fmt.Errorf("%w; it is unknown whether it was deleted, because the list cannot be read: %w", err, listErr)
		}
		break
	}
	return nil
}

// asDeletedSince converts the error from a read or an update. A 404 means that the object was deleted after
// planning.
func asDeletedSince(err error) error {
	if client.IsNotFound(err) {
		return newSkipError("it was deleted after the plan; run again")
	}
	return err
}

// asCreatedSince converts the error from a create request. A conflict means that the object was created
// after planning.
func asCreatedSince(err error) error {
	var conflict *client.ConflictError
	if errors.As(err, &conflict) && conflict.ID != "" {
		return newSkipError(fmt.Sprintf("an object with this name or URL was created after the plan, with ID %s; run again to see the difference", conflict.ID))
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
		return fmt.Errorf("it was created with ID %s as a draft, but not launched: interrupted; run again", action.ID)
	}
	if _, err := surveys.ChangeNew(ctx, *created.ID, created, survey.LaunchDecision(created, launch)); err != nil {
		return fmt.Errorf("it was created with ID %s as a draft, but not launched; run again: %w", action.ID, err)
	}
	return nil
}

// changeSurvey updates or deletes a survey. Before it deletes the survey or removes questions, it counts
// the responses again, because responses may have arrived after planning.
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
			// A 404 from the count does not mean that the survey was deleted.
			return &notDoneError{Failed, fmt.Sprintf("not %sd, because its responses cannot be counted: %v", action.Verb, number.Err)}
		case !number.IsKnown():
			return &notDoneError{Failed, fmt.Sprintf("not %sd: %s", action.Verb, number.Reason)}
		case number.Counted > 0:
			action.Count(number)
			return newSkipError(number.String() + " arrived after the plan; run again")
		}
		return nil
	})

	if client.IsUniqueName(err) {
		return newSkipError("another survey took the name after the plan; run again")
	}
	return err
}

// refuseNewAnswers returns an error if, after planning, answers have arrived under a question ID that an
// action replaces.
func refuseNewAnswers(ctx context.Context, surveys *client.Surveys, action *Action) error {
	hadNone := func(r ReplacedID) bool { return r.Answers != nil && *r.Answers == 0 }
	if !slices.ContainsFunc(action.Replaced, hadNone) {
		return nil
	}

	answers, err := surveys.AnswersBetween(ctx, action.ID, time.Unix(0, 0), farAway)
	if err != nil {
		return &notDoneError{Failed, fmt.Sprintf("not %sd, because the answers cannot be counted: %v", action.Verb, err)}
	}
	for _, replaced := range action.Replaced {
		if hadNone(replaced) && answers[replaced.ID] > 0 {
			return newSkipError(fmt.Sprintf("answers arrived under the ID %s after the plan; run again", replaced.ID))
		}
	}
	return nil
}

// farAway is a date after all answers, including answers that arrive after a survey ends.
var farAway = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
