package terraform

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// update is an update of a survey, of which there are three values: what the plan saw, what is
// wanted, and what is there.
type update struct {
	// prior is the prior state, from which the plan was made.
	prior survey.Fields
	// planned is the plan, which becomes the state; sent is the same for the request, in which
	// a question whose configured id is "" has the one that it has on the service.
	planned survey.Model
	desired survey.Fields
	// live is what the service holds right before the write; nil when nothing is written.
	live *api.Survey
}

// Update implements resource.Resource.
func (r *Resource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	ctx, cancel := framework.Operation(ctx, "update", req.Plan, &resp.Diagnostics)
	defer cancel()

	diags := &resp.Diagnostics
	config, prior, planned := decodeModel(ctx, req.Config.Raw, diags), decodeModel(ctx, req.State.Raw, diags), decodeModel(ctx, req.Plan.Raw, diags)
	if diags.HasError() || !r.Ready(diags) {
		return
	}

	stamp(&planned.Fields, r.Now())
	memory := survey.LoadMemory(ctx, req.Private, prior.Name, diags)
	past := memory.Questions
	u := update{prior: prior.Fields, planned: planned, desired: planned.Fields}
	identities := survey.Identities(survey.WithIDs(past, prior.Questions).List())
	u.desired.Questions = withRequestIDs(planned.Questions, config.Questions, past.Match(identities, survey.Identities(config.Questions.List())))

	if attribute.EqualExcept(req.Plan.Raw, req.State.Raw, providerOnly...) {
		applied := appliedQuestions(config.Questions, u.desired.Questions, nil) //nolint:contextcheck // the null of a type needs none
		r.storeUnsent(ctx, u, memory.AfterWrite(applied, r.Now()), resp)
		return
	}

	request := u.request(ctx, diags)
	if diags.HasError() {
		return
	}
	response, ok := r.send(ctx, &u, request, req.Private, diags)
	if !ok {
		return
	}

	complete(ctx, r.surveys(u.prior), &response, u.live, u.planned.Fields, u.prior, diags)
	r.store(ctx, response, u.planned, write{
		config: req.Config.Raw, questions: config.Questions, request: request, desired: u.desired.Questions, memory: memory,
		state: &resp.State, identity: resp.Identity, private: resp.Private, diags: diags,
	})
}

// storeUnsent stores an update of what the provider alone knows: nothing is sent.
func (r *Resource) storeUnsent(ctx context.Context, u update, memory survey.Memory, resp *resource.UpdateResponse) {
	memory.Save(ctx, resp.Private, &resp.Diagnostics)
	attribute.Encode(ctx, u.planned, surveyschema.ObjectType(), &resp.State.Raw, &resp.Diagnostics)
	framework.SetIdentity(ctx, resp.Identity, newIdentity(u.prior), &resp.Diagnostics)
}

// request is what makes the wanted survey out of the one that was seen. It is empty when nothing
// that can be written has changed, such as a computed value.
func (u update) request(ctx context.Context, diags *diag.Diagnostics) api.SurveyRequest {
	request := survey.ToAPI(ctx, u.desired, u.prior, uuid.NewString, diags)
	if survey.IsEmptyRequest(request) {
		return switchOnRequest(ctx, u.planned.Fields, u.prior, diags)
	}
	return request
}

// send sends a request if what is there is what was seen, or what is wanted; it returns false
// after an error. An empty request is a read.
func (r *Resource) send(
	ctx context.Context, u *update, request api.SurveyRequest, private attribute.PrivateState, diags *diag.Diagnostics,
) (response api.Survey, ok bool) {
	response, err := r.surveys(u.prior).Change(ctx, u.prior.ID.ValueString(), func(ctx context.Context, live api.Survey) (api.SurveyRequest, error) {
		if survey.IsEmptyRequest(request) {
			return request, nil
		}
		u.live = &live
		return request, r.refuseOverwrite(ctx, live, request, u.desired, u.prior, private, diags)
	})
	if err != nil && !errors.Is(err, errRefused) {
		diags.Append(refusal("update", u.prior, err))
	}
	return response, err == nil
}

// The hosted service omits feature_flag_keys and user_access_level in responses to writes.
// The keys are in the flag objects of the same response, except that of the sampling flag;
// the access level is the same for all surveys that an API key creates in a project. Only
// if neither is enough does a read follow a write: a create without sampling costs one
// request, and a run one more for each project.

// complete fills in the two fields in the response to a write, if the plan has them as
// unknown. before is the survey as it was read before the write, nil if it was not read. A
// failing read is a warning, since the survey is written.
func complete(ctx context.Context, surveys *client.Surveys, answer, live *api.Survey, planned, prior survey.Fields, diags *diag.Diagnostics) {
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
		diags.Append(diag.NewWarningDiagnostic(survey.TitleOf("Some attributes are empty until the next refresh", planned.Name),
			attempt("read", planned).Title()+" after writing it: "+err.Error()+
				".\n\nThe write itself succeeded. user_access_level and keys of feature_flag_keys that only a read returns are null until the next plan or refresh."))
	}
}

// keysOfFlags reads the keys from the flags in a response. It returns false if the key of
// the flag that samples responses is neither in the plan nor in what was read before.
func keysOfFlags(answer api.Survey, live *api.Survey, planned, prior survey.Fields) ([]api.FeatureFlagKey, bool) {
	sampling, isKnown := planned.FeatureFlagKeys.Elements()[survey.SamplingFlagKey].(types.String)
	isKnown = isKnown && !sampling.IsUnknown()
	if limits, err := answer.ResponseSamplingDailyLimits.Get(); err != nil || attribute.IsJSONNull(limits) {
		// A new survey without limits has no such flag; an existing one keeps its flag.
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

// readSamplingKey is the key of the flag that samples responses before a write, nil if
// there is none.
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
