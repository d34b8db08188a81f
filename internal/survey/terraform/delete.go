package terraform

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// delete reads the survey first, like an update, and refuses to delete anything that the plan did
// not show.
func (r *Resource) delete(ctx context.Context, c *surveyCall) {
	existing := newExistingSurvey(c.Prior)
	ended, ok := runLedger(r.Data).beginDelete(existing)
	if !ok {
		refuseHalf(existing, c.Diags)
		return
	}
	ended(r.applyDeletionPolicy(ctx, c, existing))
}

// applyDeletionPolicy deletes, archives, or abandons the survey, and reports whether it is gone.
func (r *Resource) applyDeletionPolicy(ctx context.Context, c *surveyCall, existing existingSurvey) (isGone bool) {
	if existing.policy == surveyschema.PolicyAbandon {
		return false
	}

	surveys := r.surveys(c.Prior.Fields)
	check := func(ctx context.Context, live api.Survey) error {
		if !r.refuseUnseen(ctx, live, c, existing) {
			r.protectResponses(ctx, existing, c.Diags)
		}
		if c.Diags.HasError() {
			return framework.ErrRefused
		}
		return nil
	}

	var err error
	if existing.policy == surveyschema.PolicyArchive {
		_, err = surveys.Change(ctx, existing.id, func(ctx context.Context, live api.Survey) (api.SurveyRequest, error) {
			if err := check(ctx, live); err != nil {
				return api.SurveyRequest{}, err
			}
			return archiveRequest(ctx, live, c)
		})
	} else {
		err = surveys.Remove(ctx, existing.id, check)
	}

	// If the survey is already gone, the deletion succeeded.
	if err != nil && !client.IsNotFound(err) {
		if !errors.Is(err, framework.ErrRefused) {
			c.Diags.Append(attempt("delete", c.Prior.Fields).Diagnostic(err, nil))
		}
		return false
	}
	return err != nil || existing.policy != surveyschema.PolicyArchive
}

// refuseUnseen adds an error and returns true if destroying the survey would have consequences that
// the plan did not show.
func (r *Resource) refuseUnseen(ctx context.Context, live api.Survey, c *surveyCall, existing existingSurvey) bool {
	prior, stored, err := refreshPrior(ctx, live, c)
	if err != nil {
		c.Diags.Append(attempt("read", prior).Diagnostic(err, attributePaths))
		return true
	}

	edits := launchSince(prior, stored)
	if existing.isDeleted() {
		edits = append(edits, deletedEdits(prior, stored, attribute.HasMemory(ctx, c.Private))...)
	}
	if len(edits) == 0 {
		return c.Diags.HasError()
	}
	c.Diags.Append(attempt("delete", prior).UnseenDelete(edits))
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
func archiveRequest(ctx context.Context, live api.Survey, c *surveyCall) (api.SurveyRequest, error) {
	memory := attribute.LoadObjectMemory(ctx, c.Private, survey.Excerpt(c.Prior.Name), c.Diags)
	stored, err := survey.FromAPI(ctx, live, c.Prior.Fields, &attribute.Response{Memory: memory.Echo})
	if err != nil {
		return api.SurveyRequest{}, err
	}

	archived := stored
	archived.Archived = types.BoolValue(true)
	request := survey.ToAPI(ctx, archived, stored, uuid.NewString, c.Diags)
	if c.Diags.HasError() {
		return request, framework.ErrRefused
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
