package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/sdkversion"
)

// compare lists what the service's table says otherwise, one line a difference: first by its
// features, then those that it lacks.
func compare(ours []sdkversion.Feature, theirs []requirement) []string {
	here := map[string]sdkversion.Feature{}
	for _, feature := range ours {
		for _, name := range feature.Upstream {
			here[name] = feature
		}
	}

	var differences []string
	for _, r := range theirs {
		feature, ok := here[r.feature]
		if !ok {
			differences = append(differences, fmt.Sprintf("%s: the table here has no such feature", r.feature))
			continue
		}
		delete(here, r.feature)
		differences = append(differences, compareVersions(feature, r)...)
	}
	for _, name := range slices.Sorted(maps.Keys(here)) {
		differences = append(differences, fmt.Sprintf("%s: the service's table has no such feature", name))
	}
	return differences
}

func compareVersions(feature sdkversion.Feature, r requirement) []string {
	var differences []string
	for _, sdk := range sdkversion.SDKs() {
		if ours, theirs := feature.In(sdk), r.since[sdk]; ours != theirs {
			differences = append(differences, fmt.Sprintf("%s: %s: here %s, in the service's table %s", r.feature, sdk, cmp.Or(ours, "nothing"), cmp.Or(theirs, "nothing")))
		}
	}
	known := sdkversion.SDKs()
	for _, sdk := range slices.Sorted(maps.Keys(r.since)) {
		if !slices.Contains(known, sdk) {
			differences = append(differences, fmt.Sprintf("%s: %s: an SDK that the table here does not have", r.feature, sdk))
		}
	}
	return differences
}
