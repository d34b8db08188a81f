package reconcile

import (
	"context"
	"errors"
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

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
