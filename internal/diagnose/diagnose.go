// Package diagnose words the errors of the service for the person who reads them
// in the output of Terraform: what was tried on which object, what the service
// said, what to do next. It decides nothing; no request is made here.
package diagnose

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// Attempt is what was tried, on which object.
type Attempt struct {
	// Verb is one of create, read, update, delete, import, list.
	Verb string
	// Noun is what the object is called in a sentence: survey, import app.
	Noun string
	// Type is the resource type, for example posthog_survey; empty where no import
	// block could help.
	Type string
	// Name and ID of the object, as far as they are known.
	Name, ID string
	// Parent names what the object belongs to, for example: project 1.
	Parent string
}

// Title is the headline of a diagnostic: verb, noun and name.
func (a Attempt) Title() string {
	switch {
	case a.Name != "":
		return fmt.Sprintf("Could not %s %s %q", a.Verb, a.Noun, a.Name)
	case a.ID != "":
		return fmt.Sprintf("Could not %s %s %s", a.Verb, a.Noun, a.ID)
	}
	return fmt.Sprintf("Could not %s %s", a.Verb, a.Noun)
}

// Diagnostic words an error of the client. An API error that names a request
// field is put on the attribute that attributes maps the field to.
//
// An error that all objects have in common, such as that of a bad key, is worded in
// full once, and in one line for every other object.
func (a Attempt) Diagnostic(err error, attributes map[string]path.Path) diag.Diagnostic {
	if cause, before := client.Reported(err, "error"); before {
		return diag.NewErrorDiagnostic(a.Title()+": "+cause, "")
	}

	detail := a.subject() + ".\n\n" + err.Error() + "\n\n" + nextStep(a, err)
	var apiErr *client.Error
	if errors.As(err, &apiErr) && apiErr.Attr != "" {
		// A field of a list is written field__0.
		field, _, _ := strings.Cut(apiErr.Attr, "__")
		if at, ok := attributes[field]; ok {
			return diag.NewAttributeErrorDiagnostic(at, a.Title(), at.String()+": "+apiErr.Detail+"\n\n"+detail)
		}
	}
	return diag.NewErrorDiagnostic(a.Title(), detail)
}

// Refresh words an error of a refresh. Of an error that all objects have in common,
// the first object has the error, which ends the run, and the others a warning:
// Terraform shows warnings of one title as one, and errors each with its source.
func (a Attempt) Refresh(err error) diag.Diagnostic {
	if cause, before := client.Reported(err, "refresh"); before {
		return diag.NewWarningDiagnostic("Not refreshed: "+cause,
			a.subject()+". The error of another "+a.Noun+" says more, and what to do.")
	}
	return a.Diagnostic(err, nil)
}

func (a Attempt) subject() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Tried to %s the %s", a.Verb, a.Noun)
	if a.Name != "" {
		fmt.Fprintf(&b, " %q", a.Name)
	}
	if a.ID != "" {
		fmt.Fprintf(&b, " with id %s", a.ID)
	}
	if a.Parent != "" {
		fmt.Fprintf(&b, " in %s", a.Parent)
	}
	return b.String()
}

// nextStep says what the reader can do, by the kind of error.
func nextStep(a Attempt, err error) string {
	var apiErr *client.Error
	var heldBack *client.HeldBackError
	budget, outOfTime := client.OutOfTime(err)
	var cutOff *client.CutOffError
	var ambiguous *client.AmbiguousCreateError
	var taken *client.ConflictError
	var unavailable *client.UnavailableError
	switch {
	case errors.As(err, &ambiguous) && outOfTime:
		return a.afterAmbiguous(ambiguous) + "\n\n" + moreTime(budget, 0)
	case errors.As(err, &ambiguous):
		return a.afterAmbiguous(ambiguous)
	case outOfTime:
		var wait time.Duration
		if errors.As(err, &heldBack) {
			wait = heldBack.Wait
		}
		return "Nothing is lost: " + a.afterStop(heldBack != nil) + " " + moreTime(budget, wait)
	case errors.As(err, &taken) && taken.Own:
		return "Two resources of this configuration ask for the same one: give one of them another name or address, or take it out."
	case errors.As(err, &taken) && taken.ID != "":
		return "Give it another name or address, or take the existing one over:\n\n" + a.importBlock(taken.ID) + "\n\n" + a.managedAlready()
	case errors.As(err, &unavailable):
		return "The service is down, or what answers at base_url (POSTHOG_BASE_URL) is not the service. " +
			"Nothing was changed by this request: run the same command again when it is back."
	case errors.As(err, &heldBack):
		return "Run the same command again later, or with a higher requests_per_minute if it is set."
	case errors.As(err, &cutOff):
		return "The service may have done what it was asked: run the same command again, and look at what it plans."
	case !errors.As(err, &apiErr):
		return "Check base_url (POSTHOG_BASE_URL), and that what answers there is the service, then run the same command again."
	case client.IsUnauthorized(err):
		return "Check the API key: api_key of the provider block, or POSTHOG_API_KEY. It must be a personal API key that still exists."
	case client.IsForbidden(err) && strings.Contains(apiErr.Detail, "does not support personal API key access"):
		return "The service offers this to people who are signed in to the web interface, and to no API key, whatever its scopes. " +
			"Take it out of the configuration, or do it there."
	case client.IsForbidden(err) && strings.Contains(strings.ToLower(apiErr.Detail), "access level"):
		return "This is a setting of the organization, and no scope of the API key: its plugin access level says what its members may do with apps. " +
			"Ask the operators of the service to raise it; another key of the same organization does not help."
	case client.IsForbidden(err):
		return "Give the API key the scope that the message names, and access to the " + parentWord(a) + ", or use a key that has them."
	case client.IsParentNotFound(err):
		return "Check the id of the " + parentWord(a) + ": the one of the resource, of the provider block, or of the environment."
	case client.IsNotFound(err):
		return "Check the id: the object was deleted, or belongs to another " + parentWord(a) + "."
	case apiErr.Status == http.StatusNotFound:
		return "The service says more than that when an object is gone: check base_url (POSTHOG_BASE_URL), and what stands between here and the service."
	case client.IsThrottled(err):
		return "Run the same command again in a minute, or lower requests_per_minute of the provider block."
	case client.IsAwaitingApproval(err):
		return "The organization has changes like this one approved first, so it was not made. " +
			"Have the change request approved in the web interface, then run the same command again: it plans what is still to do."
	case client.IsUniqueName(err):
		return "Give it another name, or bring the existing one under management with an import block.\n\n" + a.managedAlready()
	case client.IsValidation(err):
		return "Change the configuration so that the service accepts it; nothing was changed on the service by this request."
	case apiErr.Status >= 500:
		return "The service failed. Look whether the change was made before you run the same command again."
	}
	return "Nothing more is known. The request id, where one is given, helps the operators of the service to find the cause."
}

