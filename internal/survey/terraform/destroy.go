package terraform

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/diagnose"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// What a destroy does beyond removing one object from the state is announced at plan:
// flags that the service deletes with the survey, a running survey that ends, a survey
// that stays because of its deletion_policy.

// existingSurvey is a survey whose destroy is planned, with the values that the warnings
// need.
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
func (d existingSurvey) attempt(verb string) diagnose.Attempt {
	return attempt(verb, survey.Fields{ID: types.StringValue(d.id), Name: types.StringValue(d.name), ProjectID: types.StringValue(d.project)})
}

func (d existingSurvey) called() string { return fmt.Sprintf("survey %q (%s)", d.name, d.id) }

// warnOfDestroy says what a planned destroy does.
func warnOfDestroy(d existingSurvey, diags *diag.Diagnostics) {
	switch d.policy {
	case surveyschema.PolicyArchive:
		diags.AddAttributeWarning(path.Root("deletion_policy"), survey.TitleOf("The survey will be archived, not deleted", types.StringValue(d.name)),
			fmt.Sprintf("deletion_policy of %s is %q: the destroy archives it and removes it from the state. Its name stays taken in project %s.",
				d.called(), d.policy, d.project))
	case surveyschema.PolicyAbandon:
		diags.AddAttributeWarning(path.Root("deletion_policy"), survey.TitleOf("The survey will be left as it is, not deleted", types.StringValue(d.name)),
			fmt.Sprintf("deletion_policy of %s is %q: the destroy removes it from the state and changes nothing on the service. "+
				"It stays %s, and its name stays taken in project %s.", d.called(), d.policy, d.status, d.project))
	default:
		d.warnOfRunning("Deleting", diags)
		d.warnOfFlag("Deleting", diags)
	}
}

// warnOfReplacement warns of the effects of a replacement in another project.
func warnOfReplacement(d existingSurvey, diags *diag.Diagnostics) {
	if d.isDeleted() {
		d.warnOfRunning("Replacing", diags)
		d.warnOfFlag("Replacing", diags)
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

// warnOfFlag names the flag in the title where others may use it: Terraform shows
// warnings with the same title as one, and each such flag matters.
func (d existingSurvey) warnOfFlag(verb string, diags *diag.Diagnostics) {
	switch {
	case !d.flag.exists():
	case d.flag.own:
		diags.AddAttributeWarning(path.Root("targeting_flag_filters"), survey.TitleOf("The service will delete the survey's own feature flag", types.StringValue(d.name)),
			fmt.Sprintf("%s %s deletes its targeting flag %s, too. The service created the flag for this survey from targeting_flag_filters: "+
				"code that asks for its key gets no answer afterwards.", verb, d.called(), d.flag))
	default:
		diags.AddAttributeWarning(path.Root("targeting_flag_id"), fmt.Sprintf("The service will delete feature flag %s", d.flag),
			fmt.Sprintf("%s %s deletes its targeting flag %s, too. The flag is not the survey's own: whatever else uses it loses it, "+
				"and other surveys that it targets are shown to everybody.\n\nTo keep the flag, point targeting_flag_id at a flag "+
				"that may be deleted, or set deletion_policy to \"archive\" or \"abandon\", and apply that before the destroy.",
				verb, d.called(), d.flag))
	}
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

// warnOfPolicy warns that a new deletion_policy takes effect only once it is applied: a
// destroy sees the state alone.
func warnOfPolicy(planned, prior survey.Model, diags *diag.Diagnostics) {
	before, after := policyOf(prior), planned.DeletionPolicy
	if after.IsUnknown() || after.ValueString() == before {
		return
	}
	does := map[string]string{
		surveyschema.PolicyDelete: "deletes the survey", surveyschema.PolicyArchive: "archives the survey", surveyschema.PolicyAbandon: "leaves the survey as it is",
		surveyschema.PolicyDeleteUnanswered: "deletes the survey only if it has no responses",
	}
	diags.AddAttributeWarning(path.Root("deletion_policy"), survey.TitleOf("The changed deletion_policy is not in force yet", prior.Name),
		fmt.Sprintf("deletion_policy of survey %q changes from %q to %q, and counts once that is applied. "+
			"A destroy sees only the state, not the configuration: before the apply, it still %s.",
			prior.Name.ValueString(), before, after.ValueString(), does[before]))
}
