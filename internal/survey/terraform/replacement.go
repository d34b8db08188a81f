package terraform

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// planCreate records a planned create, and reports what happens to the survey that it replaces. It
// returns that survey, if there is one.
func (r *Resource) planCreate(next survey.Model, diags *diag.Diagnostics) (replaced existingSurvey, ok bool) {
	if next.Name.IsUnknown() || next.ProjectID.IsUnknown() {
		return existingSurvey{}, false
	}

	runLedger(r.Data).use(newNameInProject(next.ProjectID.ValueString(), next.Name.ValueString()), func(u *nameUse) {
		u.creates = append(u.creates, next.Fields)
		if len(u.creates) > 1 {
			warnOfTwins(next.Fields, diags)
		}
		if u.holder == nil {
			return
		}

		replaced, ok = *u.holder, true
		switch {
		case u.fate == fateDestroyed && u.isReported:
		case u.fate == fateDestroyed || !replaced.isDeleted():
			u.isReported = true
			warnOfReplacement(replaced, []survey.Fields{next.Fields}, diags)
		case u.fate == fateKept:
			refuseReplacement(replaced, []survey.Fields{next.Fields}, diags)
		default:
			checkReplacement(replaced, []survey.Fields{next.Fields}, diags)
		}
	})
	return replaced, ok
}

// warnOfTwins warns if two creates in a run have the same name. The diagnostic is not an error, because a process may
// plan the same create twice, for example for a preview and again for the apply.
func warnOfTwins(f survey.Fields, diags *diag.Diagnostics) {
	diags.AddAttributeWarning(path.Root("name"), fmt.Sprintf("Two resources have the name %q", f.Name.ValueString()),
		fmt.Sprintf("This run also plans to create another survey with the name %q in project %s. Names are unique in a project, so PostHog would reject one of the surveys. "+
			"Change the name of one resource, or remove it. If for_each or count creates them, make the name depend on each.key or count.index.",
			f.Name.ValueString(), f.ProjectID.ValueString()))
}

// warnOfReplacement warns that the plan destroys a survey and creates another one with the same
// name, usually because only the resource address changed. If the destroy or the create is certain
// to fail, it adds an error.
func warnOfReplacement(d existingSurvey, creates []survey.Fields, diags *diag.Diagnostics) {
	if refuseReplacement(d, creates, diags) {
		return
	}
	diags.AddAttributeWarning(path.Root("name"), fmt.Sprintf("This plan deletes survey %q and creates it again", d.name),
		fmt.Sprintf("This plan destroys %s in project %s and creates a survey with the same name and new IDs, so the existing results are lost. %s"+
			"\n\nIf you want a new survey, remove the old one and apply, then add the new one. "+
			"Terraform does not order the two, and PostHog rejects the new survey while the name is taken.",
			d.label(), d.project, d.movedAdvice()))
}

// movedAdvice returns a moved block that keeps a survey whose resource address changed. It contains
// placeholders, because the provider does not receive resource addresses.
func (d existingSurvey) movedAdvice() string {
	return fmt.Sprintf("If only its resource address changed, such as a key of for_each, keep the survey by adding this block:\n\n"+
		"  moved {\n"+
		"    from = posthog_survey.OLD[\"OLD KEY\"] # what the plan destroys, with id = %q\n"+
		"    to   = posthog_survey.NEW[\"NEW KEY\"] # what the plan creates, with name = %q\n"+
		"  }", d.id, d.name)
}

// checkReplacement warns of the consequences of a replacement that the user requested.
func checkReplacement(d existingSurvey, creates []survey.Fields, diags *diag.Diagnostics) {
	if !refuseReplacement(d, creates, diags) {
		d.warnOfDeletion("Replacing", diags)
	}
}

// refuseReplacement adds an error and returns true if the create is certain to fail after the
// destroy, because the survey would then be lost. A warning is not enough: Terraform does not show
// warnings for the create of a requested replacement.
func refuseReplacement(d existingSurvey, creates []survey.Fields, diags *diag.Diagnostics) bool {
	if !d.isDeleted() {
		effect := map[string]string{surveyschema.PolicyArchive: "archives it", surveyschema.PolicyAbandon: "leaves it unchanged"}[d.policy]
		diags.AddAttributeError(path.Root("deletion_policy"), "The replacement would fail because its name stays taken",
			fmt.Sprintf("deletion_policy of %s is %q. Replacing it %s and removes it from the state. The create then fails, "+
				"because names are unique in project %s, including archived surveys. %s\n\nTo replace it, rename the survey and apply first, "+
				"or set deletion_policy to \"delete\" and apply before the replacement.", d.label(), d.policy, effect, d.project, d.movedAdvice()))
		return true
	}

	for _, next := range creates {
		if d.flag.exists() && next.TargetingFlagID.ValueInt64() == d.flag.id {
			diags.AddAttributeError(path.Root("targeting_flag_id"), fmt.Sprintf("The replacement would lose the survey and feature flag %s", d.flag),
				fmt.Sprintf("Replacing %s also deletes its targeting flag %s, even if something else uses it. The create then fails, because it refers to that flag, "+
					"so the survey and the flag are both lost. Set targeting_flag_id to another flag, and apply before the replacement. %s", d.label(), d.flag, d.movedAdvice()))
			return true
		}
	}
	return false
}

// createOnce creates a survey. If the same run is deleting the survey that holds the name, create waits
// until the deletion ends.
func (r *Resource) createOnce(ctx context.Context, f survey.Fields, request api.SurveyRequest) (api.Survey, error) {
	ledger, name := runLedger(r.Data), newNameInProject(f.ProjectID.ValueString(), f.Name.ValueString())
	defer ledger.dropCreates(name)

	answer, err := r.surveys(f).CreateOnce(ctx, request)
	if err != nil && client.IsUniqueName(err) && ledger.isFree(ctx, name) {
		return r.surveys(f).CreateOnce(ctx, request)
	}
	return answer, err
}

// refuseHalf adds the error for a destroy whose matching create is certain to fail.
func refuseHalf(d existingSurvey, diags *diag.Diagnostics) {
	diags.AddError(d.attempt("delete").Title(),
		fmt.Sprintf("This run also creates a survey named %q in project %s, which fails while %s has the name. Nothing was deleted. %s"+
			"\n\nIf you want a new survey, remove the old one and apply, then add the new one.",
			d.name, d.project, d.label(), d.movedAdvice()))
}
