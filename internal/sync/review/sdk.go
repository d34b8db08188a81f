package review

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"
)

// SDK is an SDK that shows surveys, by the name of its package.
type SDK string

// The SDKs.
const (
	Web         SDK = "posthog-js"
	ReactNative SDK = "posthog-react-native"
	IOS         SDK = "posthog-ios"
	Android     SDK = "posthog-android"
	Flutter     SDK = "posthog_flutter"
)

// SDKs are all SDKs, in the order of the columns of the table.
func SDKs() []SDK { return []SDK{Web, ReactNative, IOS, Android, Flutter} }

// Shows reports whether an SDK shows a survey at all, of which attributes are those of the resource.
// Those of mobile apps show popovers, on the devices that the survey is for.
func (sdk SDK) Shows(attributes map[string]any) bool {
	kind := attributes["type"]
	if sdk == Web {
		return kind != "external_survey"
	}
	if kind != nil && kind != "popover" {
		return false
	}
	devices, isLimited := devices(attributes)
	return !isLimited || slices.ContainsFunc(devices, func(device string) bool { return device != "desktop" })
}

// What stands in the table for what an SDK will not support, and for what it does not support yet.
const (
	Never  = "no"
	NotYet = "-"
)

var isVersion = regexp.MustCompile(`^\d+\.\d+\.\d+$`)

// ParseSDK reads the version of an SDK that an app uses, written NAME=VERSION.
func ParseSDK(text string) (SDK, string, error) {
	name, number, _ := strings.Cut(text, "=")
	if !slices.Contains(SDKs(), SDK(name)) {
		names := make([]string, len(SDKs()))
		for i, sdk := range SDKs() {
			names[i] = string(sdk)
		}
		return "", "", fmt.Errorf("%q does not name an SDK: it must be NAME=VERSION with one of %s", text, strings.Join(names, ", "))
	}
	if !isVersion.MatchString(number) {
		return "", "", fmt.Errorf("%q does not name a version: it must be three numbers, such as %s=1.438.24", text, name)
	}
	return SDK(name), number, nil
}

// CompareVersions orders two versions of which ParseSDK or the table knows that they are.
func CompareVersions(a, b string) int {
	return version.Must(version.NewVersion(a)).Compare(version.Must(version.NewVersion(b)))
}

// Feature is a setting of surveys.
type Feature struct {
	// Setting is how the setting is named in code, with what it has to be.
	Setting string
	// Since is by SDK, in the order of SDKs, the first version that supports the feature, or one of
	// Never and NotYet, "?" for what nobody wrote down, and "yes" for what every version supports. It is
	// empty where the feature has nothing to do with the SDK.
	Since [5]string

	isUsed test
}

// In is what the table says of an SDK.
func (f Feature) In(sdk SDK) string {
	return f.Since[slices.Index(SDKs(), sdk)]
}

// UsedFeatures are the features that a survey uses. attributes are those of the resource, with JSON
// decoded.
func UsedFeatures(attributes map[string]any) []Feature {
	var used []Feature
	for _, feature := range Features() {
		if feature.isUsed(attributes) {
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
	case isVersion.MatchString(since) && CompareVersions(used, since) < 0:
		return fmt.Sprintf("%s %s ignores %s, which %s and later support", sdk, used, f.Setting, since)
	}
	return ""
}

// SDKsFor says of each SDK from which version on it supports the settings of a survey, and but
// for which; empty when every version supports all.
func SDKsFor(attributes map[string]any) string {
	used := UsedFeatures(attributes)
	var lines []string
	for _, sdk := range SDKs() {
		first, setting := "", ""
		var ignored []string
		for _, feature := range used {
			switch since := feature.In(sdk); {
			case since == Never || since == NotYet:
				ignored = append(ignored, feature.Setting)
			case isVersion.MatchString(since) && (first == "" || CompareVersions(since, first) > 0):
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
