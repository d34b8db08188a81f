package survey

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// PostHog creates the flag for targeting_flag_filters switched off, even if the survey runs from the start. Each update
// switches a survey's flags on or off. A survey that is to run with filters is therefore created as a draft and then
// launched, as in PostHog's web interface.

// LaunchSeparately splits a create request into one that creates a draft and one that launches it. It returns false,
// and the unchanged request, if one request is enough.
func LaunchSeparately(request api.SurveyRequest) (draft, launch api.SurveyRequest, isSplit bool) {
	start, err := request.StartDate.Get()
	archived, _ := request.Archived.Get()
	filters, _ := request.TargetingFlagFilters.Get()
	_, endErr := request.EndDate.Get()
	isRunning := err == nil && start != "" && endErr != nil && !archived
	if !isRunning || len(attribute.ObjectKeys(jsontypes.NewNormalizedValue(string(filters)))) == 0 {
		return request, api.SurveyRequest{}, false
	}

	draft, launch = request, startRequest(request)
	draft.StartDate = nil
	return draft, launch, true
}

// startRequest returns a request with the start date, and the companion fields that every update needs.
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
	if !attribute.IsJSONNull(attribute.ObjectKeys(conditions)["linkedFlagVariant"]) {
		start.LinkedFlagID = request.LinkedFlagID
	}
	return start
}

// LaunchDecision decides how to launch a survey that was just created. If the survey is already running, nothing is
// left to do. Otherwise, the start date is sent with the current companion fields, because someone may have changed
// them since the create.
func LaunchDecision(created api.Survey, launch api.SurveyRequest) func(ctx context.Context, live api.Survey) (api.SurveyRequest, error) {
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
