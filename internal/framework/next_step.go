package framework

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// nextStep says what the reader can do, by the kind of error. The order of the cases
// matters, since one error may wrap others: what is known of a create comes first, then
// why there is no response, and last what the service said.
func (a Attempt) nextStep(err error) string {
	if step := a.afterCreate(err); step != "" {
		return step
	}
	if client.IsRemoved(err) {
		return a.afterRemoved()
	}
	if step := a.afterNoResponse(err); step != "" {
		return step
	}

	var refusal *client.Error
	if !errors.As(err, &refusal) {
		return "Check base_url (POSTHOG_BASE_URL), and that what answers there is the service, then run the same command again."
	}
	return a.afterRefusal(refusal)
}

// is reports whether an error is one of a type, or wraps one.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// afterNoResponse is the step after a request that was not sent or whose response did not
// come whole; empty for any other error.
func (a Attempt) afterNoResponse(err error) string {
	notAllowed, isNotAllowed := errors.AsType[*client.NotAllowedError](err)
	switch {
	case isNotAllowed:
		return "Nothing was sent. Check which environment this run is for, or add the id to " + notAllowed.Setting + " if it is meant."
	case is[*client.UnavailableError](err):
		return "The service is down, or what answers at base_url (POSTHOG_BASE_URL) is not the service. " +
			"Nothing was changed by this request: run the same command again when it is back."
	case is[*client.HeldBackError](err):
		return "Run the same command again later, or with a higher requests_per_minute if it is set."
	case is[*client.InvalidIDError](err):
		return "Check the id: it must be the id of the object only. The id of its " + a.parentWord() + " is a separate argument."
	case is[*client.CutOffError](err):
		return "The service may have done what it was asked: run the same command again, and look at what it plans."
	}
	return ""
}

// afterRefusal is the step after a response with a status of 400 or above.
func (a Attempt) afterRefusal(err *client.Error) string {
	switch {
	case client.IsUnauthorized(err):
		return "Check the API key: api_key of the provider block, or POSTHOG_API_KEY. It must be a personal API key that still exists."
	case client.IsForbidden(err):
		return a.afterForbidden(err)

	case client.IsParentNotFound(err):
		return "Check the id of the " + a.parentWord() + ": the one of the resource, of the provider block, or of the environment."
	case client.IsNotFound(err):
		return "Check the id: the object was deleted, or belongs to another " + a.parentWord() + "."
	case err.Status == http.StatusNotFound:
		return "This is not how the service reports an object that does not exist: check base_url (POSTHOG_BASE_URL), and any proxy in front of the service."

	case client.IsThrottled(err):
		return "Run the same command again in a minute, or lower requests_per_minute of the provider block."
	case client.IsAwaitingApproval(err):
		return "The organization requires approval for changes like this one, so it was not made. " +
			"Have the change request approved in the web interface, then run the same command again: it plans what is still to do."
	case client.IsUniqueName(err):
		return "Give it another name, or bring the existing one under management with an import block.\n\n" + a.managedAlready()
	case client.IsValidation(err):
		return "Change the configuration so that the service accepts it; nothing was changed on the service by this request."

	case err.Status >= http.StatusInternalServerError:
		return "The service failed. Check whether the change was made before you run the same command again."
	}

	return "The response says no more. The request id, if there is one, helps the operators of the service find the cause."
}

// afterForbidden is the step after a 403, by its detail.
func (a Attempt) afterForbidden(err *client.Error) string {
	switch {
	case client.IsForNoKey(err):
		return "The service offers this to people who are signed in to the web interface, and to no API key: remove it from the configuration, or do it there."
	case strings.Contains(err.Detail, "managed by another organization"):
		return "The app is global, and its own organization alone can change it: remove it from the state (terraform state rm) and from the configuration."
	case strings.Contains(strings.ToLower(err.Detail), "plugin"):
		return "This is a setting of the organization, its plugin access level, and no scope of the API key: ask the operators of the service to raise it."
	}
	return "Use an API key that has the scope that the message names, if it names one, and access to the " + a.parentWord() + ": " +
		"its user must be a member who may do this, and the key must not be limited to other projects."
}

