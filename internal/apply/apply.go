// Package apply carries out plans of package reconcile on a live side, one action after
// the other. It decides nothing: what an action does was planned, and an object that is
// not as it was then is left as it is.
package apply

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/side"
)

// Target is the live side that is changed.
type Target struct {
	Client *client.Client
	// ProjectID is that of the surveys, OrganizationID that of the import apps.
	ProjectID, OrganizationID string
}

// Run carries out the actions of a plan in their order, and writes into each what became
// of it. A failure ends no other action than those that wait for the one that failed.
// Before every write the object is read again; when it is not the one that was planned
// for, the action is skipped. done is called after each action.
//
// No action is begun after the context has ended.
func (t Target) Run(ctx context.Context, plan *reconcile.Plan, done func()) {
	for i := range plan.Actions {
		action := &plan.Actions[i]
		if action.Outcome == reconcile.Planned {
			action.Outcome, action.Reason = t.run(ctx, plan, action)
		}
		done()
	}
}

func (t Target) run(ctx context.Context, plan *reconcile.Plan, action *reconcile.Action) (reconcile.Outcome, string) {
	if ctx.Err() != nil {
		return reconcile.NotRun, "interrupted"
	}
	for _, first := range action.After {
		if before := plan.Actions[first]; before.Outcome != reconcile.Done {
			return reconcile.NotRun, fmt.Sprintf("%s survey %q has to be done first; run again", before.Verb, before.Name)
		}
	}
	if action.Removes() && plan.Count(reconcile.Failed) > 0 {
		return reconcile.NotRun, "nothing is deleted or archived after a failure; run again"
	}

	err := t.write(ctx, plan, action)
	var changed *changedError
	switch {
	case errors.As(err, &changed):
		return reconcile.Skipped, changed.reason
	case err != nil:
		return reconcile.Failed, err.Error()
	}
	return reconcile.Done, ""
}

func (t Target) write(ctx context.Context, plan *reconcile.Plan, action *reconcile.Action) error {
	switch {
	case action.Kind == side.App && action.Verb == reconcile.Create:
		return t.createApp(ctx, plan, action)
	case action.Kind == side.App:
		return t.changeApp(ctx, action)
	case action.Verb == reconcile.Create:
		return t.createSurvey(ctx, action)
	default:
		return t.changeSurvey(ctx, action)
	}
}

// changedError is an object that is not as it was when the action was planned.
type changedError struct{ reason string }

func (e *changedError) Error() string { return e.reason }

// checkSeen compares an object that was just read with the one that was planned for.
func checkSeen(action *reconcile.Action, now side.Object) error {
	if reconcile.Fingerprint(now) != action.Seen {
		return &changedError{"it was changed since this was planned; run again to see the difference"}
	}
	return nil
}

// goneOr is the error of a read: an object that is gone was changed.
func goneOr(err error) error {
	if client.IsNotFound(err) {
		return &changedError{"it was deleted since this was planned; run again"}
	}
	return err
}

// existsOr is the error of a create: an object that exists by now was changed.
func existsOr(err error) error {
	var conflict *client.ConflictError
	if errors.As(err, &conflict) && conflict.ID != "" {
		return &changedError{fmt.Sprintf("one of this name or address was created since this was planned, with id %s; run again to see the difference", conflict.ID)}
	}
	return err
}

// deletion is the outcome of a delete. An object that is gone by now is what was wanted,
// since the answer to an earlier request may have been lost. 404 alone doesn't say so: it is
// also what a proxy in trouble or a wrong project answers to everything. The object's own
// read has to say 404, and the list has to be there.
func deletion[T any](err error, retrieve func() error, list iter.Seq2[T, error]) error {
	if !client.IsNotFound(err) || !client.IsNotFound(retrieve()) {
		return err
	}

	for _, unlisted := range list {
		if unlisted != nil {
			return fmt.Errorf("%w; whether it is deleted cannot be told, since the list cannot be read either: %w", err, unlisted)
		}
		break
	}
	return nil
}

func appID(action *reconcile.Action) (int64, error) { return strconv.ParseInt(action.ID, 10, 64) }
