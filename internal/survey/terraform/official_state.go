package terraform

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// Provider posthog/posthog also has a resource posthog_survey. Its state contains PostHog's
// response: simple fields under their own names, and all others as JSON text under names that end
// in _json. It does not contain question IDs, so a converted state lacks them until the next
// refresh reads them from PostHog.
const (
	// officialSource is the namespace and type of that provider.
	officialSource = "posthog/posthog"
	// officialVersion is the schema version of its surveys in all known releases.
	officialVersion = 0
	officialSuffix  = "_json"
)

// officialInputs are the attributes in such a state that PostHog does not return.
type officialInputs struct {
	ID                   string  `json:"id"`
	ProjectID            *string `json:"project_id"`
	TargetingFlagID      *int64  `json:"targeting_flag_id"`
	TargetingFlagFilters *string `json:"targeting_flag_filters_json"`
	CreateInFolder       *string `json:"create_in_folder"`
}

// fromOfficialState converts a survey's state that posthog/posthog wrote.
func (r *Resource) fromOfficialState(ctx context.Context, raw []byte, diags *diag.Diagnostics) survey.Model {
	m := decodeModel(ctx, attribute.AllNull(ctx, surveyschema.ObjectType()), diags)

	var inputs officialInputs
	err := json.Unmarshal(raw, &inputs)
	var answer api.Survey
	if err == nil {
		answer, err = officialAnswer(raw)
	}
	if err == nil {
		m.Fields, err = survey.FromAPI(ctx, answer, r.officialPrior(inputs), &attribute.Response{})
	}
	if err != nil {
		refuseOfficialState(inputs, err, diags)
		return m
	}

	m.DeletionPolicy = types.StringValue(surveyschema.PolicyDelete)
	m.CreateInFolder = types.StringPointerValue(inputs.CreateInFolder)
	return m
}

// officialPrior returns the values in a state that come from the configuration. The state contains
// targeting_flag_id even if PostHog created the flag from configured filters. In this case, only
// the filters count.
func (r *Resource) officialPrior(inputs officialInputs) survey.Fields {
	prior := survey.Fields{ProjectID: types.StringPointerValue(inputs.ProjectID)}
	if prior.ProjectID.IsNull() && r.Data != nil {
		prior.ProjectID = types.StringValue(r.ProjectID)
	}
	if inputs.TargetingFlagFilters == nil {
		prior.TargetingFlagID = types.Int64PointerValue(inputs.TargetingFlagID)
	}
	return prior
}

// officialAnswer reconstructs PostHog's response from a state, as far as the state contains it.
func officialAnswer(raw []byte) (api.Survey, error) {
	var answer api.Survey
	attributes := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &attributes); err != nil {
		return answer, err
	}

	fields := map[string]json.RawMessage{}
	for name, value := range attributes {
		field, isJSON := strings.CutSuffix(name, officialSuffix)
		if isJSON && !attribute.IsJSONNull(value) {
			var text string
			if err := json.Unmarshal(value, &text); err != nil {
				return answer, fmt.Errorf("%s: %w", name, err)
			}
			if !json.Valid([]byte(text)) {
				return answer, fmt.Errorf("%s is not JSON: %.60q", name, text)
			}
			value = json.RawMessage(text)
		}
		if !attribute.IsJSONNull(value) {
			fields[field] = value
		}
	}

	whole, err := json.Marshal(fields)
	if err != nil {
		return answer, err
	}
	return answer, json.Unmarshal(whole, &answer)
}

// refuseOfficialState adds an error for a state that cannot be converted, and explains how to
// import the survey instead.
func refuseOfficialState(inputs officialInputs, err error, diags *diag.Diagnostics) {
	id := inputs.ID
	if inputs.ProjectID != nil {
		id = *inputs.ProjectID + "/" + id
	}
	diags.AddError("Could not convert the state of provider "+officialSource,
		fmt.Sprintf("The provider could not read the state of survey %s, which provider %s wrote: %s. Nothing was changed. "+
			"Remove the survey from the state with terraform state rm, and import it with the ID %q.", id, officialSource, err, id))
}

// MoveState implements resource.ResourceWithMoveState. A moved block takes over a survey from
// posthog/posthog, or from this provider at another source address, such as a mirror's.
func (r *Resource) MoveState(context.Context) []resource.StateMover {
	current := surveyschema.Resource()
	return []resource.StateMover{
		{StateMover: r.moveOfficial},
		{SourceSchema: &current, StateMover: r.moveOwn},
	}
}

func (r *Resource) moveOfficial(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
	if req.SourceTypeName != "posthog_survey" || !strings.HasSuffix(req.SourceProviderAddress, "/"+officialSource) {
		return
	}
	if req.SourceSchemaVersion != officialVersion {
		// Attributes in another version may have a different meaning.
		refuseOfficialState(officialInputs{ID: "SURVEY", ProjectID: new("PROJECT")},
			fmt.Errorf("its schema has version %d, but this provider supports only version %d", req.SourceSchemaVersion, officialVersion), &resp.Diagnostics)
		return
	}

	converted := r.fromOfficialState(ctx, req.SourceRawState.JSON, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	attribute.Encode(ctx, converted, surveyschema.ObjectType(), &resp.TargetState.Raw, &resp.Diagnostics)
	framework.SetIdentity(ctx, resp.TargetIdentity, converted, &resp.Diagnostics)
}

// moveOwn copies the state and the private state unchanged.
func (r *Resource) moveOwn(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
	isOwn := strings.HasSuffix(req.SourceProviderAddress, "/surveys-as-code/posthog")
	if !isSurveyVersion(req, surveyschema.Resource().Version) || !isOwn || req.SourceState == nil {
		return
	}

	resp.TargetState.Raw = req.SourceState.Raw
	resp.TargetPrivate = req.SourcePrivate

	moved := decodeModel(ctx, req.SourceState.Raw, &resp.Diagnostics)
	framework.SetIdentity(ctx, resp.TargetIdentity, moved, &resp.Diagnostics)
}

// isSurveyVersion reports whether a request moves a survey with this schema version. It ignores the
// registry host, which differs between Terraform and OpenTofu.
func isSurveyVersion(req resource.MoveStateRequest, version int64) bool {
	return req.SourceTypeName == "posthog_survey" && req.SourceSchemaVersion == version
}

// UpgradeState implements resource.ResourceWithUpgradeState. No release of this provider wrote version 0. Such a
// state was written by posthog/posthog and converted with terraform state replace-provider.
func (r *Resource) UpgradeState(context.Context) map[int64]resource.StateUpgrader {
	return map[int64]resource.StateUpgrader{officialVersion: {StateUpgrader: r.upgradeOfficial}}
}

func (r *Resource) upgradeOfficial(ctx context.Context, req resource.UpgradeStateRequest, resp *resource.UpgradeStateResponse) {
	converted := r.fromOfficialState(ctx, req.RawState.JSON, &resp.Diagnostics)
	if !resp.Diagnostics.HasError() {
		attribute.Encode(ctx, converted, surveyschema.ObjectType(), &resp.State.Raw, &resp.Diagnostics)
	}
}
