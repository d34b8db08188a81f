package terraform

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// At plan time, warnings describe a destroy's side effects: it ends a running survey, and PostHog
// deletes the targeting flag, even if something else uses it.

// existingSurvey describes an existing survey with the values that warnings about its destruction
// need.
type existingSurvey struct {
	id, name, project, status, policy string

	flag targetingFlag
}

func newExistingSurvey(prior survey.Model) existingSurvey {
	return existingSurvey{
		id: prior.ID.ValueString(), name: prior.Name.ValueString(), project: prior.ProjectID.ValueString(),
		status: prior.Status.ValueString(), policy: deletionPolicy(prior), flag: targetingFlagFromFields(prior.Fields),
	}
}

// deletionPolicy returns a survey's deletion_policy, or the default if the state does not contain
// one yet.
func deletionPolicy(prior survey.Model) string {
	return cmp.Or(prior.DeletionPolicy.ValueString(), surveyschema.PolicyDelete)
}

// isDeleted reports whether a destroy deletes the survey.
func (d existingSurvey) isDeleted() bool {
	return d.policy == surveyschema.PolicyDelete || d.policy == surveyschema.PolicyDeleteUnanswered
}

// attempt describes an operation on the survey in a diagnostic.
func (d existingSurvey) attempt(verb string) framework.Attempt {
	return attempt(verb, survey.Fields{ID: types.StringValue(d.id), Name: types.StringValue(d.name), ProjectID: types.StringValue(d.project)})
}

func (d existingSurvey) label() string { return fmt.Sprintf("survey %q (%s)", d.name, d.id) }

// warnOfDeletion warns of what a planned destroy or replacement deletes. verb is Deleting or
// Replacing.
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
	diags.AddAttributeWarning(path.Root("status"), survey.WarningTitle("A running survey will be deleted", types.StringValue(d.name)),
		fmt.Sprintf("%s %s stops it immediately and removes it and its results from PostHog. "+
			"To keep them, set deletion_policy = \"archive\" and apply the change before you destroy the survey.", verb, d.label()))
}

// warnOfFlag warns that PostHog deletes a flag that others may use. The title contains the flag,
// because Terraform merges warnings with the same title.
func (d existingSurvey) warnOfFlag(verb string, diags *diag.Diagnostics) {
	if !d.flag.exists() || d.flag.own {
		return
	}
	diags.AddAttributeWarning(path.Root("targeting_flag_id"), fmt.Sprintf("PostHog will delete feature flag %s", d.flag),
		fmt.Sprintf("%s %s also deletes its targeting flag %s, even if something else uses the flag. PostHog did not create this flag for the survey. "+
			"To keep the flag, set targeting_flag_id to another flag, or set deletion_policy to \"archive\" or \"abandon\". Apply the change before you destroy the survey.",
			verb, d.label(), d.flag))
}

// targetingFlag is the feature flag that decides who sees a survey.
type targetingFlag struct {
	id  int64  // 0 if there is no flag
	key string // empty if no response contained it

	// own reports whether PostHog created the flag for this survey.
	own bool
}

func targetingFlagFromFields(prior survey.Fields) targetingFlag {
	nested := prior.TargetingFlag.Attributes()
	id, _ := nested["id"].(types.Int64)
	key, _ := nested["key"].(types.String)
	return newTargetingFlag(prior.TargetingFlagID.ValueInt64(), id.ValueInt64(), key.ValueString())
}

// newTargetingFlag returns the flag for a survey's targeting_flag_id (0 if null) and for the ID and
// key in its targeting_flag. If a survey refers by ID to a flag that PostHog created for a survey,
// the flag belongs to a different survey.
func newTargetingFlag(attached, id int64, key string) targetingFlag {
	return targetingFlag{id: cmp.Or(attached, id), key: key, own: attached == 0 && strings.HasPrefix(key, survey.OwnFlagPrefix)}
}

func (f targetingFlag) exists() bool { return f.id != 0 }

// String formats the flag for use in a sentence.
func (f targetingFlag) String() string {
	if f.key == "" {
		return fmt.Sprint(f.id)
	}
	return fmt.Sprintf("%q (id %d)", f.key, f.id)
}

// recordDestroy records a planned destroy, and warns if a create takes the survey's name.
func (r *Resource) recordDestroy(d existingSurvey, diags *diag.Diagnostics) {
	remember(r.Data, d, fateDestroyed)
	runLedger(r.Data).use(newNameInProject(d.project, d.name), func(u *nameUse) {
		if len(u.creates) > 0 && !u.isReported {
			u.isReported = true
			warnOfReplacement(d, u.creates, diags)
		}
	})
}
