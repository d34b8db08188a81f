package diagnose

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// Overwrite refuses an update that would replace changes made outside Terraform since
// the plan. edits are those changes, a line each; lastEdit says who made the last one
// and when, "" when that is not known.
func (a Attempt) Overwrite(edits []string, lastEdit string) diag.Diagnostic {
	return a.unseen("the update would overwrite that", edits, lastEdit,
		"Nothing was written. Plan again: the new plan shows these changes. Add them to the configuration to keep them, or apply the new plan to undo them.")
}

// UnseenDelete refuses a destroy of an object that was changed outside Terraform since the
// plan; edits and lastEdit are those of [Attempt.Overwrite].
func (a Attempt) UnseenDelete(edits []string, lastEdit string) diag.Diagnostic {
	return a.unseen("the destroy did not show that", edits, lastEdit,
		"Nothing was deleted. Plan again, with a refresh (without -refresh=false): the new plan shows what is destroyed now. Apply that plan to destroy it anyway.")
}

// unseen refuses a write because of changes since the plan; effect is what it does to them.
func (a Attempt) unseen(effect string, edits []string, lastEdit, next string) diag.Diagnostic {
	const most = 20
	if len(edits) > most {
		edits = append(edits[:most:most], fmt.Sprintf("and %d more", len(edits)-most))
	}
	if lastEdit != "" {
		lastEdit = "\n" + lastEdit
	}
	return diag.NewErrorDiagnostic(a.Title(),
		a.subject()+". It was changed on the service after this plan was made, and "+effect+":\n\n  - "+
			strings.Join(edits, "\n  - ")+"\n"+lastEdit+"\n"+next)
}
