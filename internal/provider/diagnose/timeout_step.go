package diagnose

import (
	"errors"
	"fmt"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// afterTimeout is the step after an operation whose time was over.
func (a Attempt) afterTimeout(budget client.Budget, err error) string {
	var heldBack *client.HeldBackError
	var wait time.Duration
	if errors.As(err, &heldBack) {
		wait = heldBack.Wait
	}
	return "Nothing is lost: " + a.afterStop(heldBack != nil) + " " + moreTime(budget, wait)
}

// afterStop says what became of the object when the time was over, before a request
// was sent or while its response was awaited.
func (a Attempt) afterStop(unsent bool) string {
	switch {
	case a.Verb == "create":
		return "the " + a.Noun + " was not created, and the same command creates it."
	case !unsent && (a.Verb == "update" || a.Verb == "delete"):
		return "run the same command again. It plans what the service has not done yet."
	case !unsent && (a.Verb == "launch" || a.Verb == "stop" || a.Verb == "upgrade"):
		return "the service may have done it anyway. Run the same command again."
	}
	return "the " + a.Noun + " is as it was before. Run the same command again."
}

// moreTime says how to give an operation more time, enough for a wait that was asked for.
func moreTime(budget client.Budget, wait time.Duration) string {
	const longest = 6 * time.Hour // CI ends before
	switch {
	case wait > longest:
		return "No timeout is long enough for the wait that the service asks for: come back when it is over, or ask the operators of the service."
	case budget.Operation == "":
		return "The service may have more time for it later."
	}
	enough := (budget.Length + wait + time.Minute - 1).Truncate(time.Minute)

	text := fmt.Sprintf("If it takes longer than %s for good reason, give it more time in the resource:\n\ntimeouts = {\n  %s = %q\n}",
		client.FormatDuration(budget.Length), budget.Operation, client.FormatDuration(max(2*budget.Length, enough)))

	switch budget.Operation {
	case "read":
		return text + "\n\nUntil then the timeout in the state applies: apply the change with -refresh=false."
	case "delete":
		return text + "\n\nUntil then the timeout in the state applies: apply the change before the destroy."
	}
	return text
}
