package terraform

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

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
		refuseOfficialVersion(req.SourceSchemaVersion, &resp.Diagnostics)
		return
	}

	converted := r.fromOfficialState(ctx, req.SourceRawState.JSON, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	attribute.Encode(ctx, converted, surveyschema.ObjectType(), &resp.TargetState.Raw, &resp.Diagnostics)
	providerdata.SetIdentity(ctx, resp.TargetIdentity, identityOf(converted.Fields), &resp.Diagnostics)
}

// moveOwn copies state and private state unchanged.
func (r *Resource) moveOwn(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
	isOwn := strings.HasSuffix(req.SourceProviderAddress, "/surveys-as-code/posthog")
	if !isSurveyOf(req, surveyschema.Resource().Version) || !isOwn || req.SourceState == nil {
		return
	}

	resp.TargetState.Raw = req.SourceState.Raw
	resp.TargetPrivate = req.SourcePrivate

	moved := modelOf(ctx, req.SourceState.Raw, &resp.Diagnostics)
	providerdata.SetIdentity(ctx, resp.TargetIdentity, identityOf(moved.Fields), &resp.Diagnostics)
}

// isSurveyOf reports whether a survey with a schema version is moved. The registry host of
// the provider does not matter: that of Terraform and OpenTofu differ.
func isSurveyOf(req resource.MoveStateRequest, version int64) bool {
	return req.SourceTypeName == "posthog_survey" && req.SourceSchemaVersion == version
}