// afterCreate is the next step after a create with an unknown outcome or a conflict, and
// after any operation that timed out; empty for any other error.
func (a Attempt) afterCreate(err error) string {
	var ambiguous *client.AmbiguousCreateError
	var conflict *client.ConflictError
	budget, outOfTime := client.OutOfTime(err)
	switch {
	case errors.As(err, &ambiguous) && outOfTime:
		return a.afterAmbiguous(ambiguous) + "\n\n" + moreTime(budget, 0)
	case errors.As(err, &ambiguous):
		return a.afterAmbiguous(ambiguous)
	case outOfTime:
		return a.afterTimeout(budget, err)
	case errors.As(err, &conflict) && conflict.Own:
		return "Two resources of this configuration ask for the same one: give one of them another name or address, or remove it."
	case errors.As(err, &conflict) && conflict.ID != "":
		return "Give it another name or address, or take over the existing one:\n\n" + a.importBlock(conflict.ID) + "\n\n" + a.managedAlready()
	}
	return ""
}

// afterAmbiguous says what to do about a create that may have been carried out.
func (a Attempt) afterAmbiguous(err *client.AmbiguousCreateError) string {
	switch {
	case len(err.Found) > 0:
		return "If the one that was found is the one to manage, take it over; if it is left over, delete it, and run the same command again:\n\n" +
			a.importBlock(err.Found...)
	case err.Hidden || err.MayDuplicate:
		return "Look first in the web interface whether the " + a.Noun + " was created after all, and delete it there or take it over with an import block: " +
			"the service may hide it, and may not refuse a second one of the same name. Then run the same command again."
	}
	return "Run the same command again: it creates the " + a.Noun + ", or names the id of the one that was created after all."
}

// managedAlready says what to do if the configuration already manages the object with the
// name, where an import block does not help.
func (a Attempt) managedAlready() string {
	return "If this configuration manages the one that has it, do not import it: rename or destroy that one first, in an apply of its own, " +
		"and remove create_before_destroy from its lifecycle block."
}

// importBlock is an import block for an object, or for one of several ids.
func (a Attempt) importBlock(ids ...string) string {
	_, parent, _ := strings.Cut(a.Parent, " ")
	var lines []string
	for _, id := range ids {
		lines = append(lines, fmt.Sprintf("  id = %q", parent+"/"+id))
	}
	return fmt.Sprintf("import {\n  to = %s.example # the address of this resource\n%s\n}", a.Type, strings.Join(lines, " # or\n"))
}

// afterTimeout is the step after an operation whose time was over, before a request was sent or
// while its response was awaited.
func (a Attempt) afterTimeout(budget client.Budget, err error) string {
	heldBack, unsent := errors.AsType[*client.HeldBackError](err)
	if unsent {
		return "Nothing was changed by this request. Run the same command again. " + moreTime(budget, heldBack.Wait)
	}
	return "The service may have done it anyway: run the same command again, which does what is still to do. " + moreTime(budget, 0)
}

// moreTime says how to give an operation more time, enough for a wait that was asked for.
func moreTime(budget client.Budget, wait time.Duration) string {
	const longest = 6 * time.Hour // CI ends before
	if budget.Operation == "" || wait > longest {
		return "The service may have more time for it later."
	}
	enough := (budget.Length + wait + time.Minute - 1).Truncate(time.Minute)

	text := fmt.Sprintf("If it takes longer than %s for good reason, give it more time in the resource:\n\ntimeouts = {\n  %s = %q\n}",
		client.FormatDuration(budget.Length), budget.Operation, client.FormatDuration(max(2*budget.Length, enough)))

	if budget.Operation == "read" || budget.Operation == "delete" {
		text += "\n\nUntil that is applied (with -refresh=false) the timeout in the state counts."
	}
	return text
}
