package survey

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// ToAPI returns the request for a planned change: the fields that differ from prior, and
// those that the service requires next to them. With the zero Fields as prior it is the
// request of a create. newID returns the id of a new question.
func ToAPI(ctx context.Context, planned, prior Fields, newID func() string, diags *diag.Diagnostics) api.SurveyRequest {
	var r api.SurveyRequest
	attribute.Send(&r, attribute.FromStruct(&planned), attribute.FromStruct(&prior), "targeting_flag_id", "targeting_flag_filters")
	sendIterations(ctx, &r, planned, prior, diags)
	sendSampling(&r, planned)
	sendTargeting(&r, planned, prior)
	sendQuestions(&r, planned, prior, newID, diags)
	sendCompanions(&r, planned, prior)
	return r
}

// sendIterations keeps count and frequency together: sent alone, a count switches
// the stored frequency off.
func sendIterations(ctx context.Context, r *api.SurveyRequest, planned, prior Fields, diags *diag.Diagnostics) {
	if r.IterationCount.IsSpecified() && !planned.IterationFrequencyDays.IsNull() {
		attribute.SendInt64(&r.IterationFrequencyDays, planned.IterationFrequencyDays, types.Int64Null())
	}
	if r.IterationFrequencyDays.IsSpecified() && !planned.IterationCount.IsNull() {
		attribute.SendInt64(&r.IterationCount, planned.IterationCount, types.Int64Null())
	}

	dates := planned.IterationStartDates
	switch {
	case dates.IsUnknown() || dates.Equal(prior.IterationStartDates):
	case dates.IsNull():
		if !prior.IterationStartDates.IsNull() {
			r.IterationStartDates.SetNull()
		}
	default:
		var moments []types.String
		diags.Append(dates.ElementsAs(ctx, &moments, false)...)
		wire := make([]nullable.Nullable[string], len(moments))
		for i, moment := range moments {
			wire[i].SetNull()
			attribute.SendString(&wire[i], moment, types.StringNull())
		}
		r.IterationStartDates.Set(wire)
	}
}

// sendSampling sends a limit together with its start and interval: the service requires
// them in the same body.
func sendSampling(r *api.SurveyRequest, planned Fields) {
	if r.ResponseSamplingLimit.IsSpecified() && planned.SamplingLimit.ValueInt64() > 0 {
		attribute.SendString(&r.ResponseSamplingStartDate, planned.SamplingStartDate, types.StringNull())
		attribute.SendInt64(&r.ResponseSamplingInterval, planned.SamplingInterval, types.Int64Null())
	}
}

// sendCompanions adds unchanged fields that the service requires. It drops the linked
// actions of a survey on every update without conditions, and looks for the variant only of
// a linked flag in the same body. Those of a sampling limit are added by sendSampling.
func sendCompanions(r *api.SurveyRequest, planned, prior Fields) {
	if IsEmptyRequest(*r) {
		return
	}
	if LinksActions(prior.Conditions) && !planned.Conditions.IsNull() {
		attribute.SendJSON(&r.Conditions, planned.Conditions, attribute.NullJSON)
	}
	if r.Conditions.IsSpecified() && !attribute.IsJSONNull(attribute.KeysOf(planned.Conditions)["linkedFlagVariant"]) {
		attribute.SendInt64(&r.LinkedFlagID, planned.LinkedFlagID, types.Int64Null())
	}
}

// LinksActions reports whether conditions link actions: by a list that is not empty, or any
// value that is not a list.
func LinksActions(conditions jsontypes.Normalized) bool {
	raw := attribute.KeysOf(conditions)["actions"]
	var actions map[string]json.RawMessage
	if attribute.IsJSONNull(raw) || json.Unmarshal(raw, &actions) != nil {
		return !attribute.IsJSONNull(raw)
	}
	var values []json.RawMessage
	return !attribute.IsJSONNull(actions["values"]) && (json.Unmarshal(actions["values"], &values) != nil || len(values) > 0)
}

// IsEmptyRequest reports whether a request changes nothing.
func IsEmptyRequest(r api.SurveyRequest) bool {
	raw, err := json.Marshal(r)
	return err == nil && string(raw) == "{}"
}

// The service creates the flag for targeting_flag_filters switched off, also when the survey
// runs from the start, and switches the flags of a survey on or off with each update. So a
// survey that is to run with filters is created as a draft and then launched, as in the web
// interface.

// LaunchSeparately splits the request of a create: into that of a draft, and that which
// launches it. It returns false, and the request as it is, if one request is enough.
func LaunchSeparately(request api.SurveyRequest) (draft, launch api.SurveyRequest, isSplit bool) {
	start, err := request.StartDate.Get()
	archived, _ := request.Archived.Get()
	filters, _ := request.TargetingFlagFilters.Get()
	_, endErr := request.EndDate.Get()
	isRunning := err == nil && start != "" && endErr != nil && !archived
	if !isRunning || len(attribute.KeysOf(jsontypes.NewNormalizedValue(string(filters)))) == 0 {
		return request, api.SurveyRequest{}, false
	}

	draft, launch = request, startRequest(request)
	draft.StartDate = nil
	return draft, launch, true
}

// startRequest is the start date of a request, with the companions that every update needs.
func startRequest(request api.SurveyRequest) api.SurveyRequest {
	start := api.SurveyRequest{StartDate: request.StartDate}
	raw, err := request.Conditions.Get()
	if err != nil {
		return start
	}

	conditions := jsontypes.NewNormalizedValue(string(raw))
	if !LinksActions(conditions) {
		return start
	}
	start.Conditions = request.Conditions
	if !attribute.IsJSONNull(attribute.KeysOf(conditions)["linkedFlagVariant"]) {
		start.LinkedFlagID = request.LinkedFlagID
	}
	return start
}

// LaunchOf decides on the launch of a survey that was just created, by what there is then:
// nothing is left to do if it runs, and the companions of the start date are those that others
// have set meanwhile.
func LaunchOf(created api.Survey, launch api.SurveyRequest) func(ctx context.Context, live api.Survey) (api.SurveyRequest, error) {
	return func(_ context.Context, live api.Survey) (api.SurveyRequest, error) {
		if start, _ := live.StartDate.Get(); start != "" {
			return api.SurveyRequest{}, nil
		}
		if reflect.DeepEqual(live, created) {
			return launch, nil
		}

		now := launch
		if conditions, err := live.Conditions.Get(); err == nil && launch.Conditions.IsSpecified() {
			var text string
			if json.Unmarshal(conditions, &text) != nil {
				text = string(conditions)
			}
			now.Conditions.Set(json.RawMessage(ActionIDs(text)))
		}
		if launch.LinkedFlagID.IsSpecified() && live.LinkedFlagID.IsSpecified() {
			now.LinkedFlagID = live.LinkedFlagID
		}
		return now, nil
	}
}
