package terraform

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// The hosted service omits feature_flag_keys and user_access_level in responses to writes.
// The keys are in the flag objects of the same response, except that of the sampling flag;
// the access level is the same for all surveys that an API key creates in a project. Only
// if neither is enough does a read follow a write: a create without sampling costs one
// request, and a run one more for each project.

// complete fills in the two fields in the response to a write, if the plan has them as
// unknown. before is the survey as it was read before the write, nil if it was not read. A
// failing read is a warning, since the survey is written.
func complete(ctx context.Context, surveys *client.Surveys, answer, before *api.Survey, planned, prior survey.Fields, diags *diag.Diagnostics) {
	isHosted := answer.Schedule.IsSpecified()
	if !isHosted || answer.ID == nil {
		return // the documented service has neither field in any answer
	}

	var read *api.Survey
	var err error
	if planned.UserAccessLevel.IsUnknown() && !answer.UserAccessLevel.IsSpecified() {
		answer.UserAccessLevel, read, err = surveys.CreatorAccessLevel(ctx, *answer.ID)
	}

	if !answer.FeatureFlagKeys.IsSpecified() && hasUnknown(planned.FeatureFlagKeys) {
		keys, isWhole := keysOfFlags(*answer, before, planned, prior)
		if !isWhole && read == nil && err == nil {
			var fetched api.Survey
			fetched, err = surveys.Retrieve(ctx, *answer.ID)
			read = &fetched
		}
		answer.FeatureFlagKeys = nullable.NewNullableWithValue(keys)
		if err == nil && read != nil {
			answer.FeatureFlagKeys = read.FeatureFlagKeys
		}
	}

	if err != nil {
		diags.Append(diag.NewWarningDiagnostic(survey.TitleOf("Some attributes are empty until the next refresh", planned.Name),
			attempt("read", planned).Title()+" after writing it: "+err.Error()+
				".\n\nThe write itself succeeded. user_access_level and keys of feature_flag_keys that only a read returns are null until the next plan or refresh."))
	}
}

// keysOfFlags reads the keys from the flags in a response. It returns false if the key of
// the flag that samples responses is neither in the plan nor in what was read before.
func keysOfFlags(answer api.Survey, before *api.Survey, planned, prior survey.Fields) ([]api.FeatureFlagKey, bool) {
	sampling, isKnown := planned.FeatureFlagKeys.Elements()[survey.SamplingFlagKey].(types.String)
	isKnown = isKnown && !sampling.IsUnknown()
	if limits, err := answer.ResponseSamplingDailyLimits.Get(); err != nil || attribute.IsJSONNull(limits) {
		// A new survey without limits has no such flag; an existing one keeps its flag.
		isKnown = isKnown || prior.ID.IsNull()
	}
	if held := heldSamplingKey(before); !isKnown && held != nil {
		sampling, isKnown = types.StringPointerValue(held), true
	}

	key := func(role string, value *string) api.FeatureFlagKey {
		if value == nil {
			return api.FeatureFlagKey{Key: &role, Value: nullable.NewNullNullable[string]()}
		}
		return api.FeatureFlagKey{Key: &role, Value: nullable.NewNullableWithValue(*value)}
	}
	return []api.FeatureFlagKey{
		key(survey.LinkedFlagKey, flagKey(answer.LinkedFlag)),
		key(survey.TargetingFlagKey, flagKey(answer.TargetingFlag)),
		key(survey.InternalFlagKey, flagKey(answer.InternalTargetingFlag)),
		key(survey.SamplingFlagKey, sampling.ValueStringPointer()),
	}, isKnown
}

// heldSamplingKey is the key of the flag that samples responses before a write, nil if
// there is none.
func heldSamplingKey(before *api.Survey) *string {
	if before == nil {
		return nil
	}
	keys, err := before.FeatureFlagKeys.Get()
	if err != nil {
		return nil
	}

	for _, one := range keys {
		if value, err := one.Value.Get(); err == nil && one.Key != nil && *one.Key == survey.SamplingFlagKey {
			return &value
		}
	}
	return nil
}

func flagKey(field nullable.Nullable[api.FeatureFlag]) *string {
	flag, err := field.Get()
	if err != nil {
		return nil
	}
	return flag.Key
}

// hasUnknown reports whether a map or one of its elements is unknown.
func hasUnknown(values types.Map) bool {
	for _, element := range values.Elements() {
		if element.IsUnknown() {
			return true
		}
	}
	return values.IsUnknown()
}
