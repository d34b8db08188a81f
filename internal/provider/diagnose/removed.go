package diagnose

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// removedTitle is the title of the warning that the service has removed import apps.
const removedTitle = "The service has removed import apps"

// RemovedGuide is where it stands what to do about import apps that the service has removed.
const RemovedGuide = "https://registry.terraform.io/providers/surveys-as-code/posthog/latest/docs/guides/removed_import_apps"

// Removed warns, once in a run, that the service has removed import apps, by the error of the
// first one that was asked for. All others get none.
func (a Attempt) Removed(err error) diag.Diagnostics {
	if _, before := client.Reported(err, "removed"); before {
		return nil
	}
	return diag.Diagnostics{diag.NewWarningDiagnostic(removedTitle, a.subject()+".\n\n"+err.Error()+".\n\n"+
		"This one and all other import apps stay in the state as they are, and no change of them is planned. "+
		"Their data sources return null or empty lists. Surveys are planned and applied as before.\n\n"+
		"What to do: "+RemovedGuide)}
}

// RemovedCreate warns at plan of a create that is going to fail, since the service has removed
// import apps.
func (a Attempt) RemovedCreate() diag.Diagnostic {
	return diag.NewWarningDiagnostic(a.about("The create is going to fail"),
		a.subject()+", which the service has removed: the apply fails for this one, and changes everything else. "+
			"Remove its resource from the configuration. What to do: "+RemovedGuide)
}

// RemovedDelete warns of a destroy that took an object out of the state alone, since the
// service has removed import apps. importID is that of the object.
func (a Attempt) RemovedDelete(err error, importID string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(a.about("Removed from the state only"),
		fmt.Sprintf("%s.\n\n%s.\n\nNothing was deleted on the service, which may still have the app and show it again when the routes come back. "+
			"Then delete it there, or import it again with the id %s. What to do: %s", a.subject(), err.Error(), importID, RemovedGuide))
}

// afterRemoved is the step after an operation on an import app that the service has removed.
func (a Attempt) afterRemoved() string {
	text := "Nothing was changed by this request. "
	switch a.Verb {
	case "create":
		text += "Remove the resource from the configuration: nothing can be created any more. "
	case "update":
		text += "The state holds what the service said last, and the next plan shows no changes of import apps: run the same command again for everything else. "
	case "import":
		text += "Remove the import block. "
	}
	return text + "What to do: " + RemovedGuide
}