// afterStop says what became of the object when the time was over, before a request
// was sent or while its answer was awaited.
func (a Attempt) afterStop(unsent bool) string {
	switch {
	case a.Verb == "create":
		return "the " + a.Noun + " was not made, and the same command makes it."
	case unsent || a.Verb != "update" && a.Verb != "delete":
		return "the " + a.Noun + " is as it was before. Run the same command again."
	}
	return "run the same command again. It plans what the service has not done yet."
}

// moreTime says how to get more of it, enough for a wait that was asked for.
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
		return text + "\n\nThe one in the state counts until then: apply the change with -refresh=false."
	case "delete":
		return text + "\n\nThe one in the state counts until then: apply the change before the destroy."
	}
	return text
}

// afterAmbiguous says what to do about a create that may have been carried out.
func (a Attempt) afterAmbiguous(err *client.AmbiguousCreateError) string {
	switch {
	case len(err.Found) > 0:
		return "If the one that was found is the one to manage, take it over; if it is left over, delete it, and run the same command again:\n\n" +
			a.importBlock(err.Found...)
	case err.Hidden:
		return "Look for it in the web interface, and delete it there if it was made. Then run the same command again."
	case err.MayDuplicate:
		return "Run the same command again, but look first in the web interface whether the " + a.Noun + " was made after all: " +
			"the service does not refuse a second one of the same name. One that is there can be deleted, or taken over with an import block."
	}
	return "Run the same command again: it makes the " + a.Noun + ", or names the id of the one that was made after all."
}

// managedAlready says what to do where the object that has the name is one that the
// configuration manages: an import block is no help then.
func (a Attempt) managedAlready() string {
	if a.Verb == "update" {
		return "If this configuration manages the one that has the name, as when two swap their names, apply in two steps: " +
			"first give one of them a name that is free, then the names that both should have."
	}
	return "If this configuration manages the one that has it, do not import it: with create_before_destroy the new one is made while " +
		"the old one still has the name, so take create_before_destroy out of its lifecycle block; and where one " + a.Noun +
		" takes over the name of another, rename or destroy that one first, in an apply of its own."
}

// importBlock takes an object over, one of several when there are more ids.
func (a Attempt) importBlock(ids ...string) string {
	_, parent, _ := strings.Cut(a.Parent, " ")
	var lines []string
	for _, id := range ids {
		lines = append(lines, fmt.Sprintf("  id = %q", parent+"/"+id))
	}
	return fmt.Sprintf("import {\n  to = %s.example # the address of this resource\n%s\n}", a.Type, strings.Join(lines, " # or\n"))
}

func parentWord(a Attempt) string {
	word, _, _ := strings.Cut(a.Parent, " ")
	if word == "" {
		return "project or organization"
	}
	return word
}

// Gone says that the service no longer has the object.
func (a Attempt) Gone() string {
	return a.subject() + ", and the service says that it does not exist: it was deleted outside Terraform."
}

// MissingFields warns of attributes that were written and that the answer says nothing about.
func (a Attempt) MissingFields(names []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("The service does not know all attributes",
		a.Title()+" in full: its answer says nothing about "+strings.Join(names, ", ")+
			". The configured values are kept in the state, but they have no effect on this service.")
}
