package testserver

// What a hosted organization can have in the features of its fixtures entry, as
// names or as objects with a key.
const (
	// FeatureThrottling limits the requests of every API key.
	FeatureThrottling = "api_rate_limits"
	// FeatureFlagScope asks for the scope feature_flag:write where a survey's
	// targeting flag is made, edited or deleted.
	FeatureFlagScope = "survey_flag_scope"
	// FeatureWhiteLabelling allows whiteLabel in the appearance of a survey.
	FeatureWhiteLabelling = "white_labelling"
)

// has says whether an organization has a feature.
func (o *organization) has(feature string) bool {
	if o.features[0] != '[' {
		return false
	}
	for _, item := range elements(o.features) {
		if item[0] == '{' {
			item = members(item)["key"]
		}
		if unquote(item) == feature {
			return true
		}
	}
	return false
}
