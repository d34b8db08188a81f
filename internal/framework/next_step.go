package framework

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// nextStep returns what to do after an error. The order of the cases matters, because an error may wrap others: first
// the outcome of a create, then the reason for a missing response, and last PostHog's response.
func (a Attempt) nextStep(err error) string {
	if step := a.afterCreate(err); step != "" {
		return step
	}
	if client.IsRemoved(err) {
		return a.removalAdvice()
	}
	if step := a.afterNoResponse(err); step != "" {
		return step
	}

	var refusal *client.Error
	if !errors.As(err, &refusal) {
		return "Check that base_url (POSTHOG_BASE_URL) is the URL of PostHog, then run the same command again."
	}
	return a.afterRefusal(refusal)
}

// is reports whether an error is an E, or wraps one.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// afterNoResponse returns what to do after a request that was not sent, or whose response was incomplete. It returns an
// empty string for any other error.
func (a Attempt) afterNoResponse(err error) string {
	notAllowed, isNotAllowed := errors.AsType[*client.NotAllowedError](err)
	switch {
	case isNotAllowed:
		return "Nothing was sent. Check that this run uses the right environment. To allow this ID, add it to " + notAllowed.Setting + "."
	case is[*client.UnavailableError](err):
		return "PostHog is down, or the server at base_url (POSTHOG_BASE_URL) is not PostHog. " +
			"This request changed nothing. When PostHog is available again, run the same command again."
	case is[*client.HeldBackError](err):
		return "Run the same command again later. If requests_per_minute is set, you can increase it."
	case is[*client.InvalidIDError](err):
		return "Check the ID: it must be only the ID of the object. The ID of its " + a.parentWord() + " is a separate argument."
	case is[*client.CutOffError](err):
		return "PostHog may have carried out the request. Run the same command again, and check what it plans."
	}
	return ""
}

// afterRefusal returns what to do after a response with a status of 400 or above.
func (a Attempt) afterRefusal(err *client.Error) string {
	switch {
	case client.IsUnauthorized(err):
		return "Check the API key: api_key of the provider block, or POSTHOG_API_KEY. It must be an existing personal API key."
	case client.IsForbidden(err):
		return a.afterForbidden(err)

	case client.IsParentNotFound(err):
		return "Check the ID of the " + a.parentWord() + " in the resource, in the provider block, or in the environment variable."
	case client.IsNotFound(err):
		return "Check the ID: the object was deleted, or belongs to another " + a.parentWord() + "."
	case err.Status == http.StatusNotFound:
		return "PostHog reports missing objects in another way. Check base_url (POSTHOG_BASE_URL), and any proxy in front of PostHog."

	case client.IsThrottled(err):
		return "Run the same command again in a minute, or lower requests_per_minute in the provider block."
	case client.IsAwaitingApproval(err):
		return "The organization requires approval for changes like this one, so it was not made. " +
			"Have the change request approved in PostHog, then run the same command again. It plans the remaining changes."
	case client.IsUniqueName(err):
		return "Use another name, or import the existing object with an import block.\n\n" + a.managedAlready()
	case client.IsValidation(err):
		return "This request changed nothing. Change the configuration to values that PostHog accepts."

	case err.Status >= http.StatusInternalServerError:
		return "PostHog failed. Check whether the change was made before you run the same command again."
	}

	return "The response contains no further details. If it contains a request ID, PostHog support can use it to find the cause."
}

// afterForbidden returns what to do after a 403, depending on its detail.
func (a Attempt) afterForbidden(err *client.Error) string {
	switch {
	case client.IsForNoKey(err):
		return "PostHog does not allow this with an API key, only for signed-in users. Remove it from the configuration, or do it in PostHog."
	case client.IsLimitedToProjects(err):
		return "The API key is limited to projects, and PostHog does not allow such keys to use import apps. Use a key without that limit."
	case strings.Contains(err.Detail, "managed by another organization"):
		return "The app is global, and only its own organization can change it. Remove it from the state (terraform state rm) and from the configuration."
	case strings.Contains(strings.ToLower(err.Detail), "plugin"):
		return "The cause is the plugin access level of the organization, not a scope of the API key. Ask the administrators of PostHog to raise it."
	}
	return "Use an API key that has the scope in the message above, if any, and access to the " + a.parentWord() + ": " +
		"its user must be a member with this permission, and the key must not be limited to other projects."
}

// afterCreate returns what to do after a create with an unknown outcome or a conflict, and after any operation that
// timed out. It returns an empty string for any other error.
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
		return "Two resources of this configuration use the same name or URL. Change it in one of them, or remove one."
	case errors.As(err, &conflict) && conflict.ID != "":
		return "Use another name or URL, or import the existing object:\n\n" + a.importBlock(conflict.ID) + "\n\n" + a.managedAlready()
	}
	return ""
}

// afterAmbiguous returns what to do about a create that may have been carried out.
func (a Attempt) afterAmbiguous(err *client.AmbiguousCreateError) string {
	switch {
	case len(err.Found) > 0:
		return "To manage the object that was found, import it. To create a new one, delete it in PostHog and run the same command again:\n\n" +
			a.importBlock(err.Found...)
	case err.Hidden || err.MayDuplicate:
		return "First check in PostHog whether the " + a.Noun + " was created. If it was, delete it there or import it with an import block: " +
			"PostHog may hide it, and may accept a second one with the same name. Then run the same command again."
	}
	return "Run the same command again: it creates the " + a.Noun + ", or shows the ID of the one that was already created."
}

// managedAlready returns what to do if the configuration already manages the object with the name. An import block
// doesn't help in this case.
func (a Attempt) managedAlready() string {
	return "If this configuration already manages the existing object, do not import it. First rename or destroy that object in a separate apply, " +
		"and remove create_before_destroy from its lifecycle block."
}

// importBlock returns an import block for an object, or for one of several IDs.
func (a Attempt) importBlock(ids ...string) string {
	_, parent, _ := strings.Cut(a.Parent, " ")
	var lines []string
	for _, id := range ids {
		lines = append(lines, fmt.Sprintf("  id = %q", parent+"/"+id))
	}
	return fmt.Sprintf("import {\n  to = %s.example # the address of this resource\n%s\n}", a.Type, strings.Join(lines, " # or\n"))
}

// afterTimeout returns what to do after an operation timed out, before a request was sent or while it waited for the
// response.
func (a Attempt) afterTimeout(budget client.Budget, err error) string {
	heldBack, unsent := errors.AsType[*client.HeldBackError](err)
	if unsent {
		return "This request changed nothing. Run the same command again. " + moreTime(budget, heldBack.Wait)
	}
	return "PostHog may have carried it out anyway. Run the same command again to complete the remaining changes. " + moreTime(budget, 0)
}

// moreTime explains how to give an operation enough time for a wait.
func moreTime(budget client.Budget, wait time.Duration) string {
	const longest = 6 * time.Hour // CI systems usually end a job earlier
	if budget.Operation == "" || wait > longest {
		return "Try again later, when PostHog may respond faster."
	}
	enough := (budget.Length + wait + time.Minute - 1).Truncate(time.Minute)

	text := fmt.Sprintf("If the operation needs more than %s, increase its timeout in the resource:\n\ntimeouts = {\n  %s = %q\n}",
		client.FormatDuration(budget.Length), budget.Operation, client.FormatDuration(max(2*budget.Length, enough)))

	if budget.Operation == "read" || budget.Operation == "delete" {
		text += "\n\nUntil you apply this with -refresh=false, Terraform uses the timeout in the state."
	}
	return text
}
