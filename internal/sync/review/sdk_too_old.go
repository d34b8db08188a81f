package review

import "github.com/surveys-as-code/terraform-provider-posthog/internal/sync/sdkversion"

// ignoredSettings finds settings that the SDKs in the apps ignore, of surveys that they show.
func ignoredSettings(s surveyFacts) []string {
	var messages []string
	for _, feature := range sdkversion.Used(s.Attributes) {
		for _, sdk := range sdkversion.SDKs() {
			used, isTold := s.options.SDKs[sdk]
			if !isTold || !sdk.Shows(s.Attributes) {
				continue
			}
			if message := feature.Ignored(sdk, used); message != "" {
				messages = append(messages, message)
			}
		}
	}
	return messages
}
