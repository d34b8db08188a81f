package check

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// longestFilters is the maximum size of a flag's filters as JSON.
const longestFilters = 512 * 1024

var filterKeys = newObjectShape(filterTable)

func percentageShape(p location, v any, findings *Findings) {
	numberShape(p, v, findings)
	if percentage, ok := jsonNumber(v); ok && percentage > 100 {
		findings.errorf(p, rolloutAbove100, "is %s. Use a number from 0 to 100.", excerptJSON(v))
	}
}

// jsonNumber converts a decoded JSON number.
func jsonNumber(v any) (float64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	value, err := n.Float64()
	return value, err == nil
}

// toObjects returns a JSON list's items as objects. It returns nil for other items, which the list's shape reports.
func toObjects(v any) []map[string]any {
	list, _ := v.([]any)
	objects := make([]map[string]any, len(list))
	for i, item := range list {
		objects[i], _ = item.(map[string]any)
	}
	return objects
}

// checkTargeting checks the filters of the flag that PostHog creates for the survey. PostHog rejects filters that
// break these rules, unless PostHog's validation is off. The flag would then match nobody, so the plan always rejects
// such filters.
func checkTargeting(s candidate, findings *Findings) {
	p := atAttribute("targeting_flag_filters")
	filters, ok := decodedObject(p, s.TargetingFlagFilters, findings)
	if !ok || len(filters) == 0 {
		return
	}
	filterKeys.shape(p, filters, findings)

	if size := len(s.TargetingFlagFilters.ValueString()); size > longestFilters {
		findings.errorf(p, filtersTooLarge, "has %d bytes. The maximum is %d.", size, longestFilters)
	}
	if _, ok := filters["version"]; ok {
		findings.errorf(p.key("version"), reservedKey, "is reserved by PostHog. Remove it.")
	}

	checkVariants(p, filters, findings)
	checkPayloads(p, filters, findings)
	if checkHasGroups(s, p, filters, findings) {
		checkGroups(s, p, filters, findings)
	}
}

// checkHasGroups reports whether filters contain groups. An empty list is valid if the survey already has a flag,
// because the flag keeps its groups.
func checkHasGroups(s candidate, p location, filters map[string]any, findings *Findings) bool {
	const example = "Specify who sees the survey: {\"groups\": [{\"properties\": [...], \"rollout_percentage\": ...}]}."
	groups, isList := filters["groups"].([]any)
	switch {
	case filters["groups"] == nil:
		findings.errorf(p, missingGroups, "has no groups. %s", example)
		return false
	case isList && len(groups) == 0 && s.stored == "":
		findings.errorf(p.key("groups"), missingGroups, "is empty. %s", example)
	}
	return true
}

func checkGroups(s candidate, p location, filters map[string]any, findings *Findings) {
	defined := append(variantKeys(s.TargetingFlagFilters.ValueString()), variantKeys(s.stored)...)
	for i, group := range toObjects(filters["groups"]) {
		if group == nil {
			continue
		}
		spot := p.key("groups").item(i)
		checkMatchesSome(spot, group, findings)

		if variant, _ := group["variant"].(string); variant != "" && !slices.Contains(defined, variant) {
			findings.errorf(spot.key("variant"), unknownVariant, "is %q, which multivariate does not define.", variant)
		}

		index := group[groupIndex]
		if index == nil {
			index = filters[groupIndex]
		}
		for j, property := range toObjects(group["properties"]) {
			if property != nil {
				checkProperty(spot.key("properties").item(j), property, index, findings)
			}
		}
	}
}

// checkMatchesSome rejects a group that matches everyone, because it disables targeting.
func checkMatchesSome(p location, group map[string]any, findings *Findings) {
	rollout, isNumber := jsonNumber(group["rollout_percentage"])
	properties, _ := group["properties"].([]any)
	if everyone := group["rollout_percentage"] == nil || isNumber && rollout == 100; everyone && len(properties) == 0 {
		findings.errorf(p, matchesEveryone,
			"has no properties and no rollout_percentage below 100, so everyone sees the survey. If you want this, remove targeting_flag_filters.")
	}
}

