package sdkversion

import (
	"fmt"
	"strings"
)

// Feature is a setting of surveys.
type Feature struct {
	// Setting is how the setting is named in code, with what it has to be.
	Setting string
	// Since is by SDK, in the order of SDKs, the first version that supports the feature, or one of
	// Never, NotYet, Unknown and Always. It is empty where the feature has nothing to do with the SDK.
	Since [5]string

	isUsed func(survey) bool
}

// In is what the table says of an SDK.
func (f Feature) In(sdk SDK) string {
	for i, other := range SDKs() {
		if other == sdk {
			return f.Since[i]
		}
	}
	return Unknown
}

// Used are the features that a survey uses. attributes are those of the resource, with JSON
// decoded.
func Used(attributes map[string]any) []Feature {
	var used []Feature
	for _, feature := range Features() {
		if feature.isUsed(survey(attributes)) {
			used = append(used, feature)
		}
	}
	return used
}

// Ignored says why an SDK of some version ignores a feature; empty when it does not, or when
// that is not known.
func (f Feature) Ignored(sdk SDK, used string) string {
	switch since := f.In(sdk); {
	case since == Never || since == NotYet:
		return fmt.Sprintf("no version of %s supports %s", sdk, f.Setting)
	case version.MatchString(since) && Compare(used, since) < 0:
		return fmt.Sprintf("%s %s ignores %s, which %s and later support", sdk, used, f.Setting, since)
	}
	return ""
}

// Needs says of each SDK from which version on it supports the settings of a survey, and but
// for which; empty when every version supports all.
func Needs(attributes map[string]any) string {
	used := Used(attributes)
	var lines []string
	for _, sdk := range SDKs() {
		first, setting := "", ""
		var ignored []string
		for _, feature := range used {
			switch since := feature.In(sdk); {
			case since == Never || since == NotYet:
				ignored = append(ignored, feature.Setting)
			case version.MatchString(since) && (first == "" || Compare(since, first) > 0):
				first, setting = since, feature.Setting
			}
		}

		line := string(sdk)
		if first != "" {
			line += fmt.Sprintf(" from %s on (%s)", first, setting)
		}
		if len(ignored) > 0 {
			line += ", but for " + strings.Join(ignored, ", ")
		}
		if line != string(sdk) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "; ")
}
