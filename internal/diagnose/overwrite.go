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
	const most = 20
	if len(edits) > most {
		edits = append(edits[:most:most], fmt.Sprintf("and %d more", len(edits)-most))
	}
	if lastEdit != "" {
		lastEdit = "\n" + lastEdit
	}
	return diag.NewErrorDiagnostic(a.Title(),
		a.subject()+". It was changed on the service after this plan was made, and the update would overwrite that:\n\n  - "+
			strings.Join(edits, "\n  - ")+"\n"+lastEdit+
			"\nNothing was written. Plan again: the new plan shows these changes. Add them to the configuration to keep them, or apply the new plan to undo them.")
}
