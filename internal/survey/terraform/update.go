package terraform

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// update is a call with two more versions of the survey.
type update struct {
	*surveyCall
	// desired is the plan for the request: if a configured question ID is "", it contains the
	// question's ID in PostHog.
	desired survey.Fields
	// live is the survey in PostHog right before the write, or nil if nothing is written.
	live *api.Survey
}

func (r *Resource) update(ctx context.Context, c *surveyCall) {
	stamp(&c.Planned.Fields, r.Now())
	memory := survey.LoadMemory(ctx, c.Private, c.Prior.Name, c.Diags)
	u := update{surveyCall: c, desired: c.Planned.Fields}
	identities := survey.Identities(survey.WithIDs(memory.Questions, c.Prior.Questions).List())
	pairs := memory.Questions.Match(identities, survey.Identities(c.Config.Questions.List()))
	u.desired.Questions = withRequestIDs(c.Planned.Questions, c.Config.Questions, pairs)

	if c.ChangesOnly(providerOnly...) {
		applied := appliedQuestions(c.Config.Questions, u.desired.Questions, nil) //nolint:contextcheck // the null of a type needs none
		memory.Questions = memory.Questions.AfterWrite(survey.Identities(applied))
		memory.AfterWrite(r.Now())
		c.Keep(ctx, c.Planned, &memory)
		return
	}

	request := u.request(ctx)
	if c.Diags.HasError() {
		return
	}
	response, ok := r.send(ctx, &u, request)
	if !ok {
		return
	}

	complete(ctx, r.surveys(c.Prior.Fields), &response, u.live, c.Planned.Fields, c.Prior.Fields, c.Diags)
	r.store(ctx, c, response, request, u.desired.Questions, memory)
}

// request returns the changes from the prior state to desired. It is empty if only values changed
// that cannot be written, such as computed ones.
func (u update) request(ctx context.Context) api.SurveyRequest {
	request := survey.ToAPI(ctx, u.desired, u.Prior.Fields, uuid.NewString, u.Diags)
	if survey.IsEmptyRequest(request) {
		return switchOnRequest(ctx, u.Planned.Fields, u.Prior.Fields, u.Diags)
	}
	return request
}

// send sends a request, unless it would overwrite an edit since the plan. It returns false after an
// error. An empty request only reads the survey.
func (r *Resource) send(ctx context.Context, u *update, request api.SurveyRequest) (response api.Survey, ok bool) {
	prior := u.Prior.Fields
	response, err := r.surveys(prior).Change(ctx, prior.ID.ValueString(), func(ctx context.Context, live api.Survey) (api.SurveyRequest, error) {
		if survey.IsEmptyRequest(request) {
			return request, nil
		}
		u.live = &live
		return request, r.refuseOverwrite(ctx, live, request, u)
	})
	if err != nil && !errors.Is(err, framework.ErrRefused) {
		u.Diags.Append(refusal("update", prior, err))
	}
	return response, err == nil
}

// PostHog omits feature_flag_keys and user_access_level in responses to writes. The keys are also
// in the response's flag objects, except for the sampling flag's key. The access level is the same
// for all surveys that an API key creates in a project. The provider reads the survey after a write
// only if these sources are not enough. A create without sampling therefore costs one request, plus
// one per run and project.

// complete fills in both fields in the response to a write, if they are unknown in the plan. live
// is the survey before the write, or nil if it was not read. If a read fails, complete only adds a
// warning, because the write succeeded.
func complete(ctx context.Context, surveys *client.Surveys, answer, live *api.Survey, planned, prior survey.Fields, diags *diag.Diagnostics) {
	isHosted := answer.Schedule.IsSpecified()
	if !isHosted || answer.ID == nil {
		return // the documented profile returns neither field
	}

	var read *api.Survey
	var err error
	if planned.UserAccessLevel.IsUnknown() && !answer.UserAccessLevel.IsSpecified() {
		answer.UserAccessLevel, read, err = surveys.CreatorAccessLevel(ctx, *answer.ID)
	}

	if !answer.FeatureFlagKeys.IsSpecified() && hasUnknown(planned.FeatureFlagKeys) {
		keys, isWhole := keysOfFlags(*answer, live, planned, prior)
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
		diags.Append(diag.NewWarningDiagnostic(survey.WarningTitle("Some attributes are empty until the next refresh", planned.Name),
			attempt("read", planned).Title()+" after writing it: "+err.Error()+
				".\n\nThe write itself succeeded. user_access_level and keys of feature_flag_keys that only a read returns are null until the next plan or refresh."))
	}
}

// keysOfFlags returns the keys of the flags in a response. It returns false if the sampling flag's
// key is neither in the plan nor in live.
func keysOfFlags(answer api.Survey, live *api.Survey, planned, prior survey.Fields) ([]api.FeatureFlagKey, bool) {
	sampling, isKnown := planned.FeatureFlagKeys.Elements()[survey.SamplingFlagKey].(types.String)
	isKnown = isKnown && !sampling.IsUnknown()
	if limits, err := answer.ResponseSamplingDailyLimits.Get(); err != nil || attribute.IsJSONNull(limits) {
		// A new survey without limits does not have a sampling flag. An existing one keeps its
		// flag.
		isKnown = isKnown || prior.ID.IsNull()
	}
	if liveKey := readSamplingKey(live); !isKnown && liveKey != nil {
		sampling, isKnown = types.StringPointerValue(liveKey), true
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

// readSamplingKey returns the key of the survey's sampling flag before a write, or nil if the
// survey does not have one.
func readSamplingKey(live *api.Survey) *string {
	if live == nil {
		return nil
	}
	keys, err := live.FeatureFlagKeys.Get()
	if err != nil {
		return nil
	}

	for _, flag := range keys {
		if value, err := flag.Value.Get(); err == nil && flag.Key != nil && *flag.Key == survey.SamplingFlagKey {
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
