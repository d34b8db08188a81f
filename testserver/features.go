package testserver

import (
	"encoding/json"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/targeting"
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
	// FeatureActivityKeys adds is_system, was_impersonated and client to the entries of
	// activity feeds. It is on unless features says otherwise.
	FeatureActivityKeys = "activity_keys"
	// FeatureWhiteLabelling allows whiteLabel in the appearance of a survey.
	FeatureWhiteLabelling = "white_labelling"
	// FeatureStylingGate requires [FeatureStyling] to change the styling of a survey, as in
	// one version of the service.
	FeatureStylingGate = "survey_styling_gate"
	// FeatureStyling allows styling under [FeatureStylingGate].
	FeatureStyling = "surveys_styling"
	// FeatureFlagLimit limits the feature flags of each project of the organization; it
	// is an object whose limit is the number.
	FeatureFlagLimit = "feature_flag_limit"
	// FeatureFlagApprovals makes edits of feature flags wait for an approval: the routes of
	// flags respond with 409 approval_required, then change_request_pending.
	FeatureFlagApprovals = "feature_flag_approvals"
	// FeatureSurveyFlagsExempt exempts the flags of surveys from [FeatureFlagApprovals], as
	// in one version of the service.
	FeatureSurveyFlagsExempt = "survey_flags_exempt_from_approvals"
	// FeatureProjectWaitPeriod applies the wait period in the survey_config of a project to
	// its surveys; a survey's own one that is no number counts as none. It is on unless
	// features says otherwise.
	FeatureProjectWaitPeriod = "survey_project_wait_period"
	// FeatureFlagEarlyExit allows early_exit in the filters of a feature flag.
	FeatureFlagEarlyExit = targeting.EarlyExit
	// FeatureFlagRules checks the filters of a feature flag by the rules of September 2026.
	// It is an object whose enforce lists the optional rules that refuse a request; as a
	// name, as it is on unless features says otherwise, it enforces none of them. Without it
	// the older rules refuse.
	FeatureFlagRules = targeting.Rules
)

// defaultFeatures are the features of an organization whose fixtures entry names none: those
// of the newest known version of the hosted service. The documented profile has none.
func (l *loader) defaultFeatures() json.RawMessage {
	if l.profile.traits().name != Hosted {
		return json.RawMessage("[]")
	}
	return rawjson.Encode([]string{FeatureListFilters, FeatureProjectWaitPeriod, FeatureActivityKeys, FeatureFlagRules})
}
