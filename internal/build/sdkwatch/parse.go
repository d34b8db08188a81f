package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/sdkversion"
)

// requirement is a line of the service's table: a feature, and by SDK the first version or why
// there is none.
type requirement struct {
	feature string
	since   map[sdkversion.SDK]string
}

const quoted = "['\"`]([^'\"`]+)['\"`]"

var (
	featureName = regexp.MustCompile(`\bfeature:\s*` + quoted)
	versions    = regexp.MustCompile(`\bsdkVersions:\s*\{([^}]*)\}`)
	versionOf   = regexp.MustCompile(`['"]?([A-Za-z_-]+)['"]?\s*:\s*` + quoted)
	unsupported = regexp.MustCompile(`(?s)\bunsupportedSdks:\s*\[(.*?)\]`)
	withIssue   = regexp.MustCompile(`\{[^{}]*\bsdk:\s*` + quoted + `[^{}]*\bissue:\s*(false|['"` + "`" + `])[^{}]*\}`)
	withoutMore = regexp.MustCompile(quoted)
	comment     = regexp.MustCompile(`(?m)(^|[\s,])//.*$|(?s)/\*.*?\*/`)
)

// parse reads the service's table. It is no parser of TypeScript: the table is a list of objects
// in which each feature stands before its versions.
func parse(text string) ([]requirement, error) {
	text = comment.ReplaceAllString(text, "")
	names := featureName.FindAllStringSubmatchIndex(text, -1)
	if len(names) == 0 {
		return nil, errors.New("no feature is in it: is it surveyVersionRequirements.ts?")
	}

	var requirements []requirement
	for i, name := range names {
		end := len(text)
		if i+1 < len(names) {
			end = names[i+1][0]
		}
		r := requirement{feature: text[name[2]:name[3]]}
		entry := text[name[1]:end]
		list := versions.FindStringSubmatch(entry)
		if list == nil {
			return nil, fmt.Errorf("the feature %q has no sdkVersions", r.feature)
		}
		r.since = sinceOf(list[1], entry)
		requirements = append(requirements, r)
	}
	return requirements, nil
}

// sinceOf reads the versions of a feature, and from its entry the SDKs that do not support it:
// those with an issue do not yet.
func sinceOf(list, entry string) map[sdkversion.SDK]string {
	since := map[sdkversion.SDK]string{}
	for _, pair := range versionOf.FindAllStringSubmatch(list, -1) {
		since[sdkversion.SDK(pair[1])] = pair[2]
	}

	none := unsupported.FindStringSubmatch(entry)
	if none == nil {
		return since
	}
	if !strings.Contains(none[1], "{") {
		for _, sdk := range withoutMore.FindAllStringSubmatch(none[1], -1) {
			since[sdkversion.SDK(sdk[1])] = sdkversion.NotYet
		}
		return since
	}
	for _, element := range withIssue.FindAllStringSubmatch(none[1], -1) {
		since[sdkversion.SDK(element[1])] = sdkversion.NotYet
		if element[2] == "false" {
			since[sdkversion.SDK(element[1])] = sdkversion.Never
		}
	}
	return since
}
