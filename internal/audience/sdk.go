package audience

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// SDK is the package name of an SDK that shows surveys.
type SDK string

// The SDKs.
const (
	Web         SDK = "posthog-js"
	ReactNative SDK = "posthog-react-native"
	IOS         SDK = "posthog-ios"
	Android     SDK = "posthog-android"
	Flutter     SDK = "posthog_flutter"
)

// SDKs returns all SDKs in the order of the table columns.
func SDKs() []SDK { return []SDK{Web, ReactNative, IOS, Android, Flutter} }

// Table entries that replace a version.
const (
	// Never means that an SDK will not support a feature, and NotYet that it does not support the feature yet.
	Never  = "no"
	NotYet = "-"
	// Always means that every version supports a feature. Unknown means that support began with an unknown version.
	Always  = "yes"
	Unknown = "?"
)

var isVersion = regexp.MustCompile(`^\d+\.\d+\.\d+$`)

// ParseSDK parses the version of an SDK in an app, in the form NAME=VERSION.
func ParseSDK(text string) (SDK, string, error) {
	name, number, _ := strings.Cut(text, "=")
	if !slices.Contains(SDKs(), SDK(name)) {
		names := make([]string, len(SDKs()))
		for i, sdk := range SDKs() {
			names[i] = string(sdk)
		}
		return "", "", fmt.Errorf("%q is not an SDK. Use NAME=VERSION, where NAME is one of %s", text, strings.Join(names, ", "))
	}
	if !isVersion.MatchString(number) {
		return "", "", fmt.Errorf("%q does not contain a version. Use three numbers, such as %s=1.438.24", text, name)
	}
	return SDK(name), number, nil
}

// CompareVersions compares two versions from ParseSDK or a table.
func CompareVersions(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(a, b string) int {
		// Compare texts, because a number may overflow an integer.
		a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	})
}

// Since contains, for each SDK in the order of SDKs, the first version with a behavior, or Never, NotYet, Always, or
// Unknown. It is empty for an SDK to which the behavior does not apply.
type Since [5]string

// In returns the entry for an SDK.
func (s Since) In(sdk SDK) string { return s[slices.Index(SDKs(), sdk)] }

// isReached reports whether a version of an SDK is known to have the behavior. An empty version means any version.
func (s Since) isReached(sdk SDK, used string) bool {
	switch since := s.In(sdk); {
	case since == Always || since == Unknown:
		return true
	case isVersion.MatchString(since):
		return used == "" || CompareVersions(used, since) >= 0
	}
	return false
}

// Shows reports whether an SDK shows a survey, either automatically or when an app requests it. attributes are the
// resource's attributes.
func (sdk SDK) Shows(attributes map[string]any) bool {
	if attributes["type"] == External || sdk.NeverShows(attributes, "") != "" {
		return false
	}
	if sdk == Web {
		return true
	}
	types := shownTypes.In(sdk)
	if kind := attributes["type"]; kind != nil && !slices.Contains(strings.Fields(types), plainText(kind)) {
		return false
	}
	devices, isLimited := LimitedDevices(attributes)
	return !isLimited || slices.ContainsFunc(devices, func(device string) bool { return device != "desktop" })
}

// LimitedDevices returns the device types to which a survey is limited, in lower case. It returns false if the survey
// is not limited, or if its match type cannot be compared.
func LimitedDevices(attributes map[string]any) (names []string, isLimited bool) {
	conditions, _ := attributes["conditions"].(map[string]any)
	if match := plainText(conditions["deviceTypesMatchType"]); !slices.Contains([]string{"", "exact", "icontains"}, match) {
		return nil, false
	}
	list, _ := conditions["deviceTypes"].([]any)
	for _, device := range list {
		names = append(names, strings.ToLower(plainText(device)))
	}
	return names, len(names) > 0
}

// Feature is a survey setting.
type Feature struct {
	// Setting is the name of the setting in code, with the required value.
	Setting string
	// Since contains the first supporting version of each SDK, and Source says where this information comes from.
	Since  Since
	Source string

	isUsed test
}

// UsedFeatures returns the features that a survey uses. attributes are the resource's attributes, with decoded JSON.
func UsedFeatures(attributes map[string]any) []Feature {
	return slices.DeleteFunc(Features(), func(feature Feature) bool { return !feature.isUsed(attributes) })
}

// IgnoreReason explains why an SDK version ignores a feature. It returns an empty string if the version supports the
// feature, or if support is unknown.
func (f Feature) IgnoreReason(sdk SDK, used string) string {
	switch since := f.Since.In(sdk); {
	case since == Never || since == NotYet:
		return fmt.Sprintf("no version of %s supports %s", sdk, f.Setting)
	case isVersion.MatchString(since) && CompareVersions(used, since) < 0:
		return fmt.Sprintf("%s %s ignores %s, which %s and later support", sdk, used, f.Setting, since)
	}
	return ""
}

// SDKSupport lists, for each SDK that shows a survey, the first version that supports the survey's settings, and the
// settings that no version supports. It is empty if every version supports all settings.
func SDKSupport(attributes map[string]any) string {
	used := UsedFeatures(attributes)
	var lines []string
	for _, sdk := range SDKs() {
		if sdk.NeverShows(attributes, "") != "" {
			continue
		}
		if line := sdk.supports(used); line != string(sdk) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "; ")
}

// supports describes the first version of an SDK that supports the given features. It returns only the SDK's name if
// every version does.
func (sdk SDK) supports(used []Feature) string {
	first, setting := "", ""
	var ignored, unknown []string
	for _, feature := range used {
		switch since := feature.Since.In(sdk); {
		case since == Never || since == NotYet:
			ignored = append(ignored, feature.Setting)
		case since == Unknown:
			unknown = append(unknown, feature.Setting)
		case isVersion.MatchString(since) && (first == "" || CompareVersions(since, first) > 0):
			first, setting = since, feature.Setting
		}
	}

	line := string(sdk)
	if first != "" {
		line += fmt.Sprintf(" from %s on (%s)", first, setting)
	}
	if len(unknown) > 0 {
		line += " in its newest source, release unknown (" + strings.Join(unknown, ", ") + ")"
	}
	if len(ignored) > 0 {
		line += ", but for " + strings.Join(ignored, ", ")
	}
	return line
}

// inSentence joins three or more words for a sentence.
func inSentence(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + ", and " + words[last]
}

// plainText returns a text, or the digits of a number. It returns an empty string for any other value.
func plainText(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case fmt.Stringer:
		return value.String() // a json.Number
	case float64:
		return strconv.FormatFloat(value, 'f', -1, 64)
	case int, int64:
		return fmt.Sprint(value)
	}
	return ""
}
