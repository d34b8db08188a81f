package service

import (
	"encoding/json"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// The features of a hosted organization, for the key features of its fixtures entry: names,
// or objects with a key. An entry without that key has those of the newest known version of
// the service, an empty list none.
const (
	// FeatureThrottling limits the requests of every API key.
	FeatureThrottling = "api_rate_limits"
	// FeatureFlagScope requires the scope feature_flag:write to create, edit or delete the
	// targeting flag of a survey.
	FeatureFlagScope = "survey_flag_scope"
	// FeatureListFilters adds the filters created_by and status to the list of surveys. It is
	// on unless features says otherwise.
	FeatureListFilters = "survey_list_filters"
	// FeatureWhiteLabelling allows whiteLabel in the appearance of a survey.
	FeatureWhiteLabelling = "white_labelling"
	// FeatureFlagLimit limits the feature flags of each project of the organization; it
	// is an object whose limit is the number.
	FeatureFlagLimit = "feature_flag_limit"
	// FeatureFlagApprovals makes edits of feature flags wait for an approval: the routes of
	// flags respond with 409 approval_required, then change_request_pending.
	FeatureFlagApprovals = "feature_flag_approvals"
	// FeatureProjectWaitPeriod applies the wait period in the survey_config of a project to
	// its surveys; a survey's own one that is no number counts as none. It is on unless
	// features says otherwise.
	FeatureProjectWaitPeriod = "survey_project_wait_period"
)

// DefaultFeatures are the features of an organization whose fixtures entry names none: those
// of the newest known version of the hosted  The documented profile has none.
func (p *Profile) DefaultFeatures() json.RawMessage {
	if p.Name != Hosted {
		return json.RawMessage("[]")
	}
	return wire.Encode([]string{FeatureListFilters, FeatureProjectWaitPeriod})
}