// checkVariants checks the flag's variants.
func checkVariants(p location, filters map[string]any, findings *Findings) {
	multivariate, _ := filters["multivariate"].(map[string]any)
	list := toObjects(multivariate["variants"])
	p = p.key("multivariate").key("variants")

	sum, isComplete, first := 0.0, true, map[string]int{}
	for i, variant := range list {
		if variant == nil {
			return
		}
		if variant["rollout_percentage"] == nil {
			findings.errorf(p.item(i).key("rollout_percentage"), missingRolloutPercentage, "must be set to a number from 0 to 100.")
		}
		percentage, ok := jsonNumber(variant["rollout_percentage"])
		sum, isComplete = sum+percentage, isComplete && ok

		key, _ := variant["key"].(string)
		if key == "" {
			findings.errorf(p.item(i).key("key"), missingVariantKey, "must be set, because groups refer to variants by key.")
		} else if firstIndex, twice := first[key]; twice {
			findings.errorf(p.item(i).key("key"), duplicateVariantKey, "is %q, which is also the key of variants[%d].", key, firstIndex)
		} else {
			first[key] = i
		}
	}

	// Percentages may have fractions, and three thirds do not add up to exactly 100.
	const tolerance = 1e-6
	if len(list) > 0 && isComplete && (sum < 100-tolerance || sum > 100+tolerance) {
		findings.errorf(p, variantSum, "have rollout percentages that add up to %g. They must add up to 100.", sum)
	}
}

// checkPayloads checks the values that the flag returns, by variant or under the key "true".
func checkPayloads(p location, filters map[string]any, findings *Findings) {
	if payloads, ok := filters["payloads"]; ok && payloads == nil {
		findings.errorf(p.key("payloads"), notObject, "is null, which PostHog rejects. Remove the key.")
	}
	payloads, _ := filters["payloads"].(map[string]any)
	multivariate, _ := filters["multivariate"].(map[string]any)
	allowed := []string{"true"}
	if list := toObjects(multivariate["variants"]); len(list) > 0 {
		allowed = nil
		for _, variant := range list {
			key, _ := variant["key"].(string)
			allowed = append(allowed, key)
		}
	}

	for _, key := range slices.Sorted(maps.Keys(payloads)) {
		spot := p.key("payloads").key(key)
		if !slices.Contains(allowed, key) {
			findings.errorf(spot, unknownPayloadKey, "is a payload for %q. Payloads are allowed for: %s.", key, strings.Join(allowed, ", "))
		}
		if text, ok := payloads[key].(string); ok && !json.Valid([]byte(text)) {
			findings.errorf(spot, payloadNotJSON, "is %q. A payload must be valid JSON, in which a string has its own quotes.", text)
		}
	}
}

// checkLinkedFlag rejects a variant without a linked flag.
func checkLinkedFlag(s candidate, findings *Findings) {
	if variant, _ := objectKeys(s.Conditions)["linkedFlagVariant"].(string); variant != "" && s.LinkedFlagID.IsNull() {
		findings.errorf(atAttribute("conditions").key("linkedFlagVariant"), variantWithoutFlag,
			"is %q, but no flag is linked. Set linked_flag_id to the flag that has the variant.", variant)
	}
}

// variantKeys returns the keys of the variants in a flag's filters.
func variantKeys(filters string) []string {
	var read struct {
		Multivariate *struct {
			Variants []struct {
				Key string `json:"key"`
			} `json:"variants"`
		} `json:"multivariate"`
	}
	if json.Unmarshal([]byte(filters), &read) != nil || read.Multivariate == nil {
		return nil
	}
	var keys []string
	for _, variant := range read.Multivariate.Variants {
		keys = append(keys, variant.Key)
	}
	return keys
}
