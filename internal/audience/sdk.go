package audience

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
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

// SDKs are all SDKs, in the order of the columns of the tables.
func SDKs() []SDK { return []SDK{Web, ReactNative, IOS, Android, Flutter} }

// The words that a table has instead of a version.
const (
	// Never is for what an SDK will not support, NotYet for what it does not support yet.
	Never  = "no"
	NotYet = "-"
	// Always is for what every version does, Unknown for what an SDK does from a version that is not known.
	Always  = "yes"
	Unknown = "?"
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
		return "", "", fmt.Errorf("%q is not an SDK. Use NAME=VERSION, where NAME is one of %s", text, strings.Join(names, ", "))
	}
	if !isVersion.MatchString(number) {
		return "", "", fmt.Errorf("%q does not contain a version. Use three numbers, such as %s=1.438.24", text, name)
	}
	return SDK(name), number, nil
}

// CompareVersions orders two versions that ParseSDK returned or a table contains.
func CompareVersions(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(a, b string) int {
		// Compared as texts, since a number may be too large for an integer.
		a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	})
}

// Since is from which version on each SDK does something, in the order of SDKs: a version, or one of Never,
// NotYet, Always, and Unknown. It is empty for an SDK that has nothing to do with it.
type Since [5]string

// In returns the cell of an SDK.
func (s Since) In(sdk SDK) string { return s[slices.Index(SDKs(), sdk)] }

// isReached reports whether an SDK of some version does it, as far as that is known. An empty version is any.
func (s Since) isReached(sdk SDK, used string) bool {
	switch since := s.In(sdk); {
	case since == Always || since == Unknown:
		return true
	case isVersion.MatchString(since):
		return used == "" || CompareVersions(used, since) >= 0
	}
	return false
}

// Shows reports whether an SDK shows a survey at all, of which attributes are those of the resource: by itself,
// or where an app asks for it.
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

// LimitedDevices are the types of devices that a survey is limited to, in lower case; false when it is
// not, or not in a way that can be compared.
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

// Feature is a setting of surveys.
type Feature struct {
	// Setting is how the setting is named in code, with what it has to be.
	Setting string
	// Since is from which version on an SDK supports it, Source where that is written.
	Since  Since
	Source string

	isUsed test
}

// UsedFeatures are the features that a survey uses. attributes are those of the resource, with JSON
// decoded.
func UsedFeatures(attributes map[string]any) []Feature {
	return slices.DeleteFunc(Features(), func(feature Feature) bool { return !feature.isUsed(attributes) })
}

// IgnoreReason says why an SDK of some version ignores a feature; empty when it does not, or when
// that is not known.
func (f Feature) IgnoreReason(sdk SDK, used string) string {
	switch since := f.Since.In(sdk); {
	case since == Never || since == NotYet:
		return fmt.Sprintf("no version of %s supports %s", sdk, f.Setting)
	case isVersion.MatchString(since) && CompareVersions(used, since) < 0:
		return fmt.Sprintf("%s %s ignores %s, which %s and later support", sdk, used, f.Setting, since)
	}
	return ""
}

// SDKSupport says of each SDK that shows a survey from which version on it supports the settings, and but
// for which; empty when every version supports all.
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

// supports says from which version on an SDK supports some features; its name alone when every version does.
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

// inSentence are three or more words as a list in a sentence.
func inSentence(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + ", and " + words[last]
}

// plainText is a text, or a number as its digits; empty for anything else.
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
