package keys

import "regexp"

// resourceLabel is the label in the address of a survey, and whether an index follows.
var resourceLabel = regexp.MustCompile(`(?:^|\.)posthog_survey\.([^.\[\]"]+)(\[.*\])?$`)

// labelOf is the name that an address gives to a survey: its label, with the index of one of
// several; empty for objects without an address.
func labelOf(address string) string {
	parts := resourceLabel.FindStringSubmatch(address)
	if parts == nil {
		return ""
	}
	return parts[1] + " " + parts[2]
}
