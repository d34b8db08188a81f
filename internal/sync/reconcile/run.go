package reconcile

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// Target is the live side on which a plan is carried out. It decides nothing: what an action
// does was planned, and an object that has changed since is left alone.
type Target struct {
	Client *client.Client
	// ProjectID is the project of the surveys, OrganizationID the organization of the import
	// apps.
	ProjectID, OrganizationID string
}

// Run carries out the actions of a plan in order and sets the outcome of each. Only the
// actions that depend on a failed one are not run after a failure, and those that delete or
// archive. Before every write the object is read again; if it has changed since it was
// planned, the action is skipped. done is called after each action.
//
// No action is started after the context has ended.
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
	case action.Kind == side.App && action.Verb == Create:
		return t.createApp(ctx, plan, action)
	case action.Kind == side.App:
		return t.changeApp(ctx, action)
	case action.Verb == Create:
		return t.createSurvey(ctx, action)
	default:
		return t.changeSurvey(ctx, action)
	}
}

// notDoneError is the error of an action that was not done for a known reason.
type notDoneError struct {
	outcome Outcome
	reason  string
}

func (e *notDoneError) Error() string { return e.reason }

// skipped is the error for an object that is not as it was when the action was planned.
func skipped(reason string) error { return &notDoneError{Skipped, reason} }

// checkSeen refuses an object that has changed since the action was planned. now is the
// object as it was just read.
func checkSeen(action *Action, now side.Object) error {
	if Fingerprint(now) != action.Seen {
		return skipped("it was changed since this was planned; run again to see the difference")
	}
	return nil
}

// asDeletedSince converts the error of a read or an update: 404 means that the object was deleted
// since it was planned.
func asDeletedSince(err error) error {
	if client.IsNotFound(err) {
		return skipped("it was deleted since this was planned; run again")
	}
	return err
}

// asCreatedSince converts the error of a create: a conflict means that the object was created
// since it was planned.
func asCreatedSince(err error) error {
	var conflict *client.ConflictError
	if errors.As(err, &conflict) && conflict.ID != "" {
		return skipped(fmt.Sprintf("one of this name or address was created since this was planned, with id %s; run again to see the difference", conflict.ID))
	}
	return err
}

// deletion converts the error of a delete. An object that is already gone is a success,
// since the response to an earlier request may have been lost. A single 404 is no proof: a
// misconfigured proxy or a wrong project returns it for everything. So reading the object
// has to return 404 too, and its list has to be readable.
func deletion[T any](err error, retrieve func() error, list iter.Seq2[T, error]) error {
	if !client.IsNotFound(err) || !client.IsNotFound(retrieve()) {
		return err
	}

	for _, listErr := range list {
		if listErr != nil {
			return fmt.Errorf("%w; whether it is deleted is not known, since the list cannot be read either: %w", err, listErr)
		}
		break
	}
	return nil
}

func appID(action *Action) (int64, error) { return strconv.ParseInt(action.ID, 10, 64) }

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
	if _, err := surveys.ChangeCreated(ctx, *created.ID, created, survey.LaunchOf(created, launch)); err != nil {
		return fmt.Errorf("it was created with id %s, as a draft, and not launched; run again: %w", action.ID, err)
	}
	return nil
}

// changeSurvey updates or deletes a survey, unless it has changed since it was planned.
func (t Target) changeSurvey(ctx context.Context, action *Action) error {
	surveys := t.Client.Surveys(t.ProjectID)
	check := func(ctx context.Context, live api.Survey) error {
		now, err := side.FromSurvey(ctx, live, t.ProjectID)
		if err != nil {
			return err
		}
		return checkSeen(action, now)
	}
	if action.Verb == Delete {
		return deleteSurvey(ctx, surveys, action, check)
	}

	_, err := surveys.Change(ctx, action.ID, func(ctx context.Context, live api.Survey) (api.SurveyRequest, error) {
		return action.SurveyRequest, check(ctx, live)
	})
	if client.IsUniqueName(err) {
		return skipped("another survey has taken the name since this was planned; run again")
	}
	return asDeletedSince(err)
}

// deleteSurvey deletes a survey. The number of responses is read again, since some may have
// come in since it was planned.
func deleteSurvey(ctx context.Context, surveys *client.Surveys, action *Action, check func(context.Context, api.Survey) error) error {
	wasThere := false
	err := surveys.Remove(ctx, action.ID, func(ctx context.Context, live api.Survey) error {
		wasThere = true
		if err := check(ctx, live); err != nil || !action.Unanswered {
			return err
		}
		switch number := responses.Again(ctx, surveys, action.ID); {
		case number.Err != nil:
			return fmt.Errorf("not deleted, since whether it has responses cannot be read: %w", number.Err)
		case !number.IsKnown():
			return errors.New("not deleted: " + number.Reason)
		case number.Counted > 0:
			return skipped(fmt.Sprintf("%d responses came in since this was planned", number.Counted))
		}
		return nil
	})
	if !wasThere {
		return asDeletedSince(err)
	}
	return deletion(err, func() error {
		_, err := surveys.Retrieve(ctx, action.ID)
		return err
	}, surveys.List(ctx, client.ListOptions{PageSize: 1}))
}
