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

// The provider posthog/posthog has a resource posthog_survey too. Its state holds what the
// service answered: fields of simple types under their own names, the others as JSON text
// under names that end in _json. It drops the ids of questions, so a converted state has
// none until the next refresh reads them from the service.
const (
	// officialSource is the namespace and the type of that provider.
	officialSource = "posthog/posthog"
	// officialVersion is the version of its schema of surveys, in all releases that are known.
	officialVersion = 0
	officialSuffix  = "_json"
)

// officialInputs are the attributes of such a state that no response of the service has.
type officialInputs struct {
	ID                   string  `json:"id"`
	ProjectID            *string `json:"project_id"`
	TargetingFlagID      *int64  `json:"targeting_flag_id"`
	TargetingFlagFilters *string `json:"targeting_flag_filters_json"`
	CreateInFolder       *string `json:"create_in_folder"`
}

// fromOfficialState converts the attributes of a survey in a state of posthog/posthog.
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

// officialPrior has the values of a state that come from the configuration. Such a state
// has the id of the targeting flag even if the service created the flag from configured
// filters; then the filters count.
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

// officialAnswer reconstructs the response of the service that a state was made from, as
// far as the state has it.
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

// refuseOfficialState adds an error for a state that cannot be converted, and says how to
// take the survey over instead.
func refuseOfficialState(inputs officialInputs, err error, diags *diag.Diagnostics) {
	id := inputs.ID
	if inputs.ProjectID != nil {
		id = *inputs.ProjectID + "/" + id
	}
	diags.AddError("Could not convert the state of provider "+officialSource,
		fmt.Sprintf("The provider could not read the state of survey %s, which provider %s wrote: %s. Nothing was changed. "+
			"Remove the survey from the state with terraform state rm, and import it with the ID %q.", id, officialSource, err, id))
}

// MoveState implements resource.ResourceWithMoveState: a moved block takes a survey over
// from posthog/posthog, or from this provider at another address, such as that of a
// mirror.
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
		// The attributes of another version may mean something else.
		refuseOfficialState(officialInputs{ID: "SURVEY", ProjectID: new("PROJECT")},
			fmt.Errorf("it has version %d of its schema, and version %d is known here", req.SourceSchemaVersion, officialVersion), &resp.Diagnostics)
		return
	}

	converted := r.fromOfficialState(ctx, req.SourceRawState.JSON, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	attribute.Encode(ctx, converted, surveyschema.ObjectType(), &resp.TargetState.Raw, &resp.Diagnostics)
	framework.SetIdentity(ctx, resp.TargetIdentity, newIdentity(converted.Fields), &resp.Diagnostics)
}

// moveOwn copies state and private state unchanged.
func (r *Resource) moveOwn(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
	isOwn := strings.HasSuffix(req.SourceProviderAddress, "/surveys-as-code/posthog")
	if !isSurveyVersion(req, surveyschema.Resource().Version) || !isOwn || req.SourceState == nil {
		return
	}

	resp.TargetState.Raw = req.SourceState.Raw
	resp.TargetPrivate = req.SourcePrivate

	moved := decodeModel(ctx, req.SourceState.Raw, &resp.Diagnostics)
	framework.SetIdentity(ctx, resp.TargetIdentity, newIdentity(moved.Fields), &resp.Diagnostics)
}

// isSurveyVersion reports whether a survey with a schema version is moved. The registry host of
// the provider does not matter: that of Terraform and OpenTofu differ.
func isSurveyVersion(req resource.MoveStateRequest, version int64) bool {
	return req.SourceTypeName == "posthog_survey" && req.SourceSchemaVersion == version
}

// UpgradeState implements resource.ResourceWithUpgradeState. No release of this provider
// wrote version 0: such a state comes from posthog/posthog, by terraform state
// replace-provider.
func (r *Resource) UpgradeState(context.Context) map[int64]resource.StateUpgrader {
	return map[int64]resource.StateUpgrader{officialVersion: {StateUpgrader: r.upgradeOfficial}}
}

func (r *Resource) upgradeOfficial(ctx context.Context, req resource.UpgradeStateRequest, resp *resource.UpgradeStateResponse) {
	converted := r.fromOfficialState(ctx, req.RawState.JSON, &resp.Diagnostics)
	if !resp.Diagnostics.HasError() {
		attribute.Encode(ctx, converted, surveyschema.ObjectType(), &resp.State.Raw, &resp.Diagnostics)
	}
}
