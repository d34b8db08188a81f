package diagnose

import (
	"errors"
	"net/http"
	"strings"

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

// afterNoResponse is the step after a request that was not sent or whose response did not
// come whole; empty for any other error.
func (a Attempt) afterNoResponse(err error) string {
	var unavailable *client.UnavailableError
	var heldBack *client.HeldBackError
	var cutOff *client.CutOffError
	var invalidID *client.InvalidIDError
	var notAllowed *client.NotAllowedError
	switch {
	case errors.As(err, &notAllowed):
		return "Nothing was sent. Check which environment this run is for, or add the id to " + notAllowed.Setting + " if it is meant."
	case errors.As(err, &unavailable):
		return "The service is down, or what answers at base_url (POSTHOG_BASE_URL) is not the service. " +
			"Nothing was changed by this request: run the same command again when it is back."
	case errors.As(err, &heldBack):
		return "Run the same command again later, or with a higher requests_per_minute if it is set."
	case errors.As(err, &invalidID):
		return "Check the id: it must be the id of the object only. The id of its " + a.parentWord() + " is a separate argument."
	case errors.As(err, &cutOff):
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
	detail := err.Detail
	switch {
	case strings.Contains(detail, "scoped projects"):
		return "The API key is limited to certain projects, and such a key cannot access anything that belongs to an organization: use a key without that limit."
	case client.IsShutOut(err):
		return "Use an API key that has access to the " + a.parentWord() + ": its user must be a member who may see it, and the key must not be limited to others. " +
			"Or check the id of the " + a.parentWord() + ": the one of the resource, of the provider block, or of the environment."
	case client.IsForNoKey(err):
		return "The service offers this to people who are signed in to the web interface, and to no API key, whatever its scopes. " +
			"Remove it from the configuration, or do it there."
	case strings.Contains(detail, "managed by another organization"):
		return "The app is global and belongs to another organization, the only one that can change it: remove it from the state (terraform state rm) " +
			"and from the configuration. The data source posthog_pipeline_import_app reads it."
	case isAccessLevel(strings.ToLower(detail)):
		return "This is a setting of the organization, not a scope of the API key: its plugin access level says what its members may do with apps. " +
			"Ask the operators of the service to raise it; another key of the same organization does not help."
	}
	if !strings.Contains(strings.ToLower(detail), "scope") {
		return "The message names no scope: the user of the API key may not do this in the " + a.parentWord() + ". " +
			"Give that user the permission, or use the key of a user who has it."
	}
	return "Give the API key the scope that the message names, and access to the " + a.parentWord() + ", or use a key that has them."
}

// isAccessLevel reports whether the detail of a 403, in small letters, is about the plugin
// access level of an organization.
func isAccessLevel(detail string) bool {
	return strings.Contains(detail, "access level") || strings.Contains(detail, "can't manage global plugins") ||
		strings.Contains(detail, "is not available for the current organization")
}
