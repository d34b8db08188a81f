package terraform

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// refuseAnswered adds an error for a survey with deletion_policy delete_unanswered if it
// has responses, or an unknown number of them. Both plan and destroy call it, since
// responses may have come in between.
func (r *Resource) refuseAnswered(ctx context.Context, d existingSurvey, diags *diag.Diagnostics) {
	if d.policy != surveyschema.PolicyDeleteUnanswered || r.Data == nil || r.Client == nil {
		return
	}

	number := counterOf(r.Data, d.project).Now(ctx, d.id)
	var reason string
	switch {
	case number.Counted == 1:
		reason = "it has 1 response."
	case number.Counted > 1:
		reason = fmt.Sprintf("it has %d responses.", number.Counted)
	case number.IsNone(), errors.Is(number.Err, responses.ErrNoSuchSurvey):
		return
	case number.Err != nil:
		reason = "the number of its responses could not be read: " + d.attempt("count the responses of").Words(number.Err)
	default:
		reason = "whether it has responses is not known: " + number.Reason + "."
	}

	diags.AddAttributeError(path.Root("deletion_policy"), d.attempt("delete").Title(),
		fmt.Sprintf("deletion_policy of %s is %q, and %s Nothing was deleted. Set deletion_policy to %q to keep survey and responses, "+
			"or to %q to delete both, and apply that before the destroy.", d.called(), d.policy, reason, surveyschema.PolicyArchive, surveyschema.PolicyDelete))
}

// countedProject is the key of a counter among what this run has read.
type countedProject struct{ id string }

// counterOf is the counter of a project, one for each run.
func counterOf(data *providerdata.Data, project string) *responses.Counter {
	counter, _ := data.Existing.LoadOrStore(countedProject{project}, responses.NewCounter(data.Client.Surveys(project), nil))
	return counter.(*responses.Counter) //nolint:forcetypeassert // the key is of this file alone
}
