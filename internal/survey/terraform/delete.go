package terraform

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// Delete implements resource.Resource. Like an update, it reads the survey first, and refuses to
// delete anything that the plan did not show.
func (r *Resource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	ctx, cancel := framework.Operation(ctx, "delete", req.State, &resp.Diagnostics)
	defer cancel()

	prior := decodeModel(ctx, req.State.Raw, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.Ready(&resp.Diagnostics) {
		return
	}

	ended, ok := runLedger(r.Data).beginDelete(newExistingSurvey(prior))
	if !ok {
		refuseHalf(newExistingSurvey(prior), &resp.Diagnostics)
		return
	}
	ended(r.delete(ctx, prior, req.Private, &resp.Diagnostics))
}

// delete applies the deletion_policy and reports whether the survey is gone.
func (r *Resource) delete(ctx context.Context, prior survey.Model, private attribute.PrivateState, diags *diag.Diagnostics) (isGone bool) {
	policy := deletionPolicy(prior)
	if policy == surveyschema.PolicyAbandon {
		return false
	}

	surveys, id := r.surveys(prior.Fields), prior.ID.ValueString()
	check := func(ctx context.Context, live api.Survey) error {
		if !r.refuseUnseen(ctx, live, prior, private, diags) {
			r.protectResponses(ctx, newExistingSurvey(prior), diags)
		}
		if diags.HasError() {
			return errRefused
		}
		return nil
	}

	var err error
	if policy == surveyschema.PolicyArchive {
		_, err = surveys.Change(ctx, id, func(ctx context.Context, live api.Survey) (api.SurveyRequest, error) {
			if err := check(ctx, live); err != nil {
				return api.SurveyRequest{}, err
			}
			return archiveRequest(ctx, live, prior.Fields, private, diags)
		})
	} else {
		err = surveys.Remove(ctx, id, check)
	}

	// If the survey is already gone, the deletion succeeded.
	if err != nil && !client.IsNotFound(err) {
		if !errors.Is(err, errRefused) {
			diags.Append(attempt("delete", prior.Fields).Diagnostic(err, nil))
		}
		return false
	}
	return err != nil || policy != surveyschema.PolicyArchive
}

// refuseUnseen adds an error and returns true if destroying the survey would have consequences that
// the plan did not show.
func (r *Resource) refuseUnseen(ctx context.Context, live api.Survey, prior survey.Model, private attribute.PrivateState, diags *diag.Diagnostics) bool {
	base, stored, err := refreshPrior(ctx, live, prior.Fields, private, diags)
	if err != nil {
		diags.Append(attempt("read", prior.Fields).Diagnostic(err, attributePaths))
		return true
	}

	edits := launchSince(base, stored)
	if newExistingSurvey(prior).isDeleted() {
		edits = append(edits, deletedEdits(base, stored, attribute.HasMemory(ctx, private))...)
	}
	if len(edits) == 0 {
		return diags.HasError()
	}
	diags.Append(attempt("delete", prior.Fields).UnseenDelete(edits))
	return true
}

// launchSince describes a survey's launch since the plan, because the destroy would end a run that
// the plan did not mention.
func launchSince(prior, stored survey.Fields) []string {
	if !isLaunchedSince(prior, stored) {
		return nil
	}
	return []string{statusEdit(prior, stored)}
}

// deletedEdits lists the edits since the plan that would be lost with the survey. A tainted survey's
// destroy lacks the normalization memory. Text that PostHog normalized then looks like an edit, so
// only a changed flag counts.
func deletedEdits(prior, stored survey.Fields, isRemembered bool) []string {
	var found []string
	// If PostHog created a new flag for the survey, its filters were edited. The comparison below
	// reports them.
	if flag := targetingFlagFromFields(stored); flag.exists() && !flag.own && flag.id != targetingFlagFromFields(prior).id {
		found = append(found, attribute.ValueEdit("targeting_flag_id", flagID(prior), flagID(stored))+
			": PostHog would delete feature flag "+flag.String()+" with the survey")
	}

	return append(found, comparing.Unseen(func(name string) bool {
		switch name {
		case "start_date", "end_date", "targeting_flag_id":
			return false // A launch and a flag are reported above. Stopping a survey loses nothing.
		case "responses_limit":
			return isRemembered && stored.EndDate.IsNull() // PostHog removes the limit when the survey reaches it.
		case "linked_flag_id", "targeting_flag_filters":
			// Destroying another survey in the same run may have deleted the flag.
			return isRemembered && !isFlagGone(name, stored)
		}
		return isRemembered && isEditable(name)
	}, &prior, &prior, &stored)...)
}

// isFlagGone reports whether an attribute is about a flag that the survey no longer has. In this
// case, deleting the survey does not affect a flag.
func isFlagGone(name string, stored survey.Fields) bool {
	if name == "linked_flag_id" {
		return stored.LinkedFlagID.IsNull()
	}
	return !targetingFlagFromFields(stored).exists()
}

// flagID returns the ID of the survey's targeting flag.
func flagID(f survey.Fields) types.Int64 {
	if id := targetingFlagFromFields(f).id; id != 0 {
		return types.Int64Value(id)
	}
	return types.Int64Null()
}

// archiveRequest returns a request that archives a survey. Its companion fields, such as
// conditions, come from the live survey, because the prior state may be outdated.
func archiveRequest(ctx context.Context, live api.Survey, prior survey.Fields, private attribute.PrivateState, diags *diag.Diagnostics) (api.SurveyRequest, error) {
	stored, err := survey.FromAPI(ctx, live, prior, &attribute.Response{Memory: attribute.LoadObjectMemory(ctx, private, survey.Excerpt(prior.Name), diags).Echo})
	if err != nil {
		return api.SurveyRequest{}, err
	}

	archived := stored
	archived.Archived = types.BoolValue(true)
	request := survey.ToAPI(ctx, archived, stored, uuid.NewString, diags)
	if diags.HasError() {
		return request, errRefused
	}
	return request, nil
}

// protectResponses adds an error if a survey with deletion_policy delete_unanswered has responses,
// or if their number is unknown. Both plan and destroy call it, because responses may arrive in
// between.
func (r *Resource) protectResponses(ctx context.Context, d existingSurvey, diags *diag.Diagnostics) {
	if d.policy != surveyschema.PolicyDeleteUnanswered || r.Data == nil || r.Client == nil {
		return
	}

	number := responseCounter(r.Data, d.project).Now(ctx, d.id)
	var reason string
	switch {
	case number.Counted == 1:
		reason = "it has 1 response."
	case number.Counted > 1:
		reason = fmt.Sprintf("it has %d responses.", number.Counted)
	case number.IsNone(), errors.Is(number.Err, responses.ErrNoSuchSurvey):
		return
	case number.Err != nil:
		reason = "its responses could not be counted: " + d.attempt("count the responses of").Words(number.Err)
	default:
		reason = "it is not known whether it has responses: " + number.Reason + "."
	}

	diags.AddAttributeError(path.Root("deletion_policy"), d.attempt("delete").Title(),
		fmt.Sprintf("deletion_policy of %s is %q, and %s Nothing was deleted. To keep the survey and its responses, set deletion_policy to %q. "+
			"To delete both, set it to %q. Apply the change before you destroy the survey.", d.label(), d.policy, reason, surveyschema.PolicyArchive, surveyschema.PolicyDelete))
}

// countedProject is the key of a project's response counter in [framework.Data.Existing].
type countedProject struct{ id string }

// responseCounter returns a project's counter, which all surveys in a run share.
func responseCounter(data *framework.Data, project string) *responses.Counter {
	counter, _ := data.Existing.LoadOrStore(countedProject{project}, responses.NewCounter(data.Client.Surveys(project), nil))
	return counter.(*responses.Counter) //nolint:forcetypeassert // the key is of this file alone
}
