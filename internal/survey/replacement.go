package survey

import (
	"cmp"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/fastpath"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/providerdata"
)

// Terraform plans a replacement that the user asked for (-replace, taint,
// replace_triggered_by) as the create of a survey without a prior state, and does not
// say what it replaces. Names are unique in a project: a create under the name of a
// survey that the same run has read or planned takes that survey's place.

// nameInProject identifies a survey by project and name.
type nameInProject struct{ project, name string }

// remember records an existing survey, for a create that may replace it.
func remember(data *providerdata.Data, d existingSurvey) {
	if data != nil {
		data.Existing.Store(nameInProject{d.project, d.name}, d)
	}
}

// forget drops the record of a survey that turns out to be gone or gets another name: a
// create with its name replaces nothing. A CLI that plans before it reads has recorded it.
func forget(data *providerdata.Data, gone Fields) {
	if data == nil {
		return
	}
	key := nameInProject{gone.ProjectID.ValueString(), gone.Name.ValueString()}
	if found, ok := data.Existing.Load(key); ok {
		if d, isSurvey := found.(existingSurvey); isSurvey && d.id == gone.ID.ValueString() {
			data.Existing.Delete(key)
		}
	}
}

// rememberObject is remember for a state that the fast path does not decode.
func rememberObject(data *providerdata.Data, state fastpath.Object) {
	flag := state.Object("targeting_flag")
	remember(data, existingSurvey{
		id: state.String("id"), name: state.String("name"), project: state.String("project_id"),
		status: state.String("status"), policy: cmp.Or(state.String("deletion_policy"), PolicyDelete),
		flag: newTargetingFlag(state.Int64("targeting_flag_id"), flag.Int64("id"), flag.String("key")),
	})
}

// replacedBy is the survey that a new one replaces.
func replacedBy(data *providerdata.Data, next Model) (existingSurvey, bool) {
	if data == nil || next.Name.IsUnknown() || next.ProjectID.IsUnknown() {
		return existingSurvey{}, false
	}
	found, ok := data.Existing.Load(nameInProject{next.ProjectID.ValueString(), next.Name.ValueString()})
	if !ok {
		return existingSurvey{}, false
	}
	d, ok := found.(existingSurvey)
	return d, ok
}
