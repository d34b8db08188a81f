package terraform

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// What a destroy takes away besides the survey is announced at plan: a running survey that
// ends, and a flag of others that the service deletes with it.

// existingSurvey is a survey that exists, with the values that the warnings of its destroy need.
type existingSurvey struct {
	id, name, project, status, policy string

	flag targetingFlag
}

func existingOf(prior survey.Model) existingSurvey {
	return existingSurvey{
		id: prior.ID.ValueString(), name: prior.Name.ValueString(), project: prior.ProjectID.ValueString(),
		status: prior.Status.ValueString(), policy: policyOf(prior), flag: targetingFlagOf(prior.Fields),
	}
}

// policyOf is the deletion_policy of a destroy; the default if the state has none yet.
func policyOf(prior survey.Model) string {
	return cmp.Or(prior.DeletionPolicy.ValueString(), surveyschema.PolicyDelete)
}

// isDeleted reports whether a destroy deletes the survey.
func (d existingSurvey) isDeleted() bool {
	return d.policy == surveyschema.PolicyDelete || d.policy == surveyschema.PolicyDeleteUnanswered
}

// attempt names the survey in a diagnostic.
func (d existingSurvey) attempt(verb string) framework.Attempt {
	return attempt(verb, survey.Fields{ID: types.StringValue(d.id), Name: types.StringValue(d.name), ProjectID: types.StringValue(d.project)})
}

func (d existingSurvey) called() string { return fmt.Sprintf("survey %q (%s)", d.name, d.id) }

// warnOfDeletion says what a planned destroy or replacement deletes; verb is Deleting or Replacing.
func (d existingSurvey) warnOfDeletion(verb string, diags *diag.Diagnostics) {
	if d.isDeleted() {
		d.warnOfRunning(verb, diags)
		d.warnOfFlag(verb, diags)
	}
}

func (d existingSurvey) warnOfRunning(verb string, diags *diag.Diagnostics) {
	if d.status != survey.StatusRunning {
		return
	}
	diags.AddAttributeWarning(path.Root("status"), survey.TitleOf("A running survey will be deleted", types.StringValue(d.name)),
		fmt.Sprintf("%s %s stops it at once and removes it from the web interface, with its results. "+
			"To keep it, set deletion_policy to \"archive\" and apply before the destroy.", verb, d.called()))
}

// warnOfFlag names a flag that others may use in the title: Terraform shows warnings with the
// same title as one, and each such flag matters.
func (d existingSurvey) warnOfFlag(verb string, diags *diag.Diagnostics) {
	if !d.flag.exists() || d.flag.own {
		return
	}
	diags.AddAttributeWarning(path.Root("targeting_flag_id"), fmt.Sprintf("The service will delete feature flag %s", d.flag),
		fmt.Sprintf("%s %s deletes its targeting flag %s, too, which is not the survey's own: whatever else uses it loses it. "+
			"To keep it, point targeting_flag_id at another flag, or set deletion_policy to \"archive\" or \"abandon\", and apply that before the destroy.",
			verb, d.called(), d.flag))
}

// targetingFlag is the feature flag that chooses who sees a survey.
type targetingFlag struct {
	id  int64  // 0 where there is no flag
	key string // empty where no answer had it

	// own is set when the service created it for this survey.
	own bool
}

func targetingFlagOf(prior survey.Fields) targetingFlag {
	nested := prior.TargetingFlag.Attributes()
	id, _ := nested["id"].(types.Int64)
	key, _ := nested["key"].(types.String)
	return newTargetingFlag(prior.TargetingFlagID.ValueInt64(), id.ValueInt64(), key.ValueString())
}

// newTargetingFlag returns the flag for the targeting_flag_id of a survey, 0 for none, and
// the id and key in its targeting_flag. A flag that the service created for a survey but
// that is attached by its id belongs to another survey.
func newTargetingFlag(attached, id int64, key string) targetingFlag {
	return targetingFlag{id: cmp.Or(attached, id), key: key, own: attached == 0 && strings.HasPrefix(key, survey.OwnFlagPrefix)}
}

func (f targetingFlag) exists() bool { return f.id != 0 }

// String names the flag inside a sentence.
func (f targetingFlag) String() string {
	if f.key == "" {
		return fmt.Sprint(f.id)
	}
	return fmt.Sprintf("%q (id %d)", f.key, f.id)
}

// planCreate records a planned create, and says what becomes of the survey whose place it
// takes. It returns that survey if there is one.
func (r *Resource) planCreate(next survey.Model, diags *diag.Diagnostics) (replaced existingSurvey, ok bool) {
	if next.Name.IsUnknown() || next.ProjectID.IsUnknown() {
		return existingSurvey{}, false
	}

	ledgerOf(r.Data).use(nameOf(next.ProjectID.ValueString(), next.Name.ValueString()), func(u *nameUse) {
		u.creates = append(u.creates, next.Fields)
		if u.holder == nil {
			return
		}

		replaced, ok = *u.holder, true
		switch {
		case u.fate == isDestroyed && u.isTold:
		case u.fate == isDestroyed || !replaced.isDeleted():
			u.isTold = true
			tellReplaced(replaced, []survey.Fields{next.Fields}, diags)
		case u.fate == stays:
			refuseReplacement(replaced, []survey.Fields{next.Fields}, diags)
		default:
			checkReplacement(replaced, []survey.Fields{next.Fields}, diags)
		}
	})
	return replaced, ok
}

