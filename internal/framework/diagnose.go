package framework

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// Attempt describes an operation on an object. It converts PostHog's errors to diagnostics with the operation, the
// object, PostHog's response, and the next step.
type Attempt struct {
	// Verb is the operation, such as create, read, or list.
	Verb string
	// Noun names the kind of object in a sentence: survey or import app.
	Noun string
	// Type is the resource type, for example posthog_survey. It is empty if an import block cannot help.
	Type string
	// Name and ID identify the object, as far as they are known.
	Name, ID string
	// Parent identifies the object's parent, for example: project 1.
	Parent string
}

// Title returns the title of a diagnostic: verb, noun, and name.
func (a Attempt) Title() string {
	return strings.TrimSuffix(fmt.Sprintf("Could not %s %s %s", a.Verb, a.Noun, a.objectName()), " ")
}

// objectName returns the name of the object, or its ID if the name is unknown. It is empty if neither is known.
func (a Attempt) objectName() string {
	if a.Name != "" {
		return strconv.Quote(a.Name)
	}
	return a.ID
}

// about returns the title of a warning about the object. Terraform shows only one of several warnings with the same
// title, so the title contains the object.
func (a Attempt) about(title string) string {
	if a.objectName() == "" {
		return title
	}
	return title + ": " + a.Noun + " " + a.objectName()
}

// Diagnostic converts an error of the client. An API error about a request field is reported on the attribute that
// attributes maps the field to.
//
// An error that all objects share, such as an invalid key, is reported in full once, and in one line for every other
// object.
func (a Attempt) Diagnostic(err error, attributes map[string]path.Path) diag.Diagnostic {
	if cause, isRepeat := client.SharedCause(err, "error"); isRepeat {
		return diag.NewErrorDiagnostic(a.Title()+": "+cause, "")
	}

	detail := a.Words(err)
	var apiErr *client.Error
	if errors.As(err, &apiErr) && apiErr.Attr != "" {
		// A field of a list is written field__0.
		field, _, _ := strings.Cut(apiErr.Attr, "__")
		if p, ok := attributes[field]; ok {
			return diag.NewAttributeErrorDiagnostic(p, a.Title(), p.String()+": "+apiErr.Detail+"\n\n"+detail)
		}
	}
	return diag.NewErrorDiagnostic(a.Title(), detail)
}

// Words formats a client error for use in text: the operation, the error, and the next step.
func (a Attempt) Words(err error) string {
	return a.subject() + ".\n\n" + err.Error() + "\n\n" + a.nextStep(err)
}

// Refresh converts a refresh error. If all objects have the same error, the first object gets an error, which ends the
// run, and the others get a warning. Terraform merges warnings with the same title, but shows every error with its
// source.
func (a Attempt) Refresh(err error) diag.Diagnostic {
	if cause, isRepeat := client.SharedCause(err, "refresh"); isRepeat {
		return diag.NewWarningDiagnostic("Not refreshed: "+cause,
			a.subject()+". For the cause and what to do, see the error of another "+a.Noun+".")
	}
	return a.Diagnostic(err, nil)
}

// WriteWarnings warns of values that a write's response lacks, and of values that PostHog changed. cause explains the
// changes, and first is the first changed attribute.
func (a Attempt) WriteWarnings(missing, changed []string, first path.Path, cause string) (diags diag.Diagnostics) {
	if len(missing) > 0 {
		diags.Append(a.MissingFields(missing))
	}
	if len(changed) > 0 {
		diags.AddAttributeWarning(first, a.about("PostHog changed the written values"),
			fmt.Sprintf("It changed %s, %s. The state keeps the configured values, and later plans show a difference only if the stored values change again. "+
				"To see the stored values, read the %s with the data source %s.", strings.Join(changed, ", "), cause, a.Noun, a.Type))
	}
	return diags
}

// subject returns the start of a sentence: the attempted operation and its object.
func (a Attempt) subject() string {
	var b strings.Builder

	fmt.Fprintf(&b, "Tried to %s the %s", a.Verb, a.Noun)
	if a.Name != "" {
		fmt.Fprintf(&b, " %q", a.Name)
	}
	if a.ID != "" {
		fmt.Fprintf(&b, " with id %s", a.ID)
	}
	if isItself := a.Parent == a.Noun+" "+a.ID; a.Parent != "" && !isItself {
		fmt.Fprintf(&b, " in %s", a.Parent)
	}

	return b.String()
}

