package survey

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// refuseAnswered adds an error for a survey with deletion_policy delete_unanswered if it
// has responses, or an unknown number of them. Both plan and destroy call it, since
// responses may have come in between.
func (r *Resource) refuseAnswered(ctx context.Context, d existingSurvey, diags *diag.Diagnostics) {
	if d.policy != PolicyDeleteUnanswered || r.Data == nil || r.Client == nil {
		return
	}

	counts, err := r.Client.Surveys(d.project).ResponsesCount(ctx)
	var reason string
	switch {
	case err != nil:
		reason = "the number of its responses could not be read: " + d.attempt("count the responses of").Diagnostic(err, nil).Detail()
	case counts == nil:
		reason = "the service did not answer how many responses it has."
	case counts[d.id] == 1:
		reason = "it has 1 response."
	case counts[d.id] > 1:
		reason = fmt.Sprintf("it has %d responses.", counts[d.id])
	default:
		return
	}

	diags.AddAttributeError(path.Root("deletion_policy"), d.attempt("delete").Title(),
		fmt.Sprintf("deletion_policy of %s is %q, and %s Nothing was deleted. Set deletion_policy to %q to keep survey and responses, "+
			"or to %q to delete both, and apply that before the destroy.", d.called(), d.policy, reason, PolicyArchive, PolicyDelete))
}
