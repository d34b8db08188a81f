package review

import "github.com/surveys-as-code/terraform-provider-posthog/internal/sync/sdkversion"

// ignoredSettings finds settings that the SDKs in the apps ignore.
func ignoredSettings(s surveyFacts) []string {
	if s.isOver() || s.Attributes["type"] == "external_survey" {
		return nil
	}
	var messages []string
	for _, feature := range sdkversion.Used(s.Attributes) {
		for _, sdk := range sdkversion.SDKs() {
			used, isTold := s.options.SDKs[sdk]
			if !isTold {
				continue
			}
			if message := feature.Ignored(sdk, used); message != "" {
				messages = append(messages, message)
			}
		}
	}
	return messages
}