// planDestroy records a planned destroy, and says so if a create takes the survey's place.
func (r *Resource) planDestroy(d existingSurvey, diags *diag.Diagnostics) {
	remember(r.Data, d, isDestroyed)
	ledgerOf(r.Data).use(nameOf(d.project, d.name), func(u *nameUse) {
		if len(u.creates) > 0 && !u.isTold {
			u.isTold = true
			tellReplaced(d, u.creates, diags)
		}
	})
}

// tellReplaced says that a survey is destroyed and another one of its name created: most
// often only the address changed. It is an error where one of the two is certain to fail.
func tellReplaced(d existingSurvey, creates []survey.Fields, diags *diag.Diagnostics) {
	if refuseReplacement(d, creates, diags) {
		return
	}
	diags.AddAttributeWarning(path.Root("name"), fmt.Sprintf("Survey %q is deleted and created anew", d.name),
		fmt.Sprintf("This plan destroys %s in project %s and creates a survey of the same name, with new ids: the results so far are lost. %s"+
			"\n\nIf a new survey is what you want, remove the old one and apply, then add the new one: "+
			"Terraform does not order the two, and a create that comes first is refused because the name is taken.",
			d.called(), d.project, d.movedAdvice()))
}

// movedAdvice is the block that keeps a survey whose address alone changed. The provider
// does not know addresses.
func (d existingSurvey) movedAdvice() string {
	return fmt.Sprintf("If only its address changed, for example a key of for_each, say so, and the survey stays as it is:\n\n"+
		"  moved {\n"+
		"    from = posthog_survey.OLD[\"OLD KEY\"] # what the plan destroys, with id = %q\n"+
		"    to   = posthog_survey.NEW[\"NEW KEY\"] # what the plan creates, with name = %q\n"+
		"  }", d.id, d.name)
}

// checkReplacement says what a replacement does that the user asked for.
func checkReplacement(d existingSurvey, creates []survey.Fields, diags *diag.Diagnostics) {
	if !refuseReplacement(d, creates, diags) {
		d.warnOfDeletion("Replacing", diags)
	}
}

// refuseReplacement adds an error, and returns true, if the create is certain to fail after
// the destroy, which would lose the survey. It is an error because Terraform shows no
// warnings for the create of a replacement that the user asked for.
func refuseReplacement(d existingSurvey, creates []survey.Fields, diags *diag.Diagnostics) bool {
	if !d.isDeleted() {
		does := map[string]string{surveyschema.PolicyArchive: "archives it", surveyschema.PolicyAbandon: "leaves it as it is"}[d.policy]
		diags.AddAttributeError(path.Root("deletion_policy"), "The replacement would fail: its name stays taken",
			fmt.Sprintf("deletion_policy of %s is %q: replacing it %s and removes it from the state, and then the create fails, "+
				"because names are unique in project %s and archived surveys count. %s\n\nTo replace it, give the survey another name first and apply, "+
				"or set deletion_policy to \"delete\" and apply before the replacement.", d.called(), d.policy, does, d.project, d.movedAdvice()))
		return true
	}

	for _, next := range creates {
		if d.flag.exists() && next.TargetingFlagID.ValueInt64() == d.flag.id {
			diags.AddAttributeError(path.Root("targeting_flag_id"), fmt.Sprintf("The replacement would lose the survey and feature flag %s", d.flag),
				fmt.Sprintf("Replacing %s deletes its targeting flag %s, too, whatever else uses it, and then the create fails, because it names that flag: "+
					"survey and flag are both lost. Point targeting_flag_id at another flag and apply before the replacement. %s", d.called(), d.flag, d.movedAdvice()))
			return true
		}
	}
	return false
}

// create creates a survey. If its name is taken by one that the same run is deleting, the
// create waits for the end of that.
func (r *Resource) create(ctx context.Context, f survey.Fields, request api.SurveyRequest) (api.Survey, error) {
	ledger, name := ledgerOf(r.Data), nameOf(f.ProjectID.ValueString(), f.Name.ValueString())
	defer ledger.created(name)

	answer, err := r.surveys(f).CreateOnce(ctx, request)
	if err != nil && client.IsUniqueName(err) && ledger.isFree(ctx, name) {
		return r.surveys(f).CreateOnce(ctx, request)
	}
	return answer, err
}

// refuseHalf adds the error of a destroy that would be half of a replacement.
func refuseHalf(d existingSurvey, diags *diag.Diagnostics) {
	diags.AddError(d.attempt("delete").Title(),
		fmt.Sprintf("This run also creates a survey called %q in project %s, and that fails while %s has the name. Nothing was deleted. %s"+
			"\n\nIf a new survey is what you want, remove the old one and apply, then add the new one.",
			d.name, d.project, d.called(), d.movedAdvice()))
}