// parentWord returns the kind of parent: project or organization.
func (a Attempt) parentWord() string {
	word, _, _ := strings.Cut(a.Parent, " ")
	if word == "" {
		return "project or organization"
	}
	return word
}

// DescribeDeletion returns the sentence for an object that no longer exists in PostHog.
func (a Attempt) DescribeDeletion() string {
	return a.subject() + ", but it does not exist in PostHog: someone deleted it outside Terraform."
}

// MissingFields warns of written attributes that are not in the response.
func (a Attempt) MissingFields(names []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(a.about("The response lacks attributes"),
		a.Title()+" in full, because the response lacks "+strings.Join(names, ", ")+
			". The state keeps the configured values, but they have no effect in PostHog.")
}

// OtherShape warns of a JSON response that differs from the format that the data source reads.
func (a Attempt) OtherShape(err error) diag.Diagnostic {
	return diag.NewWarningDiagnostic(a.about("Unexpected response format"),
		a.subject()+", but the response differs from the format that PostHog usually sends: "+err.Error()+
			". The attribute json contains the whole response; the attributes that are read from it are null.")
}

// Overwrite refuses an update that would overwrite changes that were made outside Terraform since the plan. edits
// contains a line for each change.
func (a Attempt) Overwrite(edits []string) diag.Diagnostic {
	return a.unseen("the update would overwrite these changes", edits,
		"Terraform wrote nothing. Run terraform plan to see these changes. To keep them, add them to the configuration. To undo them, apply the new plan.")
}

// UnseenDelete refuses a destroy of an object that was changed outside Terraform since the plan. For edits, see
// [Attempt.Overwrite].
func (a Attempt) UnseenDelete(edits []string) diag.Diagnostic {
	return a.unseen("the plan of the destroy did not show these changes", edits,
		"Terraform deleted nothing. Run terraform plan without -refresh=false to see the current values. To destroy the object anyway, apply the new plan.")
}

// unseen refuses a write because of changes since the plan. effect says what the write would do to these changes.
func (a Attempt) unseen(effect string, edits []string, next string) diag.Diagnostic {
	const most = 20
	if len(edits) > most {
		edits = append(edits[:most:most], fmt.Sprintf("and %d more", len(edits)-most))
	}
	return diag.NewErrorDiagnostic(a.Title(),
		a.subject()+". It was changed in PostHog after this plan was made, and "+effect+":\n\n  - "+
			strings.Join(edits, "\n  - ")+"\n\n"+next)
}

// removedTitle is the title of the warning that PostHog has removed import apps.
const removedTitle = "PostHog has removed import apps"

// RemovedGuide is the URL of the guide about the removal of import apps.
const RemovedGuide = "https://registry.terraform.io/providers/surveys-as-code/posthog/latest/docs/guides/removed_import_apps"

// RemovalWarning warns once per run that PostHog has removed import apps, with the first app's error. For all other
// apps, it returns nothing.
func (a Attempt) RemovalWarning(err error) diag.Diagnostics {
	if _, isRepeat := client.SharedCause(err, "removed"); isRepeat {
		return nil
	}
	return diag.Diagnostics{diag.NewWarningDiagnostic(removedTitle, a.subject()+".\n\n"+err.Error()+".\n\n"+
		"Terraform keeps this and all other import apps in the state unchanged, and plans no changes to them. "+
		"Their data sources return null or empty lists. Surveys are not affected.\n\n"+
		"What to do: "+RemovedGuide)}
}

// RemovedDelete warns that a destroy only removed an object from the state, because PostHog has removed import apps.
// importID is the object's import ID.
func (a Attempt) RemovedDelete(err error, importID string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(a.about("Removed from the state only"),
		fmt.Sprintf("%s.\n\n%s.\n\nTerraform deleted nothing in PostHog, which may still have the app and return it again if the routes come back. "+
			"If it does, delete it there, or import it again with the ID %s. What to do: %s", a.subject(), err.Error(), importID, RemovedGuide))
}

// removalAdvice returns what to do after an operation on a removed import app.
func (a Attempt) removalAdvice() string {
	return "This request changed nothing. Remove the resources and import blocks of new apps from the configuration, then run the same command again. What to do: " + RemovedGuide
}
